package dev.idgen.store.etcd;

import dev.idgen.entropy.Entropy;
import dev.idgen.store.StoreAddress;
import dev.idgen.store.StoreException;
import dev.idgen.store.StoreThread;
import dev.idgen.time.TimeSource;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.Response;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.OptionsUtil;
import io.etcd.jetcd.options.PutOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One client on one thread, and what all stores in etcd have in common: what they read they read at
 * one revision and with the store's identity, and what they write they write on the condition that
 * nothing of it has changed. Thread-safe where nothing else is said.
 */
final class Session {
  static final String KIND = "etcd";

  private static final int DEFAULT_PORT = 2379;
  private static final String DEFAULT_PREFIX = "/idgen";
  private static final int IDENTITY_BYTES = 16;

  /** How often it is read and not there: whoever finds none makes one. */
  private static final int IDENTITY_READS = 3;

  /** How often a change is tried that others keep from coming through. */
  private static final int ATTEMPTS = 200;

  /** Keys of one answer, where all that begin so are read. */
  private static final int PART = 1000;

  private static final ByteSequence NUL = ByteSequence.from(new byte[1]);

  private final Entropy entropy;
  private final Keys keys;
  private final EtcdClient client; // of the session's thread alone
  private final StoreThread thread;

  private Session(StoreAddress address, Entropy entropy) {
    this.entropy = entropy;
    this.keys = new Keys(address.path());
    this.client = new EtcdClient(address);
    this.thread = new StoreThread(KIND, TimeSource.system());
  }

  static StoreAddress parse(String url) {
    return StoreAddress.parse(url, DEFAULT_PORT, DEFAULT_PREFIX);
  }

  /**
   * Opens a cluster, and gives the store an identity if it has none.
   *
   * @param first what else must be possible
   * @throws StoreException the cluster cannot be used: the message says what to do
   */
  static Session open(StoreAddress address, Entropy entropy, Runnable first) {
    Session session = new Session(address, entropy);
    boolean done = false;
    try {
      session.run("open", () -> session.prepared(first)).toCompletableFuture().join();
      done = true;
      return session;
    } catch (CompletionException e) {
      throw e.getCause() instanceof StoreException cause ? cause : e;
    } finally {
      if (!done) {
        session.close();
      }
    }
  }

  private String prepared(Runnable first) {
    first.run();
    return read("open", List.of()).identity();
  }

  Keys keys() {
    return keys;
  }

  /** The calls. Of the session's thread alone. */
  EtcdClient client() {
    return client;
  }

  /** Runs it on the session's thread. */
  <T> CompletionStage<T> run(String name, Callable<T> call) {
    return thread.run(name, call);
  }

  /**
   * Reads at one revision. Of the session's thread alone.
   *
   * @param gets what to read
   */
  Found read(String name, List<Op> gets) {
    Op[] all = withIdentity(gets);
    for (int i = 0; i < IDENTITY_READS; i++) {
      TxnResponse response = client.call(name, false, kv -> kv.txn().Then(all).commit());
      Found found = Found.of(response);
      if (found != null) {
        return found;
      }
      makeIdentity(name, response.getHeader().getClusterId());
    }
    throw StoreException.refused(
        KIND
            + ": "
            + name
            + ": no identity after "
            + IDENTITY_READS
            + " reads (expected: one that stays)");
  }

  private Op[] withIdentity(List<Op> gets) {
    List<Op> all = new ArrayList<>();
    all.add(get(keys.identity()));
    all.addAll(gets);
    return all.toArray(Op[]::new);
  }

  /**
   * Of several that do so at once, one comes through. What the identity is now stays for ever, so
   * that no backup is without it.
   */
  private void makeIdentity(String name, long clusterId) {
    byte[] bytes = new byte[IDENTITY_BYTES];
    entropy.fill(bytes);
    String made = HexFormat.of().formatHex(bytes);
    Cmp none = unchanged(keys.identity(), 0);
    Op put = put(keys.identity(), made);
    Op first = put(keys.firstIdentity(), Keys.identityText(made, clusterId));
    client.call(name, true, kv -> kv.txn().If(none).Then(put, first).commit());
  }

  /**
   * Reads every key that begins so, as it was when others were read. Of the session's thread alone.
   *
   * @param found tells when
   * @param sink is given each, in the order of the keys
   */
  void readAll(String name, Found found, ByteSequence prefix, Consumer<KeyValue> sink) {
    ByteSequence end = OptionsUtil.prefixEndOf(prefix);
    ByteSequence from = prefix;
    GetResponse part;
    do { // ends: each part begins after the last key of the one before
      ByteSequence first = from;
      part = client.call(name, false, kv -> kv.get(first, part(end, found.revision())));
      if (part.getHeader().getClusterId() != found.clusterId()) {
        throw StoreException.refused(otherCluster(name, part.getHeader(), found));
      }
      part.getKvs().forEach(sink);
      from = part.isMore() ? after(part) : from;
    } while (part.isMore());
  }

  private static GetOption part(ByteSequence end, long revision) {
    return GetOption.builder().withRange(end).withRevision(revision).withLimit(PART).build();
  }

  private static ByteSequence after(GetResponse part) {
    return part.getKvs().get(part.getKvs().size() - 1).getKey().concat(NUL);
  }

  /**
   * Reads the first keys of a range, without what they say. Of the session's thread alone.
   *
   * @param most how many at most
   */
  List<ByteSequence> readKeys(String name, ByteSequence from, ByteSequence to, int most) {
    GetOption range = GetOption.builder().withRange(to).withKeysOnly(true).withLimit(most).build();
    return client.call(name, false, kv -> kv.get(from, range)).getKvs().stream()
        .map(KeyValue::getKey)
        .toList();
  }

  /** What a rule decided for what was read. */
  record Change<T>(T answer, List<Cmp> unchanged, List<Op> puts) {

    /** Nothing is written. */
    static <T> Change<T> none(T answer) {
      return new Change<>(answer, List.of(), List.of());
    }
  }

  /**
   * Reads, decides, and writes if nothing has changed; again where others came first, since nothing
   * was done then. Who has lost knows what there is now from that very answer, where those who
   * begin must read: so whoever has waited longer is ahead. Of the session's thread alone.
   *
   * @param read the keys, few
   * @param rule decides from what was found, in the order of the keys
   */
  <T> T transact(String name, List<ByteSequence> read, Function<Found, Change<T>> rule) {
    List<Op> gets = gets(read);
    Found found = read(name, gets);
    for (int i = 0; i < ATTEMPTS; i++) {
      Change<T> change = rule.apply(found);
      if (change.puts().isEmpty()) {
        return change.answer();
      }
      TxnResponse response = write(name, found, change.unchanged(), change.puts(), gets);
      if (response.isSucceeded()) {
        return change.answer();
      }
      Found instead = Found.of(response);
      found = instead == null ? read(name, gets) : instead;
    }
    throw othersCameFirst(name, ATTEMPTS);
  }

  /**
   * Writes if nothing that matters has changed. Of the session's thread alone.
   *
   * @return whether it was written: false, and nothing was
   */
  boolean write(String name, Found found, List<Cmp> unchanged, List<Op> puts) {
    return write(name, found, unchanged, puts, List.of()).isSucceeded();
  }

  private TxnResponse write(
      String name, Found found, List<Cmp> unchanged, List<Op> puts, List<Op> instead) {
    List<Cmp> conditions = new ArrayList<>();
    conditions.add(unchanged(keys.identity(), found.identityRevision()));
    conditions.addAll(unchanged);
    Op[] gets = withIdentity(instead);
    // Linearization point: who dies after it has written what nobody heard of.
    TxnResponse response =
        client.call(
            name,
            true,
            kv ->
                kv.txn()
                    .If(conditions.toArray(Cmp[]::new))
                    .Then(puts.toArray(Op[]::new))
                    .Else(gets)
                    .commit());
    if (response.isSucceeded() && response.getHeader().getClusterId() != found.clusterId()) {
      // A copy may have the same revisions, and lack what was written since.
      throw StoreException.unknown(otherCluster(name, response.getHeader(), found));
    }
    return response;
  }

  private static String otherCluster(String name, Response.Header header, Found found) {
    return KIND
        + ": "
        + name
        + ": cluster "
        + Long.toHexString(header.getClusterId())
        + " (expected: "
        + Long.toHexString(found.clusterId())
        + ", which was read)";
  }

  /** What is said when others have kept an operation from coming through: nothing was done. */
  static StoreException othersCameFirst(String name, int attempts) {
    return StoreException.refused(
            KIND
                + ": "
                + name
                + ": others came first "
                + attempts
                + " times (expected: a turn of its own)")
        .ofRow();
  }

  static List<Op> gets(List<ByteSequence> keys) {
    return keys.stream().map(Session::get).toList();
  }

  static Op get(ByteSequence key) {
    return Op.get(key, GetOption.DEFAULT);
  }

  static Op put(ByteSequence key, String value) {
    return Op.put(key, Keys.bytes(value), PutOption.DEFAULT);
  }

  static Op delete(ByteSequence key) {
    return Op.delete(key, DeleteOption.DEFAULT);
  }

  /**
   * That a key was last written in a revision.
   *
   * @param revision 0: it is not there
   */
  static Cmp unchanged(ByteSequence key, long revision) {
    return new Cmp(key, Cmp.Op.EQUAL, CmpTarget.modRevision(revision));
  }

  /** Ends the client after the calls that were taken. Closing twice does nothing. */
  void close() {
    thread.close(client::close);
  }
}
