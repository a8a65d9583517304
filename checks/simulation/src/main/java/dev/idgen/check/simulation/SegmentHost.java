package dev.idgen.check.simulation;

import dev.idgen.store.Residue;
import dev.idgen.store.SegmentRow;
import dev.idgen.store.SegmentStore;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.memory.MemorySegmentStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where one database of marks runs: a primary, and what a standby knew some time ago.
 *
 * <p>The standby never lags by more ids of a tag than the tag's gap, nor by a tag that was removed
 * or made again: that is what the gap promises to cover, a floor that an administrator raised
 * included. What several failovers in a row have lost counts as one loss until an allocation has
 * left out the gap, and that allocation is known to the standby at once, being above the gap. A
 * standby that lags by more is outside the promise, and so is one that loses a tombstone.
 */
final class SegmentHost implements Server<SegmentStore> {
  private final World world;
  private final List<SegmentTerms> tags;
  private final String name;
  private final Map<String, Long> highest = new HashMap<>(); // by tag, of what was ever given
  private final MemorySegmentStore empty;
  private MemorySegmentStore primary;
  private MemorySegmentStore standby;
  private String identity;
  private int identities;
  private boolean down;
  private boolean hangs;
  private final List<Runnable> waiting = new ArrayList<>(); // while it hangs

  SegmentHost(World world, int number, List<SegmentTerms> tags) {
    this.world = world;
    this.tags = tags;
    this.name = "database-" + number + "-";
    this.identity = next();
    this.primary = new MemorySegmentStore(identity);
    this.empty = primary.replica(identity);
    this.standby = empty;
  }

  private String next() {
    return name + ++identities;
  }

  /** An operator has said which of several databases this is; not even a wipe takes that away. */
  void bind() {
    SegmentTerms terms = tags.get(0);
    Residue residue = new Residue(terms.modulus(), terms.residue());
    for (MemorySegmentStore store : List.of(empty, primary)) {
      store.residue(terms.namespace(), residue).toCompletableFuture().join();
    }
  }

  @Override
  public boolean down() {
    return down;
  }

  void down(boolean yes) {
    down = yes;
    world.note(-1, yes ? "store down" : "store up", 0, 0);
  }

  @Override
  public boolean hangs() {
    return hangs;
  }

  @Override
  public void whenItGoesOn(Runnable work) {
    waiting.add(work);
  }

  void hang(boolean yes) {
    hangs = yes;
    world.note(-1, yes ? "store hangs" : "store goes on", 0, 0);
    if (!yes) {
      List<Runnable> due = List.copyOf(waiting);
      waiting.clear();
      due.forEach(Runnable::run);
    }
  }

  @Override
  public <R> CompletionStage<R> apply(Function<SegmentStore, CompletionStage<R>> operation) {
    CompletionStage<R> answer = operation.apply(primary);
    tags.forEach(terms -> highest.merge(terms.tag(), used(terms), Math::max));
    if (lagging(standby)) {
      replicate();
    }
    return answer;
  }

  private boolean lagging(MemorySegmentStore behind) {
    for (SegmentTerms terms : tags) {
      SegmentRow now = row(primary, terms);
      SegmentRow then = row(behind, terms);
      if (isRemoved(now) != isRemoved(then) || highest(terms) - used(then, terms) > reach(terms)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isRemoved(@Nullable SegmentRow row) {
    return row != null && row.removed();
  }

  /** How far a gap reaches: its ids are a modulus apart. */
  private static long reach(SegmentTerms terms) {
    return terms.gap() * terms.modulus();
  }

  /** Higher than what the primary knows if a loss has not been followed by its gap yet. */
  private long highest(SegmentTerms terms) {
    return highest.getOrDefault(terms.tag(), terms.start() - 1);
  }

  private static @Nullable SegmentRow row(MemorySegmentStore store, SegmentTerms terms) {
    return store.read(terms.namespace(), terms.tag()).toCompletableFuture().join();
  }

  private static long used(@Nullable SegmentRow row, SegmentTerms terms) {
    long none = terms.start() - 1;
    return row == null ? none : Math.max(none, Math.max(row.maxId(), row.floor() - 1));
  }

  /** No id above it was given, by what the primary knows. */
  long used(SegmentTerms terms) {
    return used(row(primary, terms), terms);
  }

  /**
   * Whether the tag may rightly say that it has ended: a gap and so many ids more, and it has.
   *
   * @param ids that somebody wants at once
   */
  boolean mayEnd(SegmentTerms terms, int ids) {
    SegmentRow row = row(primary, terms);
    return (row != null && row.removed())
        || highest(terms) > terms.maximum() - reach(terms) - (long) terms.modulus() * ids;
  }

  // ---- losses

  /** The standby has caught up to here. */
  void replicate() {
    standby = primary.replica(identity);
  }

  /** The standby takes over, without what it had not heard of. */
  void failOver() {
    promote(standby, next());
    world.note(-1, "failover", identities, 0);
  }

  /** What the standby knew is put in the primary's place, and the operator says so at once. */
  void restoreAndFence() {
    promote(standby, identity);
    primary.fence();
    world.note(-1, "restored and fenced", 0, 0);
  }

  /** As {@link #restoreAndFence}, but nobody says anything: outside of what is promised. */
  void restoreUnnoticed() {
    promote(standby, identity);
    world.note(-1, "restored unnoticed", 0, 0);
  }

  /** All rows are gone, if the gaps are for as much; a changed identity or a fence tells of it. */
  void wipe(boolean fenced) {
    if (lagging(empty)) {
      return;
    }
    promote(empty, fenced ? identity : next());
    if (fenced) {
      primary.fence();
    }
    world.note(-1, "wiped", identities, fenced ? 1 : 0);
  }

  /** An operator who would rather be sure. */
  void fence() {
    primary.fence();
    world.note(-1, "fence", 0, 0);
  }

  private void promote(MemorySegmentStore heir, String as) {
    primary.close();
    identity = as;
    primary = heir.replica(as);
    replicate();
  }
}
