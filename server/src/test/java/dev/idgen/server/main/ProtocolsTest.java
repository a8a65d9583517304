package dev.idgen.server.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import dev.idgen.grpc.v1.BatchNextIDRequest;
import dev.idgen.grpc.v1.BatchNextIDResponse;
import dev.idgen.grpc.v1.IdServiceGrpc;
import dev.idgen.layout.Layouts;
import dev.idgen.server.config.ConfigLoader;
import dev.idgen.time.TimeSource;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.MetadataUtils;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The same request through each protocol of one server: the same kind of ids, the same reason, the
 * same metrics.
 */
class ProtocolsTest {
  private static final String TOKEN = "a-token-of-the-web-shop";
  private static final String ADMIN = "a-token-of-the-operator";
  private static final String NO_TOKEN = "";

  @TempDir private static Path folder;

  private static IdgenServer server;
  private static ManagedChannel channel;

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  @BeforeAll
  static void start() throws Exception {
    Path tokens =
        Files.writeString(
            folder.resolve("tokens.yaml"),
            "- {name: web, token: "
                + TOKEN
                + ", tags: [default, 'm.*', none]}\n- {name: ops, token: "
                + ADMIN
                + ", rights: [admin]}\n");
    Map<String, String> flags =
        Map.of(
            "http-port",
            "0",
            "resp-port",
            "0",
            "data",
            folder.resolve("data").toString(),
            "auth.tokens",
            tokens.toString());
    server =
        new IdgenServer(
            ConfigLoader.load(Map.of(), flags, folder, TimeSource.system().wallMillis()));
    server.start().toCompletableFuture().get(60, TimeUnit.SECONDS);
    channel = NettyChannelBuilder.forAddress("127.0.0.1", server.httpPort()).usePlaintext().build();
    put("m.segment", "{\"engine\":\"segment\",\"text\":\"crockford\",\"prefix\":\"s_\"}");
    put("m.sequence", "{\"engine\":\"sequence\"}");
    put("m.uuidv7", "{\"engine\":\"uuidv7\"}");
    put("m.ulid", "{\"engine\":\"ulid\"}");
    put("m.slow", "{\"engine\":\"segment\",\"ratePerSecond\":1,\"burst\":1}");
    put("m.small", "{\"engine\":\"segment\",\"maximum\":\"2\"}");
    put("other", "{}");
  }

  @AfterAll
  static void stop() throws InterruptedException {
    channel.shutdownNow().awaitTermination(20, TimeUnit.SECONDS);
    server.stop();
  }

  private static void put(String tag, String body) throws IOException, InterruptedException {
    HttpResponse<String> made = http("PUT", "/admin/tags/" + tag, body, ADMIN);
    assertEquals(201, made.statusCode(), made.body());
  }

  private static HttpResponse<String> http(
      String method, String path, @Nullable String body, String token)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.httpPort() + path))
            .header("content-type", "application/json")
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (!token.isEmpty()) {
      request.header("authorization", "Bearer " + token);
    }
    return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** What a request for ids came to: the texts of ids, or a reason. */
  private record Outcome(List<String> ids, String reason) {}

  /** A protocol, as its users call it. */
  private enum Protocol {
    HTTP {
      @Override
      Outcome batch(String tag, int count, String token) throws Exception {
        String body = "{\"tag\":\"" + tag + "\",\"count\":" + count + "}";
        HttpResponse<String> reply = http("POST", "/ids/batch", body, token);
        JsonObject read = new JsonObject(reply.body());
        return reply.statusCode() == 200
            ? new Outcome(read.getJsonArray("ids").stream().map(Object::toString).toList(), "OK")
            : new Outcome(List.of(), read.getString("reason"));
      }
    },
    GRPC {
      @Override
      Outcome batch(String tag, int count, String token) throws Exception {
        Metadata sent = new Metadata();
        if (!token.isEmpty()) {
          sent.put(
              Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
              "Bearer " + token);
        }
        try {
          BatchNextIDResponse reply =
              IdServiceGrpc.newBlockingStub(channel)
                  .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(sent))
                  .batchNextID(
                      BatchNextIDRequest.newBuilder().setBizTag(tag).setCount(count).build());
          return new Outcome(List.copyOf(reply.getTextsList()), "OK");
        } catch (StatusRuntimeException e) {
          Status status = StatusProto.fromThrowable(e);
          ErrorInfo info = status.getDetails(0).unpack(ErrorInfo.class);
          return new Outcome(List.of(), info.getReason());
        }
      }
    },
    RESP {
      @Override
      Outcome batch(String tag, int count, String token) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.respPort())) {
          socket.setSoTimeout(20_000);
          BufferedReader in =
              new BufferedReader(
                  new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
          if (!token.isEmpty()) {
            command(socket, "AUTH", token);
            String answer = in.readLine();
            if (!answer.startsWith("+")) {
              return new Outcome(List.of(), word(answer));
            }
          }
          command(socket, "ID.NEXT", tag, "COUNT", String.valueOf(count));
          return read(in);
        }
      }

      private Outcome read(BufferedReader in) throws IOException {
        String head = in.readLine();
        if (head.startsWith("-")) {
          return new Outcome(List.of(), word(head));
        }
        List<String> ids = new ArrayList<>();
        for (int left = Integer.parseInt(head.substring(1)); left > 0; left--) {
          in.readLine(); // its length
          ids.add(in.readLine());
        }
        return new Outcome(ids, "OK");
      }

      /** Redis has words of its own for two of them. */
      private String word(String error) {
        String word = error.substring(1).split(" ", 2)[0];
        return switch (word) {
          case "NOAUTH", "WRONGPASS" -> "UNAUTHENTICATED";
          case "NOPERM" -> "FORBIDDEN";
          default -> word;
        };
      }
    };

    abstract Outcome batch(String tag, int count, String token) throws Exception;
  }

  private static void command(Socket socket, String... words) throws IOException {
    StringBuilder out = new StringBuilder("*").append(words.length).append("\r\n");
    for (String word : words) {
      out.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    socket.getOutputStream().write(out.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static double counted(String series) throws Exception {
    return http("GET", "/metrics", null, ADMIN)
        .body()
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .sum();
  }

  private static String requests(String tag, String engine, String status) {
    return "idgen_requests_total{biz_tag=\""
        + tag
        + "\",engine=\""
        + engine
        + "\",status=\""
        + status
        + "\"}";
  }

  @ParameterizedTest
  @CsvSource({
    "default,snowflake,'[0-9]{18}'",
    "m.segment,segment,'s_[0-9A-HJKMNP-TV-Z]{13}'",
    "m.sequence,sequence,'[0-9]{1,6}'",
    "m.uuidv7,uuidv7,'[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'",
    "m.ulid,ulid,'[0-7][0-9A-HJKMNP-TV-Z]{25}'",
  })
  void ids_eachProtocol_areOfTheSameKindInOrderAndCountedAlike(
      String tag, String engine, String pattern) throws Exception {
    Set<String> all = new HashSet<>();
    String last = "";
    for (Protocol protocol : Protocol.values()) {
      String ok = requests(tag, engine, "OK");
      String issued = "idgen_ids_issued_total{biz_tag=\"" + tag + "\",engine=\"" + engine + "\"}";
      double requestsBefore = counted(ok);
      double idsBefore = counted(issued);
      Outcome outcome = protocol.batch(tag, 50, TOKEN);
      assertEquals("OK", outcome.reason(), protocol.name());
      assertEquals(50, outcome.ids().size());
      for (String id : outcome.ids()) {
        assertTrue(id.matches(pattern), protocol + ": " + id);
        assertTrue(all.add(id), protocol + " twice: " + id);
        assertTrue(last.length() < id.length() || last.compareTo(id) < 0, last + " then " + id);
        last = id;
      }
      assertEquals(requestsBefore + 1, counted(ok), protocol.name());
      assertEquals(idsBefore + 50, counted(issued), protocol.name());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "none,1,token,UNKNOWN_TAG,'',''",
    "m.*,1,token,INVALID_TAG,'',''",
    "m.segment,0,token,INVALID_COUNT,m.segment,segment",
    "m.segment,-1,token,INVALID_COUNT,m.segment,segment",
    "m.segment,10001,token,INVALID_COUNT,m.segment,segment",
    "m.slow,2,token,INVALID_COUNT,m.slow,segment",
    "other,1,token,FORBIDDEN,'',''",
    "default,1,none,UNAUTHENTICATED,'',''",
    "default,1,wrong,UNAUTHENTICATED,'',''",
    "m.small,5,token,EXHAUSTED,m.small,segment",
  })
  void refusal_eachProtocol_hasTheSameReasonAndIsCountedAlike(
      String tag, int count, String bearer, String reason, String countedTag, String engine)
      throws Exception {
    String token =
        switch (bearer) {
          case "none" -> NO_TOKEN;
          case "wrong" -> "another-token-that-nobody-has";
          default -> TOKEN;
        };
    for (Protocol protocol : Protocol.values()) {
      String series = requests(countedTag, engine, reason);
      double before = counted(series);
      assertEquals(reason, protocol.batch(tag, count, token).reason(), protocol.name());
      // In Redis' protocol a token that nobody has is refused by AUTH, before any request for ids.
      boolean byAuth = protocol == Protocol.RESP && bearer.equals("wrong");
      assertEquals(before + (byAuth ? 0 : 1), counted(series), protocol.name());
    }
  }

  /** Whichever protocol used a tag's rate up, all are told so. */
  @ParameterizedTest
  @EnumSource(Protocol.class)
  void rate_isOneForAllProtocols(Protocol first) throws Exception {
    String tag = "m.rate." + first;
    put(tag, "{\"engine\":\"segment\",\"ratePerSecond\":1,\"burst\":100}");
    assertEquals("OK", first.batch(tag, 100, TOKEN).reason());
    for (Protocol protocol : Protocol.values()) {
      assertEquals("RATE_LIMITED", protocol.batch(tag, 100, TOKEN).reason(), protocol.name());
    }
  }

  /** C84: read by the layout, through each protocol, the time is that of the issue. */
  @Test
  void ids_eachProtocol_bearTheTimeOfTheirIssue() throws Exception {
    for (Protocol protocol : Protocol.values()) {
      long before = TimeSource.system().wallMillis();
      long id = Long.parseLong(protocol.batch("default", 1, TOKEN).ids().get(0));
      long made = Layouts.IDGEN.timeOf(id).toEpochMilli();
      long after = TimeSource.system().wallMillis();
      assertTrue(made >= before - 1 && made <= after + 1, protocol + ": " + made);
    }
  }
}
