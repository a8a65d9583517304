package dev.idgen.checks.jmh;

import dev.idgen.IdBatch;
import dev.idgen.snowflake.ClockMode;
import dev.idgen.snowflake.Engines;
import dev.idgen.snowflake.SnowflakeEngine;
import java.util.Collection;
import java.util.Properties;
import org.apache.shardingsphere.infra.algorithm.keygen.snowflake.SnowflakeKeyGenerateAlgorithm;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** A thousand ids at a time; scores count ids. The clock is read for each batch. */
@State(Scope.Benchmark)
public class BatchTakes {
  static final int SIZE = 1_000;

  private final SnowflakeEngine engine = Engines.open(Width.WIDE.layout(), ClockMode.PRECISE);
  private final SnowflakeKeyGenerateAlgorithm shardingSphere = new SnowflakeKeyGenerateAlgorithm();
  private final long[] ids = new long[SIZE];

  /** Sets up the peer as its own defaults have it. */
  public BatchTakes() {
    shardingSphere.init(new Properties());
  }

  /** Into an array that is at hand. */
  @Benchmark
  @OperationsPerInvocation(SIZE)
  public long[] fill() {
    engine.fill(ids);
    return ids;
  }

  /** Into a new array. */
  @Benchmark
  @OperationsPerInvocation(SIZE)
  public long[] next() {
    return engine.next(SIZE);
  }

  /** As runs. */
  @Benchmark
  @OperationsPerInvocation(SIZE)
  public IdBatch runs() {
    return engine.nextBatch(SIZE);
  }

  /** The peer that has a call for many; it takes its lock for each. 12 bits of sequence, fixed. */
  @Benchmark
  @OperationsPerInvocation(SIZE)
  public Collection<Long> shardingSphere() {
    return shardingSphere.generateKeys(null, SIZE);
  }
}
