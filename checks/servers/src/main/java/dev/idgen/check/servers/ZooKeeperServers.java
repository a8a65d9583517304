package dev.idgen.check.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;

/** A ZooKeeper server, or three that are one ensemble, within the process of the test. */
public final class ZooKeeperServers implements AutoCloseable {
  private static final int SESSION_MS = 10_000;
  private static final long PATIENCE_MS = 60_000;
  private static final AtomicInteger PATHS = new AtomicInteger();

  private final AutoCloseable servers;
  private final List<InstanceSpec> specs;

  private ZooKeeperServers(AutoCloseable servers, List<InstanceSpec> specs) {
    this.servers = servers;
    this.specs = specs;
  }

  /** Starts one alone. */
  public static ZooKeeperServers start() {
    try {
      Path folder = Files.createTempDirectory("idgen-zookeeper");
      InstanceSpec spec = new InstanceSpec(folder.toFile(), -1, -1, -1, true, -1);
      return new ZooKeeperServers(new TestingServer(spec, true), List.of(spec));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Starts an ensemble. Takes a few seconds. */
  public static ZooKeeperServers startCluster(int size) {
    try {
      TestingCluster cluster = new TestingCluster(size);
      cluster.start();
      awaitUp(cluster.getConnectString());
      return new ZooKeeperServers(cluster, new ArrayList<>(cluster.getInstances()));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void awaitUp(String hosts) throws IOException, InterruptedException {
    CountDownLatch up = new CountDownLatch(1);
    ZooKeeper client =
        new ZooKeeper(
            hosts,
            SESSION_MS,
            event -> {
              if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                up.countDown();
              }
            });
    try {
      if (!up.await(PATIENCE_MS, TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("no answer: " + hosts);
      }
    } finally {
      client.close();
    }
  }

  /** How many there are, running or killed. */
  public int count() {
    return specs.size();
  }

  /** The port of one of them, on loopback. */
  public int port(int server) {
    return specs.get(server).getPort();
  }

  /** The address of all of them, with a path that nobody has used. */
  public String freshUrl() {
    List<String> hosts = specs.stream().map(spec -> "127.0.0.1:" + spec.getPort()).toList();
    return "zookeeper://" + String.join(",", hosts) + "/t" + PATHS.incrementAndGet();
  }

  /** Ends one of them. */
  public void kill(int server) {
    try {
      if (servers instanceof TestingCluster cluster) {
        cluster.killServer(specs.get(server));
      } else {
        ((TestingServer) servers).stop();
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Starts it again, after {@link #kill}, on what it had written, at the same port. */
  public void startAgain(int server) {
    try {
      if (servers instanceof TestingCluster cluster) {
        cluster.restartServer(specs.get(server));
      } else {
        ((TestingServer) servers).restart();
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    try {
      servers.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
