package dev.idgen.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.check.servers.EtcdServer;
import dev.idgen.check.servers.MariadbServer;
import dev.idgen.check.servers.PostgresServer;
import dev.idgen.check.servers.ZooKeeperServers;
import dev.idgen.store.jdbc.JdbcTagStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers as processes that share a database server. */
class ClusterTest {
  private static final String GRANTS =
      "(?s).*\nGRANT SELECT, INSERT, UPDATE ON ([a-z_, ]+) TO idgen;.*";

  private static PostgresServer postgres;
  private static MariadbServer mariadb;

  @TempDir private Path folder;

  @BeforeAll
  static void startServers() {
    postgres = PostgresServer.start();
    mariadb = MariadbServer.start();
  }

  @AfterAll
  static void endServers() {
    postgres.close();
    mariadb.close();
  }

  private ServeProcess start(String url, String... flags) {
    List<String> all = new ArrayList<>(List.of("--http-port", "0", "--store", url));
    all.addAll(List.of(flags));
    return ServeProcess.start(folder, Map.of(), all.toArray(String[]::new));
  }

  private static void take(ServeProcess server, Set<String> seen) {
    String list = server.get("/api/ids?n=1000");
    for (String part : list.split("\"id\":\"", -1)) {
      if (Character.isDigit(part.charAt(0))) {
        assertTrue(seen.add(part.substring(0, part.indexOf('"'))), part);
      }
    }
  }

  private void assertClusterForms(String url) {
    assertClusterForms(url, url);
  }

  private void assertClusterForms(String url, String workers) {
    Set<String> seen = new HashSet<>();
    try (ServeProcess one = start(url, "--workers-store", workers, "--new-cluster");
        ServeProcess two = start(url, "--workers-store", workers, "--new-cluster");
        ServeProcess three = start(url, "--workers-store", workers, "--new-cluster")) {
      one.awaitReady();
      two.awaitReady();
      three.awaitReady();
      assertEquals(3, Set.of(one.worker(), two.worker(), three.worker()).size());
      take(one, seen);
      take(two, seen);
      take(three, seen);

      two.kill();
      try (ServeProcess again = start(url, "--workers-store", workers)) {
        again.awaitReady();
        take(again, seen);
        take(one, seen);
        assertEquals(5_000, seen.size());
        assertEquals(0, again.terminate().exitStatus());
        assertEquals("", again.stderr());
      }
    }
  }

  @Test
  void serve_threeOnPostgres_areACluster() {
    assertClusterForms(postgres.url(postgres.freshDatabase()));
  }

  @Test
  void serve_threeOnMariadb_areACluster() {
    assertClusterForms(mariadb.url(mariadb.freshDatabase()));
  }

  @Test
  void serve_threeOnEtcd_areACluster() {
    try (EtcdServer etcd = EtcdServer.start()) {
      assertClusterForms(etcd.freshUrl());
    }
  }

  @Test
  void serve_threeWithWorkersOnZooKeeper_areACluster() {
    try (ZooKeeperServers zookeeper = ZooKeeperServers.start()) {
      assertClusterForms("sqlite:" + folder.resolve("idgen.db"), zookeeper.freshUrl());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"etcd", "zookeeper"})
  void serve_nobodyAtTheAddress_comesUpUnreadyAndSaysWhy(String kind) {
    String nobody = kind + "://127.0.0.1:1";
    String tags = kind.equals("etcd") ? nobody : "sqlite:" + folder.resolve("idgen.db");
    try (ServeProcess server = start(tags, "--workers-store", nobody)) {
      int port = server.awaitListening();
      String why =
          Patience.await(
              () -> server.get(port, "/readyz").body(), body -> body.contains("no answer: "));
      assertTrue(why.contains(kind + ": "), why);
      assertEquals(0, server.terminate().exitStatus());
      assertEquals("", server.stderr());
    }
  }

  @Test
  void serve_workerIdOfAnotherServer_isRefusedNamingTheOwner() {
    String url = postgres.url(postgres.freshDatabase());
    try (ServeProcess one = start(url, "--new-cluster", "--worker", "7")) {
      one.awaitReady();
      try (ServeProcess two = start(url, "--worker", "7")) {
        assertEquals(1, two.exitStatus());
        assertEquals(1, two.stderr().lines().count(), two.stderr());
        assertTrue(two.stderr().startsWith("idgen: workerId: 7 is held by "), two.stderr());
      }
      assertTrue(one.nextId() > 0);
    }
  }

  @Test
  void serve_wrongPassword_endsWithOneLine() {
    String url = postgres.url("nobody", "wrong-password", "postgres");
    try (ServeProcess server = start(url)) {
      assertEndsWithOneLine(server, "user or password refused");
      assertFalse(server.stderr().contains("wrong-password"), server.stderr());
    }
  }

  private static void assertEndsWithOneLine(ServeProcess server, String part) {
    assertEquals(1, server.exitStatus());
    assertEquals(1, server.stderr().lines().count(), server.stderr());
    assertTrue(server.stderr().startsWith("idgen: "), server.stderr());
    assertTrue(server.stderr().contains(part), server.stderr());
  }

  /** Those for which the documentation has an account be given grants. */
  private static List<String> tables() {
    try {
      String text = Files.readString(Path.of("../docs/stores.md"));
      return List.of(text.replaceAll(GRANTS, "$1").split(", ", -1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes an account of PostgreSQL that may use tables and make none. */
  private static String accountFor(String database, String name, List<String> tables) {
    postgres.execute(
        database,
        "CREATE ROLE " + name + " LOGIN PASSWORD 'secret'",
        "GRANT SELECT, INSERT, UPDATE ON " + String.join(", ", tables) + " TO " + name,
        "GRANT DELETE ON idgen_idempotency TO " + name);
    return postgres.url(name, "secret", database);
  }

  @Test
  void serve_grantForOneTableMissing_endsWithOneLine() {
    String database = postgres.freshDatabase();
    JdbcTagStore.open(postgres.url(database)).close(); // makes the tables
    Map<String, ServeProcess> servers = new HashMap<>();
    List<String> some =
        List.of(
            "idgen_tag", "idgen_revision", "idgen_residue", "idgen_worker", "idgen_idempotency");
    for (String table : some) {
      List<String> others = new ArrayList<>(tables());
      assertTrue(others.remove(table), table);
      servers.put(table, start(accountFor(database, "no_" + table, others)));
    }
    servers.forEach(
        (table, server) -> {
          assertEndsWithOneLine(server, "permission denied for table " + table + " (expected: ");
          server.close();
        });
  }

  @Test
  void serve_tablesOfAnotherVersion_endsWithOneLineOrBringsThemUp() {
    String database = postgres.freshDatabase();
    JdbcTagStore.open(postgres.url(database)).close();
    String bound = accountFor(database, "bound", tables());
    postgres.execute(database, "UPDATE idgen_meta SET schema_version = 99");
    try (ServeProcess server = start(bound)) {
      assertEndsWithOneLine(server, "schema version 99 (expected: at most ");
    }
    postgres.execute(
        database,
        "DROP TABLE idgen_tag, idgen_revision, idgen_residue, idgen_fence",
        "DROP TABLE idgen_idempotency, idgen_idempotency_use",
        "UPDATE idgen_meta SET schema_version = 2");
    try (ServeProcess server = start(bound)) {
      assertEndsWithOneLine(server, "schema version 2 cannot be brought to 4: ");
    }
    try (ServeProcess server = start(postgres.url(database), "--new-cluster")) {
      assertTrue(server.awaitReady().nextId() > 0);
    }
  }

  @Test
  void serve_storeGoesAway_goesOnThenRefusesThenComesBack() {
    String url = mariadb.url(mariadb.freshDatabase());
    try (ServeProcess server =
        start(url, "--new-cluster", "--lease-window", "6s", "--lease-renew-every", "500ms")) {
      server.awaitReady();
      mariadb.kill();
      try {
        server.awaitLine("renewal failed");
        long last = server.nextId(); // still within the window

        HttpResponse<String> refused = await(server, 503);
        assertTrue(refused.body().contains("\"reason\":\"NO_LEASE\""), refused.body());
        assertTrue(refused.body().contains("mariadb: "), refused.body());
        assertEquals(503, server.get(server.port(), "/readyz").statusCode());
        assertEquals(200, server.get(server.port(), "/healthz").statusCode());

        mariadb.startAgain();
        await(server, 200);
        assertTrue(server.nextId() > last);
      } finally {
        mariadb.restart();
      }
      assertEquals(0, server.terminate().exitStatus());
    }
  }

  private static HttpResponse<String> await(ServeProcess server, int status) {
    return Patience.await(
        () -> server.get(server.port(), "/api/ids"), reply -> reply.statusCode() == status);
  }
}
