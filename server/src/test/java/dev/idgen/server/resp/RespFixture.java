package dev.idgen.server.resp;

import dev.idgen.layout.Layout;
import dev.idgen.layout.Layouts;
import dev.idgen.server.service.Callers;
import dev.idgen.server.service.EngineKind;
import dev.idgen.server.service.IdService;
import dev.idgen.server.service.ServiceLimits;
import dev.idgen.server.service.TagDirectory;
import dev.idgen.server.service.TagEngine;
import dev.idgen.server.service.TagRows;
import dev.idgen.server.service.TagTexts;
import dev.idgen.server.service.TextEngine;
import dev.idgen.store.TagRow;
import dev.idgen.text.Text;
import dev.idgen.time.TimeSource;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A real transport on a free port of loopback. The tag {@code default} is a snowflake one; there is
 * one of each engine, by the engine's word. Opaque texts hide nothing: they are base 62.
 */
final class RespFixture implements AutoCloseable {
  static final Layout LAYOUT = Layouts.IDGEN;
  static final RespLimits LIMITS =
      new RespLimits(10_000, 10_000, 64 << 10, 15_000, 600_000, 10_000, 32 << 20);

  /** Timeouts that a test can wait for. */
  static final RespLimits HASTY =
      new RespLimits(10_000, 10_000, 64 << 10, 600, 1_500, 10_000, 32 << 20);

  /** One for all tests: they end with the process. */
  private static final Vertx VERTX =
      Vertx.vertx(
          new VertxOptions()
              .setEventLoopPoolSize(2)
              .setFileSystemOptions(
                  new FileSystemOptions()
                      .setClassPathResolvingEnabled(false)
                      .setFileCachingEnabled(false)));

  private final Map<String, TestEngine> engines = new ConcurrentHashMap<>();
  final TagDirectory tags;
  final IdService service;
  final RespTransport transport;
  final int port;

  RespFixture() {
    this(LIMITS, Callers.OPEN);
  }

  RespFixture(RespLimits limits, Callers callers) {
    this(limits, callers, 64 << 20);
  }

  RespFixture(RespLimits limits, Callers callers, long maxUnreadBytes) {
    tags =
        new TagDirectory(
            TagRows.of("default", "snowflake"),
            this::made,
            new TagTexts(tag -> Text.prefixed("k_", Text.BASE62)),
            TimeSource.system(),
            "");
    for (EngineKind kind : EngineKind.values()) {
      put(
          withText(
              TagRows.of(kind.word(), kind.word()), kind.numbers() ? "decimal" : "native", ""));
    }
    service =
        new IdService(
            tags,
            null,
            () -> engine("default").health(),
            new ServiceLimits(20_000, maxUnreadBytes),
            TimeSource.system());
    transport = new RespTransport(VERTX, service, callers, LAYOUT, limits, TimeSource.system());
    port = transport.start("127.0.0.1", 0).await();
  }

  private TagEngine made(TagRow row, EngineKind kind) {
    return kind.numbers()
        ? engines.computeIfAbsent(row.tag(), name -> new TestEngine(kind))
        : new Texts(kind);
  }

  /** The engine of a tag of numbers. */
  TestEngine engine(String tag) {
    TestEngine engine = engines.get(tag);
    if (engine == null) {
      throw new IllegalArgumentException("tag: " + tag);
    }
    return engine;
  }

  void put(TagRow row) {
    tags.apply(row);
  }

  /** A row, as its tag writes its ids. */
  static TagRow withText(TagRow row, String text, String prefix) {
    return new TagRow(
        row.tag(),
        row.engine(),
        text,
        prefix,
        row.start(),
        row.maximum(),
        row.step(),
        row.stepMin(),
        row.stepMax(),
        row.critical(),
        0,
        0,
        "",
        "",
        0,
        1,
        1,
        false,
        0,
        0);
  }

  RespClient client() {
    return new RespClient(port);
  }

  @Override
  public void close() {
    transport.stop(0).await();
  }

  /** Texts that count up. */
  private record Texts(EngineKind kind, AtomicLong next) implements TextEngine {
    Texts(EngineKind kind) {
      this(kind, new AtomicLong());
    }

    @Override
    public String next(@Nullable Content content) {
      return kind.word() + "-" + next.incrementAndGet();
    }
  }
}
