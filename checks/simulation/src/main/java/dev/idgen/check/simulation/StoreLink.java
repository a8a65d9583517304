package dev.idgen.check.simulation;

import dev.idgen.store.ClaimRequest;
import dev.idgen.store.ExtendRequest;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.ReleaseRequest;
import dev.idgen.store.StoreException;
import dev.idgen.store.WorkerStore;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The store as one process reaches it: late, twice, in vain, or not at all. */
final class StoreLink implements WorkerStore {
  private final World world;
  private final Network network;
  private final StoreHost host;
  private final SimProcess process;
  private boolean cut;

  StoreLink(World world, Network network, StoreHost host, SimProcess process) {
    this.world = world;
    this.network = network;
    this.host = host;
    this.process = process;
  }

  void cut(boolean yes) {
    cut = yes;
    world.note(process.number(), yes ? "cut off" : "joined", 0, 0);
  }

  @Override
  public String kind() {
    return "simulated";
  }

  @Override
  public boolean embedded() {
    return host.embedded();
  }

  @Override
  public CompletionStage<LeaseReply> claim(ClaimRequest request) {
    return call("claim", store -> store.claim(request));
  }

  @Override
  public CompletionStage<LeaseReply> extend(ExtendRequest request) {
    return call("extend", store -> store.extend(request));
  }

  @Override
  public CompletionStage<LeaseReply> release(ReleaseRequest request) {
    return call("release", store -> store.release(request));
  }

  @Override
  public CompletionStage<LeaseReply> revoke(LeaseTerms terms, int workerId) {
    return call("revoke", store -> store.revoke(terms, workerId));
  }

  @Override
  public CompletionStage<LeaseReply> fence(LeaseTerms terms, long wallMillis) {
    return call("fence", store -> store.fence(terms, wallMillis));
  }

  @Override
  public CompletionStage<Listing> list(String namespace) {
    throw new UnsupportedOperationException("list: called (expected: nothing that keepers do)");
  }

  @Override
  public void close() {}

  private CompletionStage<LeaseReply> call(
      String name, Function<WorkerStore, CompletionStage<LeaseReply>> operation) {
    CompletableFuture<LeaseReply> answer = new CompletableFuture<>();
    world.note(process.number(), name, 0, 0);
    if (world.chance(network.loseRequest)) {
      fail(answer, name + " was lost");
      return answer;
    }
    world.in(network.delayNanos(), () -> arrive(name, operation, answer));
    if (world.chance(network.repeat)) {
      long late = world.scaled(World.MILLI, network.lateNanos);
      world.in(late, () -> repeat(name, operation));
    }
    return answer;
  }

  /** What was sent twice may arrive long after; not for ever, though: not once all is repaired. */
  private void repeat(String name, Function<WorkerStore, CompletionStage<LeaseReply>> operation) {
    if (network.repeat > 0) {
      arrive(name + " again", operation, new CompletableFuture<>());
    }
  }

  private void arrive(
      String name,
      Function<WorkerStore, CompletionStage<LeaseReply>> operation,
      CompletableFuture<LeaseReply> answer) {
    if (cut || host.down()) {
      fail(answer, "no way to the store");
      return;
    }
    CompletionStage<LeaseReply> reply = host.apply(operation);
    boolean lost = world.chance(network.loseReply);
    var unused =
        reply.whenComplete(
            (value, failure) -> {
              if (value instanceof LeaseReply.Granted granted) {
                world.note(
                    process.number(),
                    name + " granted",
                    granted.row().workerId(),
                    granted.row().horizonMillis());
              } else if (value instanceof LeaseReply.Refused refused) {
                world.note(process.number(), name + " refused: " + refused.message(), 0, 0);
              }
              if (lost) {
                fail(answer, "reply to " + name + " was lost");
              } else {
                deliver(answer, value, failure);
              }
            });
  }

  private void deliver(CompletableFuture<LeaseReply> answer, LeaseReply value, Throwable failure) {
    world.in(
        network.delayNanos(),
        () ->
            process.enter(
                () -> {
                  if (cut) {
                    return;
                  }
                  if (failure == null) {
                    answer.complete(value);
                  } else {
                    answer.completeExceptionally(failure);
                  }
                }));
  }

  /** Some failures are told, at once or late, and some never. */
  private void fail(CompletableFuture<LeaseReply> answer, String why) {
    if (world.chance(network.silent)) {
      return;
    }
    StoreException failure = StoreException.unknown("simulated: " + why, new IOException(why));
    world.in(
        network.delayNanos(), () -> process.enter(() -> answer.completeExceptionally(failure)));
  }
}
