package dev.idgen.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.grpc.v1.BatchNextIDRequest;
import dev.idgen.grpc.v1.IdServiceGrpc;
import dev.idgen.grpc.v1.InspectRequest;
import dev.idgen.grpc.v1.NextIDRequest;
import dev.idgen.grpc.v1.ReserveRequest;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** gRPC of servers as processes. */
class GrpcServeTest {
  private static final Path EXAMPLES = Path.of("../examples").toAbsolutePath();

  @TempDir private Path folder;

  private static ManagedChannel channel(int port) {
    return NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
  }

  private static IdServiceGrpc.IdServiceBlockingStub ids(ManagedChannel channel) {
    return IdServiceGrpc.newBlockingStub(channel).withDeadlineAfter(60, TimeUnit.SECONDS);
  }

  private static NextIDRequest one(String tag) {
    return NextIDRequest.newBuilder().setBizTag(tag).build();
  }

  @Test
  void grpc_onThePortOfHttp_sharesItsIds() {
    try (ServeProcess server = ServeProcess.ready(folder)) {
      ManagedChannel channel = channel(server.port());
      try {
        long before = server.nextId();
        long id = ids(channel).nextID(one("default")).getId();
        assertTrue(before < id && id < server.nextId());

        assertEquals(
            1000,
            ids(channel)
                .batchNextID(
                    BatchNextIDRequest.newBuilder().setBizTag("default").setCount(1000).build())
                .getIdsCount());
        assertEquals(
            "snowflake",
            ids(channel)
                .inspect(InspectRequest.newBuilder().setText(Long.toString(id)).build())
                .getKind());
        assertEquals(
            ServingStatus.SERVING,
            HealthGrpc.newBlockingStub(channel)
                .check(HealthCheckRequest.getDefaultInstance())
                .getStatus());
      } finally {
        channel.shutdownNow();
      }
      assertEquals(0, server.terminate().exitStatus());
      assertEquals("", server.stderr());
    }
  }

  @Test
  void reserve_segmentTag_isRunsThatGoOn() {
    try (ServeProcess server = ServeProcess.ready(folder)) {
      server.send("PUT", "/admin/tags/order", "{\"engine\":\"segment\"}");
      ManagedChannel channel = channel(server.port());
      try {
        ReserveRequest many =
            ReserveRequest.newBuilder().setBizTag("order").setCount(25_000).build();
        assertEquals(
            25_000,
            ids(channel).reserve(many).getRunsList().stream().mapToInt(r -> r.getCount()).sum());
        assertEquals(25_001, ids(channel).nextID(one("order")).getId());
      } finally {
        channel.shutdownNow();
      }
    }
  }

  @Test
  void grpcPort_given_isForGrpcAlone() {
    try (ServeProcess server = ServeProcess.ready(folder, "--grpc-port", "0")) {
      int port = port(server.seen("\"event\":\"ready\""));
      ManagedChannel channel = channel(port);
      try {
        assertTrue(ids(channel).nextID(one("default")).getId() > 0);
      } finally {
        channel.shutdownNow();
      }
      assertEquals(404, server.get(port, "/readyz").statusCode());
      assertEquals(200, server.get(server.port(), "/readyz").statusCode());
      assertEquals(0, server.terminate().exitStatus());
    }
  }

  private static int port(String line) {
    Matcher matcher = Pattern.compile("\"grpc\":\"127\\.0\\.0\\.1:(\\d+)\"").matcher(line);
    assertTrue(matcher.find(), line);
    return Integer.parseInt(matcher.group(1));
  }

  @Test
  void watch_serverEnds_isToldAndDoesNotHoldItUp() {
    try (ServeProcess server = ServeProcess.ready(folder)) {
      ManagedChannel channel = channel(server.port());
      try {
        var told =
            HealthGrpc.newBlockingStub(channel).watch(HealthCheckRequest.getDefaultInstance());
        assertEquals(ServingStatus.SERVING, told.next().getStatus());

        assertEquals(0, server.terminate().exitStatus());

        assertEquals(ServingStatus.NOT_SERVING, told.next().getStatus());
        StatusRuntimeException end = assertThrows(StatusRuntimeException.class, told::hasNext);
        assertEquals(Status.Code.UNAVAILABLE, end.getStatus().getCode());
      } finally {
        channel.shutdownNow();
      }
    }
  }

  @Test
  void tls_filesThatAreNone_endTheStart() {
    try (ServeProcess server =
        ServeProcess.start(folder, Map.of(), "--http-port", "0", "--http-tls-cert", "absent.pem")) {
      assertEquals(2, server.exitStatus());
      assertEquals(
          """
          idgen: http.tls-key: absent (expected: given together with http.tls-cert)
          idgen: http.tls-cert: absent.pem (expected: a file that can be read)
          """,
          server.stderr());
    }
  }

  @Test
  void tls_noCertificates_endTheStart() throws IOException {
    Path none = Files.writeString(folder.resolve("none.pem"), "none");
    try (ServeProcess server =
        ServeProcess.start(
            folder,
            Map.of(),
            "--http-port",
            "0",
            "--http-tls-cert",
            none.toString(),
            "--http-tls-key",
            none.toString())) {
      assertEquals(1, server.exitStatus());
      assertTrue(
          server.stderr().startsWith("idgen: http.tls-cert, http.tls-key: "), server.stderr());
      assertEquals(1, server.stderr().lines().count(), server.stderr());
    }
  }

  /** The example, which needs no package: what any client of HTTP/2 has to do. */
  @Test
  void node_byHand_getsIdsAndRefusals() throws Exception {
    try (ServeProcess server = ServeProcess.ready(folder)) {
      String url = "http://127.0.0.1:" + server.port();

      Answer id = node(url, "default");
      assertEquals(0, id.status(), id.err());
      assertTrue(id.out().matches("(\\d{15,}) \\1 snowflake\n"), id.out());

      Answer unknown = node(url, "order");
      assertEquals(1, unknown.status());
      assertEquals("status 5: tag: order (expected: one that was made)\n", unknown.err());
    }
  }

  private record Answer(int status, String out, String err) {}

  private static Answer node(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("node", EXAMPLES.resolve("grpc.mjs").toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Answer(process.waitFor(), out, err);
  }
}
