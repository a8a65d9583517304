package dev.idgen.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.store.memory.MemoryWorkerStore;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Attacks I1: no cell of a worker id is ever granted to two leases.
 *
 * <p>Nodes claim, renew, sleep, crash, and give back; administrators revoke and fence; requests and
 * replies get lost, come late, and come twice; clocks are apart, step, and now and then answer
 * nonsense; the store fails over to a standby that has missed writes. What each holder may issue is
 * what it was told, from its start to its horizon, and only up to its own clock; none of that may
 * overlap what another generation was told. Each seed is a history of its own.
 */
class LeaseRulesRandomTest {
  private static final long START = 1_800_000_000_000L;
  private static final long WINDOW = 10_000;
  private static final long SKEW = 1_000;
  private static final LeaseTerms TERMS = terms(WINDOW);
  private static final LeaseTerms LONGER = terms(3 * WINDOW);
  private static final int WORKERS = 3;
  private static final int NODES = 5;
  private static final int STEPS = 400;
  private static final int HISTORIES = 1_500;
  private static final long[] ABSURD = {
    0, -1, 9_223_372_036L, Long.MAX_VALUE, Long.MIN_VALUE, START - 3_600_000, START + 3_600_000
  };

  private static LeaseTerms terms(long windowMs) {
    return new LeaseTerms("orders", "41/10/12", windowMs, 2 * SKEW, SKEW);
  }

  @Test
  void anyHistory_sharedStore_grantsNoCellTwice() {
    long seed = Long.getLong("idgen.seed", new Random().nextLong());
    System.out.println("idgen.seed=" + seed);
    long granted = 0;
    for (int i = 0; i < HISTORIES; i++) {
      granted += new History(seed + i, false).run();
    }
    assertTrue(granted > HISTORIES * 5L, "leases: " + granted);
  }

  @Test
  void anyHistory_storeOfOneMachine_grantsNoCellTwice() {
    long seed = Long.getLong("idgen.seed", new Random().nextLong());
    System.out.println("idgen.seed=" + seed);
    long granted = 0;
    for (int i = 0; i < HISTORIES; i++) {
      granted += new History(seed + i, true).run();
    }
    assertTrue(granted > HISTORIES * 5L, "leases: " + granted);
  }

  /** What one generation was told, over all that ever held it. */
  private static final class Used {
    final String holder;
    final long from;
    long end; // first timestamp that it has not issued in, and may not have

    Used(String holder, long from) {
      this.holder = holder;
      this.from = from;
      this.end = from;
    }

    @Override
    public String toString() {
      return holder + " [" + from + ", " + end + ")";
    }
  }

  private static final class History {
    private final long seed;
    private final boolean embedded;
    private final Random random;
    private final Clock clock = new Clock();
    private final List<Node> nodes = new ArrayList<>();
    private final List<Runnable> late = new ArrayList<>();
    private final Map<Integer, List<Used>> used = new HashMap<>();
    private MemoryWorkerStore store;
    private MemoryWorkerStore standby;
    private long now = START; // true time
    private String identity = "s0";
    private int failovers;
    private int names;
    private long granted;

    History(long seed, boolean embedded) {
      this.seed = seed;
      this.embedded = embedded;
      this.random = new Random(seed);
      this.store = new MemoryWorkerStore("s0", clock, random::nextBytes, embedded, Runnable::run);
      begin();
      this.standby = store.replica("standby", clock);
    }

    /** The longest window of all is known before any failover: see {@link NamespaceRow#reachMs}. */
    private void begin() {
      ClaimRequest first =
          new ClaimRequest(LONGER, "first", 1, 1, 0, 0, -1, now, 0, BehindPolicy.REFUSE, false);
      var unused = store.claim(first);
    }

    /** Healthy clocks lie within half a skew of true time, so within a skew of each other. */
    private final class Clock implements TimeSource {
      private long offset;
      private @Nullable Long absurd;

      @Override
      public long wallMillis() {
        return absurd == null ? now + offset : absurd;
      }

      @Override
      public long monotonicNanos() {
        return 0;
      }

      @Override
      public void pause(long nanos) {
        throw new UnsupportedOperationException();
      }
    }

    long run() {
      for (int i = 0; i < NODES; i++) {
        nodes.add(new Node());
      }
      for (int i = 0; i < STEPS; i++) {
        step();
      }
      for (Map.Entry<Integer, List<Used>> entry : used.entrySet()) {
        requireDisjoint(entry.getKey(), entry.getValue());
      }
      return granted;
    }

    private void requireDisjoint(int workerId, List<Used> all) {
      TreeMap<Long, Used> byStart = new TreeMap<>();
      for (Used one : all) {
        if (one.end > one.from) {
          Used twin = byStart.put(one.from, one);
          assertEquals(null, twin, () -> at(workerId) + twin + " and " + one);
        }
      }
      Used before = null;
      for (Used one : byStart.values()) {
        Used earlier = before;
        assertTrue(
            earlier == null || earlier.end <= one.from,
            () -> at(workerId) + earlier + " and " + one);
        before = one;
      }
    }

    private String at(int workerId) {
      return "idgen.seed=" + seed + ", worker id " + workerId + ": ";
    }

    private void step() {
      now += random.nextInt(900);
      clock.absurd =
          random.nextInt(12) == 0 ? Long.valueOf(ABSURD[random.nextInt(ABSURD.length)]) : null;
      int draw = random.nextInt(100);
      if (draw < 70) {
        nodes.get(random.nextInt(NODES)).act();
      } else if (draw < 74) {
        now += random.nextInt(2 * (int) WINDOW);
      } else if (draw < 78) {
        clock.offset = random.nextInt((int) SKEW) - SKEW / 2;
      } else if (draw < 84 && !late.isEmpty()) {
        arriveLate();
      } else if (draw < 86) {
        var unused = store.revoke(TERMS, random.nextInt(WORKERS));
      } else if (draw < 88) {
        var unused = store.fence(TERMS, now + random.nextInt((int) SKEW) - SKEW / 2);
      } else if (draw < 92) {
        standby = store.replica("standby", clock);
      } else if (draw < 93 && !embedded) {
        failOver();
      }
    }

    /** What it says of its sender's clock was said when the store's was sane: see Node.wall. */
    private void arriveLate() {
      if (!embedded) {
        clock.absurd = null;
      }
      late.remove(random.nextInt(late.size())).run();
    }

    /** Writes since the standby was last abreast are lost. Late requests go to the new store. */
    private void failOver() {
      failovers++;
      clock.offset = random.nextInt((int) SKEW) - SKEW / 2;
      if (random.nextBoolean()) {
        identity = "s" + failovers;
        store = standby.replica(identity, clock);
      } else {
        store = standby.replica(identity, clock); // a backup: nobody can tell, so it is fenced
        clock.absurd = null;
        var unused = store.fence(TERMS, now);
      }
      standby = store.replica("standby", clock);
    }

    /** A request on a bad network. */
    private @Nullable LeaseReply send(Supplier<LeaseReply> request) {
      int draw = random.nextInt(100);
      if (draw < 8) {
        return null;
      }
      if (draw < 16) {
        late.add(late(request));
        return null;
      }
      LeaseReply reply = request.get();
      if (draw < 24) {
        late.add(late(request));
      }
      return draw < 34 ? null : reply;
    }

    private static Runnable late(Supplier<LeaseReply> request) {
      return () -> {
        var unused = request.get();
      };
    }

    /** A process after the other on one machine, with one lease each. */
    private final class Node {
      private String owner = "n" + names++;
      private long offset = random.nextInt((int) SKEW) - SKEW / 2;
      private LeaseTerms terms = random.nextInt(4) == 0 ? LONGER : TERMS;
      private @Nullable ClaimRequest claim;
      private @Nullable WorkerRow row;
      private @Nullable Used cells;
      private long known;
      private long earlier;
      private long pending;
      private long agreedOffset; // the store's clock against true time, when last agreed
      private boolean asleep;

      /** Where a failover loses writes, not both clocks are out of their mind at once. */
      long wall() {
        if (random.nextInt(30) == 0 && (embedded || clock.absurd == null)) {
          return ABSURD[random.nextInt(ABSURD.length)];
        }
        return embedded ? now + clock.offset : now + offset;
      }

      void act() {
        if (asleep && random.nextInt(6) > 0) {
          return;
        }
        asleep = random.nextInt(25) == 0;
        issue();
        int draw = random.nextInt(100);
        if (draw < 6) {
          crash();
        } else if (row == null) {
          claim();
        } else if (draw < 16) {
          release();
        } else {
          extend();
        }
      }

      /** Uses the cells up to the clock and a little ahead of it, or now and then all of them. */
      private void issue() {
        if (row != null && cells != null) {
          long ahead = random.nextInt(4) == 0 ? Long.MAX_VALUE : now + SKEW;
          long until = Math.min(row.horizonMillis(), ahead);
          cells.end = Math.max(cells.end, until);
        }
      }

      private void crash() {
        if (embedded) {
          store.ownerEnded(owner);
          standby.ownerEnded(owner);
        }
        owner = "n" + names++;
        offset = random.nextInt((int) SKEW) - SKEW / 2;
        terms = random.nextInt(4) == 0 ? LONGER : TERMS;
        row = null;
        cells = null;
        claim = null;
      }

      private void claim() {
        ClaimRequest request = claim == null ? fresh() : claim.at(wall());
        claim = request;
        LeaseReply reply = send(() -> store.claim(request).toCompletableFuture().join());
        if (reply instanceof LeaseReply.Granted granted) {
          claim = null;
          gained(granted);
        } else if (reply != null) {
          claim = null;
        }
      }

      private ClaimRequest fresh() {
        int only = random.nextInt(WORKERS);
        boolean any = random.nextBoolean();
        BehindPolicy[] policies = BehindPolicy.values();
        return new ClaimRequest(
            terms,
            owner,
            token(),
            token(),
            any ? 0 : only,
            any ? WORKERS - 1 : only,
            -1,
            wall(),
            random.nextInt(4) == 0 ? 4 * WINDOW : 2 * SKEW,
            policies[random.nextInt(policies.length)],
            false);
      }

      private long token() {
        return random.nextLong() | 1;
      }

      private void gained(LeaseReply.Granted granted) {
        WorkerRow won = granted.row();
        History.this.granted++;
        row = won;
        known = won.token();
        earlier = 0;
        pending = 0;
        agreed(granted);
        // A lease that was adopted twice is one lease: the process is the same.
        List<Used> all = used.computeIfAbsent(won.workerId(), id -> new ArrayList<>());
        Used mine =
            new Used(owner + " generation " + won.generation() + " at " + now, won.fromMillis());
        all.add(mine);
        cells = mine;
      }

      private void agreed(LeaseReply reply) {
        if (reply.storeMillis() >= now - SKEW && reply.storeMillis() <= now + SKEW) {
          agreedOffset = reply.storeMillis() - now;
        }
      }

      private void extend() {
        WorkerRow mine = row;
        if (mine == null) {
          return;
        }
        pending = pending == 0 ? token() : pending;
        ExtendRequest request =
            new ExtendRequest(
                terms,
                mine.workerId(),
                mine.generation(),
                known,
                earlier,
                pending,
                wall(),
                now + agreedOffset);
        LeaseReply reply = send(() -> store.extend(request).toCompletableFuture().join());
        if (reply instanceof LeaseReply.Granted granted) {
          earlier = known;
          known = pending;
          pending = 0;
          row = granted.row();
          agreed(granted);
        } else if (reply != null) {
          row = null; // lost: what was issued stays issued
          cells = null;
        }
      }

      private void release() {
        WorkerRow mine = row;
        Used issued = cells;
        if (mine == null || issued == null) {
          return;
        }
        ReleaseRequest request =
            new ReleaseRequest(
                terms, mine.workerId(), mine.generation(), known, pending, issued.end);
        var unused = send(() -> store.release(request).toCompletableFuture().join());
        crash();
      }
    }
  }
}
