package dev.idgen.store.file;

import dev.idgen.entropy.Entropy;
import dev.idgen.lock.RealPath;
import dev.idgen.store.AbstractWorkerStore;
import dev.idgen.store.Decision;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.NamespaceRow;
import dev.idgen.store.StoreException;
import dev.idgen.store.StoreOperation;
import dev.idgen.store.StoreSnapshot;
import dev.idgen.store.StoreThread;
import dev.idgen.store.WorkerRow;
import dev.idgen.time.TimeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * Leases in a file on a local disk, for the processes of one machine. Thread-safe.
 *
 * <p>In a folder ({@link #open}), any number of processes share it: each operation locks it, reads
 * it, and replaces it. As one file ({@link #openFile}), it belongs to one process for as long as
 * the store is open; that is what a fixed worker id needs. Beside the state lie lock files. Never
 * delete any of it while a process uses it, and never give the state up without being sure that the
 * clock is past every id that was issued: what the file knows is what keeps ids apart over a
 * restart.
 */
public final class FileWorkerStore extends AbstractWorkerStore {
  private static final int IDENTITY_BYTES = 16;

  private final StateFile file;
  private final Path path;
  private final Guard guard;
  private final TimeSource time;
  private final StoreThread thread;

  private FileWorkerStore(Disk disk, Path path, Guard guard, TimeSource time, Entropy entropy) {
    super(entropy);
    this.file = new StateFile(disk, path);
    this.path = path;
    this.guard = guard;
    this.time = time;
    this.thread = new StoreThread("file", time);
  }

  /**
   * Opens the store in a folder, and makes what is missing.
   *
   * @throws StoreException it cannot be used: the message says what to do
   */
  public static FileWorkerStore open(Path folder) {
    return open(folder, TimeSource.system());
  }

  /**
   * Opens the store in a folder.
   *
   * @param folder made if it is missing
   * @param time the store's clock, and its waiting
   * @throws StoreException it cannot be used: the message says what to do
   */
  public static FileWorkerStore open(Path folder, TimeSource time) {
    return open(Disk.REAL, folder, time, Entropy.operatingSystem());
  }

  static FileWorkerStore open(Disk disk, Path folder, TimeSource time, Entropy entropy) {
    Path state = real(folder.resolve("state"));
    return opened(disk, state, time, entropy, () -> Guard.shared(state, time));
  }

  /**
   * Opens a store in one file, for this process alone.
   *
   * @param file its folder is made if it is missing
   * @throws StoreException another process has it, and the message says which, or it cannot be used
   */
  public static FileWorkerStore openFile(Path file) {
    return openFile(file, TimeSource.system());
  }

  /**
   * Opens a store in one file, for this process alone.
   *
   * @param file its folder is made if it is missing
   * @param time the store's clock
   * @throws StoreException another process has it, and the message says which, or it cannot be used
   */
  public static FileWorkerStore openFile(Path file, TimeSource time) {
    return openFile(Disk.REAL, file, time, Entropy.operatingSystem());
  }

  static FileWorkerStore openFile(Disk disk, Path file, TimeSource time, Entropy entropy) {
    Path real = real(file);
    return opened(disk, real, time, entropy, () -> Guard.alone(real));
  }

  /** Two ways to one state must meet at one lock, and a link must not be replaced by a save. */
  private static Path real(Path file) {
    try {
      return RealPath.of(file);
    } catch (RealPath.AmbiguousException e) {
      throw StoreException.refused("file: " + file.toAbsolutePath() + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw unusable(file.toAbsolutePath(), e);
    }
  }

  private static StoreException unusable(Path path, IOException e) {
    return StoreException.refused(
        "file: " + path + ": " + e + " (expected: a folder that this process may write)", e);
  }

  private interface Opening {
    Guard guard() throws IOException;
  }

  private static FileWorkerStore opened(
      Disk disk, Path path, TimeSource time, Entropy entropy, Opening opening) {
    FileWorkerStore store;
    try {
      store = new FileWorkerStore(disk, path, opening.guard(), time, entropy);
    } catch (IOException e) {
      throw unusable(path, e);
    }
    boolean done = false;
    try {
      store.thread.run("open", () -> store.begun(entropy)).toCompletableFuture().join();
      done = true;
      return store;
    } catch (CompletionException e) {
      throw e.getCause() instanceof StoreException cause ? cause : e;
    } finally {
      if (!done) {
        store.close();
      }
    }
  }

  /** Makes the file if there is none, and forgets the locks of owners that nobody mentions. */
  private boolean begun(Entropy entropy) {
    return locked(
        "open",
        () -> {
          State state = file.load();
          if (state == null) {
            byte[] identity = new byte[IDENTITY_BYTES];
            entropy.fill(identity);
            state = new State(HexFormat.of().formatHex(identity));
            file.save(state);
          }
          guard.sweep(state.owners());
          return true;
        });
  }

  @Override
  public String kind() {
    return "file";
  }

  @Override
  public boolean embedded() {
    return true;
  }

  @Override
  protected CompletionStage<LeaseReply> transact(StoreOperation operation) {
    return thread.run(
        operation.name(),
        () ->
            locked(
                operation.name(),
                () -> {
                  if (operation.owner() != null) {
                    guard.hold(operation.owner());
                  }
                  return applied(present(), operation);
                }));
  }

  @Override
  public CompletionStage<Listing> list(String namespace) {
    return thread.run("list", () -> locked("list", () -> listed(present(), namespace)));
  }

  private State present() {
    State state = file.load();
    if (state == null) {
      throw StoreException.refused(
          "file: "
              + path
              + ": was deleted (expected: the file that was opened; put it back, or restart once the"
              + " clock is past every id that was issued)");
    }
    return state;
  }

  private LeaseReply applied(State state, StoreOperation operation) {
    String namespace = operation.namespace();
    StoreSnapshot s =
        new StoreSnapshot(
            state.identity(),
            time.wallMillis(),
            state.namespace(namespace),
            state.workers(namespace, operation.workerId()),
            true,
            endedOnce());
    Decision decision = operation.rule().apply(s);
    NamespaceRow changed = decision.namespace();
    if (changed != null) {
      state.put(namespace, changed);
    }
    WorkerRow written = decision.worker();
    if (written != null) {
      state.put(namespace, written);
    }
    if (decision.writes()) {
      file.save(state);
    }
    return decision.reply();
  }

  private Listing listed(State state, String namespace) {
    return new Listing(
        state.namespace(namespace),
        state.workers(namespace, StoreOperation.ALL_ROWS),
        time.wallMillis(),
        state.identity());
  }

  // ---- under the lock, on the store's thread

  private interface Work<T> {
    T run() throws IOException;
  }

  private <T> T locked(String name, Work<T> work) {
    Guard.Turn turn = entered(name);
    try {
      return work.run();
    } catch (IOException | UncheckedIOException e) {
      // From the guard, which is asked before anything is written.
      throw StoreException.refused("file: " + name + ": " + e, e);
    } finally {
      leave(turn, name);
    }
  }

  private Guard.Turn entered(String name) {
    try {
      return guard.enter();
    } catch (IOException e) {
      throw StoreException.refused("file: " + name + ": " + e, e);
    }
  }

  private static void leave(Guard.Turn turn, String name) {
    try {
      turn.close();
    } catch (IOException e) {
      throw StoreException.unknown("file: " + name + ": " + e, e);
    }
  }

  /** Looks at each owner once in an operation: the rules ask more often. */
  private Predicate<String> endedOnce() {
    Map<String, Boolean> known = new HashMap<>();
    return owner -> known.computeIfAbsent(owner, this::ended);
  }

  private boolean ended(String owner) {
    try {
      return guard.ended(owner);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    thread.close(guard::close);
  }
}
