package dev.idgen.server.http;

import dev.idgen.server.json.JsonOut;
import dev.idgen.server.service.ServiceException;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Arrays;

/**
 * A refusal as it goes over the wire.
 *
 * @param refusal what to tell
 * @param traceId the trace that the request belongs to
 * @param status of HTTP
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9457">RFC 9457</a>
 */
record Problem(ServiceException refusal, String traceId, int status) {
  static final String TYPE = "application/problem+json";
  private static final int UNAVAILABLE = 503;
  private static final int TOO_MANY = 429;
  private static final int CONTENT_TOO_LARGE = 413;

  /** Whether the caller is told when to come back. */
  boolean hasRetryAfter() {
    return status == UNAVAILABLE || status == TOO_MANY;
  }

  /** In whole seconds, as the header has it, and never "at once". */
  long retryAfterSeconds() {
    return Math.max(1, (refusal.retryAfterMs() + 999) / 1000);
  }

  JsonOut body() {
    JsonOut out = new JsonOut(256).beginObject();
    out.name("type").text("about:blank");
    out.name("title").text(title());
    out.name("status").number(status);
    out.name("detail").text(refusal.detail());
    out.name("reason").text(refusal.reason().name());
    out.name("traceId").text(traceId);
    if (refusal.retryAfterMs() > 0) {
      out.name("retryAfterMs").number(refusal.retryAfterMs());
    }
    return out.endObject();
  }

  /** By RFC 9110, which has renamed some. */
  private String title() {
    return status == CONTENT_TOO_LARGE
        ? "Content Too Large"
        : HttpResponseStatus.valueOf(status).reasonPhrase();
  }

  /** A whole reply, for where no request is there to be answered; the connection ends with it. */
  byte[] asBytes() {
    JsonOut body = body();
    JsonOut out = new JsonOut(512);
    out.raw(JsonOut.ascii("HTTP/1.1 "));
    out.raw(JsonOut.ascii(HttpResponseStatus.valueOf(status).toString()));
    out.raw(JsonOut.ascii("\r\ncontent-type: " + TYPE + "\r\ncache-control: no-store"));
    out.raw(JsonOut.ascii("\r\nconnection: close\r\ncontent-length: " + body.length()));
    if (hasRetryAfter()) {
      out.raw(JsonOut.ascii("\r\nretry-after: " + retryAfterSeconds()));
    }
    out.raw(JsonOut.ascii("\r\n\r\n")).raw(Arrays.copyOf(body.bytes(), body.length()));
    return Arrays.copyOf(out.bytes(), out.length());
  }
}
