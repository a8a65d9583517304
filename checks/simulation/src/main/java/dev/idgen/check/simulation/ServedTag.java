package dev.idgen.check.simulation;

import dev.idgen.IdBatch;
import dev.idgen.segment.SegmentEngine;
import dev.idgen.segment.SegmentEvents;
import dev.idgen.segment.SegmentOptions;
import dev.idgen.server.service.EngineHealth;
import dev.idgen.server.service.EngineKind;
import dev.idgen.server.service.NumberEngine;
import dev.idgen.server.service.Tag;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.TagRow;
import java.util.concurrent.CompletionStage;

/** A real segment engine behind a tag of a server; what it issues goes to the judge. */
final class ServedTag implements NumberEngine {
  private final World world;
  private final TagJudge judge;
  private final TagServer server;
  private final String tag;
  private final SegmentOptions options;
  private final SegmentEngine engine;

  ServedTag(TagCluster cluster, TagServer server, TagRow row, SegmentTerms terms) {
    this.world = cluster.world();
    this.judge = cluster.judge();
    this.server = server;
    this.tag = row.tag();
    this.options =
        cluster
            .plan()
            .options
            .withSteps(row.step(), row.stepMin(), row.stepMax())
            .withCritical(row.critical());
    this.engine =
        new SegmentEngine(
            terms,
            options,
            server.segments(),
            server.breaker(),
            server.time(),
            server.scheduler(),
            new Notes());
  }

  private final class Notes implements SegmentEvents {
    @Override
    public void fetchFailed(String why) {
      world.note(server.number(), "fetch failed: " + why, 0, 0);
    }
  }

  @Override
  public EngineKind kind() {
    return EngineKind.SEGMENT;
  }

  @Override
  public long tryNext() {
    long above = server.highest(tag);
    long id = engine.tryNext();
    if (id >= 0) {
      server.issued(tag, judge.issued(tag, server, id, above, floorNow()));
    }
    return id;
  }

  @Override
  public CompletionStage<IdBatch> nextAsync(int count, long waitNanos) {
    long above = server.highest(tag);
    long begun = world.nowNanos();
    long stalled = server.stalledNanos();
    return engine
        .nextAsync(count, waitNanos)
        .whenComplete(
            (batch, failure) -> {
              server.requireInTime(begun, stalled, waitNanos);
              if (failure == null) {
                server.issued(tag, judge.issued(tag, server, batch, above, floorNow()));
              }
            });
  }

  /** The floor that the server knows of; it must know this very engine. */
  private long floorNow() {
    Tag now = server.find(tag);
    TagRow row = now == null ? null : now.row();
    if (now == null || row == null || now.engine() != this) {
      throw judge.wrong(tag, server.name() + " issues", "nothing: it was removed or replaced");
    }
    return row.floor();
  }

  @Override
  public long waitNanos() {
    return options.waitMs() * World.MILLI;
  }

  @Override
  public EngineHealth health() {
    return EngineHealth.WELL;
  }

  @Override
  public void raiseTo(long floor) {
    engine.raiseTo(floor);
  }

  @Override
  public void close() {
    engine.close();
  }
}
