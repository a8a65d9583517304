package dev.idgen.check.simulation;

import dev.idgen.IdBatch;
import java.util.concurrent.CompletionStage;

/** What callers and administrators ask of an engine of one tag. */
interface Issuer {

  /** One id at once; -1: not at once. */
  long tryNext();

  /** Some ids, within a time. */
  CompletionStage<IdBatch> nextAsync(int count, long waitNanos);

  /** Whether so many ids can be had that follow one another. */
  boolean hasContiguous(int count);

  /** Some ids that follow one another, within a time. */
  CompletionStage<IdBatch> nextContiguous(int count, long waitNanos);

  /** Nothing below any more. */
  void raiseTo(long floor);

  /** Nothing at all any more. */
  void close();
}
