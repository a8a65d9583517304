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

  /** Lets the primary of the moment do something. */
  <R> CompletionStage<R> apply(Function<S, CompletionStage<R>> operation);
}
