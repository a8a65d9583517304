package dev.idgen.server.grpc;

import dev.idgen.layout.Layout;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.IdService;
import dev.idgen.time.TimeSource;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Serves calls over gRPC that come as requests of HTTP/2. Thread-safe. */
public final class GrpcTransport {
  private static final String CONTENT_TYPE = "application/grpc";
  private static final String WATCH = "/grpc.health.v1.Health/Watch";
  private static final String REFLECTION = "/grpc.reflection.v1.ServerReflection/";

  private final IdService service;
  private final Callers callers;
  private final Layout layout;
  private final GrpcLimits limits;
  private final boolean reflection;
  private final TimeSource time;
  private final AtomicLong unsent = new AtomicLong();
  private final List<Entry> entries = new CopyOnWriteArrayList<>();

  /**
   * A transport that serves nobody yet.
   *
   * @param callers who may do what
   * @param reflection whether clients may ask which services there are
   */
  public GrpcTransport(
      IdService service,
      Callers callers,
      Layout layout,
      GrpcLimits limits,
      boolean reflection,
      TimeSource time) {
    this.service = service;
    this.callers = callers;
    this.layout = layout;
    this.limits = limits;
    this.reflection = reflection;
    this.time = time;
  }

  /** Whether a request with this content type is meant for gRPC. */
  public static boolean takes(String contentType) {
    return contentType.startsWith(CONTENT_TYPE);
  }

  /** Whether a call to this path may take as long as its client likes. */
  public static boolean goesOn(String path) {
    return path.equals(WATCH) || path.startsWith(REFLECTION);
  }

  /** What answers the requests of an event loop. */
  public Handler<HttpServerRequest> on(Context context) {
    Entry entry = new Entry(context);
    entries.add(entry);
    return entry;
  }

  /** Ends the calls that go on; others end by themselves. */
  public Future<Void> stop() {
    return Future.join(entries.stream().map(Entry::stop).toList()).mapEmpty();
  }

  /** Makes what a call needs when the first one comes: many a server never sees any. */
  private final class Entry implements Handler<HttpServerRequest> {
    private final Context context;
    private @Nullable Calls calls;

    Entry(Context context) {
      this.context = context;
    }

    @Override
    public void handle(HttpServerRequest request) {
      Calls known = calls;
      if (known == null) {
        known = new Calls(context, service, callers, layout, limits, reflection, time, unsent);
        calls = known;
      }
      known.handle(request);
    }

    Future<Void> stop() {
      Promise<Void> done = Promise.promise();
      context.runOnContext(
          loop -> {
            if (calls != null) {
              calls.stop();
            }
            done.complete();
          });
      return done.future();
    }
  }
}
