package dev.idgen.store;

import dev.idgen.entropy.Entropy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of a lease: pure functions from a snapshot and a request to a {@link
 * Decision}.
 *
 * <p>What all of them keep true (I1): a cell of a worker id that may have been issued is never
 * granted again. A horizon rises or stays, except that an orderly release lowers it to just above
 * the last tick that was reserved. A later generation starts at the horizon of the one before, or
 * above. Clocks, of the store or of a caller, decide only when a worker id may be handed on; a
 * wrong one costs waiting, never a duplicate.
 */
public final class LeaseRules {

  private LeaseRules() {}

  /**
   * Grants a worker id.
   *
   * <p>A row that bears the request's nonce is the request's own, won before its reply was lost,
   * and is returned as it stands; if that lease has gone on since, the request is a late copy and
   * wins nothing. Otherwise a worker id is free when it was never used, was released, its owner is
   * known to have ended, or its horizon and the reuse delay have passed on the store's clock and on
   * the claimer's. The preferred one goes first, then never used, released and ended ones, then
   * expired ones. Those released that have rested for a reuse delay are equals, and chance decides,
   * so that a crowd that starts at once does not queue up for the same one; so it does among the
   * older half of those expired. The others go by age.
   *
   * @param s every row of the namespace
   * @param r what is asked for
   * @param entropy breaks ties
   */
  public static Decision claim(StoreSnapshot s, ClaimRequest r, Entropy entropy) {
    if (s.namespace() != null && !s.namespace().layout().equals(r.terms().layout())) {
      return layoutMismatch(s.namespace(), r.terms()).decision(s);
    }
    WorkerRow own = bearing(s, r);
    if (own != null) {
      return own.token() == r.token() ? granted(s, own) : answered(own).decision(s);
    }
    NamespaceRow ns = namespaceFor(s, r);
    Refused no = refuseNew(s, r);
    no = no == null ? refuseClocks(s, r, ns) : no;
    if (no != null) {
      return no.decision(s);
    }
    NamespaceRow changed = ns.equals(s.namespace()) ? null : ns;
    Choice choice = choose(s, r, ns, entropy);
    if (choice.refused != null) {
      return new Decision(choice.refused.reply(s), changed, null);
    }
    WorkerRow row = claimed(s, r, ns, choice);
    return new Decision(new LeaseReply.Granted(row, s.nowMillis(), s.identity()), changed, row);
  }

  /**
   * Raises a horizon.
   *
   * <p>The generation and the token must be the caller's. A row that already bears the new token
   * means that an earlier attempt was applied. After a change of the store's identity the token
   * before the last is taken too, since the failover may have lost the last renewal. Once the
   * horizon has passed, on either clock, a row that was last written under an older identity or
   * fence is not extended: a later claim on it may be what was lost.
   *
   * @param s the row of the worker id, or none
   * @param r what is asked for
   */
  public static Decision extend(StoreSnapshot s, ExtendRequest r) {
    WorkerRow row = s.worker(r.workerId());
    NamespaceRow ns = s.namespace();
    if (ns == null || row == null) {
      return lost(r.workerId(), "no row", "generation " + r.generation()).decision(s);
    }
    if (!ns.layout().equals(r.terms().layout())) {
      return layoutMismatch(ns, r.terms()).decision(s);
    }
    if (row.generation() != r.generation()) {
      return lost(r.workerId(), "generation " + row.generation(), "generation " + r.generation())
          .decision(s);
    }
    NamespaceRow seen = seen(ns, s, r);
    NamespaceRow changed = seen.equals(ns) ? null : seen;
    if (row.token() == r.newToken()) {
      return new Decision(new LeaseReply.Granted(row, s.nowMillis(), s.identity()), changed, null);
    }
    boolean older = !row.identity().equals(s.identity()) || row.fence() != ns.fence();
    boolean known = row.token() == r.knownToken();
    boolean earlier = older && r.earlierToken() != 0 && row.token() == r.earlierToken();
    if (row.token() == 0 || !(known || earlier)) {
      return fenced(r.workerId()).decision(s);
    }
    if (older && row.horizonMillis() <= Math.max(s.nowMillis(), r.wallMillis())) {
      return lost(
              r.workerId(),
              "horizon " + row.horizonMillis() + " has passed on another store",
              "a running lease")
          .decision(s);
    }
    WorkerRow next = extended(s, r, row, ns.fence());
    return new Decision(new LeaseReply.Granted(next, s.nowMillis(), s.identity()), changed, next);
  }

  /**
   * Gives a lease back: clears its owner and lowers the horizon to the end of the last reserved
   * tick.
   *
   * @param s the row of the worker id, or none
   * @param r what is asked for
   */
  public static Decision release(StoreSnapshot s, ReleaseRequest r) {
    WorkerRow row = s.worker(r.workerId());
    NamespaceRow ns = s.namespace();
    if (ns == null || row == null || row.generation() != r.generation()) {
      String found = row == null ? "no row" : "generation " + row.generation();
      return lost(r.workerId(), found, "generation " + r.generation()).decision(s);
    }
    if (row.owner() == null) {
      return granted(s, row);
    }
    boolean known = row.token() == r.knownToken() || row.token() == r.pendingToken();
    if (row.token() == 0 || !known) {
      return fenced(r.workerId()).decision(s);
    }
    long end = Math.max(row.fromMillis(), r.endMillis());
    WorkerRow next = ended(s, row, null, Math.min(row.horizonMillis(), end), ns.fence());
    return new Decision(new LeaseReply.Granted(next, s.nowMillis(), s.identity()), null, next);
  }

  /**
   * Takes a lease away from its holder. Its horizon stays, and the worker id stays held until
   * horizon and reuse delay have passed, since the holder may issue that far without asking
   * anybody.
   *
   * @param s the row of the worker id, or none
   * @param workerId which one
   */
  public static Decision revoke(StoreSnapshot s, int workerId) {
    WorkerRow row = s.worker(workerId);
    NamespaceRow ns = s.namespace();
    if (ns == null || row == null || row.owner() == null) {
      return lost(workerId, "no owner", "a held worker id").decision(s);
    }
    WorkerRow next = ended(s, row, row.owner(), row.horizonMillis(), ns.fence());
    return new Decision(new LeaseReply.Granted(next, s.nowMillis(), s.identity()), null, next);
  }

  /**
   * Declares that acknowledged writes may be gone: claims rest for a window and three skews.
   *
   * @param s the namespace
   * @param terms what all operations have in common
   * @param wallMillis the caller's clock, which must agree with the store's
   */
  public static Decision fence(StoreSnapshot s, LeaseTerms terms, long wallMillis) {
    NamespaceRow ns = s.namespace();
    if (ns == null) {
      return new Refused(
              Refusal.LOST, "namespace: " + terms.namespace() + " (expected: one in use)", 0)
          .decision(s);
    }
    // With an embedded store too: a clock that moved in between would set a floor far ahead.
    if (apart(wallMillis, s.nowMillis()) > terms.maxSkewMs()) {
      return skewed(wallMillis, s, terms).decision(s);
    }
    NamespaceRow floored = floored(ns, s, terms);
    NamespaceRow next =
        new NamespaceRow(
            floored.layout(),
            floored.identity(),
            floored.fence() + 1,
            floored.floorMillis(),
            floored.reachMs(),
            floored.createdAtMillis());
    return new Decision(new LeaseReply.Fenced(next, s.nowMillis(), s.identity()), next, null);
  }

  // ---- claim: the namespace

  /** The namespace as this claim leaves it, provided that the clocks agree. */
  private static NamespaceRow namespaceFor(StoreSnapshot s, ClaimRequest r) {
    NamespaceRow ns = s.namespace();
    LeaseTerms terms = r.terms();
    if (ns != null) {
      return moved(s) ? floored(ns, s, terms) : reaching(ns, terms);
    }
    // A store that was wiped under running nodes looks just like a new one: they may hold a window
    // yet.
    boolean wait = !s.embedded() && !r.newCluster();
    long floor = wait ? plus(s.nowMillis(), terms.floorDelayMs()) : 0;
    return new NamespaceRow(
        terms.layout(), s.identity(), 0, floor, terms.floorDelayMs(), s.nowMillis());
  }

  private static boolean moved(StoreSnapshot s) {
    return s.namespace() != null && !s.namespace().identity().equals(s.identity());
  }

  private static @Nullable Refused refuseNew(StoreSnapshot s, ClaimRequest r) {
    if (s.namespace() == null || !r.newCluster() || s.embedded()) {
      return null;
    }
    long age = s.nowMillis() - s.namespace().createdAtMillis();
    if (age <= r.terms().windowMs()) {
      return null;
    }
    return new Refused(
        Refusal.NOT_NEW,
        "new-cluster: namespace "
            + r.terms().namespace()
            + " is "
            + age
            + " ms old (expected: at most "
            + r.terms().windowMs()
            + ")",
        0);
  }

  private static @Nullable Refused refuseClocks(StoreSnapshot s, ClaimRequest r, NamespaceRow ns) {
    // On one machine both readings are of one clock, and what lies between them is queueing.
    boolean compare = !s.embedded() || moved(s);
    if (compare && apart(r.wallMillis(), s.nowMillis()) > r.terms().maxSkewMs()) {
      return skewed(r.wallMillis(), s, r.terms());
    }
    if (r.behind() != BehindPolicy.REFUSE || s.embedded()) {
      return null;
    }
    long newest = 0;
    for (WorkerRow row : s.workers()) {
      newest = Math.max(newest, row.horizonMillis());
    }
    // A healthy holder writes at most its window above a clock that is one skew ahead of ours, ours
    // being one behind.
    long room = ns.reachMs() - r.terms().maxSkewMs();
    return newest > plus(s.nowMillis(), room) ? behind(r.wallMillis(), newest - room) : null;
  }

  /**
   * After a change of identity, or for a fence: nothing below what a lost write may have granted.
   */
  private static NamespaceRow floored(NamespaceRow ns, StoreSnapshot s, LeaseTerms terms) {
    NamespaceRow reaching = reaching(ns, terms);
    return new NamespaceRow(
        ns.layout(),
        s.identity(),
        ns.fence(),
        Math.max(ns.floorMillis(), plus(s.nowMillis(), reaching.reachMs())),
        reaching.reachMs(),
        ns.createdAtMillis());
  }

  /** Remembers the longest window, since it may be one of those that a failover loses. */
  private static NamespaceRow reaching(NamespaceRow ns, LeaseTerms terms) {
    if (terms.floorDelayMs() <= ns.reachMs()) {
      return ns;
    }
    return new NamespaceRow(
        ns.layout(),
        ns.identity(),
        ns.fence(),
        ns.floorMillis(),
        terms.floorDelayMs(),
        ns.createdAtMillis());
  }

  /** The namespace as an extend leaves it: only a clock that agrees may set a floor. */
  private static NamespaceRow seen(NamespaceRow ns, StoreSnapshot s, ExtendRequest r) {
    boolean agreed = apart(r.wallMillis(), s.nowMillis()) <= r.terms().maxSkewMs();
    return moved(s) && agreed ? floored(ns, s, r.terms()) : reaching(ns, r.terms());
  }

  // ---- claim: the choice of a worker id

  private static @Nullable WorkerRow bearing(StoreSnapshot s, ClaimRequest r) {
    for (WorkerRow row : s.workers()) {
      boolean own = row.owner() == null || row.owner().equals(r.owner());
      if (own && row.nonce() == r.nonce()) {
        return row;
      }
    }
    return null;
  }

  /** Either a worker id with the row it has (or none) and the start of its lease, or a refusal. */
  private record Choice(
      int workerId, @Nullable WorkerRow row, long fromMillis, @Nullable Refused refused) {
    static Choice none(Refused refused) {
      return new Choice(-1, null, 0, refused);
    }
  }

  private static Choice choose(StoreSnapshot s, ClaimRequest r, NamespaceRow ns, Entropy entropy) {
    List<WorkerRow> rows = inRange(s, r);
    long base = Math.max(ns.floorMillis(), newestEnded(s, r));
    long waited = plus(r.wallMillis(), r.maxWaitMs());
    if (ns.floorMillis() > waited) {
      return Choice.none(resting(r, ns));
    }
    boolean above = r.behind() == BehindPolicy.GO_ABOVE;
    long latest = above ? Math.max(waited, highest(s, r.terms()) - 1) : waited;
    List<Choice> open = new ArrayList<>();
    boolean anyUnused = rows.size() <= r.lastWorkerId() - r.firstWorkerId();
    boolean anyFree = anyUnused;
    long nearest = anyUnused ? base : Long.MAX_VALUE;
    for (WorkerRow row : rows) {
      if (!free(s, r, row)) {
        continue;
      }
      anyFree = true;
      long from = Math.max(row.horizonMillis(), base);
      nearest = Math.min(nearest, from);
      if (from <= latest) {
        open.add(new Choice(row.workerId(), row, from, null));
      }
    }
    if (anyUnused && base <= latest) {
      return bestWithUnused(open, rows, base, r, s, entropy);
    }
    if (!open.isEmpty()) {
      return best(open, r, s, entropy);
    }
    return Choice.none(anyFree ? behind(r.wallMillis(), nearest) : allHeld(s, r, rows));
  }

  /** The rows of the worker ids in question, by worker id. */
  private static List<WorkerRow> inRange(StoreSnapshot s, ClaimRequest r) {
    List<WorkerRow> rows = new ArrayList<>();
    for (WorkerRow row : s.workers()) {
      if (row.workerId() >= r.firstWorkerId() && row.workerId() <= r.lastWorkerId()) {
        rows.add(row);
      }
    }
    rows.sort(Comparator.comparingInt(WorkerRow::workerId));
    return rows;
  }

  /**
   * On one machine, order survives every restart: a lease starts above all that was ever given out
   * by processes that have ended. Over several machines nobody can know that, and order follows the
   * clocks.
   */
  private static long newestEnded(StoreSnapshot s, ClaimRequest r) {
    if (!s.embedded() || r.behind() == BehindPolicy.OTHER_SLOT) {
      return 0;
    }
    long newest = 0;
    for (WorkerRow row : s.workers()) {
      // What lies below a live lease was given out by processes before it.
      newest = Math.max(newest, free(s, r, row) ? row.horizonMillis() : row.fromMillis());
    }
    return newest;
  }

  private static boolean free(StoreSnapshot s, ClaimRequest r, WorkerRow row) {
    return row.owner() == null || s.knownDead().test(row.owner()) || expired(s, r, row);
  }

  private static boolean expired(StoreSnapshot s, ClaimRequest r, WorkerRow row) {
    long reusable = plus(row.horizonMillis(), r.terms().reuseDelayMs());
    return reusable <= s.nowMillis() && reusable <= r.wallMillis();
  }

  /**
   * The preferred one, or any of those that have rested or were never used: as many as the range
   * has, less the rows that are worse.
   */
  private static Choice bestWithUnused(
      List<Choice> open,
      List<WorkerRow> rows,
      long base,
      ClaimRequest r,
      StoreSnapshot s,
      Entropy entropy) {
    Map<Integer, Choice> byId = new HashMap<>();
    for (Choice choice : open) {
      byId.put(choice.workerId, choice);
    }
    int[] worse = new int[rows.size()];
    int count = 0;
    boolean preferred =
        r.preferredWorkerId() >= r.firstWorkerId() && r.preferredWorkerId() <= r.lastWorkerId();
    for (WorkerRow row : rows) {
      Choice choice = byId.get(row.workerId());
      preferred &= choice != null || row.workerId() != r.preferredWorkerId();
      if (choice == null || !ended(row, s) || !expired(s, r, row)) {
        worse[count++] = row.workerId();
      }
    }
    int id = r.preferredWorkerId();
    if (!preferred) {
      int size = r.lastWorkerId() - r.firstWorkerId() + 1;
      id = r.firstWorkerId() + entropy.nextInt(size - count);
      for (int i = 0; i < count && worse[i] <= id; i++) {
        id++; // the worse ones below it do not count
      }
    }
    Choice used = byId.get(id);
    return used == null ? new Choice(id, null, base, null) : used;
  }

  /** The preferred one, or by age, when each worker id was used before. */
  private static Choice best(List<Choice> open, ClaimRequest r, StoreSnapshot s, Entropy entropy) {
    for (Choice choice : open) {
      if (choice.workerId == r.preferredWorkerId()) {
        return choice;
      }
    }
    Comparator<Choice> byAge =
        Comparator.<Choice>comparingInt(c -> ended(c.row, s) ? 0 : 1)
            .thenComparingLong(c -> restedMillis(c.row, s, r));
    open.sort(byAge);
    if (!ended(open.get(0).row, s)) {
      return open.get(entropy.nextInt((open.size() + 1) / 2)); // of those that died first
    }
    int equals = 1;
    while (equals < open.size() && byAge.compare(open.get(0), open.get(equals)) == 0) {
      equals++;
    }
    return open.get(entropy.nextInt(equals));
  }

  /** The horizon, and the same number for all that need not be told apart. */
  private static long restedMillis(@Nullable WorkerRow row, StoreSnapshot s, ClaimRequest r) {
    if (row == null || (ended(row, s) && expired(s, r, row))) {
      return Long.MIN_VALUE;
    }
    return row.horizonMillis();
  }

  private static boolean ended(@Nullable WorkerRow row, StoreSnapshot s) {
    return row == null || row.owner() == null || s.knownDead().test(row.owner());
  }

  private static Refused resting(ClaimRequest r, NamespaceRow ns) {
    long wait = ns.floorMillis() - r.wallMillis();
    return new Refused(
        Refusal.FLOOR,
        "claims: rest for "
            + wait
            + " ms (expected: a namespace in use, on the store it was last seen on)",
        wait);
  }

  private static Refused allHeld(StoreSnapshot s, ClaimRequest r, List<WorkerRow> rows) {
    long soonest = Long.MAX_VALUE;
    String owner = "";
    for (WorkerRow row : rows) {
      if (row.horizonMillis() < soonest) {
        soonest = row.horizonMillis();
        owner = String.valueOf(row.owner());
      }
    }
    long wait = Math.max(1, plus(soonest, r.terms().reuseDelayMs()) - s.nowMillis());
    if (r.fixed()) {
      return new Refused(
          Refusal.HELD,
          "workerId: "
              + r.firstWorkerId()
              + " is held by "
              + owner
              + " (expected: a free one; this one is in "
              + wait
              + " ms if its owner has ended)",
          wait);
    }
    return new Refused(
        Refusal.EXHAUSTED,
        "workerIds: " + rows.size() + " of " + rows.size() + " held (expected: a free one)",
        wait);
  }

  // ---- rows

  /**
   * The highest horizon that a claim may write. A write that a failover loses must lie below the
   * floor that follows; the store of one machine has no failover, and its clock may be hours back.
   */
  private static long highest(StoreSnapshot s, LeaseTerms terms) {
    return s.embedded()
        ? Long.MAX_VALUE
        : plus(s.nowMillis(), terms.windowMs() + terms.maxSkewMs());
  }

  private static WorkerRow claimed(
      StoreSnapshot s, ClaimRequest r, NamespaceRow ns, Choice choice) {
    LeaseTerms terms = r.terms();
    long agreed = plus(s.nowMillis(), terms.windowMs() + terms.maxSkewMs());
    long target = Math.min(plus(r.wallMillis(), terms.windowMs()), agreed);
    if (r.behind() == BehindPolicy.GO_ABOVE) {
      long above = plus(choice.fromMillis, terms.windowMs());
      target = Math.max(target, Math.min(above, highest(s, terms)));
    }
    WorkerRow row = choice.row;
    return new WorkerRow(
        choice.workerId,
        r.owner(),
        row == null ? 1 : Math.incrementExact(row.generation()),
        r.token(),
        r.nonce(),
        choice.fromMillis,
        Math.max(choice.fromMillis, target),
        s.identity(),
        ns.fence(),
        s.nowMillis());
  }

  private static WorkerRow extended(StoreSnapshot s, ExtendRequest r, WorkerRow row, long fence) {
    LeaseTerms terms = r.terms();
    // A store clock that stepped back freezes nobody, and one that leapt ahead carries nobody with
    // it.
    long agreed = Math.max(s.nowMillis(), r.agreedMillis());
    long target =
        Math.min(
            plus(r.wallMillis(), terms.windowMs()),
            plus(agreed, terms.windowMs() + terms.maxSkewMs()));
    return new WorkerRow(
        row.workerId(),
        row.owner(),
        row.generation(),
        r.newToken(),
        row.nonce(),
        row.fromMillis(),
        Math.max(row.horizonMillis(), target),
        s.identity(),
        fence,
        s.nowMillis());
  }

  /** A row that nobody can extend any more. */
  private static WorkerRow ended(
      StoreSnapshot s, WorkerRow row, @Nullable String owner, long horizonMillis, long fence) {
    return new WorkerRow(
        row.workerId(),
        owner,
        row.generation(),
        0,
        row.nonce(),
        row.fromMillis(),
        horizonMillis,
        s.identity(),
        fence,
        s.nowMillis());
  }

  private static Decision granted(StoreSnapshot s, WorkerRow row) {
    return new Decision(new LeaseReply.Granted(row, s.nowMillis(), s.identity()), null, null);
  }

  // ---- refusals

  private record Refused(Refusal reason, String message, long retryAfterMs) {
    LeaseReply reply(StoreSnapshot s) {
      return new LeaseReply.Refused(reason, message, retryAfterMs, s.nowMillis(), s.identity());
    }

    Decision decision(StoreSnapshot s) {
      return new Decision(reply(s), null, null);
    }
  }

  private static Refused layoutMismatch(NamespaceRow ns, LeaseTerms terms) {
    return new Refused(
        Refusal.LAYOUT_MISMATCH,
        "layout: "
            + terms.layout()
            + " (expected: "
            + ns.layout()
            + ", as namespace "
            + terms.namespace()
            + " began)",
        0);
  }

  private static Refused skewed(long wallMillis, StoreSnapshot s, LeaseTerms terms) {
    return new Refused(
        Refusal.CLOCK_SKEW,
        "clock: "
            + (wallMillis - s.nowMillis())
            + " ms from the store's (expected: at most "
            + terms.maxSkewMs()
            + ")",
        0);
  }

  private static Refused behind(long wallMillis, long expected) {
    return new Refused(
        Refusal.CLOCK_BEHIND,
        "clock: " + wallMillis + " (expected: >= " + expected + ", where ids were issued before)",
        Math.max(1, expected - wallMillis));
  }

  private static Refused answered(WorkerRow row) {
    return new Refused(
        Refusal.LOST,
        "claim: won generation "
            + row.generation()
            + " of worker id "
            + row.workerId()
            + " before (expected: a nonce that is new)",
        0);
  }

  private static Refused lost(int workerId, String found, String expected) {
    return new Refused(
        Refusal.LOST,
        "workerId: " + workerId + " has " + found + " (expected: " + expected + ")",
        0);
  }

  private static Refused fenced(int workerId) {
    return new Refused(
        Refusal.FENCED,
        "workerId: "
            + workerId
            + " was written by another holder (expected: the token of this lease)",
        0);
  }

  // ---- sums that a clock of 0, -1 or 2^63-1 cannot turn around

  private static long plus(long millis, long more) {
    return millis > Long.MAX_VALUE - more ? Long.MAX_VALUE : millis + more;
  }

  private static long apart(long a, long b) {
    long difference = a - b;
    boolean overflow = ((a ^ b) & (a ^ difference)) < 0;
    return overflow || difference == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(difference);
  }
}
