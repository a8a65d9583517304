package dev.idgen.server.grpc;

import com.google.protobuf.CodedOutputStream;
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
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call: what its client sends, and what it is told. Belongs to one event loop.
 *
 * @see <a href="https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md">gRPC over HTTP2</a>
 */
final class Exchange {
  private static final Log LOG = Log.of("grpc");
  private static final CharSequence TYPE = HttpHeaders.createOptimized("application/grpc");
  private static final CharSequence STATUS = HttpHeaders.createOptimized("grpc-status");
  private static final CharSequence OK = HttpHeaders.createOptimized("0");
  private static final CharSequence TRACE = HttpHeaders.createOptimized("traceparent");

  /** Messages that are sent to a client that does not fetch them. */
  private static final int MAX_AHEAD = 16;

  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final int maxBytes;
  private int ahead;
  private boolean begun; // something was sent
  private boolean over;

  /**
   * A call that has come.
   *
   * @param request of HTTP/2, which bears it
   * @param maxBytes largest message, before and after it is decompressed
   */
  Exchange(HttpServerRequest request, int maxBytes) {
    this.request = request;
    this.response = request.response();
    this.maxBytes = maxBytes;
  }

  /** What the client sent along under a name; null: nothing. */
  @Nullable String metadata(CharSequence name) {
    return request.headers().get(name);
  }

  /** All that the client sent along under a name. */
  List<String> all(CharSequence name) {
    return request.headers().getAll(name);
  }

  /**
   * What the client sent along under a name that it may give once.
   *
   * @return null: nothing
   * @throws ServiceException with {@link ServiceReason#INVALID_BODY}
   */
  @Nullable String only(CharSequence name) {
    List<String> sent = all(name);
    if (sent.size() > 1) {
      throw new ServiceException(
          ServiceReason.INVALID_BODY, name + ": given twice (expected: once)");
    }
    return sent.isEmpty() ? null : sent.get(0);
  }

  /**
   * Takes the messages of the client.
   *
   * @param refusal is told of whatever is wrong with them
   * @param end is told that there are no more, and whether the last one was whole
   */
  void receive(
      Function<Throwable, ServiceException> refusal,
      Consumer<byte[]> message,
      Consumer<Boolean> end) {
    Frames frames = new Frames(maxBytes);
    Frames.Sink sink = (flag, bytes) -> message.accept(plain(flag, bytes));
    request.handler(chunk -> attempt(refusal, () -> frames.take(chunk, sink)));
    request.endHandler(none -> attempt(refusal, () -> end.accept(frames.whole())));
  }

  private void attempt(Function<Throwable, ServiceException> refusal, Runnable part) {
    if (over()) {
      return;
    }
    try {
      part.run();
    } catch (RuntimeException e) {
      refuse(refusal.apply(e));
    }
  }

  private byte[] plain(int flag, byte[] bytes) {
    return flag == 0 ? bytes : Plain.bytes(flag, metadata(Plain.ENCODING), bytes, maxBytes);
  }

  /** Whether it was answered, or its client has left. */
  boolean over() {
    return over || response.closed();
  }

  /** Whether the client is behind with fetching. */
  boolean behind() {
    return response.writeQueueFull();
  }

  /**
   * Answers; nothing happens where it is over.
   *
   * @return completes when the answer was sent, or cannot be any more
   */
  Future<Void> reply(MessageLite message) {
    if (over()) {
      return Future.succeededFuture(); // the client left while its ids were made: they are a gap
    }
    over = true;
    response.putHeader(HttpHeaders.CONTENT_TYPE, TYPE);
    response.putTrailer(STATUS, OK);
    return response.end(framed(message));
  }

  /** Sends one of several messages; nothing happens where it is over. */
  void send(MessageLite message) {
    if (over()) {
      return;
    }
    if (!begun) {
      begun = true;
      response.putHeader(HttpHeaders.CONTENT_TYPE, TYPE);
    }
    var unused = response.write(framed(message));
    ahead = behind() ? ahead + 1 : 0;
    if (ahead > MAX_AHEAD) {
      refuse(
          new ServiceException(
              ServiceReason.OVERLOADED,
              "answers: more than "
                  + MAX_AHEAD
                  + " not fetched (expected: a client that fetches what it asked for)"));
    }
  }

  /** Nothing more comes. */
  void complete() {
    if (!over()) {
      over = true;
      if (!begun) {
        response.putHeader(HttpHeaders.CONTENT_TYPE, TYPE);
      }
      response.putTrailer(STATUS, OK);
      var unused = response.end();
    }
  }

  /** Says no; nothing happens where it is over. */
  void refuse(Throwable failure) {
    ServiceException cause = ServiceException.of(failure);
    Refusal refusal = new Refusal(cause, TraceId.of(metadata(TRACE)));
    if (cause.reason() == ServiceReason.INTERNAL) {
      LOG.error("call failed", failure, "traceId", refusal.traceId(), "path", request.path() + "");
    }
    if (over()) {
      return;
    }
    over = true;
    if (!begun) {
      response.putHeader(HttpHeaders.CONTENT_TYPE, TYPE);
    }
    tell(STATUS, Integer.toString(refusal.code().number()));
    tell(Refusal.MESSAGE, refusal.message());
    tell(Refusal.DETAILS, refusal.details());
    var unused = response.end();
    if (!request.isEnded()) { // what is still to come is of no use to anybody
      var ignored = response.reset(Http2Error.NO_ERROR.code());
    }
  }

  /** Where no message was sent, the head is the tail. */
  private void tell(CharSequence name, CharSequence value) {
    if (begun) {
      response.putTrailer(name, value);
    } else {
      response.putHeader(name, value);
    }
  }

  private static Buffer framed(MessageLite message) {
    int size = message.getSerializedSize();
    byte[] bytes = new byte[Frames.HEAD_BYTES + size];
    ByteBuffer.wrap(bytes).putInt(1, size);
    try {
      message.writeTo(CodedOutputStream.newInstance(bytes, Frames.HEAD_BYTES, size));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // into memory: cannot be
    }
    return BufferInternal.buffer(Unpooled.wrappedBuffer(bytes)); // without another copy
  }
}
