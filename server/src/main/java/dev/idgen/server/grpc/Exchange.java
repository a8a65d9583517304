package dev.idgen.server.grpc;

import com.google.protobuf.MessageLite;
import dev.idgen.server.log.Log;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.server.service.TraceId;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.Http2Error;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.GrpcServerResponse;
import org.jspecify.annotations.Nullable;

/** One call: what its client sent along, and what it is told. Belongs to one event loop. */
final class Exchange {
  private static final CharSequence TRACE = HttpHeaders.createOptimized("traceparent");
  private static final Log LOG = Log.of("grpc");

  private final Carrier carrier;
  private final GrpcServerRequest<Buffer, Buffer> request;
  private boolean begun; // something was sent
  private boolean over;

  /**
   * A call that has come.
   *
   * @param carrier the request of HTTP/2 that bears it
   */
  Exchange(Carrier carrier, GrpcServerRequest<Buffer, Buffer> request) {
    this.carrier = carrier;
    this.request = request;
  }

  GrpcServerRequest<Buffer, Buffer> request() {
    return request;
  }

  /** What the client sent along under a name; null: nothing. */
  @Nullable String metadata(CharSequence name) {
    return carrier.headers().get(name);
  }

  /** Whether it was answered, or its client has left. */
  boolean over() {
    return over || carrier.response().closed();
  }

  /** Whether the client is behind with fetching. */
  boolean behind() {
    return request.response().writeQueueFull();
  }

  /**
   * Answers; nothing happens where it is over.
   *
   * @return completes when the answer was sent, or cannot be any more
   */
  Future<Void> reply(byte[] message) {
    if (over()) {
      return Future.succeededFuture(); // the client left while its ids were made: they are a gap
    }
    over = true;
    return request.response().end(buffer(message));
  }

  /** Sends one of several messages; nothing happens where it is over. */
  void send(MessageLite message) {
    if (!over()) {
      begun = true;
      var unused = request.response().write(buffer(message.toByteArray()));
    }
  }

  /** Takes no more of the client's messages until it has fetched what it was sent. */
  void slowDown() {
    if (!over() && behind()) {
      request.pause();
      request.response().drainHandler(drained -> request.resume());
    }
  }

  /** Nothing more comes. */
  void complete() {
    if (!over()) {
      over = true;
      var unused = request.response().end();
    }
  }

  /** Says no; nothing happens where it is over. */
  void refuse(Throwable failure) {
    ServiceException cause = ServiceException.of(failure);
    Refusal refusal = new Refusal(cause, TraceId.of(metadata(TRACE)));
    if (cause.reason() == ServiceReason.INTERNAL) {
      LOG.error("call failed", failure, "traceId", refusal.traceId(), "path", carrier.path() + "");
    }
    if (over()) {
      return;
    }
    over = true;
    GrpcServerResponse<Buffer, Buffer> response = request.response();
    response.status(refusal.status());
    // Vert.x would escape more of the text than some clients take back; fields of its are not
    // escaped, and where nothing was sent yet, it makes fields and trailers one.
    (begun ? response.trailers() : response.headers()).set(Refusal.MESSAGE, refusal.message());
    response.trailers().set(Refusal.DETAILS, refusal.details());
    var unused = response.end();
    if (!carrier.isEnded()) { // what is still to come is of no use to anybody
      var ignored = carrier.response().reset(Http2Error.NO_ERROR.code());
    }
  }

  /** Around the bytes, without copying them. */
  private static Buffer buffer(byte[] message) {
    return BufferInternal.buffer(Unpooled.wrappedBuffer(message));
  }
}
