package dev.idgen.check.simulation;

import dev.idgen.IdBatch;
import dev.idgen.IdRun;
import dev.idgen.store.SegmentRow;
import dev.idgen.store.SegmentTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The judge of one tag: all that was ever issued or held of it, over all processes and databases,
 * and what must hold of that.
 */
final class TagLedger {
  private static final long NEVER = Long.MAX_VALUE;

  private final World world;
  private final SegmentTerms terms;
  private final IdTable ids = new IdTable();

  /** By database, then by first id: what any engine was ever told to be its own. */
  private final List<NavigableMap<Long, Held>> held = new ArrayList<>();

  private final long[] tombstones; // by database: version of the row
  private long floor;
  private boolean unique = true;
  private long answered = -1;
  private long issued;
  private long refusals;

  TagLedger(World world, SegmentTag tag) {
    this.world = world;
    this.terms = tag.any();
    this.tombstones = new long[tag.terms().size()];
    for (int i = 0; i < tombstones.length; i++) {
      held.add(new TreeMap<>());
      tombstones[i] = NEVER;
    }
  }

  private record Held(long first, long lastInclusive, int process) {
    @Override
    public String toString() {
      return first + ".." + lastInclusive + " of process " + process;
    }
  }

  /** A store has lost writes and nobody was told: from now on only order in a process counts. */
  void unnoticed() {
    unique = false;
  }

  /** A caller, wherever it is, has got ids up to this one. */
  void answered(long id) {
    answered = Math.max(answered, id);
  }

  /** The highest id that any caller has got: in a strict sequence, all later ones are above. */
  long answered() {
    return unique ? answered : -1;
  }

  /** Whether what a store may lose is still covered. */
  boolean unique() {
    return unique;
  }

  /** Every process knows of a floor now. */
  void raised(long to) {
    floor = Math.max(floor, to);
    world.note(-1, "raised for all: " + terms.tag(), to, 0);
  }

  /** The tag was removed; this is its tombstone. */
  void removed(int database, SegmentRow row) {
    tombstones[database] = row.version();
    world.note(-1, "removed: " + terms.tag(), row.maxId(), row.version());
  }

  /** A store has written this row when it gave ids. */
  void allocated(int database, SegmentRow row) {
    if (row.version() > tombstones[database]) {
      throw world.fail(
          "tag: "
              + terms.tag()
              + ": ids up to "
              + row.maxId()
              + " (expected: none, it was removed)");
    }
  }

  // ---- what engines hold

  /**
   * An engine holds ids from now on.
   *
   * @param above the highest that it was given before
   * @return the highest of them
   */
  long holds(int database, int process, long first, long count, long above) {
    Held more = new Held(first, first + (count - 1) * terms.modulus(), process);
    requireIn(first, database, process);
    requireIn(more.lastInclusive, database, process);
    if (first <= above) {
      throw wrong(more.toString(), "above " + above);
    }
    if (unique) {
      requireAlone(held.get(database), more);
      held.get(database).put(first, more);
    }
    return more.lastInclusive;
  }

  private void requireAlone(NavigableMap<Long, Held> all, Held more) {
    Map.Entry<Long, Held> before = all.floorEntry(more.lastInclusive);
    if (before != null && before.getValue().lastInclusive >= more.first) {
      throw wrong(more.toString(), "not those of " + before.getValue());
    }
  }

  // ---- what callers get

  /** Ids that a caller got, as {@link #issued(int, int, long, long)}. */
  long issued(int database, int process, IdBatch batch, long above) {
    long last = above;
    for (IdRun run : batch.runs()) {
      for (int i = 0; i < run.count(); i++) {
        last = issued(database, process, run.get(i), last);
      }
    }
    return last;
  }

  /**
   * One id that a caller got.
   *
   * @param above an id that was issued before this one was asked for
   * @return the id
   */
  long issued(int database, int process, long id, long above) {
    requireIn(id, database, process);
    issued++;
    if (id <= above) {
      throw wrong(id + " of process " + process, "above " + above);
    }
    if (unique) {
      requireNew(id, process);
      requireAboveTheFloor(id, process);
    }
    return id;
  }

  private void requireIn(long id, int database, int process) {
    boolean inside = id >= terms.start() && id <= terms.maximum();
    if (!inside || id % terms.modulus() != database) {
      throw wrong(
          id + " of process " + process,
          terms.start()
              + ".."
              + terms.maximum()
              + ", modulo "
              + terms.modulus()
              + " equal to "
              + database);
    }
  }

  private void requireNew(long id, int process) {
    int before = ids.add(id, process, world.nowNanos());
    if (before >= 0) {
      throw wrong(
          id + " of process " + process,
          "not twice: by process "
              + ids.ownerAt(before)
              + " at "
              + ids.nanosAt(before) / 1e6
              + " ms");
    }
  }

  private void requireAboveTheFloor(long id, int process) {
    if (id < floor) {
      throw wrong(id + " of process " + process, "not below " + floor + ", which every node knows");
    }
  }

  private Violation wrong(String what, String expected) {
    return world.fail("tag: " + terms.tag() + ": " + what + " (expected: " + expected + ")");
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
}
