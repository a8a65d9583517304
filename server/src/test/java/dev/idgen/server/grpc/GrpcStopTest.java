package dev.idgen.server.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.idgen.grpc.v1.IdServiceGrpc;
import dev.idgen.grpc.v1.NextIDRequest;
import dev.idgen.server.http.FakeEngine;
import dev.idgen.server.http.RawHttp2;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What clients see of a server that stops. */
class GrpcStopTest {
  private static final NextIDRequest ONE = NextIDRequest.newBuilder().setBizTag("default").build();

  private final GrpcFixture server = new GrpcFixture();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void call_underWay_isAnswered() throws Exception {
    server.engine().hold = true;
    var reply = IdServiceGrpc.newFutureStub(server.channel).nextID(ONE);
    var held = server.engine().heldCall();

    var stopped = server.http.transport.stop(600_000);
    held.complete(server.engine().batch(1));

    assertEquals(FakeEngine.FIRST, reply.get().getId());
    stopped.await();
  }

  @Test
  void call_afterTheEnd_isUnavailable() {
    server.ids().nextID(ONE);
    server.http.transport.stop(600_000).await();

    StatusRuntimeException refusal =
        assertThrows(StatusRuntimeException.class, () -> server.ids().nextID(ONE));
    assertEquals(Status.Code.UNAVAILABLE, refusal.getStatus().getCode());
  }

  @Test
  void connections_thatSayNothing_doNotHoldUpTheStop() {
    try (RawHttp2 silent = RawHttp2.silent(server.http.port);
        RawHttp2 begun = RawHttp2.silent(server.http.port);
        RawHttp2 idle = RawHttp2.connect(server.http.port)) {
      begun.bytes(new byte[] {'P'});
      idle.await(frame -> frame.type() == RawHttp2.SETTINGS);

      server.http.transport.stop(600_000).await();

      assertEquals(List.of(), silent.untilClosed());
      assertEquals(List.of(), begun.untilClosed());
    }
  }
}
