package dev.idgen.check.simulation;

import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.TagAdmin;
import dev.idgen.store.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** What an administrator wants: asked for at one server after another until it is answered. */
final class TagErrand<R> {
  private static final long PATIENCE_MS = 4_000;

  private final World world;
  private final TagCluster cluster;
  private final String what;
  private final Function<TagAdmin, CompletionStage<R>> order;
  private final Answered<R> answered;
  private int attempts;
  private boolean done;

  /**
   * Not begun yet.
   *
   * @param answered hears by whom it was done
   */
  TagErrand(
      TagCluster cluster,
      String what,
      Function<TagAdmin, CompletionStage<R>> order,
      Answered<R> answered) {
    this.world = cluster.world();
    this.cluster = cluster;
    this.what = what;
    this.order = order;
    this.answered = answered;
  }

  /** Hears that it was done. */
  interface Answered<R> {
    /**
     * Hears it.
     *
     * @param knew whether the server knew all tags when it was asked
     */
    void by(TagServer server, R reply, boolean knew);
  }

  boolean done() {
    return done;
  }

  @Override
  public String toString() {
    return what;
  }

  void attempt() {
    if (done) {
      return;
    }
    int number = ++attempts;
    TagServer server = cluster.any();
    if (server == null) {
      world.inMillis(500, this::attempt);
      return;
    }
    world.note(server.number(), "asked: " + what, number, 0);
    server.enter(
        () -> {
          boolean knew = server.knowsThePrimary();
          var unused =
              begun(server)
                  .whenComplete(
                      (reply, failure) -> {
                        if (failure == null) {
                          ended(server, number, reply, knew);
                        } else {
                          failed(server, number, failure);
                        }
                      });
        });
    world.inMillis(PATIENCE_MS, () -> again(number)); // it may have died, or be paused
  }

  private CompletionStage<R> begun(TagServer server) {
    try {
      return order.apply(server.admin());
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void ended(TagServer server, int number, R reply, boolean knew) {
    if (!done) {
      done = true;
      world.note(server.number(), "done: " + what, number, 0);
      answered.by(server, reply, knew);
    }
  }

  private void failed(TagServer server, int number, Throwable failure) {
    Throwable cause = AbstractProcess.cause(failure);
    if (done || cause == null) {
      return;
    }
    world.note(server.number(), "failed: " + what + ": " + cause.getMessage(), number, 0);
    if (cause instanceof ServiceException refusal && TagServer.isFinal(refusal)) {
      done = true;
    } else if (cause instanceof ServiceException || cause instanceof StoreException) {
      world.inMillis(world.scaled(50, 1_000), () -> again(number));
    } else {
      throw world.fail(what + ": " + cause + " (expected: an answer)");
    }
  }

  private void again(int number) {
    if (number == attempts) {
      attempt();
    }
  }
}
