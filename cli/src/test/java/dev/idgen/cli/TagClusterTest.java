package dev.idgen.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.check.servers.EtcdServer;
import dev.idgen.check.servers.MariadbServer;
import dev.idgen.check.servers.PostgresServer;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Three servers that share the tags of one store. */
class TagClusterTest {
  private static final int SERVERS = 3;
  private static final long FLOOR = 1_000_000;

  private static PostgresServer postgres;
  private static MariadbServer mariadb;
  private static EtcdServer etcd;

  @TempDir private Path folder;
  private final List<ServeProcess> servers = new ArrayList<>();
  private final List<Load> loads = new ArrayList<>();

  @BeforeAll
  static void startStores() {
    postgres = PostgresServer.start();
    mariadb = MariadbServer.start();
    etcd = EtcdServer.start();
  }

  @AfterAll
  static void endStores() {
    postgres.close();
    mariadb.close();
    etcd.close();
  }

  @AfterEach
  void endServers() {
    servers.forEach(ServeProcess::close);
    loads.forEach(Load::close);
  }

  private static String freshUrl(String kind) {
    return switch (kind) {
      case "postgres" -> postgres.url(postgres.freshDatabase());
      case "mariadb" -> mariadb.url(mariadb.freshDatabase());
      default -> etcd.freshUrl();
    };
  }

  private ServeProcess start(String url) {
    return ServeProcess.start(
        folder, Map.of(), "--http-port", "0", "--new-cluster", "--store", url);
  }

  private Load load(ServeProcess server, String tag, int count) {
    Load load = Load.start(server, tag, 2, count);
    loads.add(load);
    return load;
  }

  /** Asks every server for an id of a tag until the answer is the one that is wanted. */
  private void awaitEverywhere(
      String what, String tag, Predicate<HttpResponse<String>> wanted, long sinceNanos) {
    for (ServeProcess server : servers) {
      Patience.await(() -> server.send("POST", "/ids", "{\"tag\":\"" + tag + "\"}"), wanted);
    }
    System.out.println(what + " everywhere after " + Patience.millisSince(sinceNanos) + " ms");
  }

  private static boolean isServed(HttpResponse<String> reply) {
    return reply.statusCode() == 200;
  }

  private static boolean isUnknown(HttpResponse<String> reply) {
    return reply.statusCode() == 404;
  }

  private static boolean isAboveFloor(HttpResponse<String> reply) {
    return isServed(reply) && id(reply) >= FLOOR;
  }

  private static long id(HttpResponse<String> reply) {
    assertEquals(200, reply.statusCode(), reply.body());
    return Long.parseLong(reply.body().replaceAll("\\D*(\\d+).*", "$1"));
  }

  private static void done(int status, HttpResponse<String> reply) {
    assertEquals(status, reply.statusCode(), reply.body());
  }

  /** C48, C65, C92. */
  @ParameterizedTest
  @CsvSource({"postgres, 1", "mariadb, 0", "etcd, 0"})
  void tags_ofThreeServers_areTheSameAndGiveEachIdOnce(String kind, int kills) {
    long begun = System.nanoTime();
    String url = freshUrl(kind);
    for (int i = 0; i < SERVERS; i++) {
      servers.add(start(url));
    }
    servers.forEach(ServeProcess::awaitReady);

    System.out.println(kind + ": ready after " + Patience.millisSince(begun) + " ms");
    makeTags();
    long highest = call(url, kills);
    removeOneAndRaiseOthers();
    makeAgainAbove(highest);
    System.out.println(kind + ": done after " + Patience.millisSince(begun) + " ms");
  }

  private void makeTags() {
    long begun = System.nanoTime();
    String segment = "{\"engine\":\"segment\",\"step\":20,\"stepMax\":40}";
    done(201, servers.get(0).send("PUT", "/admin/tags/order", segment));
    done(201, servers.get(1).send("PUT", "/admin/tags/stock", "{\"engine\":\"segment\"}"));
    done(201, servers.get(2).send("PUT", "/admin/tags/serial", "{\"engine\":\"sequence\"}"));
    awaitEverywhere("order made", "order", TagClusterTest::isServed, begun);
    awaitEverywhere("stock made", "stock", TagClusterTest::isServed, begun);
    awaitEverywhere("serial made", "serial", TagClusterTest::isServed, begun);
  }

  /**
   * All at once, while some of the servers are killed and started again.
   *
   * @return the highest id of {@code order} that anybody got
   */
  private long call(String url, int kills) {
    List<Call> orders = new ArrayList<>();
    List<Call> serials = new ArrayList<>();
    List<Load> ordering = new ArrayList<>();
    List<Load> numbering = new ArrayList<>();
    for (ServeProcess server : servers) {
      ordering.add(load(server, "order", 3));
      numbering.add(load(server, "serial", 2));
    }
    awaitMore(ordering, numbering);
    for (int i = 0; i < kills; i++) {
      servers.get(i).kill();
      servers.set(i, start(url));
      orders.addAll(inOrder(ordering.get(i).endOfKilled()));
      serials.addAll(numbering.get(i).endOfKilled());
      servers.get(i).awaitReady();
      ordering.set(i, load(servers.get(i), "order", 3));
      numbering.set(i, load(servers.get(i), "serial", 2));
      awaitMore(ordering, numbering);
    }
    ordering.forEach(load -> orders.addAll(inOrder(load.end())));
    numbering.forEach(load -> serials.addAll(load.end()));
    orders.forEach(call -> assertEquals("", call.refusal()));
    serials.forEach(call -> assertEquals("", call.refusal()));
    Call.assertAllDiffer(orders);
    Call.assertAllDiffer(serials);
    Call.assertInOrderOfTime(serials); // over all servers
    System.out.println(orders.size() + " and " + serials.size() + " calls");
    long[] ids = Call.idsOf(orders);
    return ids[ids.length - 1];
  }

  private static void awaitMore(List<Load> ordering, List<Load> numbering) {
    ordering.forEach(load -> load.awaitMore(60));
    numbering.forEach(load -> load.awaitMore(30));
  }

  private static List<Call> inOrder(List<Call> callsOfOneServer) {
    Call.assertInOrderOfTime(callsOfOneServer);
    return callsOfOneServer;
  }

  private void removeOneAndRaiseOthers() {
    String to = "{\"to\":\"" + FLOOR + "\"}";
    List<Load> stocks = new ArrayList<>();
    servers.forEach(server -> stocks.add(load(server, "stock", 1)));
    long begun = System.nanoTime();
    done(204, servers.get(0).send("DELETE", "/admin/tags/order", ""));
    done(200, servers.get(1).send("POST", "/admin/tags/stock/raise", to));
    done(200, servers.get(2).send("POST", "/admin/tags/serial/raise", to));
    awaitEverywhere("order removed", "order", TagClusterTest::isUnknown, begun);
    awaitEverywhere("stock raised", "stock", TagClusterTest::isAboveFloor, begun);
    awaitEverywhere("serial raised", "serial", TagClusterTest::isAboveFloor, begun);

    long heard = System.nanoTime();
    for (Load load : stocks) {
      for (Call call : inOrder(load.awaitMore(20).end())) {
        assertTrue(call.startNanos() < heard || call.ids()[0] >= FLOOR, () -> "id: " + call);
      }
    }
  }

  private void makeAgainAbove(long highest) {
    long begun = System.nanoTime();
    done(201, servers.get(1).send("PUT", "/admin/tags/order", "{\"engine\":\"segment\"}"));
    awaitEverywhere("order made again", "order", TagClusterTest::isServed, begun);
    for (ServeProcess server : servers) {
      long id = id(server.send("POST", "/ids", "{\"tag\":\"order\"}"));
      assertTrue(id > highest, () -> id + " (expected: > " + highest + ")");
    }
  }
}
