package dev.idgen.check.simulation;

import dev.idgen.IdException;
import dev.idgen.layout.Layout;
import dev.idgen.snowflake.ClockMode;
import dev.idgen.snowflake.EngineEvents;
import dev.idgen.snowflake.EngineOptions;
import dev.idgen.snowflake.KeeperOptions;
import dev.idgen.snowflake.LeaseKeeper;
import dev.idgen.snowflake.LeaseProbe;
import dev.idgen.snowflake.RollbackPolicy;
import dev.idgen.snowflake.SnowflakeEngine;
import dev.idgen.snowflake.StartException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One process: a real engine and a real keeper, and callers that want ids. */
final class SimProcess extends AbstractProcess {
  private final World world;
  private final Ledger ledger;
  private final Node node;
  private final String owner;
  private final ProcessTime time;
  private final StoreLink link;
  private final SnowflakeEngine engine;
  private final LeaseKeeper keeper;
  private final LeaseProbe probe;
  private final boolean strictTime;
  private final long calmSkewMs;
  private final long endedTick;
  private Grants.@Nullable Grant grant;
  private boolean stopping;
  private long maxIssued = -1;
  private @Nullable StartException refusedToStart;
  private String lastRefusal = "";
  private long answers;

  SimProcess(Node node, Cluster cluster, EngineOptions options, KeeperOptions terms, String owner) {
    super(cluster.world(), cluster.ledger().enter(owner));
    this.node = node;
    this.world = cluster.world();
    this.ledger = cluster.ledger();
    this.owner = owner;
    this.time = new ProcessTime(world, node.clock(), world.random().nextLong(-1L << 60, 1L << 60));
    this.link = new StoreLink(world, cluster.network(), cluster.store(), this);
    this.strictTime =
        options.rollbackPolicy() == RollbackPolicy.REFUSE && options.clock() == ClockMode.PRECISE;
    this.calmSkewMs = cluster.calmSkewMs();
    this.endedTick = cluster.store().embedded() ? ledger.endedTick() : -1;
    this.engine =
        new SnowflakeEngine(
            options,
            time,
            new ProcessScheduler(world, this),
            new Listener(),
            cluster.store().embedded());
    this.keeper =
        new LeaseKeeper(engine, link, terms, owner, new SeededEntropy(world.random().split()));
    this.probe = new LeaseProbe(engine, new Watcher());
  }

  @Override
  String name() {
    return ledger.owner(number());
  }

  String owner() {
    return owner;
  }

  boolean stopping() {
    return stopping;
  }

  StoreLink link() {
    return link;
  }

  SnowflakeEngine engine() {
    return engine;
  }

  LeaseKeeper keeper() {
    return keeper;
  }

  @Nullable StartException refusedToStart() {
    return refusedToStart;
  }

  String lastRefusal() {
    return lastRefusal;
  }

  long answers() {
    return answers;
  }

  long maxIssued() {
    return maxIssued;
  }

  ProcessTime time() {
    return time;
  }

  // ---- life

  void start() {
    world.note(number(), "start", node.number(), 0);
    var unused =
        keeper
            .start()
            .whenComplete(
                (held, failure) -> {
                  if (cause(failure) instanceof StartException refused && !stopping) {
                    refusedToStart = refused;
                    node.refused(this);
                  }
                });
  }

  void stop() {
    if (stopping) {
      return;
    }
    stopping = true;
    enter(
        () -> {
          world.note(number(), "stop", 0, 0);
          var unused =
              keeper.stop().whenComplete((done, failure) -> world.inMillis(20, this::exit));
        });
  }

  private void exit() {
    if (alive()) {
      end("exit");
    }
  }

  void kill() {
    if (alive()) {
      end("kill");
    }
  }

  private void end(String how) {
    world.note(number(), how, 0, 0);
    dead();
    ledger.ended(maxIssued);
    ledger.grants().ended(number());
    node.ended(this);
  }

  @Override
  void look() {
    probe.look();
    requireNoFault();
  }

  /** A keeper outlives its own mistakes; here they are to be seen. */
  private void requireNoFault() {
    String problem = keeper.status().problem();
    if (problem.startsWith("fault: ")) {
      throw world.fail("keeper of process " + name() + ": " + problem);
    }
  }

  // ---- callers

  void tryTake() {
    enter(
        () -> {
          long above = maxIssued;
          long id = engine.tryNext();
          if (id >= 0) {
            got(ledger.issued(number(), id, above), world.trueMillis());
          }
        });
  }

  void take(int count, long waitNanos) {
    enter(() -> ask(count, waitNanos));
  }

  private void ask(int count, long waitNanos) {
    long above = maxIssued;
    long begun = world.nowNanos();
    long begunMillis = world.trueMillis();
    long stalled = stalledNanos();
    var unused =
        engine
            .nextAsync(count, waitNanos)
            .whenComplete(
                (batch, failure) -> {
                  requireInTime(begun, stalled, waitNanos);
                  if (failure == null) {
                    if (batch.count() != count) {
                      throw world.fail("ids: " + batch.count() + " (expected: " + count + ")");
                    }
                    ledger.issued(number(), batch, above);
                    got(batch.runs().get(batch.runs().size() - 1).lastInclusive(), begunMillis);
                  } else {
                    refused(failure);
                  }
                });
  }

  private void got(long last, long begunMillis) {
    answers++;
    maxIssued = Math.max(maxIssued, last);
    world.note(number(), "issued", last, answers);
    if (strictTime) {
      Layout layout = engine.layout();
      long begins = layout.startMillis(layout.tickOf(last));
      requireTime(last, begins, Long.MIN_VALUE, node.clock().sane());
      if (calmSkewMs >= 0) {
        long half = calmSkewMs / 2;
        requireTime(
            last, begins, begunMillis - half - layout.tickMillis(), world.trueMillis() + half + 1);
      }
    }
  }

  /** Two ids that both keep to this are out of order by two skews at most, on whichever nodes. */
  private void requireTime(long id, long millis, long least, long most) {
    if (millis < least || millis > most) {
      throw world.fail(
          "id: "
              + id
              + " of process "
              + name()
              + " says "
              + millis
              + " (expected: "
              + least
              + ".."
              + most
              + ")");
    }
  }

  private void refused(Throwable failure) {
    if (!(cause(failure) instanceof IdException)) {
      throw world.fail("refusal: " + failure + " (expected: an IdException)");
    }
    ledger.refused();
    lastRefusal = String.valueOf(cause(failure));
    world.note(number(), "refused", 0, 0);
  }

  /** Hands what the engine may issue to the judge. */
  private final class Watcher implements LeaseProbe.Listener {
    @Override
    public void began(List<Integer> workerIds, long fromTick, long horizonTick) {
      world.note(number(), "lease on " + workerIds, fromTick, horizonTick);
      if (fromTick <= endedTick) {
        throw world.fail(
            "lease of process "
                + name()
                + " from tick "
                + fromTick
                + " (expected: > "
                + endedTick
                + ", where processes that have ended issued)");
      }
      grant = ledger.grants().begin(number(), workerIds, fromTick, horizonTick);
    }

    @Override
    public void raised(long horizonTick) {
      if (grant != null) {
        ledger.grants().raise(grant, horizonTick);
      }
    }

    @Override
    public void ended(long endTick) {
      world.note(number(), "lease ended", endTick, 0);
      if (grant != null) {
        ledger.grants().end(grant, endTick);
      }
    }
  }

  /** Everything an engine tells goes into the trace. */
  private final class Listener implements EngineEvents {
    @Override
    public void clockRolledBack(long byMs) {
      world.note(number(), "clock rolled back", byMs, 0);
    }

    @Override
    public void clockLeapt(long byMs) {
      world.note(number(), "clock leapt", byMs, 0);
    }

    @Override
    public void clockTrusted() {
      world.note(number(), "clock trusted", 0, 0);
    }

    @Override
    public void leaseLost(int workerId, long generation, String why) {
      world.note(number(), "lease lost: " + why, workerId, generation);
    }

    @Override
    public void storeClockJumped(long byMs) {
      world.note(number(), "store clock jumped", byMs, 0);
    }

    @Override
    public void renewFailed(String why) {
      world.note(number(), "renew failed: " + why, 0, 0);
    }
  }
}
