package dev.idgen.server.main;

import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import dev.idgen.grpc.v1.BatchNextIDRequest;
import dev.idgen.grpc.v1.IdServiceGrpc;
import dev.idgen.grpc.v1.InspectRequest;
import dev.idgen.grpc.v1.NextIDRequest;
import dev.idgen.grpc.v1.ReserveRequest;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.MetadataUtils;
import io.vertx.core.json.JsonArray;
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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A protocol, as its users call it. */
enum Protocol {
  HTTP {
    @Override
    Outcome one(Server server, String tag, String token) throws Exception {
      String body = "{\"tag\":\"" + tag + "\"}";
      return outcome(
          server.http("POST", "/ids", body, token), read -> List.of(read.getString("id")));
    }

    @Override
    Outcome batch(Server server, String tag, int count, String token) throws Exception {
      String body = "{\"tag\":\"" + tag + "\",\"count\":" + count + "}";
      return outcome(
          server.http("POST", "/ids/batch", body, token), read -> listed(read.getJsonArray("ids")));
    }

    @Override
    Outcome number(Server server, String tag, String token) throws Exception {
      String body = "{\"tag\":\"" + tag + "\",\"count\":1}";
      return outcome(
          server.http("POST", "/ids/batch?form=runs", body, token),
          read -> List.of(read.getJsonArray("runs").getJsonObject(0).getString("first")));
    }

    @Override
    String inspect(Server server, String text, String token) throws Exception {
      return outcome(
              server.http("GET", "/api/ids/" + text, null, token),
              read -> List.of(read.getString("id")))
          .reason();
    }

    private Outcome outcome(HttpResponse<String> reply, Ids ids) {
      JsonObject read = new JsonObject(reply.body());
      return reply.statusCode() == 200
          ? new Outcome(ids.of(read), OK)
          : new Outcome(List.of(), read.getString("reason"));
    }
  },

  GRPC {
    @Override
    Outcome one(Server server, String tag, String token) throws Exception {
      return outcome(
          () ->
              List.of(
                  stub(server, token)
                      .nextID(NextIDRequest.newBuilder().setBizTag(tag).build())
                      .getText()));
    }

    @Override
    Outcome batch(Server server, String tag, int count, String token) throws Exception {
      BatchNextIDRequest asked =
          BatchNextIDRequest.newBuilder().setBizTag(tag).setCount(count).build();
      return outcome(() -> List.copyOf(stub(server, token).batchNextID(asked).getTextsList()));
    }

    @Override
    Outcome number(Server server, String tag, String token) throws Exception {
      ReserveRequest asked = ReserveRequest.newBuilder().setBizTag(tag).setCount(1).build();
      return outcome(() -> List.of(stub(server, token).reserve(asked).getRuns(0).getFirst() + ""));
    }

    @Override
    String inspect(Server server, String text, String token) throws Exception {
      InspectRequest asked = InspectRequest.newBuilder().setText(text).build();
      return outcome(() -> List.of(stub(server, token).inspect(asked).getKind())).reason();
    }

    private IdServiceGrpc.IdServiceBlockingStub stub(Server server, String token) {
      Metadata sent = new Metadata();
      if (!token.isEmpty()) {
        sent.put(
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
      }
      return IdServiceGrpc.newBlockingStub(server.channel())
          .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(sent));
    }

    private Outcome outcome(Call call) throws Exception {
      try {
        return new Outcome(call.ids(), OK);
      } catch (StatusRuntimeException e) {
        Status status = StatusProto.fromThrowable(e);
        return new Outcome(List.of(), status.getDetails(0).unpack(ErrorInfo.class).getReason());
      }
    }
  },

  RESP {
    @Override
    Outcome one(Server server, String tag, String token) throws Exception {
      return asked(server, token, "ID.NEXT", tag);
    }

    @Override
    Outcome batch(Server server, String tag, int count, String token) throws Exception {
      return asked(server, token, "ID.NEXT", tag, "COUNT", String.valueOf(count));
    }

    @Override
    Outcome number(Server server, String tag, String token) throws Exception {
      return asked(server, token, "INCR", tag);
    }

    @Override
    String inspect(Server server, String text, String token) throws Exception {
      return asked(server, token, "ID.INSPECT", text).reason();
    }

    private Outcome asked(Server server, String token, String... command) throws IOException {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.respPort())) {
        socket.setSoTimeout(20_000);
        BufferedReader in =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        if (!token.isEmpty()) {
          send(socket, "AUTH", token);
          String answer = in.readLine();
          if (!answer.startsWith("+")) {
            return new Outcome(List.of(), word(answer));
          }
        }
        send(socket, command);
        return read(in);
      }
    }

    private void send(Socket socket, String... words) throws IOException {
      StringBuilder out = new StringBuilder("*").append(words.length).append("\r\n");
      for (String word : words) {
        out.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
      }
      socket.getOutputStream().write(out.toString().getBytes(StandardCharsets.UTF_8));
    }

    private Outcome read(BufferedReader in) throws IOException {
      String head = in.readLine();
      return switch (head.charAt(0)) {
        case '-' -> new Outcome(List.of(), word(head));
        case ':' -> new Outcome(List.of(head.substring(1)), OK);
        case '$' -> new Outcome(List.of(in.readLine()), OK);
        default -> new Outcome(list(in, Integer.parseInt(head.substring(1))), OK);
      };
    }

    private List<String> list(BufferedReader in, int count) throws IOException {
      List<String> ids = new ArrayList<>();
      for (int left = count; left > 0; left--) {
        String item = in.readLine(); // a number, or the length of a text
        ids.add(item.startsWith(":") ? item.substring(1) : in.readLine());
      }
      return ids;
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
  },

  /** One number at a time; a snowflake's is asked for at a path of its own. */
  LEAF {
    @Override
    Outcome one(Server server, String tag, String token) throws Exception {
      String kind = tag.equals("default") ? "snowflake" : "segment";
      HttpResponse<String> reply =
          server.http("GET", "/api/" + kind + "/get/" + tag.replace("*", "%2A"), null, token);
      return reply.statusCode() == 200
          ? new Outcome(List.of(reply.body()), OK)
          : new Outcome(List.of(), new JsonObject(reply.body()).getString("reason"));
    }

    @Override
    Outcome batch(Server server, String tag, int count, String token) {
      throw new IllegalArgumentException("count: " + count + " (expected: none)");
    }
  },

  /** Numbers; does not tell what is wrong with a token. */
  TINY_ID {
    @Override
    Outcome one(Server server, String tag, String token) throws Exception {
      return batch(server, tag, 1, token);
    }

    @Override
    Outcome batch(Server server, String tag, int count, String token) throws Exception {
      String query = "bizType=" + tag + "&batchSize=" + count;
      String path = "/tinyid/id/nextId?" + query + (token.isEmpty() ? "" : "&token=" + token);
      JsonObject read = new JsonObject(server.http("GET", path, null, "").body());
      return switch (read.getInteger("code")) {
        case 200 -> new Outcome(listed(read.getJsonArray("data")), OK);
        case 5 -> new Outcome(List.of(), "token is error");
        default -> new Outcome(List.of(), read.getString("message").split(":", 2)[0]);
      };
    }
  };

  static final String OK = "OK";

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** Where a server is to be reached. */
  record Server(int httpPort, int respPort, ManagedChannel channel) {

    HttpResponse<String> http(String method, String path, @Nullable String body, String token)
        throws IOException, InterruptedException {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + path))
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

    /** How many requests were counted so. */
    double requests(String tag, String engine, String status, String token) throws Exception {
      return counted(
          "idgen_requests_total{biz_tag=\""
              + tag
              + "\",engine=\""
              + engine
              + "\",status=\""
              + status
              + "\"}",
          token);
    }

    /** How many ids were. */
    double ids(String tag, String engine, String token) throws Exception {
      return counted(
          "idgen_ids_issued_total{biz_tag=\"" + tag + "\",engine=\"" + engine + "\"}", token);
    }

    private double counted(String series, String token) throws Exception {
      return http("GET", "/metrics", null, token)
          .body()
          .lines()
          .filter(line -> line.startsWith(series + " "))
          .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
          .sum();
    }
  }

  /** What a request for ids came to: the texts of ids, or a reason. */
  record Outcome(List<String> ids, String reason) {}

  private interface Ids {
    List<String> of(JsonObject read);
  }

  private interface Call {
    List<String> ids();
  }

  /** One id, as its tag writes it; a number from those that carry no others. */
  abstract Outcome one(Server server, String tag, String token) throws Exception;

  /** Many. */
  abstract Outcome batch(Server server, String tag, int count, String token) throws Exception;

  /** One 64-bit number, whatever the tag writes. */
  Outcome number(Server server, String tag, String token) throws Exception {
    return one(server, tag, token);
  }

  /**
   * What became of a request to read a text; not for those that read none.
   *
   * @return a reason
   */
  String inspect(Server server, String text, String token) throws Exception {
    throw new IllegalArgumentException("text: " + text + " (expected: none)");
  }

  /** Whether it carries texts. */
  boolean texts() {
    return this != LEAF && this != TINY_ID;
  }

  /** What it tells of a reason. */
  String told(String reason) {
    boolean token = reason.equals("UNAUTHENTICATED") || reason.equals("FORBIDDEN");
    return this == TINY_ID && token ? "token is error" : reason;
  }

  static List<String> listed(JsonArray ids) {
    return ids.stream().map(Object::toString).toList();
  }
}
