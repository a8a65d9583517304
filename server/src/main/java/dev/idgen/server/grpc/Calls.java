package dev.idgen.server.grpc;

import dev.idgen.grpc.v1.IdServiceProto;
import dev.idgen.layout.Layout;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.IdService;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.time.TimeSource;
import io.grpc.health.v1.HealthProto;
import io.grpc.reflection.v1.ServerReflectionProto;
import io.netty.handler.codec.http2.Http2Error;
import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Takes a call to the method that it means. Belongs to one event loop. */
final class Calls implements Handler<HttpServerRequest> {
  private static final String IDS = "idgen.v1.IdService";
  private static final String HEALTH = "grpc.health.v1.Health";
  private static final String REFLECTION = "grpc.reflection.v1.ServerReflection";
  private static final Set<String> CONTENT_TYPES =
      Set.of("application/grpc", "application/grpc+proto");
  private static final long RETRY_SOON_MS = 1000;

  private final Map<String, Handler<Exchange>> methods = new HashMap<>();
  private final Health health;
  private final GrpcLimits limits;
  private @Nullable Reflection reflection; // null: nobody has asked yet

  /** Calls for the event loop that the calling thread is. */
  Calls(
      Context context,
      IdService service,
      Callers callers,
      Layout layout,
      GrpcLimits limits,
      boolean reflected,
      TimeSource time,
      AtomicLong unsent) {
    this.limits = limits;
    Set<String> names = reflected ? Set.of(IDS, HEALTH, REFLECTION) : Set.of(IDS, HEALTH);
    this.health = new Health(context.owner(), service, names);
    IdCalls calls = new IdCalls(context, service, callers, layout, limits, time, unsent);
    methods.put("/" + IDS + "/NextID", calls::nextId);
    methods.put("/" + IDS + "/BatchNextID", calls::batchNextId);
    methods.put("/" + IDS + "/Reserve", calls::reserve);
    methods.put("/" + IDS + "/Inspect", calls::inspect);
    methods.put("/" + HEALTH + "/Check", health::check);
    methods.put("/" + HEALTH + "/Watch", health::watch);
    if (reflected) {
      methods.put("/" + REFLECTION + "/ServerReflectionInfo", this::reflect);
    }
  }

  @Override
  public void handle(HttpServerRequest request) {
    MultiMap headers = request.headers();
    if (!CONTENT_TYPES.contains(headers.get(HttpHeaders.CONTENT_TYPE))) {
      refuse(request, 415);
    } else if (!request.method().equals(HttpMethod.POST)) {
      refuse(request, 405);
    } else {
      call(request);
    }
  }

  /** Before it is a call at all, the answer is one of HTTP. */
  private static void refuse(HttpServerRequest request, int status) {
    request.response().setStatusCode(status).end();
    request.response().reset(Http2Error.NO_ERROR.code());
  }

  private void call(HttpServerRequest request) {
    Exchange exchange = new Exchange(request, limits.maxMessageBytes());
    try {
      method(request).handle(exchange);
    } catch (RuntimeException e) {
      exchange.refuse(e);
    }
  }

  private Handler<Exchange> method(HttpServerRequest request) {
    Handler<Exchange> method = methods.get(request.uri());
    if (method == null) {
      throw new ServiceException(
          ServiceReason.METHOD_NOT_ALLOWED, "method: " + request.uri() + " (there is none)");
    }
    String encoding = request.headers().get(Plain.ENCODING);
    if (encoding != null && !Plain.understands(encoding)) {
      request.response().putHeader("grpc-accept-encoding", Plain.ENCODINGS);
      throw new ServiceException(
          ServiceReason.UNSUPPORTED_TYPE,
          Plain.ENCODING + ": " + encoding + " (expected: " + Plain.ENCODINGS + ")");
    }
    return method;
  }

  /** The descriptions of all services are made when somebody wants to see them. */
  private void reflect(Exchange exchange) {
    Reflection known = reflection;
    if (known == null) {
      known =
          new Reflection(
              List.of(
                  IdServiceProto.getDescriptor().findServiceByName("IdService"),
                  HealthProto.getDescriptor().findServiceByName("Health"),
                  ServerReflectionProto.getDescriptor().findServiceByName("ServerReflection")));
      reflection = known;
    }
    known.ask(exchange);
  }

  /** Ends the calls that go on by themselves. */
  void stop() {
    ServiceException why =
        new ServiceException(ServiceReason.DRAINING, "the server is stopping", RETRY_SOON_MS);
    health.stop(why);
    if (reflection != null) {
      reflection.stop(why);
    }
  }
}
