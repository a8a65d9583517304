package dev.idgen.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.check.servers.MariadbServer;
import dev.idgen.check.servers.PostgresServer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Segments in two databases: PostgreSQL has the even ids, MariaDB the odd ones. */
class SegmentStoresTest {
  private static final String SWAPPED =
      "idgen: (mariadb|postgres): namespace default: this database is [01] of 2 \\(expected: [01] of"
          + " 2; .*";

  private static final int EVEN = 0;
  private static final int ODD = 1;

  private static PostgresServer postgres;
  private static MariadbServer mariadb;

  @TempDir private Path folder;
  private final List<AutoCloseable> closing = new ArrayList<>();
  private String database;
  private String even;
  private String odd;

  @BeforeAll
  static void startStores() {
    postgres = PostgresServer.start();
    mariadb = MariadbServer.start();
  }

  @AfterAll
  static void endStores() {
    postgres.close();
    mariadb.close();
  }

  @BeforeEach
  void makeDatabases() {
    database = postgres.freshDatabase();
    even = postgres.url(database);
    odd = mariadb.url(mariadb.freshDatabase());
  }

  @AfterEach
  void end() throws Exception {
    for (AutoCloseable one : closing) {
      one.close();
    }
  }

  /** A server on databases of segments, in that order. */
  private ServeProcess start(String first, String second, String... flags) {
    List<String> all = new ArrayList<>(List.of("--http-port", "0", "--store", even));
    all.addAll(List.of("--segment-stores", first + " " + second));
    all.addAll(List.of(flags));
    ServeProcess server = ServeProcess.start(folder, Map.of(), all.toArray(String[]::new));
    closing.add(server);
    return server;
  }

  private Load load(ServeProcess server) {
    Load load = Load.start(server, "order", 1, 5);
    closing.add(load);
    return load;
  }

  /** A tag with a row in each database. */
  private static void makeOrder(ServeProcess server) {
    String steps = "\"step\":10,\"stepMin\":10,\"stepMax\":10";
    HttpResponse<String> made =
        server.send("PUT", "/admin/tags/order", "{\"engine\":\"segment\"," + steps + "}");
    assertEquals(201, made.statusCode(), made.body());
    HttpResponse<String> raised =
        server.send("POST", "/admin/tags/order/raise", "{\"to\":\"1000\"}");
    assertEquals(200, raised.statusCode(), raised.body());
  }

  /** Keeps PostgreSQL from giving more. */
  private AutoCloseable lockEven() {
    AutoCloseable lock =
        postgres.hold(database, "SELECT * FROM id_alloc WHERE biz_tag = 'order' FOR UPDATE");
    closing.add(lock);
    return lock;
  }

  private static void awaitIdsThatAre(int residue, Load load) {
    Patience.await(
        load::soFar,
        calls -> {
          Call last = calls.isEmpty() ? null : calls.get(calls.size() - 1);
          return last != null && !last.refused() && last.ids()[0] % 2 == residue;
        });
  }

  private static void assertNoneRefused(List<Call> calls) {
    calls.forEach(call -> assertEquals("", call.refusal()));
  }

  private static void assertEndsWithOneLine(ServeProcess server, String line) {
    assertEquals(1, server.exitStatus());
    assertEquals(1, server.stderr().lines().count(), server.stderr());
    assertTrue(server.stderr().strip().matches(line), server.stderr());
  }

  @Test
  void database_isKilled_tagGoesOnFromTheOtherOne() throws Exception {
    ServeProcess server = start(even, odd, "--new-cluster").awaitReady();
    makeOrder(server);
    List<Call> all = new ArrayList<>();
    AutoCloseable lock = lockEven();
    Load before = load(server);
    awaitIdsThatAre(ODD, before);
    lock.close();
    all.addAll(before.end());

    Load during = load(server);
    awaitIdsThatAre(ODD, during);
    mariadb.kill();
    try {
      awaitIdsThatAre(EVEN, during);
      List<Call> calls = during.end();
      assertNoneRefused(calls);
      all.addAll(calls);
      assertEquals(0, server.terminate().exitStatus());
      server = start(even, odd).awaitReady(); // one is enough to begin with
      Load alone = load(server);
      awaitIdsThatAre(EVEN, alone);
      calls = alone.end();
      assertNoneRefused(calls);
      all.addAll(calls);
    } finally {
      mariadb.startAgain();
    }

    lockEven();
    Load after = load(server);
    awaitIdsThatAre(ODD, after); // it is used again
    all.addAll(after.end());
    Call.assertAllDiffer(all);
    Call.assertInOrderOfTime(all);
    assertTrue(Call.idsOf(all)[0] >= 1_000);
  }

  /** It accepts connections and answers nothing: nobody waits for it until it is given up. */
  @Test
  void database_hangs_noCallIsRefused() throws Exception {
    ServeProcess server = start(even, odd, "--new-cluster").awaitReady();
    makeOrder(server);
    AutoCloseable lock = lockEven();
    Load load = load(server);
    awaitIdsThatAre(ODD, load);
    lock.close();
    mariadb.freeze();
    try {
      awaitIdsThatAre(EVEN, load);
      HttpResponse<String> made =
          server.send("PUT", "/admin/tags/parcel", "{\"engine\":\"segment\"}");
      assertEquals(201, made.statusCode(), made.body());
      HttpResponse<String> raised =
          server.send("POST", "/admin/tags/parcel/raise", "{\"to\":\"1000\"}");
      assertEquals(503, raised.statusCode(), raised.body());
      List<Call> calls = load.end();
      assertNoneRefused(calls);
      Call.assertAllDiffer(calls);
      Call.assertInOrderOfTime(calls);
    } finally {
      mariadb.thaw();
    }
    HttpResponse<String> raised =
        Patience.await(
            () -> server.send("POST", "/admin/tags/parcel/raise", "{\"to\":\"1000\"}"),
            answer -> answer.statusCode() == 200);
    assertTrue(raised.body().contains("parcel"), raised.body());
  }

  /** Of a database that has no leases, but tags or their marks. */
  @Test
  void database_mayLoseWrites_isToldAtStart() {
    mariadb.execute("mysql", "SET GLOBAL innodb_flush_log_at_trx_commit = 2");
    try {
      String line = start(even, odd, "--new-cluster").awaitLine("store may lose writes");
      assertTrue(line.contains("\"store\":\"mariadb://admin:***@127.0.0.1:"), line);
      assertTrue(line.contains("innodb_flush_log_at_trx_commit is 2"), line);
    } finally {
      mariadb.execute("mysql", "SET GLOBAL innodb_flush_log_at_trx_commit = 1");
    }
  }

  @Test
  void databases_areSwapped_startIsRefusedUntilTheyAreBack() {
    ServeProcess server = start(even, odd, "--new-cluster").awaitReady();
    makeOrder(server);
    List<Call> all = new ArrayList<>(load(server).awaitMore(10).end());
    HttpResponse<String> sequence =
        server.send("PUT", "/admin/tags/serial", "{\"engine\":\"sequence\"}");
    assertEquals(400, sequence.statusCode(), sequence.body());
    assertTrue(sequence.body().contains("2 databases"), sequence.body());
    assertEquals(0, server.terminate().exitStatus());

    assertEndsWithOneLine(start(odd, even), SWAPPED); // told of whichever answers first
    assertEndsWithOneLine(
        start(even, even.replace("127.0.0.1", "localhost")),
        "idgen: postgres: namespace default: this database is 0 of 2 \\(expected: 1 of 2; .*");

    server = start(even, odd).awaitReady();
    all.addAll(load(server).awaitMore(10).end());
    assertEquals(0, server.terminate().exitStatus());
    Ran fenced = Ran.of("fence", "--store", even, "--segment-stores", even + " " + odd);
    assertTrue(fenced.out().startsWith("fence 1, claims begin at "), fenced.out());
    assertEquals("", fenced.err(), "libraries say nothing");
    assertNoneRefused(all);
    Call.assertAllDiffer(all);
  }
}
