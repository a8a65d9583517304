package dev.idgen.checks.jmh;

import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One wide id at a time from a generator that all threads share. */
@State(Scope.Benchmark)
public class ObjectTakes {
  /** Name of an {@link ObjectSubject}; each runs in a process of its own. */
  @Param("UUID_IDGEN")
  public String subject = "";

  private Supplier<Object> ids = () -> "";

  /** Opens the generator. */
  @Setup
  public void open() {
    ids = ObjectSubject.valueOf(subject).open();
  }

  /** An id. */
  @Benchmark
  public Object take() {
    return ids.get();
  }
}
