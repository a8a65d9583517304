package dev.idgen.store.file;

import dev.idgen.lock.Folder;
import dev.idgen.lock.LockFile;
import dev.idgen.lock.OwnerLocks;
import dev.idgen.store.StoreException;
import dev.idgen.time.TimeSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/** Keeps other processes out, and knows which owners are alive. */
interface Guard extends AutoCloseable {

  /** Leaves the state to others again. */
  interface Turn extends AutoCloseable {
    @Override
    void close() throws IOException;
  }

  /**
   * Waits for the state to be nobody else's, up to a limit.
   *
   * @throws StoreException it is somebody's for longer
   */
  Turn enter() throws IOException;

  /** Declares an owner alive for as long as this store is open. */
  void hold(String owner) throws IOException;

  /** Whether an owner is known to have ended. */
  boolean ended(String owner) throws IOException;

  /** Forgets owners that have ended and that no row mentions. */
  void sweep(Collection<String> mentioned) throws IOException;

  @Override
  void close() throws IOException;

  /**
   * Shared by processes: locked for each turn, and a lock for each owner.
   *
   * @param file its one path
   */
  static Guard shared(Path file, TimeSource time) throws IOException {
    Path folder = Objects.requireNonNull(file.getParent(), "folder of the state file");
    Folder.make(folder);
    return new Shared(lockOf(file), new OwnerLocks(folder.resolve("owners"), time), time);
  }

  /** The same one whether the file is shared or not: nobody shares what somebody has alone. */
  private static Path lockOf(Path file) {
    return file.resolveSibling(file.getFileName() + ".lock");
  }

  /**
   * For this process alone, until it is closed.
   *
   * @param file its one path, in a folder that exists
   * @throws StoreException another process has it
   */
  static Guard alone(Path file) throws IOException {
    Path path = lockOf(file);
    String host = System.getenv("HOSTNAME");
    String note =
        "pid "
            + ProcessHandle.current().pid()
            + " on "
            + (host == null || host.isBlank() ? "localhost" : host.strip());
    LockFile.Attempt attempt = LockFile.tryLock(path, note);
    LockFile lock = attempt.lock();
    if (lock == null) {
      throw StoreException.refused(
          "file: "
              + file
              + ": held by "
              + (attempt.holder().isEmpty() ? "another process" : attempt.holder())
              + " (expected: one process at a time, and one generator in it)");
    }
    return new Alone(lock);
  }

  /** See {@link #shared}. */
  final class Shared implements Guard {
    private static final long WAIT_MS = 5_000;
    private static final long AGAIN_NANOS = 1_000_000;

    private final Path path;
    private final OwnerLocks owners;
    private final TimeSource time;

    private Shared(Path path, OwnerLocks owners, TimeSource time) {
      this.path = path;
      this.owners = owners;
      this.time = time;
    }

    @Override
    public Turn enter() throws IOException {
      long begun = time.monotonicNanos();
      while (time.monotonicNanos() - begun < WAIT_MS * 1_000_000) {
        LockFile lock = LockFile.tryLock(path, "").lock();
        if (lock != null) {
          return lock::close;
        }
        time.pause(AGAIN_NANOS);
      }
      throw StoreException.refused(
          "file: "
              + path
              + ": locked by others for "
              + WAIT_MS
              + " ms (expected: free within that time)");
    }

    @Override
    public void hold(String owner) throws IOException {
      owners.hold(owner);
    }

    @Override
    public boolean ended(String owner) throws IOException {
      return owners.ended(owner);
    }

    @Override
    public void sweep(Collection<String> mentioned) throws IOException {
      owners.sweep(mentioned);
    }

    @Override
    public void close() throws IOException {
      owners.close();
    }
  }

  /** See {@link #alone}. Whoever did not claim through this store has ended. */
  final class Alone implements Guard {
    private static final int MAX_OWNERS = 10_000;

    private final LockFile lock;
    private final Set<String> alive = new HashSet<>();

    private Alone(LockFile lock) {
      this.lock = lock;
    }

    @Override
    public Turn enter() {
      return () -> {};
    }

    @Override
    public void hold(String owner) {
      if (alive.size() == MAX_OWNERS && !alive.contains(owner)) {
        throw StoreException.refused(
            "owners: " + MAX_OWNERS + " in one process (expected: one for each generator)");
      }
      alive.add(owner);
    }

    @Override
    public boolean ended(String owner) {
      return !alive.contains(owner);
    }

    @Override
    public void sweep(Collection<String> mentioned) {
      // There are no locks of owners here.
    }

    @Override
    public void close() throws IOException {
      lock.close();
    }
  }
}
