package dev.idgen.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockFileTest {
  @TempDir private Path folder;

  @Test
  void tryLock_free_locksUntilClosed() throws IOException {
    Path path = folder.resolve("x.lock");
    LockFile lock = held(LockFile.tryLock(path, "me"));
    assertEquals("me\n", readFromOutside(path));
    LockFile.Attempt second = LockFile.tryLock(path, "you");
    assertNull(second.lock());
    assertEquals("this process, me", second.holder());
    lock.close();
    lock.close();
    held(LockFile.tryLock(path, "you")).close();
  }

  /** Reading it here would drop the lock, so the test has a copy made. */
  private static String readFromOutside(Path path) throws IOException {
    Process cat = new ProcessBuilder("cat", path.toString()).start();
    try (var in = cat.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void tryLock_anotherWayToTheFolder_isTheSameLock() throws IOException {
    Path way = Files.createSymbolicLink(folder.resolve("way"), folder);
    try (LockFile lock = held(LockFile.tryLock(folder.resolve("x.lock"), "me"))) {
      assertNotNull(lock);
      assertNull(LockFile.tryLock(way.resolve("x.lock"), "you").lock());
    }
  }

  /** Opening the file a second time, and closing it again, would drop the first lock. */
  @Test
  void tryLock_propertiesReplaced_isTheSameLockAndStaysLocked() throws Exception {
    Path path = folder.resolve("x.lock");
    Properties before = System.getProperties();
    Properties others = new Properties();
    others.putAll(before);
    others.keySet().removeIf(key -> key.toString().startsWith("dev.idgen."));
    try (LockFile lock = held(LockFile.tryLock(path, "me"))) {
      assertNotNull(lock);
      System.setProperties(others);
      LockFile.Attempt second = LockFile.tryLock(path, "you");
      assertNull(second.lock());
      assertEquals("this process, me", second.holder());
      Process child = holder(path);
      try (BufferedReader told = child.inputReader(StandardCharsets.US_ASCII)) {
        assertEquals("not held", told.readLine());
      } finally {
        child.destroyForcibly().waitFor();
      }
    } finally {
      System.setProperties(before);
    }
    held(LockFile.tryLock(path, "you")).close();
  }

  @Test
  void tryLockExisting_missing_throwsAndMakesNothing() throws IOException {
    Path path = folder.resolve("x.lock");
    assertThrows(NoSuchFileException.class, () -> LockFile.tryLockExisting(path));
    assertFalse(Files.exists(path));
    held(LockFile.tryLock(path, "me")).close();
    held(LockFile.tryLockExisting(path)).close();
  }

  @Test
  void tryLock_noFolder_throwsAndLeavesNoTrace() throws IOException {
    Path path = folder.resolve("a/x.lock");
    assertThrows(NoSuchFileException.class, () -> LockFile.tryLock(path, "me"));
    Files.createDirectory(folder.resolve("a"));
    held(LockFile.tryLock(path, "me")).close();
  }

  @Test
  void delete_held_removesTheFile() throws IOException {
    Path path = folder.resolve("x.lock");
    held(LockFile.tryLock(path, "me")).delete();
    assertFalse(Files.exists(path));
  }

  @Test
  void tryLock_anotherProcessHoldsIt_namesTheHolderUntilItIsKilled() throws Exception {
    Path path = folder.resolve("x.lock");
    Process child = holder(path);
    try (BufferedReader told = child.inputReader(StandardCharsets.US_ASCII)) {
      assertEquals("held", told.readLine());
      LockFile.Attempt attempt = LockFile.tryLock(path, "me");
      assertNull(attempt.lock());
      assertEquals("the child", attempt.holder());
      assertNull(LockFile.tryLockExisting(path).lock());
    } finally {
      child.destroyForcibly().waitFor();
    }
    held(LockFile.tryLock(path, "me")).close();
  }

  private static Process holder(Path path) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Holder.class.getName(),
            path.toString())
        .start();
  }

  private static LockFile held(LockFile.Attempt attempt) {
    LockFile lock = attempt.lock();
    assertNotNull(lock, attempt.holder());
    return lock;
  }

  /** Holds a lock until it is killed. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] args) throws IOException {
      try (LockFile lock = LockFile.tryLock(Path.of(args[0]), "the child").lock()) {
        System.out.println(lock == null ? "not held" : "held");
        assertTrue(System.in.read() < 0);
      }
    }
  }
}
