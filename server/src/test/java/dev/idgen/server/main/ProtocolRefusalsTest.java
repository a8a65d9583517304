package dev.idgen.server.main;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.idgen.Reason;
import dev.idgen.server.grpc.GrpcLimits;
import dev.idgen.server.grpc.GrpcTransport;
import dev.idgen.server.http.FakeEngine;
import dev.idgen.server.http.HttpFixture;
import dev.idgen.server.http.OtherCalls;
import dev.idgen.server.main.Protocol.Outcome;
import dev.idgen.server.resp.RespLimits;
import dev.idgen.server.resp.RespTransport;
import dev.idgen.server.service.Callers;
import dev.idgen.time.TimeSource;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One engine that fails at will, through each protocol: the same reason, the same metrics. */
class ProtocolRefusalsTest {
  private static final String NO_TOKEN = "";
  private static final int MAX_WAITING = 1;
  private static final GrpcLimits GRPC = new GrpcLimits(10_000, 1_000_000, 64 << 10, 32 << 20);
  private static final RespLimits RESP =
      new RespLimits(10_000, 10_000, 64 << 10, 15_000, 600_000, 10_000, 32 << 20);

  private final TimeSource time = TimeSource.system();
  private final HttpFixture fixture =
      new HttpFixture(
          HttpFixture.LIMITS,
          MAX_WAITING,
          Callers.OPEN,
          null,
          service -> {
            GrpcTransport grpc =
                new GrpcTransport(service, Callers.OPEN, FakeEngine.LAYOUT, GRPC, false, time);
            return new OtherCalls(GrpcTransport::takes, GrpcTransport::goesOn, grpc::on);
          });
  private final RespTransport resp =
      new RespTransport(
          HttpFixture.VERTX, fixture.service, Callers.OPEN, FakeEngine.LAYOUT, RESP, time);
  private final ManagedChannel channel =
      NettyChannelBuilder.forAddress("127.0.0.1", fixture.port).usePlaintext().build();
  private Protocol.Server server;

  @BeforeEach
  void start() throws Exception {
    server = new Protocol.Server(fixture.port, resp.start("127.0.0.1", 0).await(), channel);
    for (String engine : new String[] {"segment", "sequence"}) {
      String body = "{\"engine\":\"" + engine + "\"}";
      int status = server.http("PUT", "/admin/tags/" + engine, body, NO_TOKEN).statusCode();
      assertEquals(201, status);
    }
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    resp.stop(0).await();
    fixture.close();
  }

  private void assertAllTold(String reason) throws Exception {
    for (String tag : new String[] {"default", "segment", "sequence"}) {
      String engine = tag.equals("default") ? "snowflake" : tag;
      for (Protocol protocol : Protocol.values()) {
        for (boolean many : protocol == Protocol.LEAF ? ONE : ONE_AND_MANY) {
          double before = server.requests(tag, engine, reason, NO_TOKEN);
          Outcome outcome =
              many ? protocol.batch(server, tag, 2, NO_TOKEN) : protocol.one(server, tag, NO_TOKEN);
          assertEquals(reason, outcome.reason(), protocol + " " + tag);
          double after = server.requests(tag, engine, reason, NO_TOKEN);
          assertEquals(before + 1, after, protocol + " " + tag);
        }
      }
    }
  }

  private static final boolean[] ONE = {false};
  private static final boolean[] ONE_AND_MANY = {false, true};

  @ParameterizedTest
  @EnumSource(
      value = Reason.class,
      names = {
        "NO_LEASE",
        "STORE_UNAVAILABLE",
        "DEADLINE",
        "OVERLOADED",
        "CLOCK_BACKWARD",
        "CLOCK_AHEAD",
        "EXHAUSTED"
      })
  void engine_refuses_isToldAlike(Reason reason) throws Exception {
    fixture.engine.refuse(reason, "no", 1_000);
    assertAllTold(reason.name());
  }

  @Test
  void server_stops_isToldAlike() throws Exception {
    fixture.service.drain();
    assertAllTold("DRAINING");
  }

  /** As many as may wait do: whoever would have to is told so. */
  @Test
  void server_asManyWaitAsMay_isToldAlike() throws Exception {
    fixture.engine.hold = true;
    try (HttpFixture.Raw waiting = fixture.raw()) {
      waiting.send("GET /api/ids HTTP/1.1\r\nhost: a\r\n\r\n");
      var held = fixture.engine.heldCall();
      assertAllTold("OVERLOADED");
      held.complete(fixture.engine.batch(1));
    }
  }

  /** Before the tags were read once. */
  @Test
  void tags_notKnownYet_isToldAlike() throws Exception {
    fixture.forgetTags("tags: not read yet");
    for (Protocol protocol : Protocol.values()) {
      double before = server.requests("", "", "STORE_UNAVAILABLE", NO_TOKEN);
      Outcome outcome = protocol.one(server, "default", NO_TOKEN);
      assertEquals("STORE_UNAVAILABLE", outcome.reason(), protocol.name());
      double after = server.requests("", "", "STORE_UNAVAILABLE", NO_TOKEN);
      assertEquals(before + 1, after, protocol.name());
    }
  }
}
