package dev.idgen.server.grpc;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.idgen.IdRun;
import dev.idgen.grpc.v1.BatchNextIDRequest;
import dev.idgen.grpc.v1.BatchNextIDResponse;
import dev.idgen.grpc.v1.Field;
import dev.idgen.grpc.v1.InspectRequest;
import dev.idgen.grpc.v1.InspectResponse;
import dev.idgen.grpc.v1.NextIDRequest;
import dev.idgen.grpc.v1.NextIDResponse;
import dev.idgen.grpc.v1.ReserveRequest;
import dev.idgen.grpc.v1.ReserveResponse;
import dev.idgen.grpc.v1.Run;
import dev.idgen.inspect.Inspection;
import dev.idgen.inspect.ReadingField;
import dev.idgen.layout.Layout;
import dev.idgen.server.service.Caller;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.Count;
import dev.idgen.server.service.IdService;
import dev.idgen.server.service.IssueRequest;
import dev.idgen.server.service.IssueRequest.Shape;
import dev.idgen.server.service.Issued;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.server.service.Tag;
import dev.idgen.server.service.TagInspector;
import dev.idgen.server.service.TextEngine.Content;
import dev.idgen.time.TimeSource;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The calls of {@code idgen.v1.IdService}. Belongs to one event loop. */
final class IdCalls {
  private static final long MS = 1_000_000;
  private static final CharSequence IDEMPOTENCY_KEY =
      HttpHeaders.createOptimized("idempotency-key");

  /** Smaller replies are held by the connection's own limit. */
  private static final int COUNTED_BYTES = 4 << 10;

  private final Context context;
  private final Thread loop;
  private final IdService service;
  private final Callers callers;
  private final TagInspector inspector;
  private final GrpcLimits limits;
  private final TimeSource time;
  private final AtomicLong unsent;

  /**
   * Calls for the event loop that the calling thread is.
   *
   * @param unsent counts the bytes of all event loops that clients have not fetched
   */
  IdCalls(
      Context context,
      IdService service,
      Callers callers,
      Layout layout,
      GrpcLimits limits,
      TimeSource time,
      AtomicLong unsent) {
    this.context = context;
    this.loop = Thread.currentThread();
    this.service = service;
    this.callers = callers;
    this.inspector = new TagInspector(service, layout, time);
    this.limits = limits;
    this.time = time;
    this.unsent = unsent;
  }

  void nextId(Exchange exchange) {
    issue(
        exchange,
        NextIDRequest.parser(),
        (asked, call) ->
            call.issue(
                asked.getBizTag(),
                Count.ONE,
                Shape.ANY,
                content(
                    asked.hasContent() ? asked.getContent() : null,
                    asked.hasNamespace() ? asked.getNamespace() : null),
                IdCalls::one));
  }

  void batchNextId(Exchange exchange) {
    issue(
        exchange,
        BatchNextIDRequest.parser(),
        (asked, call) ->
            call.issue(
                asked.getBizTag(),
                count(asked.getCount(), limits.maxCount()),
                Shape.ANY,
                content(
                    asked.hasContent() ? asked.getContent() : null,
                    asked.hasNamespace() ? asked.getNamespace() : null),
                IdCalls::batch));
  }

  void reserve(Exchange exchange) {
    issue(
        exchange,
        ReserveRequest.parser(),
        (asked, call) ->
            call.issue(
                asked.getBizTag(),
                count(asked.getCount(), limits.maxRunsCount()),
                Shape.NUMBERS,
                null,
                IdCalls::runs));
  }

  void inspect(Exchange exchange) {
    Unary.read(
        exchange,
        InspectRequest.parser(),
        ServiceException::of,
        asked -> reply(exchange, inspected(reader(exchange), asked)));
  }

  private static Count count(int count, int max) {
    return new Count("count", Integer.toString(count), max);
  }

  private static @Nullable Content content(@Nullable String text, @Nullable String namespace) {
    if (text == null && namespace != null) {
      throw new ServiceException(
          ServiceReason.INVALID_BODY,
          "namespace: given without a content (expected: both, or neither)");
    }
    return text == null ? null : new Content(text, namespace);
  }

  /** A call for ids that cannot be understood is one that was refused. */
  private <T> void issue(Exchange exchange, Parser<T> parser, BiConsumer<T, Issue> call) {
    Issue issue;
    try {
      issue = new Issue(exchange);
      requireRoom();
    } catch (RuntimeException e) {
      exchange.refuse(service.refused(e));
      return;
    }
    Unary.read(
        exchange,
        parser,
        service::refused,
        asked -> {
          requireRoom(); // a request may take long to come
          call.accept(asked, issue);
        });
  }

  private void requireRoom() {
    if (unsent.get() > limits.maxUnsentBytes()) {
      throw new ServiceException(
          ServiceReason.OVERLOADED,
          "unsent replies: more than "
              + limits.maxUnsentBytes()
              + " bytes (expected: clients that fetch what they asked for)",
          1000);
    }
  }

  /** A call for ids: who asks, and how long they wait. */
  private final class Issue {
    private final Exchange exchange;
    private final Caller caller;
    private final long waitNanos;
    private final long begunNanos;

    Issue(Exchange exchange) {
      this.exchange = exchange;
      this.waitNanos = Timeout.nanos(exchange.metadata(Timeout.HEADER));
      this.begunNanos = waitNanos == Timeout.NONE ? 0 : time.monotonicNanos();
      this.caller =
          callers.open()
              ? Caller.ANYBODY
              : callers.ofHeaders(exchange.all(HttpHeaders.AUTHORIZATION));
    }

    void issue(
        String bizTag,
        Count count,
        Shape shape,
        @Nullable Content content,
        Function<Issued, MessageLite> encoder) {
      if (bizTag.isEmpty()) {
        throw new ServiceException(ServiceReason.INVALID_TAG, "biz_tag is required");
      }
      long left = leftNanos();
      if (left <= 0) {
        throw late();
      }
      String key = exchange.only(IDEMPOTENCY_KEY);
      CompletableFuture<Issued> issued =
          service
              .issue(new IssueRequest(caller, bizTag, count, shape, content, key, left))
              .toCompletableFuture();
      if (issued.isDone() && !issued.isCompletedExceptionally()) {
        answer(issued.join(), null, encoder); // at once, as nearly always
        return;
      }
      if (left != Timeout.NONE && !issued.isDone()) {
        giveUpIn(left, issued);
      }
      var unused =
          issued.whenComplete((ids, failure) -> onLoop(() -> answer(ids, failure, encoder)));
    }

    private long leftNanos() {
      return waitNanos == Timeout.NONE
          ? Timeout.NONE
          : waitNanos - (time.monotonicNanos() - begunNanos);
    }

    private ServiceException late() {
      return new ServiceException(
          ServiceReason.DEADLINE,
          "grpc-timeout: "
              + exchange.metadata(Timeout.HEADER)
              + " has passed (expected: as long as the ids take)");
    }

    /** The engine gives up by itself; should it be late, the caller is not kept waiting. */
    private void giveUpIn(long nanos, CompletableFuture<Issued> issued) {
      Vertx vertx = context.owner();
      long timer =
          vertx.setTimer(Math.max(1, (nanos + MS - 1) / MS), late -> exchange.refuse(late()));
      var unused = issued.whenComplete((ids, failure) -> vertx.cancelTimer(timer));
    }

    private void answer(
        @Nullable Issued issued,
        @Nullable Throwable failure,
        Function<Issued, MessageLite> encoder) {
      if (issued == null) {
        exchange.refuse(failure == null ? late() : failure);
        return;
      }
      try {
        requireRoom(); // others may have taken it while this call waited: its ids are a gap
        reply(exchange, encoder.apply(issued));
      } catch (RuntimeException e) {
        exchange.refuse(e);
      }
    }
  }

  /** Ids that were waited for arrive on a timer's thread; replies are the event loop's. */
  private void onLoop(Runnable reply) {
    if (Thread.currentThread() == loop) {
      reply.run();
    } else {
      context.runOnContext(ignored -> reply.run());
    }
  }

  /** Counted first: whoever looks while it is on its way must not find the room that it takes. */
  private void reply(Exchange exchange, MessageLite message) {
    int bytes = message.getSerializedSize();
    if (bytes <= COUNTED_BYTES) {
      var unused = exchange.reply(message);
      return;
    }
    unsent.addAndGet(bytes);
    try {
      exchange.reply(message).onComplete(done -> unsent.addAndGet(-bytes));
    } catch (RuntimeException e) {
      unsent.addAndGet(-bytes);
      throw e;
    }
  }

  private static NextIDResponse one(Issued issued) {
    Tag tag = issued.tag();
    NextIDResponse.Builder reply = NextIDResponse.newBuilder().setEngine(engine(tag));
    if (!issued.numbers()) {
      return reply.setText(issued.texts().get(0)).build();
    }
    if (!tag.opaque()) { // whoever hides a number does not send it along
      reply.setId(issued.first());
    }
    return reply.setText(tag.written(issued.first())).build();
  }

  private static BatchNextIDResponse batch(Issued issued) {
    Tag tag = issued.tag();
    BatchNextIDResponse.Builder reply = BatchNextIDResponse.newBuilder().setEngine(engine(tag));
    for (IdRun run : issued.runs()) {
      long id = run.first();
      for (int i = 0; i < run.count(); i++, id += run.stride()) {
        if (!tag.opaque()) {
          reply.addIds(id);
        }
        reply.addTexts(tag.written(id));
      }
    }
    return reply.addAllTexts(issued.texts()).build();
  }

  private static ReserveResponse runs(Issued issued) {
    ReserveResponse.Builder reply = ReserveResponse.newBuilder().setEngine(engine(issued.tag()));
    for (IdRun run : issued.runs()) {
      reply.addRuns(
          Run.newBuilder().setFirst(run.first()).setCount(run.count()).setStride(run.stride()));
    }
    return reply.build();
  }

  private static String engine(Tag tag) {
    return tag.engine().kind().word();
  }

  /** Nobody is refused what any text tells; tags are for those who may know them. */
  private Caller reader(Exchange exchange) {
    return callers.open()
        ? Caller.ANYBODY
        : callers.ofHeadersOrNobody(exchange.all(HttpHeaders.AUTHORIZATION));
  }

  private InspectResponse inspected(Caller caller, InspectRequest asked) {
    Inspection inspection =
        inspector.inspect(caller, asked.getText(), asked.hasLayout() ? asked.getLayout() : null);
    InspectResponse.Builder reply = InspectResponse.newBuilder().setKind(inspection.kind());
    for (ReadingField field : inspection.best().fields()) {
      reply.addFields(
          Field.newBuilder().setName(field.name()).setValue(field.value()).setBits(field.bits()));
    }
    Instant made = inspection.best().time();
    return reply
        .setForm(inspection.best().form())
        .setTime(made == null ? "" : made.toString())
        .build();
  }
}
