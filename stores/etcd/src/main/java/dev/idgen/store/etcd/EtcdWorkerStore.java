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
import dev.idgen.store.StoreThread;
import dev.idgen.store.WorkerRow;
import dev.idgen.time.TimeSource;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
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
  /** How long a connection, or an answer, is waited for. */
  static final int ANSWER_MS = 2_000;

  private static final int DEFAULT_PORT = 2379;
  private static final String DEFAULT_PREFIX = "/idgen";
  private static final String KIND = "etcd";
  private static final int IDENTITY_BYTES = 16;

  /** How often an operation is tried that others keep from coming through. */
  private static final int ATTEMPTS = 12;

  /** How long it rests in between, at most, for each time that it has lost. */
  private static final int PAUSE_MS = 5;

  private static final long NANOS_PER_MS = 1_000_000;

  private final StoreClock clock;
  private final Entropy entropy;
  private final Keys keys;
  private final EtcdClient client; // of the store's thread alone
  private final StoreThread thread;

  EtcdWorkerStore(StoreAddress address, StoreClock clock, Entropy entropy) {
    super(entropy);
    this.clock = clock;
    this.entropy = entropy;
    this.keys = new Keys(address.path());
    this.client = new EtcdClient(address);
    this.thread = new StoreThread(KIND, TimeSource.system());
  }

  /**
   * Opens the store of an etcd cluster, and gives it an identity if it has none.
   *
   * @param url {@code etcd://user:password@host:port,host:port/prefix}; account, ports and prefix
   *     may be left out
   * @throws IllegalArgumentException it is no such address
   * @throws StoreException the cluster cannot be used: the message says what to do
   */
  public static EtcdWorkerStore open(String url) {
    StoreAddress address = parse(url);
    return open(
        address,
        new MemberClock(address.servers(), TimeSource.system()),
        Entropy.operatingSystem());
  }

  static StoreAddress parse(String url) {
    return StoreAddress.parse(url, DEFAULT_PORT, DEFAULT_PREFIX);
  }

  static EtcdWorkerStore open(StoreAddress address, StoreClock clock, Entropy entropy) {
    EtcdWorkerStore store = new EtcdWorkerStore(address, clock, entropy);
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

  private String prepared() {
    clock.refresh();
    return repeated("open", () -> read("open", List.of())).identity;
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
    return thread.run(operation.name(), () -> repeated(operation.name(), () -> applied(operation)));
  }

  @Override
  public CompletionStage<Listing> list(String namespace) {
    return thread.run("list", () -> repeated("list", () -> listed(namespace)));
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
    throw StoreException.refused(
        KIND
            + ": "
            + name
            + ": others came first "
            + ATTEMPTS
            + " times (expected: a turn of its own)");
  }

  private interface Attempt<T> {
    /** Null when others came first and nothing was done. */
    @Nullable T apply();
  }

  private @Nullable LeaseReply applied(StoreOperation operation) {
    clock.refresh();
    Found found = read(operation.name(), gets(operation.namespace(), operation.workerId()));
    if (found == null) {
      return null;
    }
    StoreSnapshot s = found.snapshot(clock.nowMillis());
    Decision decision = operation.rule().apply(s);
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
        client.unmark(alive);
      } else if (operation.name().equals("claim") || operation.name().equals("extend")) {
        client.mark(alive, Keys.bytes(owner));
      }
    } catch (StoreException e) {
      client.close(); // what counts is written, and the mark ends by itself
    }
  }

  private @Nullable Listing listed(String namespace) {
    clock.refresh();
    Found found = read("list", gets(namespace, StoreOperation.ALL_ROWS));
    if (found == null) {
      return null;
    }
    StoreSnapshot s = found.snapshot(clock.nowMillis());
    return new Listing(s.namespace(), s.workers(), s.nowMillis(), s.identity());
  }

  // ---- reading

  /** What was read, and when each key was last written. */
  private record Found(String identity, List<GetResponse> answers) {

    long revision(int answer) {
      List<KeyValue> values = answers.get(answer).getKvs();
      return values.isEmpty() ? 0 : values.get(0).getModRevision();
    }

    StoreSnapshot snapshot(long nowMillis) {
      List<KeyValue> namespace = answers.get(NAMESPACE).getKvs();
      NamespaceRow row = namespace.isEmpty() ? null : row(namespace.get(0), RowText::namespace);
      return new StoreSnapshot(identity, nowMillis, row, workers(), false, owner -> false);
    }

    private List<WorkerRow> workers() {
      List<WorkerRow> rows = new ArrayList<>();
      if (answers.size() > WORKERS) {
        answers.get(WORKERS).getKvs().forEach(value -> rows.add(row(value, RowText::worker)));
      }
      return rows;
    }

    /** The revision of the row of a worker id; 0: there is none. */
    long revision(ByteSequence worker) {
      for (KeyValue value : answers.get(WORKERS).getKvs()) {
        if (value.getKey().equals(worker)) {
          return value.getModRevision();
        }
      }
      return 0;
    }
  }

  // The order of the answers.
  private static final int IDENTITY = 0;
  private static final int NAMESPACE = 1;
  private static final int CLAIMS = 2;
  private static final int WORKERS = 3;

  private List<Op> gets(String namespace, int workerId) {
    List<Op> gets = new ArrayList<>();
    gets.add(Op.get(keys.namespace(namespace), GetOption.DEFAULT));
    gets.add(Op.get(keys.claims(namespace), GetOption.DEFAULT));
    if (workerId == StoreOperation.ALL_ROWS) {
      gets.add(Op.get(keys.workers(namespace), GetOption.builder().isPrefix(true).build()));
    } else if (workerId != StoreOperation.NO_ROWS) {
      gets.add(Op.get(keys.worker(namespace, workerId), GetOption.DEFAULT));
    }
    return gets;
  }

  /** Reads at one revision. Null: the store had no identity, and now has one. */
  private @Nullable Found read(String name, List<Op> gets) {
    List<Op> all = new ArrayList<>();
    all.add(Op.get(keys.identity(), GetOption.DEFAULT));
    all.addAll(gets);
    TxnResponse response =
        client.call(name, false, kv -> kv.txn().Then(all.toArray(Op[]::new)).commit());
    List<GetResponse> answers = response.getGetResponses();
    List<KeyValue> identity = answers.get(IDENTITY).getKvs();
    if (identity.isEmpty()) {
      makeIdentity(name);
      return null;
    }
    return new Found(
        identity(identity.get(0).getValue(), response.getHeader().getClusterId()), answers);
  }

  private static String identity(ByteSequence made, long clusterId) {
    return Keys.text(made) + "/" + Long.toHexString(clusterId);
  }

  /** Of several that do so at once, one comes through. */
  private void makeIdentity(String name) {
    byte[] bytes = new byte[IDENTITY_BYTES];
    entropy.fill(bytes);
    Cmp none = unchanged(keys.identity(), 0);
    Op put = put(keys.identity(), HexFormat.of().formatHex(bytes));
    client.call(name, true, kv -> kv.txn().If(none).Then(put).commit());
  }

  private static <T> T row(KeyValue value, Function<String, T> reader) {
    try {
      return reader.apply(Keys.text(value.getValue()));
    } catch (IllegalArgumentException e) {
      throw StoreException.permanent(
          KIND + ": key " + Keys.text(value.getKey()) + ": " + e.getMessage(), e);
    }
  }

  // ---- writing

  /** Whether it was written: false, and nothing was, when what was read has changed. */
  private boolean written(StoreOperation operation, Found found, Decision decision) {
    String namespace = operation.namespace();
    List<Cmp> unchanged = new ArrayList<>();
    List<Op> puts = new ArrayList<>();
    unchanged.add(unchanged(keys.identity(), found.revision(IDENTITY)));
    unchanged.add(unchanged(keys.namespace(namespace), found.revision(NAMESPACE)));
    NamespaceRow changed = decision.namespace();
    if (changed != null) {
      puts.add(put(keys.namespace(namespace), RowText.of(changed)));
    }
    WorkerRow row = decision.worker();
    int workerId = row == null ? operation.workerId() : row.workerId();
    if (workerId >= 0) {
      ByteSequence worker = keys.worker(namespace, workerId);
      unchanged.add(unchanged(worker, found.revision(worker)));
      if (row != null) {
        puts.add(put(worker, RowText.of(row)));
      }
    }
    if (operation.workerId() == StoreOperation.ALL_ROWS) {
      unchanged.add(unchanged(keys.claims(namespace), found.revision(CLAIMS)));
      puts.add(put(keys.claims(namespace), Integer.toString(workerId)));
    }
    // Linearization point: who dies after it has a lease that nobody heard of.
    return client
        .call(
            operation.name(),
            true,
            kv -> kv.txn().If(unchanged.toArray(Cmp[]::new)).Then(puts.toArray(Op[]::new)).commit())
        .isSucceeded();
  }

  private static Cmp unchanged(ByteSequence key, long revision) {
    return new Cmp(key, Cmp.Op.EQUAL, CmpTarget.modRevision(revision));
  }

  private static Op put(ByteSequence key, String value) {
    return Op.put(key, Keys.bytes(value), PutOption.DEFAULT);
  }

  @Override
  public void close() {
    thread.close(client::close);
  }
}
