package dev.idgen.check.simulation;

import dev.idgen.IdBatch;
import dev.idgen.IdRun;
import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentTerms;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The judge of all tags: what databases give, what servers issue, and what must hold of that. */
final class TagJudge {
  private final World world;
  private final int databases;
  private final Map<String, SegmentTerms> tags = new HashMap<>();
  private final Map<String, IdTable> ids = new HashMap<>(); // by tag, of what callers got
  private final Map<String, Long> given = new HashMap<>(); // the highest, by database and tag
  private final Map<String, Long> floors = new HashMap<>(); // that were acknowledged, by tag
  private final Set<String> removed = new HashSet<>(); // acknowledged, and not made again since
  private final Map<String, Long> revivedNanos = new HashMap<>(); // by tag
  private long issued;
  private long refusals;

  TagJudge(World world, TagPlan plan) {
    this.world = world;
    this.databases = plan.databases;
    for (SegmentTerms terms : plan.tags) {
      tags.put(terms.tag(), terms);
      ids.put(terms.tag(), new IdTable());
    }
  }

  // ---- what databases do

  /** A database has given ids, whether or not anybody hears of it. */
  void given(int database, String tag, SegmentReply.Granted granted) {
    world.note(database, tag, granted.first(), granted.count());
    String key = database + "/" + tag;
    long highest = given.getOrDefault(key, -1L);
    if (granted.first() <= highest) {
      throw wrong(tag, granted.first() + " of database " + key, "above " + highest);
    }
    if (granted.first() % databases != database || granted.stride() != databases) {
      throw wrong(
          tag,
          granted + " of database " + database,
          "ids that are " + database + " of " + databases);
    }
    if (granted.first() < floors.getOrDefault(tag, 0L)) {
      throw wrong(tag, granted.first() + " of database " + key, "not below " + floors.get(tag));
    }
    if (removed.contains(tag)) {
      throw wrong(tag, granted.first() + " of database " + key, "nothing: the tag was removed");
    }
    given.put(key, granted.lastInclusive());
  }

  /** A database lets a tag be used again. */
  void revived(String tag) {
    removed.remove(tag);
    revivedNanos.put(tag, world.nowNanos());
  }

  // ---- what administrators were told

  void raised(String tag, long floor) {
    floors.merge(tag, floor, Math::max);
    world.note(-1, "raise acknowledged: " + tag, floor, 0);
  }

  /**
   * A removal that was written at a time. If the tag is being made again since, nothing follows.
   */
  void removed(String tag, long sinceNanos) {
    if (revivedNanos.getOrDefault(tag, -1L) < sinceNanos) {
      removed.add(tag);
    }
    world.note(-1, "removal acknowledged: " + tag, 0, 0);
  }

  // ---- what callers get

  /**
   * Ids that a caller got.
   *
   * @param above an id that the same server had issued before these were asked for
   * @param floor the tag's, as the server knows it
   * @return the last of them
   */
  long issued(String tag, TagServer server, IdBatch batch, long above, long floor) {
    long last = above;
    for (IdRun run : batch.runs()) {
      for (int i = 0; i < run.count(); i++) {
        last = issued(tag, server, run.get(i), last, floor);
      }
    }
    return last;
  }

  /** One id that a caller got, as {@link #issued(String, TagServer, IdBatch, long, long)}. */
  long issued(String tag, TagServer server, long id, long above, long floor) {
    issued++;
    if (id <= above) {
      throw wrong(tag, id + " of " + server.name(), "above " + above);
    }
    if (id < floor) {
      throw wrong(tag, id + " of " + server.name(), "not below " + floor + ", which it knows");
    }
    IdTable table = table(tag);
    int before = table.add(id, server.number(), world.nowNanos());
    if (before >= 0) {
      throw wrong(
          tag,
          id + " of " + server.name(),
          "not twice: by process "
              + table.ownerAt(before)
              + " at "
              + table.nanosAt(before) / 1e6
              + " ms");
    }
    return id;
  }

  private IdTable table(String tag) {
    IdTable table = ids.get(tag);
    if (table == null) {
      throw wrong(tag, "ids", "none: the plan has no such tag");
    }
    return table;
  }

  void refused() {
    refusals++;
  }

  long issued() {
    return issued;
  }

  long refusals() {
    return refusals;
  }

  Violation wrong(String tag, String what, String expected) {
    return world.fail("tag: " + tag + ": " + what + " (expected: " + expected + ")");
  }
}
