package dev.idgen.server.main;

import dev.idgen.server.config.Config;
import dev.idgen.server.config.Settings;
import dev.idgen.server.config.StoreUrl;
import dev.idgen.server.log.Log;
import dev.idgen.store.IdempotencyStore;
import dev.idgen.store.SegmentStore;
import dev.idgen.store.TagStore;
import dev.idgen.store.WorkerStore;
import dev.idgen.store.etcd.EtcdIdempotencyStore;
import dev.idgen.store.etcd.EtcdSegmentStore;
import dev.idgen.store.etcd.EtcdTagStore;
import dev.idgen.store.etcd.EtcdWorkerStore;
import dev.idgen.store.file.FileWorkerStore;
import dev.idgen.store.jdbc.JdbcDatabases;
import dev.idgen.store.jdbc.JdbcIdempotencyStore;
import dev.idgen.store.jdbc.JdbcOptions;
import dev.idgen.store.jdbc.JdbcSegmentStore;
import dev.idgen.store.jdbc.JdbcTagStore;
import dev.idgen.store.jdbc.JdbcWorkerStore;
import dev.idgen.store.zookeeper.ZooKeeperWorkerStore;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.LoggerFactory;

/**
 * Opens the stores that addresses mean. Those of one process share the connections to a database.
 * Opening may block, and throws a {@link dev.idgen.store.StoreException} where a store cannot be
 * used now. Thread-safe.
 */
final class StoreDrivers {
  private static final Log LOG = Log.of("store");

  /** What was said, since one database serves for several stores. */
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  private final JdbcOptions limits;
  private final JdbcDatabases databases;
  private final long etcdTtlMs;

  StoreDrivers(Config config) {
    // Drivers log by SLF4J, and so does the network: if its first use is by two threads at once, it
    // complains on the standard error. So the calling thread makes it ready before others start.
    var unused = LoggerFactory.getILoggerFactory();
    this.limits =
        new JdbcOptions(
            config.get(Settings.DATABASE_MAX_OPEN),
            config.get(Settings.DATABASE_MAX_IDLE),
            Wiring.ms(config, Settings.DATABASE_TIMEOUT));
    this.databases = new JdbcDatabases(limits);
    this.etcdTtlMs = Wiring.ms(config, Settings.LEASE_ETCD_TTL);
  }

  /** Opens the leases. */
  WorkerStore workers(StoreUrl url) {
    return switch (url.kind()) {
      case SQLITE -> JdbcWorkerStore.open(sqlite(url));
      case FILE -> FileWorkerStore.open(url.path());
      case POSTGRES, MARIADB, MYSQL -> {
        JdbcWorkerStore store = JdbcWorkerStore.open(url.address(), limits);
        tell(url, store.risks());
        yield store;
      }
      case ETCD -> EtcdWorkerStore.open(url.address(), etcdTtlMs);
      case ZOOKEEPER -> ZooKeeperWorkerStore.open(url.address());
    };
  }

  /** Whoever runs a database should hear what it may lose, once, whatever is kept there. */
  private void tell(StoreUrl url, List<String> risks) {
    for (String risk : risks) {
      if (told.add(url + " " + risk)) {
        LOG.warn("store may lose writes", "store", url.toString(), "why", risk);
      }
    }
  }

  /** Opens the marks of tags. */
  SegmentStore segments(StoreUrl url) {
    return switch (url.kind()) {
      case SQLITE -> JdbcSegmentStore.open(sqlite(url));
      case POSTGRES, MARIADB, MYSQL -> {
        JdbcSegmentStore store = databases.segments(url.address());
        tell(url, store.risks());
        yield store;
      }
      case ETCD -> EtcdSegmentStore.open(url.address());
      case FILE, ZOOKEEPER -> throw keepsNone(url);
    };
  }

  /** Opens the idempotency keys. */
  IdempotencyStore idempotency(StoreUrl url) {
    return switch (url.kind()) {
      case SQLITE -> JdbcIdempotencyStore.open(sqlite(url));
      case POSTGRES, MARIADB, MYSQL -> databases.idempotency(url.address());
      case ETCD -> EtcdIdempotencyStore.open(url.address());
      case FILE, ZOOKEEPER -> throw keepsNone(url);
    };
  }

  /** Opens what is set for tags. */
  TagStore tags(StoreUrl url) {
    return switch (url.kind()) {
      case SQLITE -> JdbcTagStore.open(sqlite(url));
      case POSTGRES, MARIADB, MYSQL -> {
        JdbcTagStore store = JdbcTagStore.open(url.address(), limits);
        tell(url, store.risks());
        yield store;
      }
      case ETCD -> EtcdTagStore.open(url.address());
      case FILE, ZOOKEEPER -> throw keepsNone(url);
    };
  }

  private static String sqlite(StoreUrl url) {
    return "jdbc:sqlite:" + url.path();
  }

  private static IllegalArgumentException keepsNone(StoreUrl url) {
    return new IllegalArgumentException(
        "store: " + url.word() + " (expected: one that keeps tags)");
  }
}
