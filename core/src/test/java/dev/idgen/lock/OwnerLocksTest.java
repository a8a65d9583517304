package dev.idgen.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.time.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerLocksTest {
  @TempDir private Path folder;

  @Test
  void ended_held_onlyAfterClose() throws IOException {
    OwnerLocks locks = open();
    try (OwnerLocks others = open()) {
      locks.hold("a b/7\n");
      locks.hold("a b/7\n");
      assertFalse(locks.ended("a b/7\n"));
      assertFalse(others.ended("a b/7\n"));
      locks.close();
      locks.close();
      assertTrue(others.ended("a b/7\n"));
      assertTrue(others.ended("a b/7\n"));
    }
  }

  @Test
  void ended_neverSeen_isNotKnown() throws IOException {
    try (OwnerLocks locks = open()) {
      assertFalse(locks.ended("nobody"));
      assertEquals(0, files());
    }
  }

  @Test
  void hold_inTwoStores_livesUntilBothAreClosed() throws IOException {
    try (OwnerLocks looking = open()) {
      OwnerLocks one = open();
      OwnerLocks two = open();
      one.hold("a");
      two.hold("a");
      one.close();
      assertFalse(looking.ended("a"));
      two.close();
      assertTrue(looking.ended("a"));
    }
  }

  @Test
  void sweep_endedAndNotMentioned_areDeleted() throws IOException {
    try (OwnerLocks locks = open()) {
      locks.hold("living");
      try (OwnerLocks others = open()) {
        others.hold("mentioned");
        others.hold("forgotten");
      }
      locks.sweep(List.of("mentioned"));
      assertEquals(2, files());
      assertTrue(locks.ended("mentioned"));
      assertFalse(locks.ended("living"));
      assertFalse(locks.ended("forgotten"));
    }
  }

  private OwnerLocks open() throws IOException {
    return new OwnerLocks(folder.resolve("owners"), TimeSource.system());
  }

  private long files() throws IOException {
    try (var files = Files.list(folder.resolve("owners"))) {
      return files.count();
    }
  }
}
