package dev.idgen.store.zookeeper;

import dev.idgen.entropy.Entropy;
import dev.idgen.store.StoreAddress;
import dev.idgen.time.TimeSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ClientCnxnSocketNetty;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * One session with the servers. Each call has a limit in time and is never repeated. A session that
 * has failed is given up: the next begins at once. Of one thread alone.
 */
final class Session {
  /** How long a connection, or an answer, is waited for. */
  static final int ANSWER_MS = 2_000;

  /** How long the servers keep the session's nodes after they last heard of it. */
  static final int SESSION_MS = 10_000;

  private static final int CLOSE_MS = 1_000;
  private static final int IDENTITY_BYTES = 16;
  private static final int CLOCK_NAME_BYTES = 8;
  private static final int MOST_IN_ONE_READ = 500;
  private static final byte[] NOTHING = new byte[0];

  private final ZooKeeper servers;
  private final List<ACL> access;
  private final TimeSource time;
  private final Set<String> marks = new HashSet<>();
  private String clock = "";
  private long clockMillis;
  private long clockReadAtNanos;

  private Session(ZooKeeper servers, List<ACL> access, TimeSource time) {
    this.servers = servers;
    this.access = access;
    this.time = time;
  }

  /**
   * Begins one. Waits until one of the servers takes it: before that, a call fails with the first
   * server that does not answer.
   */
  static Session begin(StoreAddress address, TimeSource time)
      throws IOException, KeeperException, InterruptedException {
    ZKClientConfig config = new ZKClientConfig();
    config.setProperty(ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, Integer.toString(ANSWER_MS));
    encrypt(config, address);
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper servers =
        new ZooKeeper(
            address.hosts(),
            SESSION_MS,
            event -> {
              if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                connected.countDown();
              }
            },
            config);
    boolean done = false;
    try {
      if (!connected.await(ANSWER_MS, TimeUnit.MILLISECONDS)) {
        throw new KeeperException.ConnectionLossException();
      }
      Session session = new Session(servers, access(servers, address), time);
      done = true;
      return session;
    } finally {
      if (!done) {
        servers.close(CLOSE_MS);
      }
    }
  }

  /** Over TLS the client wants another kind of connection. */
  private static void encrypt(ZKClientConfig config, StoreAddress address) {
    if (!address.encrypted()) {
      return;
    }
    config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
    config.setProperty(
        ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, ClientCnxnSocketNetty.class.getName());
    if (!address.ca().isEmpty()) {
      config.setProperty("zookeeper.ssl.trustStore.location", address.ca());
      config.setProperty("zookeeper.ssl.trustStore.type", "PEM");
    }
  }

  private static List<ACL> access(ZooKeeper servers, StoreAddress address) {
    if (address.user().isEmpty()) {
      return ZooDefs.Ids.OPEN_ACL_UNSAFE;
    }
    String account = address.user() + ":" + address.password();
    servers.addAuthInfo("digest", account.getBytes(StandardCharsets.UTF_8));
    return ZooDefs.Ids.CREATOR_ALL_ACL;
  }

  /** Makes what must be there before any row. Of several that do so at once, one comes through. */
  void prepare(Nodes nodes, Entropy entropy) throws KeeperException, InterruptedException {
    if (read(nodes.identity()) == null) {
      for (String shared : nodes.above()) {
        create(shared, NOTHING, CreateMode.PERSISTENT, ZooDefs.Ids.OPEN_ACL_UNSAFE);
      }
      for (String parent : nodes.parents()) {
        create(parent, NOTHING, CreateMode.PERSISTENT);
      }
      create(nodes.identity(), bytes(random(entropy, IDENTITY_BYTES)), CreateMode.PERSISTENT);
    }
    clock = nodes.clock(random(entropy, CLOCK_NAME_BYTES));
    create(clock, NOTHING, CreateMode.EPHEMERAL);
  }

  private static String random(Entropy entropy, int size) {
    byte[] bytes = new byte[size];
    entropy.fill(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private void create(String path, byte[] data, CreateMode mode)
      throws KeeperException, InterruptedException {
    create(path, data, mode, access);
  }

  private void create(String path, byte[] data, CreateMode mode, List<ACL> who)
      throws KeeperException, InterruptedException {
    try {
      servers.create(path, data, who, mode);
    } catch (KeeperException.NodeExistsException e) {
      // Made by another process, or by this one when the answer was lost: it is there.
    }
  }

  // ---- the clock

  /**
   * Writes the session's own node, whose time of writing is the clock of the server that leads.
   * What is read after it is as new as that write at least.
   */
  void refreshClock() throws KeeperException, InterruptedException {
    long sent = time.monotonicNanos();
    clockMillis = servers.setData(clock, NOTHING, -1).getMtime();
    clockReadAtNanos = sent + (time.monotonicNanos() - sent) / 2;
  }

  /** The last reading, and the monotonic time that has passed since. */
  long nowMillis() {
    return clockMillis + (time.monotonicNanos() - clockReadAtNanos) / 1_000_000;
  }

  // ---- rows

  /**
   * A node as it was read.
   *
   * @param version of its data; compared for equality alone, since it turns around at 2^31
   */
  record Node(String path, String data, int version) {}

  /** A node; null: there is none. */
  @Nullable Node read(String path) throws KeeperException, InterruptedException {
    try {
      Stat stat = new Stat();
      byte[] data = servers.getData(path, false, stat);
      return new Node(path, text(data), stat.getVersion());
    } catch (KeeperException.NoNodeException e) {
      return null;
    }
  }

  /** The nodes below one, by name; none where that one is not there. */
  List<Node> children(String path) throws KeeperException, InterruptedException {
    List<String> names = names(path);
    List<Node> nodes = new ArrayList<>();
    for (int from = 0; from < names.size(); from += MOST_IN_ONE_READ) {
      List<String> part = names.subList(from, Math.min(names.size(), from + MOST_IN_ONE_READ));
      List<Op> reads = part.stream().map(name -> Op.getData(path + "/" + name)).toList();
      List<OpResult> answers = servers.multi(reads);
      for (int i = 0; i < reads.size(); i++) {
        OpResult.GetDataResult answer = (OpResult.GetDataResult) answers.get(i);
        nodes.add(
            new Node(
                reads.get(i).getPath(), text(answer.getData()), answer.getStat().getVersion()));
      }
    }
    return nodes;
  }

  private List<String> names(String path) throws KeeperException, InterruptedException {
    try {
      return servers.getChildren(path, false).stream().sorted().toList();
    } catch (KeeperException.NoNodeException e) {
      return List.of();
    }
  }

  /** A write on the condition that a node still is, or is not, as it was read. */
  Op write(@Nullable Node read, String path, String data) {
    return read == null
        ? Op.create(path, bytes(data), access, CreateMode.PERSISTENT)
        : Op.setData(path, bytes(data), read.version());
  }

  /** All of it, or nothing. */
  void commit(List<Op> operations) throws KeeperException, InterruptedException {
    servers.multi(operations);
  }

  // ---- marks

  /** A node that lasts as long as this session. One of an earlier session is left to end. */
  void mark(String path, String owner) throws KeeperException, InterruptedException {
    if (!marks.contains(path)) {
      try {
        servers.create(path, bytes(owner), access, CreateMode.EPHEMERAL);
        marks.add(path);
      } catch (KeeperException.NodeExistsException e) {
        // Tried again at the next renewal.
      }
    }
  }

  /** Takes a mark of this session away. */
  void unmark(String path) throws KeeperException, InterruptedException {
    if (marks.remove(path)) {
      servers.delete(path, -1);
    }
  }

  void close() throws InterruptedException {
    servers.close(CLOSE_MS);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte @Nullable [] bytes) {
    return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
  }
}
