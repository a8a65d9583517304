package dev.idgen.checks.jmh;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Ids to texts and back, over 1,024 ids of the present years. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TextWork {
  private static final int MASK = 1023;
  private static final long SEED = 1;
  private static final long FIRST = 300_000_000_000_000_000L;

  /** Name of a {@link TextSubject}; each runs in a process of its own. */
  @Param("CROCKFORD_IDGEN")
  public String subject = "";

  private final long[] ids = new long[MASK + 1];
  private final String[] texts = new String[MASK + 1];
  private LongFunction<String> encoder = id -> "";
  private ToLongFunction<String> decoder = text -> 0;
  private int at;

  /** Makes the ids and their texts. */
  @Setup
  public void open() {
    encoder = TextSubject.valueOf(subject).encoder();
    decoder = TextSubject.valueOf(subject).decoder();
    Random random = new Random(SEED);
    for (int i = 0; i < ids.length; i++) {
      ids[i] = FIRST + (random.nextLong() >>> 6);
      texts[i] = encoder.apply(ids[i]);
    }
  }

  /** An id to its text. */
  @Benchmark
  public String encode() {
    at++;
    return encoder.apply(ids[at & MASK]);
  }

  /** A text to its id. */
  @Benchmark
  public long decode() {
    at++;
    return decoder.applyAsLong(texts[at & MASK]);
  }
}
