package dev.idgen.check.simulation;

import dev.idgen.server.service.Tag;
import dev.idgen.server.service.TagAdmin;
import dev.idgen.server.service.TagChange;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.TagRow;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Administrators who make, change, raise and remove tags, each at whatever server. */
final class TagErrands {
  private final TagCluster cluster;
  private final World world;
  private final SplittableRandom random;
  private final TagPlan plan;
  private final Map<String, Set<TagErrand<?>>> open = new LinkedHashMap<>(); // by tag
  private long restUntilNanos;

  TagErrands(TagCluster cluster, TagPlan plan) {
    this.cluster = cluster;
    this.world = cluster.world();
    this.random = world.random();
    this.plan = plan;
    for (SegmentTerms tag : plan.tags) {
      open.put(tag.tag(), new LinkedHashSet<>());
      world.inMillis(random.nextLong(3_000), () -> first(tag));
    }
    next();
  }

  private void next() {
    long gap = world.scaled(1, 2 * plan.errandGapMs);
    if (world.nowNanos() / World.MILLI + gap < plan.faultsEndMs) {
      world.inMillis(
          gap,
          () -> {
            if (world.nowNanos() >= restUntilNanos) {
              any();
            }
            next();
          });
    }
  }

  private void first(SegmentTerms tag) {
    if (world.nowNanos() < restUntilNanos) {
      world.inMillis(1_000, () -> first(tag));
    } else {
      make(tag);
    }
  }

  /** Nobody asks for anything for a while. */
  void rest(long millis) {
    restUntilNanos = world.nowNanos() + millis * World.MILLI;
  }

  /** Whether nobody waits for an answer. */
  boolean idle() {
    return open.values().stream().allMatch(some -> some.stream().allMatch(TagErrand::done));
  }

  void requireAnswers() {
    if (!idle()) {
      throw world.fail("administrators wait: " + open + " (expected: all answered by now)");
    }
  }

  private void any() {
    SegmentTerms tag = plan.tags.get(random.nextInt(plan.tags.size()));
    int kind = random.nextInt(100);
    if (kind < 30) {
      make(tag);
    } else if (kind < 50) {
      raise(tag);
    } else if (kind < 75) {
      remove(tag);
    } else {
      change(tag);
    }
  }

  private void begin(String tag, TagErrand<?> errand) {
    Set<TagErrand<?>> some = open.getOrDefault(tag, Set.of());
    some.removeIf(TagErrand::done);
    if (some.isEmpty() || plan.crowded) {
      some.add(errand);
      errand.attempt();
    }
  }

  // ---- making and changing

  void make(SegmentTerms tag) {
    put(tag, "make ", plan.options.step());
  }

  private void change(SegmentTerms tag) {
    put(tag, "change ", 1 + random.nextLong(plan.options.stepMax()));
  }

  private void put(SegmentTerms tag, String what, long step) {
    TagChange change =
        new TagChange(
            "segment",
            null,
            null,
            tag.start(),
            tag.maximum(),
            step,
            plan.options.stepMin(),
            plan.options.stepMax(),
            false,
            null,
            null,
            null,
            null);
    begin(
        tag.tag(),
        new TagErrand<>(
            cluster,
            what + tag.tag() + " " + step,
            admin -> admin.put(tag.tag(), change, null, false),
            this::made));
  }

  /** Known to the server that answered. */
  private void made(TagServer server, TagAdmin.Put put, boolean knew) {
    TagRow row = put.row();
    boolean gone = cluster.tags().wroteAfter(row.tag(), row.revision(), true);
    if (knew && server.find(row.tag()) == null && !gone && !lost(server, row)) {
      throw server.wrong(row.tag(), "does not know it", "what it has just answered");
    }
  }

  /** The store of tags has forgotten it since, or before, and the server has not heard of that. */
  private boolean lost(TagServer server, TagRow row) {
    return !server.knowsThePrimary() || cluster.tags().writtenNanos(row) < 0;
  }

  // ---- raising

  /** Above what was given, or, to no effect, below. */
  private void raise(SegmentTerms tag) {
    long used = tag.start();
    for (SegmentHost host : cluster.marks()) {
      used = Math.max(used, host.used(tag));
    }
    long by = world.scaled(1, 4L * plan.databases * (tag.gap() + plan.options.stepMax()));
    long floor = world.chance(0.2) ? Math.max(tag.start(), used - by) : used + by;
    begin(
        tag.tag(),
        new TagErrand<>(
            cluster,
            "raise " + tag.tag() + " to " + floor,
            admin -> admin.raise(tag.tag(), floor, null),
            (server, row, knew) -> raised(server, row, floor, knew)));
  }

  private void raised(TagServer server, TagRow row, long floor, boolean knew) {
    cluster.judge().raised(row.tag(), floor);
    Tag known = server.find(row.tag());
    TagRow view = known == null ? null : known.row();
    if (knew && view != null && view.floor() < floor && !lost(server, row)) {
      throw server.wrong(row.tag(), "knows " + view, "the floor that it has just answered");
    }
  }

  // ---- removing

  private void remove(SegmentTerms tag) {
    begin(
        tag.tag(),
        new TagErrand<>(
            cluster, "remove " + tag.tag(), admin -> admin.remove(tag.tag(), null), this::removed));
  }

  private void removed(TagServer server, TagRow tombstone, boolean knew) {
    String tag = tombstone.tag();
    long since = cluster.tags().writtenNanos(tombstone);
    boolean back = cluster.tags().wroteAfter(tag, tombstone.revision(), false);
    if (since < 0 || back) {
      return;
    }
    cluster.judge().removed(tag, since);
    if (knew && server.find(tag) != null && !lost(server, tombstone)) {
      throw server.wrong(tag, "knows it", "nothing: it has just removed it");
    }
  }

  /** Tags that are in use by now, as the store has them. */
  List<SegmentTerms> inUse() {
    return plan.tags.stream().filter(tag -> isInUse(cluster.tags().row(tag.tag()))).toList();
  }

  private static boolean isInUse(@Nullable TagRow row) {
    return row != null && !row.removed();
  }
}
