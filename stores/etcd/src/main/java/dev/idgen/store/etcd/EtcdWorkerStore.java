package dev.idgen.store.etcd;

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
import dev.idgen.store.WorkerRow;
import dev.idgen.time.TimeSource;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Leases in etcd, one key for each worker id, over one client on one thread. Thread-safe.
 *
 * <p>An operation is a read of all its keys at one revision, the rules, and a transaction that
 * compares the revisions in which those keys were last written. What a claim decides rests on every
 * row of the namespace, and etcd compares at most 128 keys: so each claim that wins writes the key
 * {@code claims} too, and compares it. That keeps two copies of one claim from winning twice; a row
 * that is not chosen and changes meanwhile makes no claim wrong.
 */
public final class EtcdWorkerStore extends AbstractWorkerStore {
  /** How often an operation is tried that others keep from coming through. */
  private static final int ATTEMPTS = 12;

  /** How long it rests in between, at most, for each time that it has lost. */
  private static final int PAUSE_MS = 5;

  private static final long NANOS_PER_MS = 1_000_000;
  private static final long MS_PER_SECOND = 1_000;
  private static final long TTL_MS = 10_000;

  private final Session session;
  private final Keys keys;
  private final StoreClock clock;
  private final Entropy entropy;
  private final long ttlSeconds; // of what shows that a holder is alive

  private EtcdWorkerStore(Session session, StoreClock clock, Entropy entropy, long ttlMs) {
    super(entropy);
    this.session = session;
    this.keys = session.keys();
    this.clock = clock;
    this.entropy = entropy;
    this.ttlSeconds = (ttlMs + MS_PER_SECOND - 1) / MS_PER_SECOND;
  }

  /**
   * Opens the store of an etcd cluster, and gives it an identity if it has none.
   *
   * @param url {@code etcd://user:password@host:port,host:port/prefix}; account, ports and prefix
   *     may be left out; {@code etcds://..?ca=file} for TLS
   * @throws IllegalArgumentException it is no such address
   * @throws StoreException the cluster cannot be used: the message says what to do
   */
  public static EtcdWorkerStore open(String url) {
    return open(url, TTL_MS);
  }

  /**
   * Opens the store of an etcd cluster, and says how long it shows who holds a worker id.
   *
   * @param ttlMs how long after the holder has gone: for people who look, nothing is decided by it;
   *     1 or more, and whole seconds count
   * @throws StoreException as {@link #open(String)}
   */
  public static EtcdWorkerStore open(String url, long ttlMs) {
    if (ttlMs < 1) {
      throw new IllegalArgumentException("ttlMs: " + ttlMs + " (expected: >= 1)");
    }
    StoreAddress address = Session.parse(url);
    return open(
        address, new MemberClock(address, TimeSource.system()), Entropy.operatingSystem(), ttlMs);
  }

  static EtcdWorkerStore open(StoreAddress address, StoreClock clock, Entropy entropy) {
    return open(address, clock, entropy, TTL_MS);
  }

  private static EtcdWorkerStore open(
      StoreAddress address, StoreClock clock, Entropy entropy, long ttlMs) {
    return new EtcdWorkerStore(
        Session.open(address, entropy, clock::refresh), clock, entropy, ttlMs);
  }

  @Override
  public String kind() {
    return Session.KIND;
  }

  @Override
  public boolean embedded() {
    return false;
  }

  @Override
  protected CompletionStage<LeaseReply> transact(StoreOperation operation) {
    return session.run(
        operation.name(), () -> repeated(operation.name(), () -> applied(operation)));
  }

  @Override
  public CompletionStage<Listing> list(String namespace) {
    return session.run("list", () -> listed(namespace));
  }

  /** Again where others came first: nothing was done then. */
  private <T> T repeated(String name, Attempt<T> work) {
    for (int i = 1; i <= ATTEMPTS; i++) {
      T result = work.apply();
      if (result != null) {
        return result;
      }
      TimeSource.system().pause(entropy.nextInt(i * PAUSE_MS) * NANOS_PER_MS);
    }
    throw Session.othersCameFirst(name, ATTEMPTS);
  }

  private interface Attempt<T> {
    /** Null when others came first and nothing was done. */
    @Nullable T apply();
  }

  private @Nullable LeaseReply applied(StoreOperation operation) {
    clock.refresh();
    Found found = session.read(operation.name(), gets(operation.namespace(), operation.workerId()));
    Decision decision = operation.rule().apply(snapshot(found));
    if (decision.writes() && !written(operation, found, decision)) {
      return null;
    }
    hint(operation, decision.worker());
    return decision.reply();
  }

  /** For people who look: which holders have a connection. Nothing is decided by it. */
  private void hint(StoreOperation operation, @Nullable WorkerRow row) {
    if (row == null) {
      return;
    }
    ByteSequence alive = keys.alive(operation.namespace(), row.workerId());
    String owner = row.owner();
    try {
      if (owner == null) {
        session.client().hideAlive(alive);
      } else if (operation.name().equals("claim") || operation.name().equals("extend")) {
        session.client().showAlive(alive, Keys.bytes(owner), ttlSeconds);
      }
    } catch (StoreException e) {
      session.client().close(); // what counts is written, and the sign ends by itself
    }
  }

  private Listing listed(String namespace) {
    clock.refresh();
    Found found = session.read("list", gets(namespace, StoreOperation.ALL_ROWS));
    StoreSnapshot s = snapshot(found);
    return new Listing(s.namespace(), s.workers(), s.nowMillis(), s.identity());
  }

  // ---- reading

  // The order of the answers.
  private static final int NAMESPACE = 0;
  private static final int CLAIMS = 1;
  private static final int WORKERS = 2;

  private List<Op> gets(String namespace, int workerId) {
    List<Op> gets = new ArrayList<>();
    gets.add(Session.get(keys.namespace(namespace)));
    gets.add(Session.get(keys.claims(namespace)));
    if (workerId == StoreOperation.ALL_ROWS) {
      gets.add(Op.get(keys.workers(namespace), GetOption.builder().isPrefix(true).build()));
    } else if (workerId != StoreOperation.NO_ROWS) {
      gets.add(Session.get(keys.worker(namespace, workerId)));
    }
    return gets;
  }

  private StoreSnapshot snapshot(Found found) {
    NamespaceRow row = found.one(NAMESPACE, RowText::namespace);
    return new StoreSnapshot(
        found.identity(), clock.nowMillis(), row, workers(found), false, owner -> false);
  }

  private static List<WorkerRow> workers(Found found) {
    List<WorkerRow> rows = new ArrayList<>();
    if (found.answers().size() > WORKERS) {
      found.all(WORKERS).forEach(value -> rows.add(Found.read(value, RowText::worker)));
    }
    return rows;
  }

  /** The revision of the row of a worker id; 0: there is none. */
  private static long revision(Found found, ByteSequence worker) {
    for (KeyValue value : found.all(WORKERS)) {
      if (value.getKey().equals(worker)) {
        return value.getModRevision();
      }
    }
    return 0;
  }

  // ---- writing

  /** Whether it was written: false, and nothing was, when what was read has changed. */
  private boolean written(StoreOperation operation, Found found, Decision decision) {
    String namespace = operation.namespace();
    List<Cmp> unchanged = new ArrayList<>();
    List<Op> puts = new ArrayList<>();
    unchanged.add(Session.unchanged(keys.namespace(namespace), found.revision(NAMESPACE)));
    NamespaceRow changed = decision.namespace();
    if (changed != null) {
      puts.add(Session.put(keys.namespace(namespace), RowText.of(changed)));
    }
    WorkerRow row = decision.worker();
    int workerId = row == null ? operation.workerId() : row.workerId();
    if (workerId >= 0) {
      ByteSequence worker = keys.worker(namespace, workerId);
      unchanged.add(Session.unchanged(worker, revision(found, worker)));
      if (row != null) {
        puts.add(Session.put(worker, RowText.of(row)));
      }
    }
    if (operation.workerId() == StoreOperation.ALL_ROWS) {
      unchanged.add(Session.unchanged(keys.claims(namespace), found.revision(CLAIMS)));
      puts.add(Session.put(keys.claims(namespace), Integer.toString(workerId)));
    }
    return session.write(operation.name(), found, unchanged, puts);
  }

  @Override
  public void close() {
    session.close();
  }
}
