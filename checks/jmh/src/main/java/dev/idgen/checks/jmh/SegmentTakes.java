package dev.idgen.checks.jmh;

import java.util.function.LongSupplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One id at a time from segments of a tag that all threads share. */
@State(Scope.Benchmark)
public class SegmentTakes {
  /** Name of a {@link SegmentSubject}; each runs in a process of its own. */
  @Param("IDGEN")
  public String subject = "";

  private LongSupplier ids = () -> 0;

  /** Opens the generator. */
  @Setup
  public void open() {
    ids = SegmentSubject.valueOf(subject).open();
  }

  /** An id. */
  @Benchmark
  public long take() {
    return ids.getAsLong();
  }
}
