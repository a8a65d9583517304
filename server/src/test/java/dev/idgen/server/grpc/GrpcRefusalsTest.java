package dev.idgen.server.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import dev.idgen.Reason;
import dev.idgen.grpc.v1.BatchNextIDRequest;
import dev.idgen.grpc.v1.IdServiceGrpc;
import dev.idgen.grpc.v1.InspectRequest;
import dev.idgen.grpc.v1.NextIDRequest;
import dev.idgen.grpc.v1.ReserveRequest;
import dev.idgen.server.http.HttpFixture;
import dev.idgen.server.log.LogLines;
import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Caller.Right;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.ServiceReason;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.MetadataUtils;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What calls are refused with, each with its status, its text and its details. */
class GrpcRefusalsTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

  private final GrpcFixture server = new GrpcFixture();

  @AfterEach
  void stop() {
    server.close();
  }

  private static NextIDRequest one(String tag) {
    return NextIDRequest.newBuilder().setBizTag(tag).build();
  }

  private static BatchNextIDRequest batch(int count) {
    return BatchNextIDRequest.newBuilder().setBizTag("default").setCount(count).build();
  }

  private void tag(String name, String body) {
    assertEquals(
        201,
        server
            .http
            .send("PUT", "/admin/tags/" + name, body, "content-type", "application/json")
            .statusCode());
  }

  /** What a client reads of a refusal. */
  private record Told(Status.Code code, String text, ErrorInfo info, @Nullable RetryInfo retry) {
    long retryMs() {
      return retry == null
          ? 0
          : retry.getRetryDelay().getSeconds() * 1000
              + retry.getRetryDelay().getNanos() / 1_000_000;
    }
  }

  private static Told refused(Executable call) {
    StatusRuntimeException refusal = assertThrows(StatusRuntimeException.class, call);
    com.google.rpc.Status rich = StatusProto.fromThrowable(refusal);
    if (rich == null) {
      throw new AssertionError("no details: " + refusal);
    }
    Status status = refusal.getStatus();
    assertEquals(status.getCode().value(), rich.getCode());
    assertEquals(status.getDescription(), rich.getMessage());
    ErrorInfo info = null;
    RetryInfo retry = null;
    try {
      for (Any detail : rich.getDetailsList()) {
        if (detail.is(ErrorInfo.class)) {
          info = detail.unpack(ErrorInfo.class);
        } else {
          retry = detail.unpack(RetryInfo.class);
        }
      }
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
    if (info == null) {
      throw new AssertionError("no info: " + rich);
    }
    assertEquals("idgen", info.getDomain());
    return new Told(status.getCode(), rich.getMessage(), info, retry);
  }

  private static void assertTold(Told told, Status.Code code, String reason, String text) {
    assertEquals(text, told.text());
    assertEquals(code, told.code());
    assertEquals(reason, told.info().getReason());
  }

  @Test
  void tag_absent_isRequired() {
    String text = "biz_tag is required";
    Status.Code code = Status.Code.INVALID_ARGUMENT;

    assertTold(refused(() -> server.ids().nextID(one(""))), code, "INVALID_TAG", text);
    assertTold(
        refused(() -> server.ids().batchNextID(BatchNextIDRequest.getDefaultInstance())),
        code,
        "INVALID_TAG",
        text);
    assertTold(
        refused(() -> server.ids().reserve(ReserveRequest.getDefaultInstance())),
        code,
        "INVALID_TAG",
        text);
  }

  @Test
  void tag_badOrUnknown_isNamed() {
    assertTold(
        refused(() -> server.ids().nextID(one("a b"))),
        Status.Code.INVALID_ARGUMENT,
        "INVALID_TAG",
        "tag: a b (expected: 1 to 64 of A-Z a-z 0-9 . _ -, the first a letter or digit)");
    assertTold(
        refused(() -> server.ids().nextID(one("order"))),
        Status.Code.NOT_FOUND,
        "UNKNOWN_TAG",
        "tag: order (expected: one that was made)");
  }

  @Test
  void text_ofOtherLetters_arrivesAsItIs() {
    assertTrue(
        refused(() -> server.ids().nextID(one("größe 100%\n日本")))
            .text()
            .startsWith("tag: größe 100%\n日本 (expected: "));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 10_001, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void count_outOfRange_isRefusedWhole(int count) {
    assertTold(
        refused(() -> server.ids().batchNextID(batch(count))),
        Status.Code.INVALID_ARGUMENT,
        "INVALID_COUNT",
        "count: " + count + " (expected: 1..10000)");
  }

  @Test
  void reserve_overTheLimit_isRefused() {
    assertTold(
        refused(
            () ->
                server
                    .ids()
                    .reserve(
                        ReserveRequest.newBuilder()
                            .setBizTag("default")
                            .setCount(1_000_001)
                            .build())),
        Status.Code.INVALID_ARGUMENT,
        "INVALID_COUNT",
        "count: 1000001 (expected: 1..1000000)");
  }

  @Test
  void reserve_textsTag_isAMismatch() {
    tag("user", "{\"engine\":\"uuidv4\",\"text\":\"native\"}");

    Told told =
        refused(
            () ->
                server
                    .ids()
                    .reserve(ReserveRequest.newBuilder().setBizTag("user").setCount(1).build()));

    assertEquals(Status.Code.FAILED_PRECONDITION, told.code());
    assertEquals("ENGINE_MISMATCH", told.info().getReason());
  }

  @Test
  void content_whereNoneBelongs_isRefused() {
    NextIDRequest request = NextIDRequest.newBuilder().setBizTag("default").setContent("a").build();
    assertEquals("INVALID_BODY", refused(() -> server.ids().nextID(request)).info().getReason());

    NextIDRequest half =
        NextIDRequest.newBuilder().setBizTag("default").setNamespace("dns").build();
    assertTold(
        refused(() -> server.ids().nextID(half)),
        Status.Code.INVALID_ARGUMENT,
        "INVALID_BODY",
        "namespace: given without a content (expected: both, or neither)");
  }

  @Test
  void inspect_noId_isRefused() {
    Told told =
        refused(() -> server.ids().inspect(InspectRequest.newBuilder().setText("abc").build()));

    assertEquals(Status.Code.INVALID_ARGUMENT, told.code());
    assertEquals("INVALID_ID", told.info().getReason());
    assertTrue(told.text().startsWith("text: abc (expected: "), told.text());
  }

  @ParameterizedTest
  @EnumSource(Reason.class)
  void engine_refuses_isToldWithItsReason(Reason reason) {
    server.engine().refuse(reason, "what: 1 (expected: 2)", 1_500);

    Told told = refused(() -> server.ids().nextID(one("default")));

    assertEquals(reason.name(), told.info().getReason());
    assertEquals("what: 1 (expected: 2)", told.text());
    assertEquals(
        switch (reason) {
          case DEADLINE -> Status.Code.DEADLINE_EXCEEDED;
          case EXHAUSTED -> Status.Code.INTERNAL;
          case UNKNOWN_TAG -> Status.Code.NOT_FOUND;
          default -> Status.Code.UNAVAILABLE;
        },
        told.code());
    assertEquals(1_500, told.retryMs());
  }

  @Test
  void engine_unavailableWithoutATime_isToldToComeBackSoon() {
    server.engine().refuse(Reason.NO_LEASE, "lease: none (expected: one)", 0);

    assertEquals(1_000, refused(() -> server.ids().nextID(one("default"))).retryMs());
  }

  @Test
  void invalid_hasNoRetryTime() {
    assertEquals(null, refused(() -> server.ids().nextID(one(""))).retry());
  }

  @Test
  void tag_overItsRate_isRateLimited() {
    tag("slow", "{\"ratePerSecond\":1,\"burst\":1}");
    server.ids().nextID(one("slow"));

    Told told = refused(() -> server.ids().nextID(one("slow")));

    assertEquals(Status.Code.RESOURCE_EXHAUSTED, told.code());
    assertEquals("RATE_LIMITED", told.info().getReason());
    assertTrue(told.retryMs() > 0, told.toString());
  }

  @Test
  void server_stopping_isDraining() {
    server.http.service.drain();

    Told told = refused(() -> server.ids().batchNextID(batch(2)));

    assertTold(told, Status.Code.UNAVAILABLE, "DRAINING", "the server is stopping");
    assertEquals(1_000, told.retryMs());
  }

  @Test
  void engine_broken_isInternalAndLoggedWithItsTrace() {
    server.engine().fault = new IllegalStateException("secret of the server");
    try (LogLines log = new LogLines()) {
      Told told =
          refused(
              () ->
                  with("traceparent", "00-" + TRACE + "-b7ad6b7169203331-01")
                      .nextID(one("default")));

      assertTold(told, Status.Code.INTERNAL, "INTERNAL", "the server failed; its log tells more");
      assertEquals(TRACE, told.info().getMetadataOrThrow("traceId"));
      assertTrue(log.all().toString().contains(TRACE), log.all().toString());
    }
  }

  @Test
  void trace_notSent_isANewOne() {
    String trace = refused(() -> server.ids().nextID(one(""))).info().getMetadataOrThrow("traceId");

    assertTrue(trace.matches("[0-9a-f]{32}"), trace);
  }

  private static Metadata metadata(String name, String value) {
    Metadata metadata = new Metadata();
    metadata.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
    return metadata;
  }

  private IdServiceGrpc.IdServiceBlockingStub with(String name, String value) {
    return server
        .ids()
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata(name, value)));
  }

  @Test
  void key_ofAnotherRequest_isAMismatch() {
    with("idempotency-key", "a-key").batchNextID(batch(2));

    Told told = refused(() -> with("idempotency-key", "a-key").batchNextID(batch(3)));

    assertEquals(Status.Code.FAILED_PRECONDITION, told.code());
    assertEquals("IDEMPOTENCY_MISMATCH", told.info().getReason());
  }

  @Test
  void key_underWay_isAborted() throws Exception {
    server.engine().hold = true;
    var first =
        IdServiceGrpc.newFutureStub(server.channel)
            .withInterceptors(
                MetadataUtils.newAttachHeadersInterceptor(metadata("idempotency-key", "k")))
            .nextID(one("default"));
    var held = server.engine().heldCall();

    Told told = refused(() -> with("idempotency-key", "k").nextID(one("default")));

    assertEquals(Status.Code.ABORTED, told.code());
    assertEquals("IDEMPOTENCY_IN_FLIGHT", told.info().getReason());
    held.complete(server.engine().batch(1));
    long id = first.get().getId();
    assertEquals(id, with("idempotency-key", "k").nextID(one("default")).getId());
  }

  @Test
  void key_thatCannotBe_isRefused() {
    assertEquals(
        "INVALID_BODY",
        refused(() -> with("idempotency-key", "k".repeat(256)).nextID(one("default")))
            .info()
            .getReason());
  }

  @Test
  void deadline_ofTheClient_isKept() {
    server.engine().hold = true;

    StatusRuntimeException late =
        assertThrows(
            StatusRuntimeException.class,
            () -> server.ids().withDeadlineAfter(50, TimeUnit.MILLISECONDS).nextID(one("default")));

    assertEquals(Status.Code.DEADLINE_EXCEEDED, late.getStatus().getCode());
  }

  @Test
  void refusals_areCounted() {
    refused(() -> server.ids().nextID(one("")));
    refused(() -> server.ids().nextID(one("order")));
    refused(() -> server.ids().batchNextID(batch(0)));

    var meters = server.http.service.meters();
    assertEquals(1, meters.withoutTag(ServiceReason.INVALID_TAG));
    assertEquals(1, meters.withoutTag(ServiceReason.UNKNOWN_TAG));
  }

  @ParameterizedTest
  @CsvSource({
    "'', UNAUTHENTICATED",
    "Bearer wrong, UNAUTHENTICATED",
    "Basic abc, UNAUTHENTICATED",
    "Bearer token-of-the-web-shop, OK",
    "bearer token-of-the-web-shop, OK",
    "Bearer token-of-the-operator, PERMISSION_DENIED"
  })
  void token_asItIs_decides(String header, Status.Code code) {
    Callers callers =
        new Callers(
            Map.of(
                Callers.sha256("token-of-the-web-shop"),
                new Caller("web", Set.of(Right.ISSUE), List.of("default")),
                Callers.sha256("token-of-the-operator"),
                new Caller("ops", Set.of(Right.ADMIN), List.of("*"))));
    try (GrpcFixture guarded =
        new GrpcFixture(HttpFixture.LIMITS, GrpcFixture.LIMITS, callers, true)) {
      Metadata metadata = new Metadata();
      if (!header.isEmpty()) {
        metadata.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), header);
      }
      var stub =
          guarded.ids().withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata));
      Status.Code got = Status.Code.OK;
      try {
        stub.nextID(one("default"));
      } catch (StatusRuntimeException e) {
        got = e.getStatus().getCode();
        assertFalse(String.valueOf(e.getMessage()).contains("token-of"), e.getMessage());
      }
      assertEquals(code, got);
    }
  }

  /** Of two, one that checks tokens in front of the server may have looked at the other. */
  @Test
  void token_givenTwice_isRefused() {
    Callers callers =
        new Callers(
            Map.of(
                Callers.sha256("token-of-the-web-shop"),
                new Caller("web", Set.of(Right.ISSUE), List.of("default"))));
    Metadata.Key<String> key = Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    Metadata metadata = new Metadata();
    metadata.put(key, "Bearer token-of-the-web-shop");
    metadata.put(key, "Bearer token-of-the-web-shop");
    try (GrpcFixture guarded =
        new GrpcFixture(HttpFixture.LIMITS, GrpcFixture.LIMITS, callers, true)) {
      var stub =
          guarded.ids().withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata));
      StatusRuntimeException refusal =
          assertThrows(StatusRuntimeException.class, () -> stub.nextID(one("default")));
      assertEquals(Status.Code.UNAUTHENTICATED, refusal.getStatus().getCode());
    }
  }

  @Test
  void reasons_allHaveAStatus() {
    for (ServiceReason reason : ServiceReason.values()) {
      assertTrue(Code.of(reason).number() > 0, reason.name());
    }
  }
}
