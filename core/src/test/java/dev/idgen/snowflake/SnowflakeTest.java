package dev.idgen.snowflake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.IdException;
import dev.idgen.Reason;
import dev.idgen.layout.Layout;
import dev.idgen.store.Refusal;
import dev.idgen.store.StoreException;
import dev.idgen.store.file.FileWorkerStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fronts, on the real clock and a real file. */
class SnowflakeTest {
  @TempDir Path folder;

  @Test
  void fixed_closedAndOpenedAgain_goesOnAbove() {
    Path file = folder.resolve("ids.state");
    long last = -1;
    for (int i = 0; i < 3; i++) {
      try (Snowflake ids = Snowflake.fixed(7, file)) {
        for (long id : ids.next(10_000)) {
          assertTrue(id > last);
          last = id;
        }
        assertEquals(7, ids.layout().workerOf(last));
      }
    }
  }

  @Test
  void fixed_fileInUse_isRefused() {
    Path file = folder.resolve("ids.state");
    try (Snowflake ids = Snowflake.fixed(7, file)) {
      assertThrows(StoreException.class, () -> Snowflake.fixed(8, file));
      assertTrue(ids.next() > 0);
    }
  }

  /** C10. */
  @Test
  void fixed_anotherEpochThanTheFiles_isRefused() {
    Path file = folder.resolve("ids.state");
    Snowflake.fixed(7, file).close();
    Layout other = Layout.builder().time(41).worker(10).sequence(12).epochMillis(1).build();
    EngineOptions options = EngineOptions.defaults().withLayout(other);
    StartException e = assertThrows(StartException.class, () -> Snowflake.fixed(7, file, options));
    assertEquals(Refusal.LAYOUT_MISMATCH, e.refusal());
  }

  @Test
  void fixed_layoutRefused_leavesTheFileFree() {
    Path file = folder.resolve("ids.state");
    Layout future =
        Layout.builder().time(41).worker(10).sequence(12).epochMillis(9_000_000_000_000L).build();
    EngineOptions options = EngineOptions.defaults().withLayout(future);
    assertThrows(IllegalArgumentException.class, () -> Snowflake.fixed(7, file, options));
    Snowflake.fixed(7, file).close();
  }

  /** C24. */
  @Test
  void fixed_workerIdOutsideTheLayout_isRefused() {
    Path file = folder.resolve("ids.state");
    var e = assertThrows(IllegalArgumentException.class, () -> Snowflake.fixed(1024, file));
    assertEquals("workerId: 1024 (expected: 0..1023)", e.getMessage());
    assertThrows(IllegalArgumentException.class, () -> Snowflake.fixed(-1, file));
    assertTrue(Files.notExists(file), "nothing was made");
  }

  /** C20: as many generators as you like on one store: each has a worker id of its own. */
  @Test
  void leased_manyOnOneStore_allDiffer() {
    Set<Integer> workers = new HashSet<>();
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < 5; i++) {
      Snowflake ids = Snowflake.leased(FileWorkerStore.open(folder));
      for (long id : ids.next(1_000)) {
        assertTrue(seen.add(id));
        workers.add(ids.layout().workerOf(id));
      }
      opened.add(ids);
    }
    assertEquals(5, workers.size());
    opened.forEach(Snowflake::close);
  }

  private final Set<Snowflake> opened = new HashSet<>();

  @Test
  void next_closed_isRefused() {
    Snowflake ids = Snowflake.fixed(7, folder.resolve("ids.state"));
    ids.close();
    ids.close();
    assertEquals(Reason.DRAINING, assertThrows(IdException.class, ids::next).reason());
  }
}
