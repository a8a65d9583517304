package dev.idgen.server.http;

import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import io.netty.handler.codec.http2.Http2Error;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the body of one request, up to the limit. Used once. */
final class BodyReader {
  /** What is read and thrown away behind a refusal, so that the client gets to see it. */
  private static final long MAX_DISCARDED = 8 << 20;

  private static final byte[] NOTHING = new byte[0];

  private final HttpServerRequest request;
  private final Replies replies;
  private final int maxBytes;
  private final Consumer<ServiceException> counter;
  private final Handler<byte[]> whole;
  private @Nullable Buffer body;
  private boolean own; // the body is a buffer that may grow
  private boolean refused;
  private long discarded;

  private BodyReader(
      HttpServerRequest request,
      Replies replies,
      int maxBytes,
      Consumer<ServiceException> counter,
      Handler<byte[]> whole) {
    this.request = request;
    this.replies = replies;
    this.maxBytes = maxBytes;
    this.counter = counter;
    this.whole = whole;
  }

  /**
   * Reads a body.
   *
   * @param whole gets it; never called for a body over the limit, which is answered here
   * @throws ServiceException with {@link ServiceReason#UNSUPPORTED_TYPE}: it is compressed
   */
  static void read(
      HttpServerRequest request, Replies replies, int maxBytes, Handler<byte[]> whole) {
    read(request, replies, maxBytes, refusal -> {}, whole);
  }

  /**
   * Reads a body.
   *
   * @param counter hears of a body over the limit
   * @param whole gets it; never called for a body over the limit, which is answered here
   * @throws ServiceException with {@link ServiceReason#UNSUPPORTED_TYPE}: it is compressed
   */
  static void read(
      HttpServerRequest request,
      Replies replies,
      int maxBytes,
      Consumer<ServiceException> counter,
      Handler<byte[]> whole) {
    String length = request.headers().get(HttpHeaders.CONTENT_LENGTH);
    boolean http2 =
        request.version() == HttpVersion.HTTP_2; // there bodies need not tell their length
    boolean chunked = request.headers().contains(HttpHeaders.TRANSFER_ENCODING);
    if (!chunked && !http2 && (length == null || length.equals("0"))) {
      whole.handle(NOTHING);
      return;
    }
    requirePlain(request);
    new BodyReader(request, replies, maxBytes, counter, whole).start(chunked ? null : length);
  }

  /**
   * Refuses a body that would have to be unpacked: how large it is, nobody could tell before.
   *
   * @throws ServiceException with {@link ServiceReason#UNSUPPORTED_TYPE}
   */
  static void requirePlain(HttpServerRequest request) {
    String coding = request.headers().get(HttpHeaders.CONTENT_ENCODING);
    if (coding != null && !coding.strip().equalsIgnoreCase("identity")) {
      throw new ServiceException(
          ServiceReason.UNSUPPORTED_TYPE,
          "content-encoding: " + JsonBody.shortened(coding) + " (expected: none)");
    }
  }

  private void start(@Nullable String declared) {
    request.handler(this::take);
    request.endHandler(end -> end());
    boolean expects = request.headers().contains(HttpHeaders.EXPECT);
    if (declared != null && isOver(declared)) {
      refuse();
    } else if (expects) {
      request.response().writeContinue();
    }
  }

  /** By digits first: a number of any length may be declared. */
  private boolean isOver(String declared) {
    return declared.length() > 10 || Long.parseLong(declared) > maxBytes;
  }

  private void take(Buffer chunk) {
    if (refused) {
      discard(chunk.length());
      return;
    }
    int before = body == null ? 0 : body.length();
    if (chunk.length() > maxBytes - before) {
      body = null;
      refuse();
    } else if (body == null) {
      body = chunk;
    } else {
      body = growing(body).appendBuffer(chunk);
    }
  }

  /** The first chunk is the codec's; from the second one on there is a buffer of our own. */
  private Buffer growing(Buffer known) {
    if (!own) {
      own = true;
      return Buffer.buffer(2 * known.length()).appendBuffer(known);
    }
    return known;
  }

  private void refuse() {
    refused = true;
    ServiceException refusal =
        new ServiceException(
            ServiceReason.TOO_LARGE,
            "body: over the limit (expected: at most " + maxBytes + " bytes)");
    counter.accept(refusal);
    replies.problemAndClose(request, refusal);
    if (request.version() == HttpVersion.HTTP_2) { // other requests of the connection go on
      request.response().reset(Http2Error.NO_ERROR.code());
    }
  }

  private void discard(int bytes) {
    discarded += bytes;
    if (discarded > MAX_DISCARDED) {
      request.connection().close();
    }
  }

  private void end() {
    if (refused) {
      request.connection().close();
    } else {
      whole.handle(body == null ? NOTHING : body.getBytes());
    }
  }
}
