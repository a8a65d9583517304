package dev.idgen.server.main;

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
import dev.idgen.store.jdbc.JdbcIdempotencyStore;
import dev.idgen.store.jdbc.JdbcSegmentStore;
import dev.idgen.store.jdbc.JdbcTagStore;
import dev.idgen.store.jdbc.JdbcWorkerStore;
import dev.idgen.store.zookeeper.ZooKeeperWorkerStore;
import org.slf4j.LoggerFactory;

/** Opens the store of the leases. May block. */
@FunctionalInterface
interface StoreOpener {

  /**
   * Opens it.
   *
   * @throws dev.idgen.store.StoreException it cannot be used now; tried again
   */
  WorkerStore open();

  /** Whoever runs the database should hear what it may lose. */
  private static JdbcWorkerStore told(JdbcWorkerStore store) {
    Log log = Log.of("store");
    store.risks().forEach(risk -> log.warn("store may lose leases", "why", risk));
    return store;
  }

  /** The store that an address means. */
  static StoreOpener of(StoreUrl url) {
    // Drivers log by SLF4J, and so does the network: if its first use is by two threads at once, it
    // complains on the standard error. So the calling thread makes it ready before others start.
    var unused = LoggerFactory.getILoggerFactory();
    return switch (url.kind()) {
      case SQLITE -> () -> JdbcWorkerStore.open("jdbc:sqlite:" + url.path());
      case FILE -> () -> FileWorkerStore.open(url.path());
      case POSTGRES, MARIADB, MYSQL -> () -> told(JdbcWorkerStore.open(url.address()));
      case ETCD -> () -> EtcdWorkerStore.open(url.address());
      case ZOOKEEPER -> () -> ZooKeeperWorkerStore.open(url.address());
    };
  }

  /**
   * Opens the marks of tags.
   *
   * @param connections the most that a database server is asked for
   */
  static SegmentStore segments(StoreUrl url, int connections) {
    return switch (url.kind()) {
      case SQLITE -> JdbcSegmentStore.open("jdbc:sqlite:" + url.path(), 1);
      case POSTGRES, MARIADB, MYSQL -> JdbcSegmentStore.open(url.address(), connections);
      case ETCD -> EtcdSegmentStore.open(url.address());
      case FILE, ZOOKEEPER -> throw keepsNone(url);
    };
  }

  /** Opens what is set for tags. */
  static TagStore tags(StoreUrl url) {
    return switch (url.kind()) {
      case SQLITE -> JdbcTagStore.open("jdbc:sqlite:" + url.path());
      case POSTGRES, MARIADB, MYSQL -> JdbcTagStore.open(url.address());
      case ETCD -> EtcdTagStore.open(url.address());
      case FILE, ZOOKEEPER -> throw keepsNone(url);
    };
  }

  /** Opens what was answered under idempotency keys. */
  static IdempotencyStore idempotency(StoreUrl url) {
    return switch (url.kind()) {
      case SQLITE -> JdbcIdempotencyStore.open("jdbc:sqlite:" + url.path());
      case POSTGRES, MARIADB, MYSQL -> JdbcIdempotencyStore.open(url.address());
      case ETCD -> EtcdIdempotencyStore.open(url.address());
      case FILE, ZOOKEEPER -> throw keepsNone(url);
    };
  }

  private static IllegalArgumentException keepsNone(StoreUrl url) {
    return new IllegalArgumentException(
        "store: " + url.word() + " (expected: one that keeps tags)");
  }
}
