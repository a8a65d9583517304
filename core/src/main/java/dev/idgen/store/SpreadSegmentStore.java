package dev.idgen.store;

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
  private static final long REST_NANOS = 500_000_000L;

  private final String namespace;
  private final int regions;
  private final int region;
  private final List<Database> databases;
  private final TimeSource time;
  private final SpreadEvents events;

  /**
   * The highest id that this process was given by any of them, by tag: an engine that takes the
   * place of another one, at another database perhaps, goes on above.
   */
  private final Map<String, Long> highest = new ConcurrentHashMap<>();

  private volatile int present; // the database that this process stays with

  /** One database as this process sees it. */
  private final class Database {
    final int number;
    final SegmentStore store;
    final Residue residue;

    /** The highest id that it has given to this process, by tag. */
    final Map<String, Long> marks = new ConcurrentHashMap<>();

    private boolean well; // it has said which one it is, and has not failed since; guarded by this
    private @Nullable CompletableFuture<Boolean> asking; // what comes of the question under way
    private long restedNanos;
    private StoreException problem = StoreException.refused("not asked yet");
    private @Nullable StoreException wrong; // why it is never used
    private String identity = ""; // and fence, as it was last told; empty: never

    Database(int number, SegmentStore store, Residue residue) {
      this.number = number;
      this.store = store;
      this.residue = residue;
    }

    synchronized boolean well() {
      return well;
    }

    synchronized StoreException refusal() {
      StoreException never = wrong;
      return never != null ? never : problem;
    }

    void failed(Throwable failure) {
      StoreException told = told(failure);
      synchronized (this) {
        well = false;
        problem = told;
        restedNanos = time.monotonicNanos() + REST_NANOS;
      }
      events.databaseFailed(String.valueOf(told.getMessage()));
    }

    void gave(String tag, SegmentReply.Granted granted) {
      highest.merge(tag, granted.lastInclusive(), Math::max); // first: never below a mark
      marks.merge(tag, granted.lastInclusive(), Math::max);
      String now = "identity " + granted.row().identity() + ", fence " + granted.row().fence();
      String before;
      synchronized (this) {
        before = identity;
        identity = now;
      }
      if (!before.isEmpty() && !before.equals(now)) {
        events.identityChanged(number, before, now);
      }
    }

    /** Asks which one it is, unless somebody does, or nobody needs to know. */
    CompletionStage<Boolean> askAtOnce() {
      CompletableFuture<Boolean> question;
      synchronized (this) {
        if (well || wrong != null) {
          return CompletableFuture.completedFuture(well);
        }
        if (asking != null) {
          return asking;
        }
        question = new CompletableFuture<>();
        asking = question;
      }
      var unused =
          attempt(() -> store.residue(namespace, residue))
              .whenComplete((answer, failure) -> question.complete(answered(answer, failure)));
      return question;
    }

    /**
     * The same, if it has rested and nobody asks: who allocates waits for no question of others.
     */
    CompletionStage<Boolean> ask() {
      synchronized (this) {
        if (asking != null || time.monotonicNanos() - restedNanos < 0) {
          return CompletableFuture.completedFuture(well);
        }
      }
      return askAtOnce();
    }

    private boolean answered(@Nullable Residue answer, @Nullable Throwable failure) {
      StoreException never = null;
      synchronized (this) {
        asking = null;
        well = residue.equals(answer);
        if (answer != null && !well) {
          never = isAnother(answer);
          wrong = never;
        }
      }
      if (failure != null) {
        failed(failure);
      } else if (never != null) {
        events.databaseFailed(String.valueOf(never.getMessage()));
      }
      return well();
    }

    private StoreException isAnother(Residue answer) {
      return StoreException.permanent(
          store.kind()
              + ": namespace "
              + namespace
              + ": this database is "
              + answer
              + " (expected: "
              + residue
              + "; changed only while no server runs, after all marks were raised to the highest)",
          null);
    }
  }

  /**
   * Marks over databases that are asked when they are needed.
   *
   * @param stores in an order that never changes, 1 or more; closed with this one
   * @param regions how many regions share the ids, 1 or more
   * @param region which of them this is, 0..regions-1
   * @param first the database to begin with: processes should differ
   * @param events told about databases
   */
  public SpreadSegmentStore(
      String namespace,
      List<SegmentStore> stores,
      int regions,
      int region,
      int first,
      TimeSource time,
      SpreadEvents events) {
    if (regions < 1 || region < 0 || region >= regions) {
      throw new IllegalArgumentException(
          "region: " + region + " of " + regions + " (expected: 0..regions-1)");
    }
    if (stores.isEmpty()) {
      throw new IllegalArgumentException("stores: 0 (expected: >= 1)");
    }
    this.namespace = namespace;
    this.regions = regions;
    this.region = region;
    this.time = time;
    this.events = events;
    this.present = Math.floorMod(first, stores.size());
    List<Database> all = new ArrayList<>();
    for (SegmentStore store : stores) {
      Residue residue = new Residue(regions * stores.size(), region + regions * all.size());
      all.add(new Database(all.size(), store, residue));
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
    for (Database database : databases) {
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
    for (Database database : databases) {
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
    return databases.get(0).store.kind();
  }

  @Override
  public CompletionStage<SegmentReply> allocate(SegmentRequest request) {
    return allocate(request, present, databases.size());
  }

  /** From the database at an index, or from the next one that is well. */
  private CompletionStage<SegmentReply> allocate(SegmentRequest request, int index, int left) {
    Database database = databases.get(index);
    int next = (index + 1) % databases.size();
    if (!database.well()) {
      CompletionStage<Boolean> answer = database.ask();
      if (left > 1) {
        return allocate(request, next, left - 1); // the question goes on beside
      }
      return answer.thenCompose(
          well -> well ? from(database, index, request) : lastResort(request));
    }
    return from(database, index, request)
        .handle(
            (reply, failure) ->
                failure == null
                    ? CompletableFuture.completedFuture(reply)
                    : left > 1
                        ? allocate(request, next, left - 1).toCompletableFuture()
                        : CompletableFuture.<SegmentReply>failedFuture(failure))
        .thenCompose(stage -> stage);
  }

  /** None is known to be well; one may have been asked in between, or by another tag. */
  private CompletionStage<SegmentReply> lastResort(SegmentRequest request) {
    for (int i = 0; i < databases.size(); i++) {
      if (databases.get(i).well()) {
        return from(databases.get(i), i, request);
      }
    }
    return CompletableFuture.failedFuture(databases.get(present).refusal());
  }

  private CompletionStage<SegmentReply> from(Database database, int index, SegmentRequest request) {
    SegmentTerms terms = termsOf(database, request.terms());
    String tag = terms.tag();
    long mark = database.marks.getOrDefault(tag, -1L);
    long above = Math.max(request.above(), highest.getOrDefault(tag, -1L));
    return attempt(
            () -> database.store.allocate(new SegmentRequest(terms, request.count(), mark, above)))
        .whenComplete(
            (reply, failure) -> {
              if (failure != null) {
                allocateFailed(database, failure);
              } else {
                present = index;
                if (reply instanceof SegmentReply.Granted granted) {
                  database.gave(tag, granted);
                }
              }
            });
  }

  /** A row that somebody keeps locked is no reason to leave its database for other tags. */
  private void allocateFailed(Database database, Throwable failure) {
    StoreException told = told(failure);
    if (told.concernsRow()) {
      events.databaseFailed(String.valueOf(told.getMessage()));
    } else {
      database.failed(told);
    }
  }

  private SegmentTerms termsOf(Database database, SegmentTerms terms) {
    return new SegmentTerms(
        terms.namespace(),
        terms.tag(),
        terms.start(),
        terms.maximum(),
        database.residue.modulus(),
        database.residue.residue(),
        terms.gap());
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

  private interface Change {
    CompletionStage<SegmentReply> in(SegmentStore store, SegmentTerms own);
  }

  /** In each database; the answer is a refusal if one refuses. Fails if one of them does. */
  private CompletionStage<SegmentReply> all(SegmentTerms terms, Change change) {
    CompletionStage<SegmentReply> all = changed(databases.get(0), terms, change);
    for (Database database : databases.subList(1, databases.size())) {
      all =
          all.thenCompose(
              before -> changed(database, terms, change).thenApply(now -> worse(before, now)));
    }
    return all;
  }

  private static SegmentReply worse(SegmentReply before, SegmentReply now) {
    return before instanceof SegmentReply.Refused ? before : now;
  }

  /** Only where it has said which one it is: a mark that comes before that would say so for it. */
  private CompletionStage<SegmentReply> changed(
      Database database, SegmentTerms terms, Change change) {
    return database
        .askAtOnce()
        .thenCompose(
            well ->
                well
                    ? attempt(() -> change.in(database.store, termsOf(database, terms)))
                    : CompletableFuture.failedFuture(database.refusal()));
  }

  /** In each database; the answer is that of the last. Fails if one of them does. */
  @Override
  public CompletionStage<Long> fence(String wanted) {
    CompletionStage<Long> last = CompletableFuture.completedFuture(0L);
    for (Database database : databases) {
      last = last.thenCompose(before -> attempt(() -> database.store.fence(wanted)));
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
    for (Database database : databases) {
      highest =
          highest.thenCombine(
              attempt(() -> database.store.read(wanted, tag)), SpreadSegmentStore::higher);
    }
    return highest;
  }

  private static @Nullable SegmentRow higher(@Nullable SegmentRow a, @Nullable SegmentRow b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.maxId() >= b.maxId() ? a : b;
  }

  private interface Call<T> {
    CompletionStage<T> begin();
  }

  private static <T extends @Nullable Object> CompletionStage<T> attempt(Call<T> call) {
    try {
      return call.begin();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static StoreException told(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof StoreException refusal
        ? refusal
        : StoreException.unknown(cause.toString(), cause);
  }

  @Override
  public void close() {
    StoreException failure = null;
    for (Database database : databases) {
      try {
        database.store.close();
      } catch (StoreException e) {
        failure = e; // the others are closed all the same
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
