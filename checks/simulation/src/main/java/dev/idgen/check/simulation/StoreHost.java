package dev.idgen.check.simulation;

import dev.idgen.store.LeaseTerms;
import dev.idgen.store.WorkerStore;
import dev.idgen.store.memory.MemoryWorkerStore;
import dev.idgen.time.TimeSource;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Where the store runs: a primary, what a standby knew some time ago, and a clock. */
final class StoreHost implements Server<WorkerStore> {
  private final World world;
  private final SimClock clock;
  private final TimeSource time;
  private final boolean embedded;
  private MemoryWorkerStore primary;
  private MemoryWorkerStore standby;
  private int identities = 1;
  private boolean down;

  StoreHost(World world, SimClock clock, boolean embedded) {
    this.world = world;
    this.clock = clock;
    this.time = new ProcessTime(world, clock, 0);
    this.embedded = embedded;
    this.primary = empty("store-1");
    this.standby = primary.replica("store-2", time);
  }

  private MemoryWorkerStore empty(String identity) {
    return new MemoryWorkerStore(
        identity, time, new SeededEntropy(world.random().split()), embedded, Runnable::run);
  }

  boolean embedded() {
    return embedded;
  }

  SimClock clock() {
    return clock;
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
  public <R> CompletionStage<R> apply(Function<WorkerStore, CompletionStage<R>> operation) {
    return operation.apply(primary);
  }

  WorkerStore.Listing list(String namespace) {
    return primary.list(namespace).toCompletableFuture().join();
  }

  void ownerEnded(String owner) {
    if (embedded) {
      primary.ownerEnded(owner);
    }
  }

  /** The standby has caught up to here. */
  void replicate() {
    standby = primary.replica("store-" + (identities + 1), time);
  }

  /** The standby takes over, without what it had not heard of. */
  void failOver() {
    promote(standby);
    world.note(-1, "failover", identities, 0);
  }

  /** Everything is gone; the identity too, unless nobody would notice. */
  void wipe(boolean unnoticed) {
    int same = identities;
    promote(empty("store-" + (unnoticed ? same : same + 1)));
    world.note(-1, "wiped", identities, unnoticed ? 1 : 0);
  }

  private void promote(MemoryWorkerStore next) {
    primary.close();
    primary = next;
    identities++;
    replicate();
  }

  /**
   * The standby takes over under the identity of the former primary, and the operator says so at
   * once.
   */
  void restoreAndFence(LeaseTerms terms, String identity) {
    MemoryWorkerStore restored = standby.replica(identity, time);
    promote(restored);
    var unused = restored.fence(terms, clock.sane());
    world.note(-1, "restored and fenced", identities, 0);
  }

  @Nullable String identity(String namespace) {
    return list(namespace).identity();
  }
}
