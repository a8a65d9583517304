package dev.idgen.snowflake;

import dev.idgen.entropy.Entropy;
import dev.idgen.layout.Layout;
import dev.idgen.store.BehindPolicy;
import dev.idgen.store.ClaimRequest;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.Refusal;
import dev.idgen.store.WorkerRow;
import dev.idgen.store.WorkerStore;
import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds an engine's worker ids: claims them, renews them, replaces lost ones, and gives them back.
 *
 * <p>One call to the store is under way at a time, each with a limit; a call without an answer
 * counts as not done and is repeated as it was. All state belongs to the scheduler's thread; {@link
 * #start}, {@link #stop} and {@link #status} may be called from anywhere. The keeper only ever
 * raises the horizon of the engine's lease to what the store has acknowledged; when it cannot, the
 * engine stops at the horizon by itself.
 */
public final class LeaseKeeper {
  private static final long NANOS = 1_000_000;
  private static final long CLAIM_AGAIN_MS = 250;
  private static final long CLAIM_AGAIN_MAX_MS = 1_000;
  private static final long RENEW_AGAIN_MIN_MS = 50;
  private static final int RENEW_TRIES_PER_ROUND = 4;
  private static final int RELEASE_TRIES = 3;

  private enum Phase {
    NEW,
    RUNNING,
    STOPPING,
    STOPPED
  }

  private final SnowflakeEngine engine;
  private final Layout layout;
  private final WorkerStore store;
  private final KeeperOptions options;
  private final String owner;
  private final Entropy entropy;
  private final TimeSource time;
  private final Scheduler scheduler;
  private final EngineEvents events;
  private final StoreClock storeClock;
  private final CompletableFuture<Void> started = new CompletableFuture<>();
  private final CompletableFuture<Void> stopped = new CompletableFuture<>();
  private final List<HeldLease> held = new ArrayList<>();
  private final List<HeldLease> due = new ArrayList<>(); // still to be renewed in this round

  private long jitter;
  private Phase phase = Phase.NEW;
  private boolean calling;
  private boolean everHeld; // so the namespace was used, whatever the operator swore at the start
  private boolean renewSoon;
  private long call; // which call is under way: an answer to an earlier one is not heard
  private @Nullable ClaimRequest claim; // kept until the store has answered it
  private long roundNanos; // when the last round of renewals began
  private long apartMs; // node minus store, where that is more than it may be; 0: it is not
  private long agreedHorizon; // of what is held, when the two last agreed
  private String identity = ""; // of the store, as it last said; empty: never
  private long heldUntil; // when a fixed worker id that somebody holds comes free; 0: not seen yet
  private Scheduler.@Nullable Timer timer;
  private long renewFailures;
  private long claimFailures;
  private String problem = "";
  private volatile KeeperStatus status = new KeeperStatus(List.of(), 0, 0, 0, 0, "lease: none yet");

  /**
   * A keeper that holds nothing yet.
   *
   * @param engine what it holds worker ids for; uses its clocks and scheduler
   * @param store where the leases live; not closed by the keeper
   * @param options which worker ids, on what terms
   * @param owner names this process, unique among all that ever run
   * @param entropy tokens and nonces: read from the operating system, so that copies of a process
   *     differ
   */
  public LeaseKeeper(
      SnowflakeEngine engine,
      WorkerStore store,
      KeeperOptions options,
      String owner,
      Entropy entropy) {
    this(engine, store, options, owner, entropy, engine.scheduler());
  }

  /**
   * A keeper with a thread of its own, which nothing that waits for ids can hold up.
   *
   * @param engine what it holds worker ids for; uses its clocks
   * @param store where the leases live; not closed by the keeper
   * @param options which worker ids, on what terms
   * @param owner names this process, unique among all that ever run
   * @param entropy tokens and nonces: read from the operating system, so that copies of a process
   *     differ
   * @param scheduler runs all that the keeper does
   */
  public LeaseKeeper(
      SnowflakeEngine engine,
      WorkerStore store,
      KeeperOptions options,
      String owner,
      Entropy entropy,
      Scheduler scheduler) {
    this.engine = engine;
    this.layout = requireOrder(engine.layout(), options.workers());
    this.store = store;
    this.options = options;
    this.owner = owner;
    this.entropy = entropy;
    this.time = engine.time();
    this.scheduler = scheduler;
    this.jitter = entropy.nextLong();
    this.events = engine.events();
    this.storeClock = new StoreClock(options.terms().maxSkewMs(), store.embedded());
    engine.onConfirmationWanted(this::renewNow);
  }

  private static Layout requireOrder(Layout layout, int workers) {
    if (workers > 1 && !layout.workersOrdered()) {
      throw new IllegalArgumentException(
          "workers: "
              + workers
              + " (expected: 1, since ids of layout "
              + layout.name()
              + " do not rise over several worker ids)");
    }
    return layout;
  }

  /**
   * Begins to claim.
   *
   * @return completes when all worker ids are held; fails with a {@link StartException} when the
   *     store contradicts the configuration. While the store is away, or worker ids are not to be
   *     had yet, it stays open and {@link #status} says why
   */
  public CompletionStage<Void> start() {
    later(
        0,
        () -> {
          if (phase == Phase.NEW) {
            phase = Phase.RUNNING;
            work();
          }
        });
    return started.minimalCompletionStage();
  }

  /**
   * Ends the engine's lease, then gives its worker ids back.
   *
   * @return completes when the store has them, or was asked often enough
   */
  public CompletionStage<Void> stop() {
    later(0, this::beginStop);
    return stopped.minimalCompletionStage();
  }

  /** What is held, and what is wrong. */
  public KeeperStatus status() {
    return status;
  }

  /**
   * Renews at once instead of at the next turn: a process that may have slept or been copied finds
   * out where it stands.
   */
  public void renewNow() {
    later(
        0,
        () -> {
          renewSoon = true;
          if (phase == Phase.RUNNING && !calling && !held.isEmpty()) {
            beginRound();
          }
        });
  }

  // ---- the turn: renew what is due, claim what is missing, rest

  private void beginRound() {
    cancelTimer();
    renewSoon = false;
    roundNanos = time.monotonicNanos();
    due.clear();
    due.addAll(held);
    work();
  }

  private void work() {
    publishStatus();
    if (phase != Phase.RUNNING || calling) {
      return;
    }
    if (!due.isEmpty()) {
      extend(due.get(0));
    } else if (held.size() < options.workers()) {
      claim();
    } else if (renewSoon) {
      beginRound();
    } else {
      started.complete(null);
      rest(jittered(options.renewEveryMs()), this::beginRound);
    }
  }

  /** Up to a tenth sooner, so that nodes which started together do not renew together for ever. */
  private long jittered(long millis) {
    jitter = jitter * 6364136223846793005L + 1442695040888963407L;
    return millis - (jitter >>> 33) % (millis / 10 + 1);
  }

  /** Everything that the keeper does, it does here: on its scheduler's thread. */
  private Scheduler.Timer later(long nanos, Runnable task) {
    return scheduler.schedule(nanos, () -> guarded(task));
  }

  /**
   * A fault of a store, a listener or the operating system costs one turn, never the keeping: what
   * was under way counts as lost, and is repeated.
   */
  private void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      problem = "fault: " + e;
      renewFailures++;
      call++;
      calling = false;
      publishStatus();
      if (phase == Phase.RUNNING) {
        rest(CLAIM_AGAIN_MS, this::workOrRenew);
      } else if (phase == Phase.STOPPING) {
        phase = Phase.STOPPED;
        stopped.complete(null);
      }
      if (e instanceof Error fault) {
        throw fault; // kept on with, and told
      }
    }
  }

  private void rest(long millis, Runnable then) {
    cancelTimer();
    timer = later(millis * NANOS, then);
  }

  private void cancelTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  // ---- one call to the store

  private void call(Supplier<CompletionStage<LeaseReply>> request, Answer answer) {
    calling = true;
    long id = ++call;
    long begun = time.monotonicNanos();
    Scheduler.Timer limit =
        later(
            options.callMs() * NANOS,
            () ->
                answered(id, begun, null, "no answer within " + options.callMs() + " ms", answer));
    CompletionStage<LeaseReply> stage;
    try {
      stage = request.get();
    } catch (RuntimeException e) {
      stage =
          CompletableFuture.failedFuture(
              e); // a store that throws has failed like one that answers so
    }
    var unused =
        stage.whenComplete(
            (reply, failure) ->
                later(
                    0,
                    () -> {
                      limit.cancel();
                      answered(id, begun, reply, text(failure), answer);
                    }));
  }

  private void answered(
      long id, long begun, @Nullable LeaseReply reply, String failure, Answer answer) {
    if (id != call) {
      return; // too late: it was counted as lost, and the request is repeated
    }
    call++;
    calling = false;
    if (reply == null) {
      answer.failed.accept(failure);
      return;
    }
    long nanos = time.monotonicNanos();
    observeIdentity(reply.identity());
    observeClock(reply, nanos, (nanos - begun) / NANOS + 1);
    if (reply instanceof LeaseReply.Granted granted) {
      answer.granted.accept(granted.row());
    } else if (reply instanceof LeaseReply.Refused refused) {
      answer.refused.accept(refused);
    } else {
      answer.failed.accept("an answer to another question: " + reply);
    }
  }

  /** What to do with an answer, on the scheduler's thread. */
  private record Answer(
      Consumer<WorkerRow> granted, Consumer<LeaseReply.Refused> refused, Consumer<String> failed) {}

  private static String text(@Nullable Throwable failure) {
    return failure == null ? "" : String.valueOf(failure.getMessage());
  }

  private void observeClock(LeaseReply reply, long nanos, long tripMs) {
    long wall = time.wallMillis();
    long moved = storeClock.observe(reply.storeMillis(), wall, nanos, tripMs);
    if (moved != 0) {
      events.storeClockJumped(moved);
    }
    boolean leapt = engine.watch().verdict() == ClockWatch.AHEAD;
    if (leapt && !store.embedded()) { // a refusal tells the time as well
      renewSoon |=
          engine.watch().confirm(reply.storeMillis()); // now the horizon may follow the leap
    }
    observeDrift(reply.storeMillis(), options.terms().maxSkewMs() + tripMs);
  }

  /**
   * The clock that ids are dated by has drifted from the store's, this node's as well, and nobody
   * knows which one is wrong: what is held is kept, and used up to the horizon that the two last
   * agreed on.
   */
  private void observeDrift(long storeMillis, long allowed) {
    long offset = StoreClock.saturated(engine.watch().leaseMillis(), storeMillis);
    boolean both = Math.abs(offset) > allowed && Math.abs(storeClock.offsetMs()) > allowed;
    boolean drifted = both && !store.embedded() && !storeClock.jumped();
    apartMs = drifted ? offset : 0;
    if (drifted) {
      events.clockApart(apartMs);
    }
  }

  private String drift() {
    return apartMs == 0
        ? ""
        : "clock: "
            + apartMs
            + " ms from the store's (expected: at most "
            + options.terms().maxSkewMs()
            + "; the lease is not used further until they agree)";
  }

  private void observeIdentity(String now) {
    String before = identity;
    identity = now;
    if (!before.isEmpty() && !before.equals(now)) {
      events.storeChanged(before, now);
    }
  }

  // ---- claim

  private void claim() {
    long unused = engine.watch().read(); // a leap is noticed though nobody takes ids yet
    long wall = claimMillis();
    ClaimRequest request = claim == null ? freshClaim(wall) : claim.at(wall);
    claim = request;
    call(
        () -> store.claim(request),
        new Answer(this::claimed, this::claimRefused, this::claimFailed));
  }

  /**
   * A claim is judged by two clocks that agree, so an engine that goes on above its own clock
   * claims by that clock all the same, unless the store says that it is the clock that is wrong.
   */
  private long claimMillis() {
    long lease = engine.watch().leaseMillis();
    long wall = time.wallMillis();
    long apart = Math.abs(wall - storeClock.agreedMillis(time.monotonicNanos(), wall));
    boolean agreed = store.embedded() || apart <= options.terms().maxSkewMs();
    return wall < lease && agreed ? wall : lease;
  }

  private ClaimRequest freshClaim(long wall) {
    boolean logical = engine.options().rollbackPolicy() == RollbackPolicy.LOGICAL;
    long skew = options.terms().maxSkewMs();
    long maxWaitMs = store.embedded() ? options.terms().windowMs() + skew : 2 * skew;
    return new ClaimRequest(
        options.terms(),
        owner,
        token(),
        token(),
        options.firstWorkerId(),
        options.lastWorkerId(),
        options.preferredWorkerId(),
        wall,
        maxWaitMs,
        logical ? BehindPolicy.GO_ABOVE : BehindPolicy.REFUSE,
        options.newCluster() && !everHeld);
  }

  private long token() {
    long value = 0;
    while (value == 0) { // 0 means none: one draw in 2^64
      value = entropy.nextLong();
    }
    return value;
  }

  private void claimed(WorkerRow row) {
    claim = null;
    heldUntil = 0;
    problem = "";
    apartMs = 0; // else it had been refused
    if (!everHeld) {
      everHeld = true;
      long nanos = time.monotonicNanos();
      engine.watch().restart(storeClock.agreedMillis(nanos, row.updatedAtMillis()));
    }
    if (held.isEmpty()) {
      roundNanos = time.monotonicNanos();
    }
    held.add(new HeldLease(row));
    if (engine.options().rollbackPolicy() == RollbackPolicy.LOGICAL) {
      engine.watch().startAbove(row.fromMillis());
      storeClock.startAbove(row.fromMillis(), time.monotonicNanos());
    }
    publishLease(); // before anybody is told, since a listener may fail
    events.leaseGained(row.workerId(), row.generation());
    work();
  }

  private void claimRefused(LeaseReply.Refused refused) {
    claim = null;
    claimFailures++;
    problem = refused.message();
    events.claimFailed(problem);
    if (!started.isDone() && contradicts(refused)) {
      phase = Phase.STOPPED;
      publishStatus();
      started.completeExceptionally(new StartException(refused.reason(), refused.message()));
      stopped.complete(null);
      return;
    }
    long wait = Math.max(CLAIM_AGAIN_MS, Math.min(CLAIM_AGAIN_MAX_MS, refused.retryAfterMs()));
    restBeforeClaim(wait);
  }

  /**
   * Whether trying again cannot help: the configuration contradicts the store, or a live owner
   * holds what we must have.
   */
  private boolean contradicts(LeaseReply.Refused refused) {
    return switch (refused.reason()) {
      case LAYOUT_MISMATCH, NOT_NEW -> true;
      case HELD -> renewedMeanwhile(refused);
      default -> false;
    };
  }

  /** A dead owner's worker id comes free at a time that stands; a live owner keeps moving it. */
  private boolean renewedMeanwhile(LeaseReply.Refused refused) {
    long freeAt = refused.storeMillis() + refused.retryAfterMs();
    long jump = store.embedded() ? 0 : options.terms().maxSkewMs(); // one clock, or two
    boolean moved = heldUntil != 0 && freeAt > heldUntil + jump;
    heldUntil = heldUntil == 0 ? freeAt : heldUntil;
    return moved;
  }

  private void claimFailed(String failure) {
    claimFailures++;
    problem = failure;
    events.claimFailed(failure);
    restBeforeClaim(CLAIM_AGAIN_MS);
  }

  /** What is held meanwhile is renewed in its turn. */
  private void restBeforeClaim(long millis) {
    publishStatus();
    rest(millis, this::workOrRenew);
  }

  private void workOrRenew() {
    boolean overdue = time.monotonicNanos() - roundNanos >= options.renewEveryMs() * NANOS;
    if (overdue && !held.isEmpty()) {
      beginRound();
    } else {
      work();
    }
  }

  // ---- extend

  private void extend(HeldLease lease) {
    long unused = engine.watch().read(); // an idle engine's clock is watched too
    long wall = engine.watch().leaseMillis();
    long agreed = storeClock.agreedMillis(time.monotonicNanos(), wall);
    var request = lease.extension(options.terms(), entropy::nextLong, wall, agreed);
    call(
        () -> store.extend(request),
        new Answer(
            row -> extended(lease, row), no -> lost(lease, no), why -> renewFailed(lease, why)));
  }

  private void extended(HeldLease lease, WorkerRow row) {
    lease.extended(row);
    due.remove(lease);
    problem = drift();
    if (due.isEmpty() && apartMs == 0) {
      raiseHorizon();
    }
    work();
  }

  /** The others have their turn first: one row that somebody keeps locked is not all of them. */
  private void renewFailed(HeldLease lease, String failure) {
    renewFailures++;
    problem = failure;
    events.renewFailed(failure);
    if (due.remove(lease)) {
      due.add(lease);
    }
    if (failsAlone(lease)) {
      giveUp(lease, failure);
    }
    publishStatus();
    long again = Math.max(RENEW_AGAIN_MIN_MS, options.renewEveryMs() / RENEW_TRIES_PER_ROUND);
    rest(again, this::work);
  }

  /** Whether it holds back the others, which were renewed since. */
  private boolean failsAlone(HeldLease lease) {
    boolean others = due.size() == 1 && held.size() > 1;
    long left = lease.row().horizonMillis() - engine.watch().leaseMillis();
    return others && left < options.terms().windowMs() / 2;
  }

  /** Its row keeps its horizon; another worker id takes its place. */
  private void giveUp(HeldLease lease, String failure) {
    drop(lease);
    events.leaseLost(lease.workerId(), lease.row().generation(), failure);
  }

  private void drop(HeldLease lease) {
    held.remove(lease);
    due.remove(lease);
    publishLease(); // before anybody is told, or the next renewal would raise what is not ours
  }

  /**
   * Somebody else may hold our cells from here on, a copy of this process perhaps: nothing more is
   * issued in them.
   */
  private void lost(HeldLease lease, LeaseReply.Refused refused) {
    renewFailures++;
    problem = refused.message();
    drop(lease);
    events.leaseLost(lease.workerId(), lease.row().generation(), refused.message());
    work();
  }

  // ---- what the engine may use

  private void publishLease() {
    if (held.isEmpty()) {
      engine.endLease();
      return;
    }
    long from = Long.MIN_VALUE;
    int[] ids = new int[held.size()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = held.get(i).workerId();
      from = Math.max(from, held.get(i).row().fromMillis());
    }
    Arrays.sort(ids);
    engine.switchTo(ids, firstTickAt(from), horizonTick());
  }

  private void raiseHorizon() {
    if (!held.isEmpty()) {
      Lease lease = engine.current();
      long former = lease.horizonTick();
      lease.raise(horizonTick());
      engine.watch().renewed(layout.startMillis(former));
    }
  }

  private long horizonMillis() {
    long lowest = held.isEmpty() ? 0 : Long.MAX_VALUE;
    for (HeldLease lease : held) {
      lowest = Math.min(lowest, lease.row().horizonMillis());
    }
    return lowest;
  }

  /** How far the engine may go. */
  private long usableMillis() {
    long horizon = horizonMillis();
    agreedHorizon = apartMs == 0 ? horizon : Math.min(horizon, agreedHorizon);
    return agreedHorizon;
  }

  /** The first tick that begins at or after the start of a lease. */
  private long firstTickAt(long millis) {
    return Math.max(0, -Math.floorDiv(layout.epochMillis() - millis, layout.tickMillis()));
  }

  /** The first tick that is not over by the horizon. */
  private long horizonTick() {
    return Math.max(0, Math.floorDiv(usableMillis() - layout.epochMillis(), layout.tickMillis()));
  }

  private void publishStatus() {
    List<Integer> ids = new ArrayList<>();
    for (HeldLease lease : held) {
      ids.add(lease.workerId());
    }
    status =
        new KeeperStatus(
            ids, usableMillis(), storeClock.offsetMs(), renewFailures, claimFailures, problem);
  }

  // ---- stop

  private void beginStop() {
    if (phase == Phase.STOPPING || phase == Phase.STOPPED) {
      return;
    }
    phase = Phase.STOPPING;
    cancelTimer();
    call++; // an answer that is still out is not heard; the release carries its token
    calling = false;
    started.completeExceptionally(
        new StartException(Refusal.LOST, "keeper: stopped (expected: running)"));
    engine.close();
    long last = engine.endLease();
    releaseNext(held.iterator(), last < 0 ? 0 : layout.startMillis(last + 1), RELEASE_TRIES);
  }

  private void releaseNext(Iterator<HeldLease> rest, long endMillis, int tries) {
    if (!rest.hasNext()) {
      phase = Phase.STOPPED;
      held.clear();
      publishStatus();
      stopped.complete(null);
      return;
    }
    release(rest.next(), rest, endMillis, tries);
  }

  private void release(HeldLease lease, Iterator<HeldLease> rest, long endMillis, int tries) {
    call(
        () -> store.release(lease.release(options.terms(), endMillis)),
        new Answer(
            row -> {
              events.leaseReleased(row.workerId(), row.generation());
              releaseNext(rest, endMillis, RELEASE_TRIES);
            },
            no -> {
              events.leaseLost(lease.workerId(), lease.row().generation(), no.message());
              releaseNext(rest, endMillis, RELEASE_TRIES);
            },
            failure -> {
              events.renewFailed("release: " + failure);
              if (tries > 1) {
                release(lease, rest, endMillis, tries - 1);
              } else {
                releaseNext(rest, endMillis, RELEASE_TRIES);
              }
            }));
  }
}
