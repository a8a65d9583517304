package dev.idgen.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.check.servers.MariadbServer;
import dev.idgen.store.IdempotencyReply;
import dev.idgen.store.SegmentReply;
import dev.idgen.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class MariadbPoolTest extends DatabasePoolContract {
  private static MariadbServer server;

  @BeforeAll
  static void startServer() {
    server = MariadbServer.start();
  }

  @AfterAll
  static void endServer() {
    server.close();
  }

  @Override
  String freshDatabase() {
    return server.freshDatabase();
  }

  @Override
  String url(String database) {
    return server.url(database);
  }

  @Override
  ServerDialect dialect(String url) {
    return new MariadbDialect(DatabaseUrl.parse(url), "mariadb", new Patience(2_000));
  }

  @Override
  String countOfOthers() {
    return "SELECT COUNT(*) FROM information_schema.processlist"
        + " WHERE db = DATABASE() AND id <> CONNECTION_ID()";
  }

  @Override
  void execute(String database, String sql) {
    server.execute(database, sql);
  }

  @Test
  void allocate_serverThatWasRestarted_isGrantedAgain() {
    try (JdbcSegmentStore store = JdbcSegmentStore.open(url(freshDatabase()))) {
      allocated(store, "order");
      server.kill();
      StoreException e = failure(store.allocate(request("order")));
      assertTrue(String.valueOf(e.getMessage()).contains("no answer: "), e::toString);
      assertFalse(e.permanent());
      server.startAgain();
      assertInstanceOf(
          SegmentReply.Granted.class, answered(() -> store.allocate(request("order"))));
    }
  }

  /** C61: connections stay and nothing is answered: all are refused, and come back. */
  @Test
  void requests_serverHangs_areRefusedAndGoOnAfterIt() {
    JdbcDatabases databases = new JdbcDatabases(new JdbcOptions(6, 4, 2_000));
    String url = url(freshDatabase());
    try (JdbcSegmentStore segments = databases.segments(url);
        JdbcIdempotencyStore keys = databases.idempotency(url)) {
      allocated(segments, "order");
      join(keys.begin(key("k", 1)));
      server.freeze();
      try {
        List<CompletionStage<?>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          all.add(segments.allocate(request("order")));
          all.add(keys.begin(key("k" + i, i)));
        }
        for (CompletionStage<?> stage : all) {
          StoreException e = failure(stage);
          assertTrue(String.valueOf(e.getMessage()).contains("no answer"), e::toString);
          assertFalse(e.permanent());
        }
      } finally {
        server.thaw();
      }
      assertInstanceOf(
          SegmentReply.Granted.class, answered(() -> segments.allocate(request("order"))));
      assertInstanceOf(IdempotencyReply.InFlight.class, answered(() -> keys.begin(key("k", 2))));
    }
  }
}
