package dev.idgen.server.grpc;

import dev.idgen.server.service.IdService;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The calls of {@code grpc.health.v1.Health}: whether ids can be had, as {@code /readyz} says it.
 * Belongs to one event loop.
 *
 * @see <a href="https://github.com/grpc/grpc/blob/master/doc/health-checking.md">gRPC health
 *     checking</a>
 */
final class Health {
  /** How often it is looked whether those who watch are to be told. */
  private static final long LOOK_MS = 250;

  private static final long NO_TIMER = -1;

  private final Vertx vertx;
  private final IdService service;
  private final Set<String> services;

  /** Those who watch, with what they were told last. */
  private final Map<Exchange, ServingStatus> watching = new HashMap<>();

  private long timer = NO_TIMER;

  /**
   * Health of services.
   *
   * @param services their names; the empty one, which means the server, goes without saying
   */
  Health(Vertx vertx, IdService service, Set<String> services) {
    this.vertx = vertx;
    this.service = service;
    this.services = services;
  }

  void check(Exchange exchange) {
    read(
        exchange,
        name -> {
          if (!knows(name)) {
            throw new ServiceException(
                ServiceReason.UNKNOWN_PATH, "service: " + name + " (expected: one of this server)");
          }
          var unused = exchange.reply(response(status()));
        });
  }

  /** A service that is not known may be so later on: its watchers are told, and stay. */
  void watch(Exchange exchange) {
    read(
        exchange,
        name -> {
          ServingStatus now = knows(name) ? status() : ServingStatus.SERVICE_UNKNOWN;
          exchange.send(response(now));
          watching.put(exchange, now);
          if (timer == NO_TIMER) {
            timer = vertx.setPeriodic(LOOK_MS, any -> look());
          }
        });
  }

  private void read(Exchange exchange, Consumer<String> call) {
    Unary.read(
        exchange,
        HealthCheckRequest.parser(),
        ServiceException::of,
        asked -> call.accept(asked.getService()));
  }

  private boolean knows(String name) {
    return name.isEmpty() || services.contains(name);
  }

  private ServingStatus status() {
    return service.health().ready() ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
  }

  private static HealthCheckResponse response(ServingStatus status) {
    return HealthCheckResponse.newBuilder().setStatus(status).build();
  }

  /** Tells of a change; who is behind with fetching is told once they are not. */
  private void look() {
    watching.keySet().removeIf(Exchange::over);
    ServingStatus now = status();
    watching.replaceAll((exchange, told) -> told(exchange, told, now));
    if (watching.isEmpty()) {
      vertx.cancelTimer(timer);
      timer = NO_TIMER;
    }
  }

  private static ServingStatus told(Exchange exchange, ServingStatus told, ServingStatus now) {
    if (told == now || told == ServingStatus.SERVICE_UNKNOWN || exchange.behind()) {
      return told;
    }
    exchange.send(response(now));
    return now;
  }

  /** Tells those who watch a last time, and ends their calls. */
  void stop(ServiceException why) {
    look();
    List.copyOf(watching.keySet()).forEach(exchange -> exchange.refuse(why));
    watching.clear();
  }
}
