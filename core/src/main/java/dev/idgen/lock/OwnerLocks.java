package dev.idgen.lock;

import dev.idgen.time.TimeSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;

/**
 * Tells whether the process behind an owner of leases is alive: each owner holds a lock file in one
 * folder for as long as it lives.
 *
 * <p>It only decides when a worker id may be handed on. A wrong answer, after somebody tampered
 * with the folder, costs a lease or a wait and never an id. Thread-safe.
 */
public final class OwnerLocks implements AutoCloseable {
  private static final String SUFFIX = ".lock";
  private static final int HASH_BYTES = 16;
  private static final int MAX_TRIES = 200; // others hold the lock only while they look at it
  private static final long TRY_AGAIN_NANOS = 1_000_000;
  private static final int MAX_SWEPT = 10_000;

  /** Locks of this process, since several stores may be open on one folder. */
  private static final Map<Path, Shared> SHARED = new HashMap<>();

  private final Path folder;
  private final TimeSource time;
  private final Map<String, Shared> held = new HashMap<>();

  /** One lock, and how many hold it. Guarded by {@link #SHARED}. */
  private static final class Shared {
    final Path path;
    final LockFile lock;
    int holders = 1;

    Shared(Path path, LockFile lock) {
      this.path = path;
      this.lock = lock;
    }
  }

  /**
   * The locks in a folder, which is made if it is missing.
   *
   * @throws IOException the folder cannot be made
   */
  public OwnerLocks(Path folder, TimeSource time) throws IOException {
    this.folder = made(folder);
    this.time = time;
  }

  private static Path made(Path folder) throws IOException {
    Folder.make(folder);
    return folder.toRealPath();
  }

  /**
   * Declares an owner alive until {@link #close} or the end of the process. Doing so twice is once.
   *
   * @throws IOException the lock file cannot be made or locked
   */
  public void hold(String owner) throws IOException {
    synchronized (SHARED) {
      if (held.containsKey(owner)) {
        return;
      }
      Path path = fileOf(owner);
      Shared shared = SHARED.get(path);
      if (shared == null) {
        shared = new Shared(path, lock(path, owner));
        SHARED.put(path, shared);
      } else {
        shared.holders++;
      }
      held.put(owner, shared);
    }
  }

  private LockFile lock(Path path, String owner) throws IOException {
    LockFile.Attempt attempt = LockFile.tryLock(path, owner);
    for (int i = 0; attempt.lock() == null && i < MAX_TRIES; i++) {
      time.pause(TRY_AGAIN_NANOS);
      attempt = LockFile.tryLock(path, owner);
    }
    LockFile lock = attempt.lock();
    if (lock == null) {
      throw new IOException(
          path + ": locked by " + attempt.holder() + " (expected: owner " + owner + " alone)");
    }
    return lock;
  }

  /**
   * Whether an owner is known to have ended: its lock file is there, and free. One without a file
   * is not known at all.
   *
   * @throws IOException the lock file cannot be looked at
   */
  public boolean ended(String owner) throws IOException {
    try (LockFile lock = LockFile.tryLockExisting(fileOf(owner)).lock()) {
      return lock != null;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /**
   * Deletes the lock files of owners that have ended and that nobody will ask about.
   *
   * @param mentioned owners that may still be asked about
   * @throws IOException a file cannot be looked at or deleted
   */
  public void sweep(Collection<String> mentioned) throws IOException {
    Set<Path> kept = new HashSet<>();
    for (String owner : mentioned) {
      kept.add(fileOf(owner));
    }
    int swept = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      for (Path file : files) {
        if (++swept > MAX_SWEPT) {
          return;
        }
        if (!kept.contains(file)) {
          deleteIfFree(file);
        }
      }
    }
  }

  /**
   * Deleted under its own lock: a new owner of the file sees that it was replaced, and tries again.
   */
  private static void deleteIfFree(Path file) throws IOException {
    try {
      LockFile lock = LockFile.tryLockExisting(file).lock();
      if (lock != null) {
        lock.delete();
      }
    } catch (NoSuchFileException e) {
      return; // another process swept it first
    }
  }

  /**
   * Lets every owner of this store go: from now on they count as ended. Closing twice does nothing.
   */
  @Override
  public void close() throws IOException {
    synchronized (SHARED) {
      for (Shared shared : held.values()) {
        if (--shared.holders == 0) {
          SHARED.remove(shared.path);
          shared.lock.close();
        }
      }
      held.clear();
    }
  }

  /** Owners may bear any characters, so a file is named by a hash. */
  private Path fileOf(String owner) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(owner.getBytes(StandardCharsets.UTF_8));
      return folder.resolve(HexFormat.of().formatHex(hash, 0, HASH_BYTES) + SUFFIX);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256: missing (expected: in every Java platform)", e);
    }
  }
}
