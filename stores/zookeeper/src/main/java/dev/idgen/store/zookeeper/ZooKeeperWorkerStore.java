package dev.idgen.store.zookeeper;

import dev.idgen.entropy.Entropy;
import dev.idgen.store.AbstractWorkerStore;
import dev.idgen.store.Decision;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.NamespaceRow;
import dev.idgen.store.RowText;
import dev.idgen.store.StoreAddress;
import dev.idgen.store.StoreException;
import dev.idgen.store.StoreOperation;
import dev.idgen.store.StoreSnapshot;
import dev.idgen.store.StoreThread;
import dev.idgen.store.WorkerRow;
import dev.idgen.store.zookeeper.Session.Node;
import dev.idgen.time.TimeSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.jspecify.annotations.Nullable;

/**
 * Leases in ZooKeeper, one persistent node for each worker id, over one session on one thread.
 * Thread-safe.
 *
 * <p>An operation writes the session's clock, reads its nodes, asks the rules, and commits a
 * transaction that checks the versions of those nodes. Nodes are not read at one moment: each claim
 * that wins also writes the node {@code claims}, which is read before any row, so that claims come
 * one after the other and a copy of one finds what the other has won.
 *
 * <p>The end of a session means nothing: a lease is good until its horizon, and no longer.
 */
public final class ZooKeeperWorkerStore extends AbstractWorkerStore {
  private static final int DEFAULT_PORT = 2181;
  private static final String DEFAULT_PATH = "/idgen";
  private static final String KIND = "zookeeper";

  /** How often an operation is tried that others keep from coming through. */
  private static final int ATTEMPTS = 12;

  /** How long it rests in between, at most, for each time that it has lost. */
  private static final int PAUSE_MS = 5;

  private static final long NANOS_PER_MS = 1_000_000;

  /** A version that means any version to ZooKeeper: a check of it would check nothing. */
  private static final int ANY_VERSION = -1;

  /** Earlier, or later, no clock is: a server that says so is not believed. */
  private static final long EARLIEST_MS = 1_577_836_800_000L; // 2020-01-01

  private static final long LATEST_MS = 7_258_118_400_000L; // 2200-01-01

  private final StoreAddress address;
  private final Nodes nodes;
  private final LongUnaryOperator clock;
  private final Entropy entropy;
  private final StoreThread thread;
  private @Nullable Session session; // of the store's thread alone

  private ZooKeeperWorkerStore(StoreAddress address, LongUnaryOperator clock, Entropy entropy) {
    super(entropy);
    this.address = address;
    this.nodes = new Nodes(address.path());
    this.clock = clock;
    this.entropy = entropy;
    this.thread = new StoreThread(KIND, TimeSource.system());
  }

  /**
   * Opens the store of a ZooKeeper ensemble, and makes what is missing.
   *
   * @param url {@code zookeeper://user:password@host:port,host:port/path}; account, ports and path
   *     may be left out; {@code zookeepers://..?ca=file} for TLS
   * @throws IllegalArgumentException it is no such address
   * @throws StoreException the ensemble cannot be used: the message says what to do
   */
  public static ZooKeeperWorkerStore open(String url) {
    return open(parse(url), ZooKeeperWorkerStore::believed, Entropy.operatingSystem());
  }

  static StoreAddress parse(String url) {
    return StoreAddress.parse(url, DEFAULT_PORT, DEFAULT_PATH);
  }

  /**
   * Opens it.
   *
   * @param clock what to make of the time that the servers tell
   */
  static ZooKeeperWorkerStore open(StoreAddress address, LongUnaryOperator clock, Entropy entropy) {
    ZooKeeperWorkerStore store = new ZooKeeperWorkerStore(address, clock, entropy);
    boolean done = false;
    try {
      store.thread.run("open", store::prepared).toCompletableFuture().join();
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

  static long believed(long millis) {
    if (millis < EARLIEST_MS || millis >= LATEST_MS) {
      throw StoreException.refused(
          KIND + ": clock: " + millis + " (expected: a time of 2020 to 2199)");
    }
    return millis;
  }

  private boolean prepared() throws InterruptedException {
    return repeated(
        "open",
        open -> {
          open.refreshClock();
          return true;
        });
  }

  @Override
  public String kind() {
    return KIND;
  }

  @Override
  public boolean embedded() {
    return false;
  }

  @Override
  protected CompletionStage<LeaseReply> transact(StoreOperation operation) {
    return thread.run(
        operation.name(), () -> repeated(operation.name(), open -> applied(open, operation)));
  }

  @Override
  public CompletionStage<Listing> list(String namespace) {
    return thread.run("list", () -> repeated("list", open -> listed(open, namespace)));
  }

  // ---- attempts, on the store's thread

  private interface Attempt<T> {
    /** Null when others came first and nothing was done. */
    @Nullable T apply(Session session) throws KeeperException, InterruptedException;
  }

  /** Again where others came first: nothing was done then. */
  private <T> T repeated(String name, Attempt<T> work) {
    for (int i = 1; i <= ATTEMPTS; i++) {
      T result = attempt(name, work);
      if (result != null) {
        return result;
      }
      TimeSource.system().pause(entropy.nextInt(i * PAUSE_MS) * NANOS_PER_MS);
    }
    throw StoreException.refused(
        KIND
            + ": "
            + name
            + ": others came first "
            + ATTEMPTS
            + " times (expected: a turn of its own)");
  }

  private <T> @Nullable T attempt(String name, Attempt<T> work) {
    boolean done = false;
    try {
      T result = work.apply(connected());
      done = true;
      return result;
    } catch (KeeperException | IOException e) {
      throw failed(name, false, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(name, false, e);
    } finally {
      if (!done) {
        abandon();
      }
    }
  }

  private Session connected() throws IOException, KeeperException, InterruptedException {
    Session open = session;
    if (open == null) {
      open = Session.begin(address, TimeSource.system());
      session = open;
      open.prepare(nodes, entropy);
    }
    return open;
  }

  private void abandon() {
    Session open = session;
    session = null;
    if (open != null) {
      try {
        open.close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // the servers end it by themselves
      }
    }
  }

  // ---- reading

  /** What was read. Claims first: see above. */
  private record Found(
      @Nullable Node claims, Node identity, @Nullable Node namespace, List<Node> workers) {

    StoreSnapshot snapshot(long nowMillis) {
      NamespaceRow row = namespace == null ? null : row(namespace, RowText::namespace);
      List<WorkerRow> rows = new ArrayList<>();
      workers.forEach(node -> rows.add(row(node, RowText::worker)));
      return new StoreSnapshot(identity.data(), nowMillis, row, rows, false, owner -> false);
    }

    @Nullable Node worker(String path) {
      for (Node node : workers) {
        if (node.path().equals(path)) {
          return node;
        }
      }
      return null;
    }
  }

  private static <T> T row(Node node, Function<String, T> reader) {
    try {
      return reader.apply(node.data());
    } catch (IllegalArgumentException e) {
      throw StoreException.permanent(KIND + ": node " + node.path() + ": " + e.getMessage(), e);
    }
  }

  private Found read(Session open, String namespace, int workerId)
      throws KeeperException, InterruptedException {
    open.refreshClock();
    Node claims = open.read(nodes.claims(namespace));
    Node identity = open.read(nodes.identity());
    if (identity == null) {
      // The next session makes it: who wiped the store under us gets a store of another identity.
      throw StoreException.refused(
          KIND + ": node " + nodes.identity() + ": none (expected: the store's identity)");
    }
    List<Node> workers = List.of();
    if (workerId == StoreOperation.ALL_ROWS) {
      workers = open.children(nodes.namespace(namespace));
    } else if (workerId != StoreOperation.NO_ROWS) {
      Node worker = open.read(nodes.worker(namespace, workerId));
      workers = worker == null ? List.of() : List.of(worker);
    }
    return new Found(claims, identity, open.read(nodes.namespace(namespace)), workers);
  }

  private Listing listed(Session open, String namespace)
      throws KeeperException, InterruptedException {
    Found found = read(open, namespace, StoreOperation.ALL_ROWS);
    StoreSnapshot s = found.snapshot(clock.applyAsLong(open.nowMillis()));
    return new Listing(s.namespace(), s.workers(), s.nowMillis(), s.identity());
  }

  // ---- writing

  private @Nullable LeaseReply applied(Session open, StoreOperation operation)
      throws KeeperException, InterruptedException {
    Found found = read(open, operation.namespace(), operation.workerId());
    StoreSnapshot s = found.snapshot(clock.applyAsLong(open.nowMillis()));
    Decision decision = operation.rule().apply(s);
    if (decision.writes() && !written(open, operation, found, decision)) {
      return null;
    }
    hint(open, operation, decision.worker());
    return decision.reply();
  }

  /** Whether it was written: false, and nothing was, when what was read has changed. */
  private boolean written(Session open, StoreOperation operation, Found found, Decision decision) {
    String namespace = operation.namespace();
    List<Op> all = new ArrayList<>();
    all.add(unchanged(found.identity));
    NamespaceRow changed = decision.namespace();
    if (changed != null) {
      all.add(write(open, found.namespace, nodes.namespace(namespace), RowText.of(changed)));
    } else if (found.namespace != null) {
      all.add(unchanged(found.namespace));
    }
    WorkerRow row = decision.worker();
    if (row != null) {
      String path = nodes.worker(namespace, row.workerId());
      all.add(write(open, found.worker(path), path, RowText.of(row)));
    } else if (operation.workerId() >= 0) {
      found.workers.forEach(node -> all.add(unchanged(node)));
    }
    if (operation.workerId() == StoreOperation.ALL_ROWS) {
      all.add(write(open, found.claims, nodes.claims(namespace), ""));
    }
    return committed(open, operation.name(), all);
  }

  private boolean committed(Session open, String name, List<Op> all) {
    try {
      open.commit(all); // linearization point; who dies after it has a lease that nobody heard of
      return true;
    } catch (KeeperException.BadVersionException
        | KeeperException.NodeExistsException
        | KeeperException.NoNodeException e) {
      return false;
    } catch (KeeperException e) {
      throw failed(name, true, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(name, true, e);
    }
  }

  private static Op unchanged(Node node) {
    return Op.check(node.path(), checkable(node));
  }

  private static Op write(Session open, @Nullable Node read, String path, String data) {
    if (read != null) {
      checkable(read);
    }
    return open.write(read, path, data);
  }

  /** C43. */
  static int checkable(Node node) {
    if (node.version() == ANY_VERSION) {
      throw StoreException.refused(
          KIND
              + ": node "
              + node.path()
              + ": version -1 (expected: one that can be compared; write the node once by hand)");
    }
    return node.version();
  }

  /** For people who look: which holders have a session. Nothing is decided by it. */
  private void hint(Session open, StoreOperation operation, @Nullable WorkerRow row)
      throws InterruptedException {
    boolean holders = operation.name().equals("claim") || operation.name().equals("extend");
    if (row == null) {
      return;
    }
    String alive = nodes.alive(operation.namespace(), row.workerId());
    try {
      if (row.owner() == null) {
        open.unmark(alive);
      } else if (holders) {
        open.mark(alive, row.owner());
      }
    } catch (KeeperException e) {
      // What counts is written. A session that has ended shows at the next operation.
      abandon();
    }
  }

  // ---- failures

  private StoreException failed(String name, boolean writes, Exception e) {
    String text = KIND + ": " + address + ": " + name + ": ";
    if (e instanceof KeeperException k) {
      switch (k.code()) {
        case NOAUTH, AUTHFAILED -> {
          return StoreException.permanent(
              text
                  + "access refused (expected: an account that may read and write "
                  + address.path()
                  + ")",
              e);
        }
        case CONNECTIONLOSS, OPERATIONTIMEOUT, REQUESTTIMEOUT, SESSIONEXPIRED, SESSIONMOVED -> {
          return either(
              writes, text + "no answer: " + k.code() + " (expected: an ensemble that answers)", e);
        }
        default -> {
          return either(writes, text + k.code() + " (expected: no error)", e);
        }
      }
    }
    return either(writes, text + "no answer: " + e + " (expected: an ensemble that answers)", e);
  }

  private static StoreException either(boolean writes, String message, Exception e) {
    return writes ? StoreException.unknown(message, e) : StoreException.refused(message, e);
  }

  @Override
  public void close() {
    thread.close(this::abandon);
  }
}
