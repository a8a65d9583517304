package dev.idgen.server.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.server.service.EngineHealth;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Health follows readiness. */
class HealthTest {
  private static final EngineHealth UNREADY = new EngineHealth(false, List.of("lease: none"));

  private final GrpcFixture server = new GrpcFixture();

  @AfterEach
  void stop() {
    server.close();
  }

  private HealthGrpc.HealthBlockingStub health() {
    return HealthGrpc.newBlockingStub(server.channel).withDeadlineAfter(20, TimeUnit.SECONDS);
  }

  private static HealthCheckRequest of(String service) {
    return HealthCheckRequest.newBuilder().setService(service).build();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "idgen.v1.IdService",
        "grpc.health.v1.Health",
        "grpc.reflection.v1.ServerReflection"
      })
  void check_followsReadiness(String service) {
    assertEquals(ServingStatus.SERVING, health().check(of(service)).getStatus());

    server.engine().health = UNREADY;
    assertEquals(ServingStatus.NOT_SERVING, health().check(of(service)).getStatus());

    server.engine().health = EngineHealth.WELL;
    assertEquals(ServingStatus.SERVING, health().check(of(service)).getStatus());
  }

  @Test
  void check_unknownService_isNotFound() {
    StatusRuntimeException refusal =
        assertThrows(StatusRuntimeException.class, () -> health().check(of("other")));

    assertEquals(Status.Code.NOT_FOUND, refusal.getStatus().getCode());
  }

  @Test
  void watch_tellsOfEveryChangeAndOfNothingElse() {
    Iterator<HealthCheckResponse> told = health().watch(of("idgen.v1.IdService"));
    assertEquals(ServingStatus.SERVING, told.next().getStatus());

    server.engine().health = UNREADY;
    assertEquals(ServingStatus.NOT_SERVING, told.next().getStatus());

    server.engine().health = EngineHealth.WELL;
    assertEquals(ServingStatus.SERVING, told.next().getStatus());
  }

  @Test
  void watch_unknownService_isTold() {
    assertEquals(ServingStatus.SERVICE_UNKNOWN, health().watch(of("other")).next().getStatus());
  }

  @Test
  void watch_serverStops_isToldAndEnded() {
    Iterator<HealthCheckResponse> told = health().watch(of(""));
    assertEquals(ServingStatus.SERVING, told.next().getStatus());

    server.http.service.drain();
    server.transport().stop().await();

    assertTrue(told.hasNext());
    assertEquals(ServingStatus.NOT_SERVING, told.next().getStatus());
    StatusRuntimeException end = assertThrows(StatusRuntimeException.class, told::hasNext);
    assertEquals(Status.Code.UNAVAILABLE, end.getStatus().getCode());
    assertEquals("the server is stopping", end.getStatus().getDescription());
  }

  @Test
  void watch_doesNotHoldUpTheStop() {
    Iterator<HealthCheckResponse> told = health().watch(of(""));
    assertEquals(ServingStatus.SERVING, told.next().getStatus());

    server.transport().stop().await();
    server.http.transport.stop(600_000).await();

    assertThrows(StatusRuntimeException.class, told::hasNext);
    assertFalse(server.channel.isShutdown());
  }
}
