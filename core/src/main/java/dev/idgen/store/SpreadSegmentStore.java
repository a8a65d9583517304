package dev.idgen.store;

import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Marks of tags over several databases, so that one may be away: database k of n gives the ids that
 * are k modulo n. Thread-safe.
 *
 * <p>A process stays with one database while that is well, since its ids must rise and each change
 * leaves out what the next database has not given yet. One that fails is left alone for a while,
 * and is asked again only after it has said, besides, which of how many it is: with another number
 * it would give ids a second time, and is never used. Regions compose with databases: of R regions
 * the ids of region r are r modulo R in every database.
 */
public final class SpreadSegmentStore implements SegmentStore {
  private final int regions;
  private final int region;
  private final List<SpreadDatabase> databases;
  private final long patienceNanos;
  private final Scheduler scheduler;

  /**
   * The highest id that this process was given by any of them, by tag: an engine that takes the
   * place of another one, at another database perhaps, goes on above.
   */
  private final Map<String, Long> highest = new ConcurrentHashMap<>();

  private volatile int present; // the database that this process stays with

  /**
   * Marks over databases that are asked when they are needed.
   *
   * @param stores in an order that never changes, 1 or more; closed with this one
   * @param regions how many regions share the ids, 1 or more
   * @param region which of them this is, 0..regions-1
   * @param first the database to begin with: processes should differ
   * @param patienceNanos how long one may take before the next one is tried beside, 1 or more
   * @param time of which only monotonic time is asked
   * @param scheduler runs out patience
   * @param events told about databases
   */
  public SpreadSegmentStore(
      String namespace,
      List<SegmentStore> stores,
      int regions,
      int region,
      int first,
      long patienceNanos,
      TimeSource time,
      Scheduler scheduler,
      SpreadEvents events) {
    if (regions < 1 || region < 0 || region >= regions) {
      throw new IllegalArgumentException(
          "region: " + region + " of " + regions + " (expected: 0..regions-1)");
    }
    if (stores.isEmpty()) {
      throw new IllegalArgumentException("stores: 0 (expected: >= 1)");
    }
    if (patienceNanos < 1) {
      throw new IllegalArgumentException("patienceNanos: " + patienceNanos + " (expected: >= 1)");
    }
    this.regions = regions;
    this.region = region;
    this.patienceNanos = patienceNanos;
    this.scheduler = scheduler;
    this.present = Math.floorMod(first, stores.size());
    List<SpreadDatabase> all = new ArrayList<>();
    for (SegmentStore store : stores) {
      Residue residue = new Residue(regions * stores.size(), region + regions * all.size());
      all.add(new SpreadDatabase(namespace, all.size(), store, residue, time, events));
    }
    this.databases = List.copyOf(all);
  }

  /** How far neighbours of a segment are apart: regions times databases. */
  public int modulus() {
    return regions * databases.size();
  }

  /**
   * Asks every database which one it is.
   *
   * @return completes when one of them may be used; fails, with a permanent {@link StoreException},
   *     if one is another than it should be or refuses for good, and with another one if none can
   *     be reached
   */
  public CompletionStage<Void> check() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    List<CompletableFuture<Boolean>> answers = new ArrayList<>();
    for (SpreadDatabase database : databases) {
      answers.add(database.askAtOnce().toCompletableFuture());
    }
    var unused =
        CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0]))
            .whenComplete((nothing, failure) -> conclude(done));
    return done;
  }

  private void conclude(CompletableFuture<Void> done) {
    StoreException none = null;
    boolean one = false;
    for (SpreadDatabase database : databases) {
      boolean well = database.well();
      one |= well;
      if (!well) {
        StoreException refusal = database.refusal();
        none = none == null || refusal.permanent() ? refusal : none;
      }
    }
    if (none != null && (none.permanent() || !one)) {
      done.completeExceptionally(none);
    } else {
      done.complete(null);
    }
  }

  @Override
  public String kind() {
    return databases.get(0).store().kind();
  }

  @Override
  public CompletionStage<SegmentReply> allocate(SegmentRequest request) {
    int begun = present;
    return new SpreadAllocation(
            databases, begun, patienceNanos, scheduler, index -> at(index, begun, request))
        .begin();
  }

  /** Whoever was asked beside another one is not stayed with: that one may only be slow. */
  private CompletionStage<SegmentReply> at(int index, int begun, SegmentRequest request) {
    String tag = request.terms().tag();
    boolean instead = !databases.get(begun).well();
    long above = Math.max(request.above(), highest.getOrDefault(tag, -1L));
    return databases
        .get(index)
        .allocate(request, above)
        .whenComplete(
            (reply, failure) -> {
              if (reply instanceof SegmentReply.Granted granted) {
                highest.merge(tag, granted.lastInclusive(), Math::max);
              }
              if (failure == null && instead) {
                present = index;
              }
            });
  }

  @Override
  public CompletionStage<SegmentReply> raise(SegmentTerms terms, long floor) {
    return all(terms, (store, own) -> store.raise(own, floor));
  }

  @Override
  public CompletionStage<SegmentReply> remove(SegmentTerms terms) {
    return all(terms, SegmentStore::remove);
  }

  @Override
  public CompletionStage<SegmentReply> revive(SegmentTerms terms) {
    return all(terms, SegmentStore::revive);
  }

  /**
   * {@inheritDoc}
   *
   * <p>One database is enough: the others have no mark of a tag that never was. Fails if none can
   * be reached, or one refuses for good.
   */
  @Override
  public CompletionStage<SegmentReply> begin(SegmentTerms terms) {
    CompletableFuture<SegmentReply> begun = new CompletableFuture<>();
    List<CompletableFuture<SegmentReply>> answers = new ArrayList<>();
    for (SpreadDatabase database : databases) {
      answers.add(database.change(terms, SegmentStore::begin).toCompletableFuture());
    }
    var unused =
        CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0]))
            .whenComplete((nothing, failure) -> conclude(answers, begun));
    return begun;
  }

  private static void conclude(
      List<CompletableFuture<SegmentReply>> answers, CompletableFuture<SegmentReply> begun) {
    SegmentReply one = null;
    StoreException none = null;
    for (CompletableFuture<SegmentReply> answer : answers) {
      try {
        one = answer.join();
      } catch (CompletionException e) {
        StoreException refusal = StoreException.of(e);
        none = none == null || refusal.permanent() ? refusal : none;
      }
    }
    if (none != null && (none.permanent() || one == null)) {
      begun.completeExceptionally(none);
    } else {
      begun.complete(one);
    }
  }

  /** In each database; the answer is a refusal if one refuses. Fails if one of them does. */
  private CompletionStage<SegmentReply> all(SegmentTerms terms, SpreadDatabase.Change change) {
    CompletionStage<SegmentReply> all = databases.get(0).change(terms, change);
    for (SpreadDatabase database : databases.subList(1, databases.size())) {
      all =
          all.thenCompose(
              before -> database.change(terms, change).thenApply(now -> worse(before, now)));
    }
    return all;
  }

  private static SegmentReply worse(SegmentReply before, SegmentReply now) {
    return before instanceof SegmentReply.Refused ? before : now;
  }

  /** In each database; the answer is that of the last. Fails if one of them does. */
  @Override
  public CompletionStage<Long> fence(String wanted) {
    CompletionStage<Long> last = CompletableFuture.completedFuture(0L);
    for (SpreadDatabase database : databases) {
      last =
          last.thenCompose(before -> SpreadDatabase.attempt(() -> database.store().fence(wanted)));
    }
    return last;
  }

  /** What the databases together are is told by {@link #check}. */
  @Override
  public CompletionStage<Residue> residue(String wanted, Residue ifNew) {
    return CompletableFuture.completedFuture(new Residue(regions, region));
  }

  /** The row with the highest mark. Fails if one database does. */
  @Override
  public CompletionStage<@Nullable SegmentRow> read(String wanted, String tag) {
    CompletionStage<@Nullable SegmentRow> highest = CompletableFuture.completedFuture(null);
    for (SpreadDatabase database : databases) {
      highest =
          highest.thenCombine(
              SpreadDatabase.attempt(() -> database.store().read(wanted, tag)),
              SpreadSegmentStore::higher);
    }
    return highest;
  }

  private static @Nullable SegmentRow higher(@Nullable SegmentRow a, @Nullable SegmentRow b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.maxId() >= b.maxId() ? a : b;
  }

  @Override
  public void close() {
    StoreException failure = null;
    for (SpreadDatabase database : databases) {
      try {
        database.store().close();
      } catch (StoreException e) {
        failure = e; // the others are closed all the same
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
