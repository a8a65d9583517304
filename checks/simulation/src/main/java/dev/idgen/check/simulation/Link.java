package dev.idgen.check.simulation;

import dev.idgen.store.StoreException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A store as one process reaches it: late, twice, in vain, or not at all.
 *
 * @param <S> the store's contract
 */
final class Link<S> {
  private final World world;
  private final Network network;
  private final Server<S> server;
  private final AbstractProcess process;
  private boolean cut;

  Link(World world, Network network, Server<S> server, AbstractProcess process) {
    this.world = world;
    this.network = network;
    this.server = server;
    this.process = process;
  }

  void cut(boolean yes) {
    cut = yes;
    world.note(process.number(), yes ? "cut off" : "joined", 0, 0);
  }

  /**
   * Sends a request.
   *
   * @param name for the trace
   * @param applied hears what the store answered, whether or not that arrives
   */
  <R> CompletionStage<R> call(
      String name, Function<S, CompletionStage<R>> operation, Consumer<R> applied) {
    CompletableFuture<R> answer = new CompletableFuture<>();
    world.note(process.number(), name, 0, 0);
    if (world.chance(network.loseRequest)) {
      fail(answer, "request was lost: " + name);
      return answer;
    }
    world.in(network.delayNanos(), () -> arrive(name, operation, applied, answer));
    if (world.chance(network.repeat)) {
      long late = world.scaled(World.MILLI, network.lateNanos);
      world.in(late, () -> repeat(name, operation, applied));
    }
    return answer;
  }

  /** What was sent twice may arrive long after; not for ever, though: not once all is repaired. */
  private <R> void repeat(
      String name, Function<S, CompletionStage<R>> operation, Consumer<R> applied) {
    if (network.repeat > 0) {
      arrive(name, operation, applied, new CompletableFuture<>());
    }
  }

  private <R> void arrive(
      String name,
      Function<S, CompletionStage<R>> operation,
      Consumer<R> applied,
      CompletableFuture<R> answer) {
    if (cut || server.down()) {
      fail(answer, "no way to the store");
      return;
    }
    if (server.hangs()) {
      hang(name, operation, applied, answer);
      return;
    }
    CompletionStage<R> reply = server.apply(operation);
    boolean lost = world.chance(network.loseReply);
    var unused =
        reply.whenComplete(
            (value, failure) -> {
              if (failure == null) {
                applied.accept(value);
              }
              if (lost) {
                fail(answer, "reply was lost: " + name);
              } else {
                deliver(answer, value, failure);
              }
            });
  }

  /** Who waits gives up; what was asked for may be done all the same when the store goes on. */
  private <R> void hang(
      String name,
      Function<S, CompletionStage<R>> operation,
      Consumer<R> applied,
      CompletableFuture<R> answer) {
    StoreException late = StoreException.unknown("simulated: no answer: " + name);
    world.in(network.patienceNanos, () -> process.enter(() -> answer.completeExceptionally(late)));
    if (world.chance(0.5)) {
      server.whenItGoesOn(() -> arrive(name, operation, applied, answer));
    }
  }

  private <R> void deliver(CompletableFuture<R> answer, R value, Throwable failure) {
    world.in(
        network.delayNanos(),
        () ->
            process.enter(
                () -> {
                  if (cut) {
                    fail(answer, "no way from the store");
                  } else if (failure == null) {
                    answer.complete(value);
                  } else {
                    answer.completeExceptionally(failure);
                  }
                }));
  }

  /** Some failures are told, at once or late, and some never. */
  private void fail(CompletableFuture<?> answer, String why) {
    if (world.chance(network.silent)) {
      return;
    }
    StoreException failure = StoreException.unknown("simulated: " + why, new IOException(why));
    world.in(
        network.delayNanos(), () -> process.enter(() -> answer.completeExceptionally(failure)));
  }
}
