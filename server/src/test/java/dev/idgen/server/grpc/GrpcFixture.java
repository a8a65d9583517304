package dev.idgen.server.grpc;

import dev.idgen.grpc.v1.IdServiceGrpc;
import dev.idgen.server.http.FakeEngine;
import dev.idgen.server.http.HttpFixture;
import dev.idgen.server.http.HttpLimits;
import dev.idgen.server.http.OtherCalls;
import dev.idgen.server.http.Tls;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.IdService;
import dev.idgen.time.TimeSource;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A real server on a free port of loopback, and a channel to it. */
final class GrpcFixture implements AutoCloseable {
  static final GrpcLimits LIMITS = new GrpcLimits(10_000, 1_000_000, 64 << 10, 32 << 20);
  private static final long PATIENCE_SECONDS = 20;

  final HttpFixture http;
  final ManagedChannel channel;
  private @Nullable GrpcTransport transport; // made with the service that it serves

  GrpcFixture() {
    this(HttpFixture.LIMITS, LIMITS, Callers.OPEN, true);
  }

  GrpcFixture(HttpLimits httpLimits, GrpcLimits limits, Callers callers, boolean reflection) {
    this(httpLimits, limits, callers, reflection, null);
  }

  GrpcFixture(
      HttpLimits httpLimits,
      GrpcLimits limits,
      Callers callers,
      boolean reflection,
      @Nullable Tls tls) {
    http =
        new HttpFixture(
            httpLimits,
            1_000,
            callers,
            tls,
            service -> calls(service, limits, callers, reflection));
    channel = NettyChannelBuilder.forAddress("127.0.0.1", http.port).usePlaintext().build();
  }

  private OtherCalls calls(
      IdService service, GrpcLimits limits, Callers callers, boolean reflection) {
    GrpcTransport made =
        new GrpcTransport(
            service, callers, FakeEngine.LAYOUT, limits, reflection, TimeSource.system());
    transport = made;
    return new OtherCalls(GrpcTransport::takes, GrpcTransport::goesOn, made::on);
  }

  FakeEngine engine() {
    return http.engine;
  }

  GrpcTransport transport() {
    GrpcTransport made = transport;
    if (made == null) {
      throw new IllegalStateException("transport: absent (expected: made)");
    }
    return made;
  }

  IdServiceGrpc.IdServiceBlockingStub ids() {
    return IdServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    channel.shutdownNow();
    http.close();
  }
}
