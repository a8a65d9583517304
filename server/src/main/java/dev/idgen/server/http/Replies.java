package dev.idgen.server.http;

import dev.idgen.server.json.JsonOut;
import dev.idgen.server.log.Log;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.server.service.TraceId;
import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Writes replies. Not thread-safe. */
final class Replies {
  private static final Log LOG = Log.of("http");
  private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");
  private static final CharSequence PLAIN =
      HttpHeaders.createOptimized("text/plain; charset=utf-8");
  private static final CharSequence PROBLEM = HttpHeaders.createOptimized(Problem.TYPE);
  private static final CharSequence NO_STORE = HttpHeaders.createOptimized("no-store");
  private static final CharSequence NO_CACHE = HttpHeaders.createOptimized("no-cache");
  private static final CharSequence CLOSE = HttpHeaders.createOptimized("close");
  private static final CharSequence NOSNIFF = HttpHeaders.createOptimized("nosniff");
  private static final CharSequence CONTENT_TYPE_OPTIONS =
      HttpHeaders.createOptimized("x-content-type-options");
  private static final String CONTENT_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
          + " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final int UNAUTHORIZED = 401;
  private static final int COMMON_LENGTHS = 256;
  private static final CharSequence[] LENGTHS = lengths();

  /** Smaller replies are held by the connection's own limit. */
  private static final int COUNTED_BYTES = 4 << 10;

  private final long maxUnsentBytes;
  private final AtomicLong unsent;

  /**
   * Replies of one event loop.
   *
   * @param unsent counts the bytes of all event loops that clients have not fetched
   */
  Replies(HttpLimits limits, AtomicLong unsent) {
    this.maxUnsentBytes = limits.maxUnsentBytes();
    this.unsent = unsent;
  }

  /** Sends a document with status 200. */
  void ok(HttpServerRequest request, JsonOut document) {
    json(request, 200, document);
  }

  /** Sends a plain text, which may be empty. */
  void plain(HttpServerRequest request, JsonOut text) {
    if (request.response().closed()) {
      return;
    }
    request.response().headers().set(HttpHeaders.CONTENT_TYPE, PLAIN);
    request.response().headers().set(HttpHeaders.CACHE_CONTROL, NO_STORE);
    end(request, text);
  }

  /** Sends a text of some kind. */
  void text(HttpServerRequest request, String type, byte[] bytes) {
    if (request.response().closed()) {
      return;
    }
    request.response().headers().set(HttpHeaders.CONTENT_TYPE, type);
    request.response().headers().set(HttpHeaders.CACHE_CONTROL, NO_STORE);
    counted(request, bytes, bytes.length);
  }

  /** Sends a document. */
  void json(HttpServerRequest request, int status, JsonOut document) {
    HttpServerResponse response = request.response();
    if (response.closed()) {
      return; // the client left while its ids were being made: they are a gap
    }
    if (status != 200) {
      response.setStatusCode(status);
    }
    response.headers().set(HttpHeaders.CONTENT_TYPE, JSON).set(HttpHeaders.CACHE_CONTROL, NO_STORE);
    end(request, document);
  }

  /**
   * Refuses early where replies pile up.
   *
   * @throws ServiceException with {@link ServiceReason#OVERLOADED}
   */
  void requireRoom() {
    if (unsent.get() > maxUnsentBytes) {
      throw new ServiceException(
          ServiceReason.OVERLOADED,
          "unsent replies: more than "
              + maxUnsentBytes
              + " bytes (expected: clients that fetch what they asked for)",
          1000);
    }
  }

  private void end(HttpServerRequest request, JsonOut document) {
    counted(request, document.bytes(), document.length());
  }

  /** Counted first: whoever looks while it is on its way must not find the room that it takes. */
  private void counted(HttpServerRequest request, byte[] bytes, int length) {
    if (length <= COUNTED_BYTES) {
      var unused = end(request, bytes, length);
      return;
    }
    unsent.addAndGet(length);
    try {
      end(request, bytes, length).onComplete(done -> unsent.addAndGet(-length));
    } catch (RuntimeException e) {
      unsent.addAndGet(-length);
      throw e;
    }
  }

  /** The array becomes part of the reply without being copied. */
  private static Future<Void> end(HttpServerRequest request, byte[] bytes, int length) {
    HttpServerResponse response = request.response();
    response.headers().set(HttpHeaders.CONTENT_LENGTH, digits(length));
    return response.end(BufferInternal.buffer(Unpooled.wrappedBuffer(bytes, 0, length)));
  }

  private static CharSequence digits(int length) {
    return length < LENGTHS.length ? LENGTHS[length] : Integer.toString(length);
  }

  private static CharSequence[] lengths() {
    CharSequence[] all = new CharSequence[COMMON_LENGTHS];
    for (int i = 0; i < all.length; i++) {
      all[i] = HttpHeaders.createOptimized(Integer.toString(i));
    }
    return all;
  }

  /** Refuses a request. */
  void problem(HttpServerRequest request, Throwable failure) {
    problem(request, failure, null, 0);
  }

  /** Refuses a request with a status that is not that of the reason. */
  void problemAs(HttpServerRequest request, Throwable failure, int status) {
    problem(request, failure, null, status);
  }

  /** Says which methods a path takes, or refuses another one. */
  void refuseOrExplain(HttpServerRequest request, String allowed) {
    if (request.method().equals(HttpMethod.OPTIONS)) {
      options(request, allowed);
    } else {
      methodNotAllowed(request, allowed);
    }
  }

  /** Tells that it was done, and that there is nothing to show. */
  void nothing(HttpServerRequest request) {
    if (!request.response().closed()) {
      request.response().setStatusCode(204).end();
    }
  }

  /** Refuses a method, naming those that the path takes. */
  void methodNotAllowed(HttpServerRequest request, String allowed) {
    ServiceException refusal =
        new ServiceException(
            ServiceReason.METHOD_NOT_ALLOWED,
            "method: " + request.method() + " (expected: " + allowed + ")");
    problem(request, refusal, allowed, 0);
  }

  /** Refuses a request whose rest is not worth reading, and ends the connection. */
  void problemAndClose(HttpServerRequest request, ServiceException refusal) {
    if (request.version() != HttpVersion.HTTP_2) { // which knows no such field
      request.response().headers().set(HttpHeaders.CONNECTION, CLOSE);
    }
    problem(request, refusal, null, 0);
  }

  /** What a caller is told. A fault of the server is told to the log. */
  static ServiceException told(HttpServerRequest request, Throwable failure, String trace) {
    ServiceException refusal = ServiceException.of(failure);
    if (refusal.reason() == ServiceReason.INTERNAL) {
      LOG.error("request failed", failure, "traceId", trace, "path", request.path() + "");
    }
    return refusal;
  }

  private static void problem(
      HttpServerRequest request, Throwable failure, @Nullable String allowed, int status) {
    String trace = TraceId.of(request.headers().get("traceparent"));
    ServiceException refusal = told(request, failure, trace);
    Problem problem =
        new Problem(refusal, trace, status == 0 ? Statuses.of(refusal.reason()) : status);
    HttpServerResponse response = request.response();
    if (response.closed() || response.ended()) {
      return;
    }
    response.setStatusCode(problem.status());
    response.headers().set(HttpHeaders.CONTENT_TYPE, PROBLEM);
    response.headers().set(HttpHeaders.CACHE_CONTROL, NO_STORE);
    if (problem.status() == UNAUTHORIZED) {
      response.putHeader("www-authenticate", "Bearer");
    }
    if (problem.hasRetryAfter()) {
      response.putHeader("retry-after", Long.toString(problem.retryAfterSeconds()));
    }
    if (allowed != null) {
      response.putHeader(HttpHeaders.ALLOW, allowed);
    }
    JsonOut body = problem.body();
    end(request, body.bytes(), body.length());
  }

  /** Says which methods a path takes. */
  void options(HttpServerRequest request, String allowed) {
    request.response().setStatusCode(204).putHeader(HttpHeaders.ALLOW, allowed).end();
  }

  /** Sends a file of the page, or tells that the client has it. */
  void page(HttpServerRequest request, Console.Page page) {
    HttpServerResponse response = request.response();
    response.headers().set(HttpHeaders.ETAG, page.etag()).set(HttpHeaders.CACHE_CONTROL, NO_CACHE);
    response.headers().set(CONTENT_TYPE_OPTIONS, NOSNIFF);
    response.headers().set("content-security-policy", CONTENT_POLICY);
    response.headers().set("referrer-policy", "no-referrer");
    if (hasIt(request.headers().get(HttpHeaders.IF_NONE_MATCH), page.etag())) {
      response.setStatusCode(304).end();
      return;
    }
    response.headers().set(HttpHeaders.CONTENT_TYPE, page.type());
    end(request, page.bytes(), page.bytes().length);
  }

  private static boolean hasIt(@Nullable String ifNoneMatch, String etag) {
    return ifNoneMatch != null && (ifNoneMatch.contains(etag) || ifNoneMatch.equals("*"));
  }
}
