package dev.idgen.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentRequest;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.SpreadEvents;
import dev.idgen.store.SpreadSegmentStore;
import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which statements go over which connection, where there are several databases with several. */
class JdbcConnectionsTest {
  private static final int LANES = 4;
  private static final int ALLOCATIONS = 200;
  private static final SegmentTerms TERMS = SegmentTerms.of("default", "order", 100);

  @TempDir private Path folder;
  private final List<Script> scripts = new CopyOnWriteArrayList<>();
  private final Scheduler scheduler = Scheduler.daemon("patience");

  /** What was said over one connection of one database. */
  private record Script(String database, List<String> statements) {}

  /** Files that are used over as many connections as a server would be. */
  private final class ServerLike extends SqliteDialect {
    private final String database;

    ServerLike(String database) {
      super(folder.resolve(database), TimeSource.system());
      this.database = database;
    }

    @Override
    public boolean embedded() {
      return false;
    }

    @Override
    public Connection connect() throws SQLException {
      Script script = new Script(database, new CopyOnWriteArrayList<>());
      scripts.add(script);
      return Overheard.connection(super.connect(), (target, sql) -> script.statements.add(sql));
    }
  }

  private JdbcSegmentStore segments(String database) {
    JdbcOptions options = new JdbcOptions(LANES + JdbcOptions.OWN, LANES, 5_000);
    Pool pool = new Pool(new ServerLike(database), options, TimeSource.system());
    return JdbcSegmentStore.of(first -> Lanes.sharing(pool, LANES, first, pool::end));
  }

  private SpreadSegmentStore open(int first) {
    return new SpreadSegmentStore(
        "default",
        List.of(segments("even"), segments("odd")),
        1,
        0,
        first,
        TimeUnit.HOURS.toNanos(1),
        TimeSource.system(),
        scheduler,
        SpreadEvents.NONE);
  }

  @AfterEach
  void closeScheduler() {
    scheduler.close();
  }

  private static <T> T join(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  /** C47: a transaction that began on one connection, or database, is never ended on another. */
  @Test
  void allocate_twoDatabasesAndManyConnections_eachUsesOne() {
    try (SpreadSegmentStore even = open(0);
        SpreadSegmentStore odd = open(1)) {
      join(even.check());
      join(odd.check());
      scripts.forEach(script -> script.statements.clear());
      List<CompletionStage<SegmentReply>> replies = new ArrayList<>();
      for (int i = 0; i < ALLOCATIONS; i++) {
        replies.add((i % 2 == 0 ? even : odd).allocate(new SegmentRequest(TERMS, 1, -1)));
      }
      Set<Long> ids = new HashSet<>();
      for (CompletionStage<SegmentReply> reply : replies) {
        ids.add(assertInstanceOf(SegmentReply.Granted.class, join(reply)).first());
      }
      assertEquals(ALLOCATIONS, ids.size());
    }
    int transactions = 0;
    int used = 0;
    for (Script script : scripts) {
      List<List<String>> all = transactions(script.statements);
      transactions += all.size();
      used += all.isEmpty() ? 0 : 1;
    }
    assertEquals(ALLOCATIONS, transactions, scripts.toString());
    assertTrue(used > 2, used + " connections were used (expected: several of each database)");
    assertEquals(
        Set.of("even", "odd"), Set.copyOf(scripts.stream().map(Script::database).toList()));
  }

  /** Each from its beginning to its commit, with one read and one write of the mark in between. */
  private static List<List<String>> transactions(List<String> statements) {
    List<List<String>> all = new ArrayList<>();
    List<String> open = new ArrayList<>();
    for (String sql : statements) {
      open.add(sql);
      if (sql.equals("COMMIT")) {
        assertTrue(open.get(0).startsWith("BEGIN"), open.toString());
        assertEquals(1, count(open, "BEGIN"), open.toString());
        assertEquals(1, count(open, "SELECT max_id"), open.toString());
        assertEquals(5, open.size(), open.toString()); // each is a round trip to a server
        assertEquals(
            1, count(open, "UPDATE id_alloc") + count(open, "INSERT INTO id_alloc"), open + "");
        all.add(open);
        open = new ArrayList<>();
      }
    }
    assertEquals(List.of(), open, "what was begun and never ended");
    return all;
  }

  private static long count(List<String> statements, String begin) {
    return statements.stream().filter(sql -> sql.startsWith(begin)).count();
  }
}
