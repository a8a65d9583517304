package dev.idgen.check.simulation;

import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A store where it runs.
 *
 * @param <S> what it is to those who reach it
 */
interface Server<S> {

  /** Whether nobody reaches it now. */
  boolean down();

  /** Whether it takes requests now, and does not answer. */
  default boolean hangs() {
    return false;
  }

  /** Does something as soon as it hangs no more. */
  default void whenItGoesOn(Runnable work) {
    throw new UnsupportedOperationException("whenItGoesOn: called (expected: one that hangs)");
  }

  /** Lets the primary of the moment do something. */
  <R> CompletionStage<R> apply(Function<S, CompletionStage<R>> operation);
}
