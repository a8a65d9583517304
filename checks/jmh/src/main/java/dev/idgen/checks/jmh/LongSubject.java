package dev.idgen.checks.jmh;

import cn.hutool.core.lang.Snowflake;
import com.baomidou.mybatisplus.core.toolkit.Sequence;
import com.github.f4b6a3.tsid.TsidFactory;
import com.github.yitter.contract.IdGeneratorOptions;
import com.github.yitter.idgen.DefaultIdGenerator;
import com.xfvape.uid.exception.UidGenerateException;
import com.xfvape.uid.impl.CachedUidGenerator;
import com.xfvape.uid.impl.DefaultUidGenerator;
import dev.idgen.snowflake.ClockMode;
import dev.idgen.snowflake.Engines;
import io.hypersistence.tsid.TSID;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;
import org.agrona.concurrent.SnowflakeIdGenerator;
import org.agrona.concurrent.SystemEpochClock;
import org.apache.seata.common.util.IdWorker;
import org.apache.shardingsphere.infra.algorithm.keygen.snowflake.SnowflakeKeyGenerateAlgorithm;

/**
 * Whoever makes 64-bit ids: the floors, ourselves, and each peer in its fastest configuration that
 * is still correct when all threads share one generator.
 */
enum LongSubject {
  /** One fetch-and-add: no generator whose callers share an order can do with less. */
  FLOOR_ADD("fetch-and-add", true) {
    @Override
    LongSupplier open(Width width) {
      AtomicLong counter = new AtomicLong();
      return counter::getAndIncrement;
    }
  },
  /**
   * A clock reading and a fetch-and-add. Neither waits for the other, so this is less than a
   * generator needs; the reading is added so far up that the sums stay apart.
   */
  FLOOR_CLOCK("clock read + fetch-and-add", true) {
    @Override
    LongSupplier open(Width width) {
      AtomicLong counter = new AtomicLong();
      return () -> (System.currentTimeMillis() >>> 62) + counter.getAndIncrement();
    }
  },
  /** The engine as it is by default. */
  IDGEN("idgen", true) {
    @Override
    LongSupplier open(Width width) {
      return Engines.open(width.layout(), ClockMode.PRECISE)::next;
    }
  },
  /** The engine with the cached clock. */
  IDGEN_CACHED("idgen, cached clock", true) {
    @Override
    LongSupplier open(Width width) {
      return Engines.open(width.layout(), ClockMode.CACHED)::next;
    }
  },
  /** Bits are free to choose. Its clock is the system's, read for each id. */
  AGRONA("Agrona", true) {
    @Override
    LongSupplier open(Width width) {
      int nodeBits = width.wide() ? 0 : 10;
      return new SnowflakeIdGenerator(
              nodeBits, 22 - nodeBits, 0, EPOCH_MILLIS, SystemEpochClock.INSTANCE)
          ::nextId;
    }
  },
  /**
   * Bits are free to choose. Without the decorators that resynchronise the clock or make texts; the
   * sequence starts at 0 in each millisecond.
   */
  COSID("CosId", true) {
    @Override
    LongSupplier open(Width width) {
      int machineBits = width.wide() ? 0 : 10;
      return new MillisecondSnowflakeId(EPOCH_MILLIS, 41, machineBits, 22 - machineBits, 0, 0)
          ::generate;
    }
  },
  /**
   * Node bits are free to choose. Its start of a millisecond is drawn by a fast generator. When a
   * millisecond is used up it goes on in the next, however far ahead of the clock.
   */
  TSID_CREATOR("tsid-creator", true) {
    @Override
    LongSupplier open(Width width) {
      TsidFactory factory =
          TsidFactory.builder()
              .withNodeBits(width.wide() ? 0 : 10)
              .withNode(0)
              .withRandomFunction(() -> ThreadLocalRandom.current().nextInt())
              .build();
      return () -> factory.create().toLong();
    }
  },
  /** As tsid-creator, which it is derived from. */
  HYPERSISTENCE("hypersistence-tsid", true) {
    @Override
    LongSupplier open(Width width) {
      TSID.Factory factory =
          TSID.Factory.builder()
              .withNodeBits(width.wide() ? 0 : 10)
              .withNode(0)
              .withRandomFunction(() -> ThreadLocalRandom.current().nextInt())
              .build();
      return () -> factory.generate().toLong();
    }
  },
  /**
   * Worker and sequence share 22 bits, the sequence at most 21. It may run ahead of the clock by
   * 2,000 sequences, so that a short run can show more than the layout's cap.
   */
  YITTER("yitter", true) {
    @Override
    LongSupplier open(Width width) {
      IdGeneratorOptions options = new IdGeneratorOptions((short) 0);
      options.WorkerIdBitLength = (byte) (width.wide() ? 1 : 10);
      options.SeqBitLength = (byte) (width.wide() ? 21 : 12);
      DefaultIdGenerator ids = new DefaultIdGenerator(options);
      return ids::newLong;
    }
  },
  /** Counts seconds: 29 bits of them, 2 of worker, 32 of sequence; as standard 28/13/22. */
  UID_DEFAULT("uid-generator", true) {
    @Override
    LongSupplier open(Width width) {
      DefaultUidGenerator ids = new DefaultUidGenerator();
      ids.setTimeBits(width.wide() ? 29 : 28);
      ids.setWorkerBits(width.wide() ? 2 : 13);
      ids.setSeqBits(width.wide() ? 32 : 22);
      start(ids);
      return ids::getUID;
    }
  },
  /**
   * The ring buffer, filled ahead by threads of its own, which run on the same processors. It
   * throws when the buffer is empty; a caller then tries again.
   */
  UID_CACHED("uid-generator, cached", true) {
    @Override
    LongSupplier open(Width width) {
      CachedUidGenerator ids = new CachedUidGenerator();
      ids.setTimeBits(32);
      ids.setWorkerBits(13);
      ids.setSeqBits(18);
      ids.setRejectedTakeBufferHandler(
          buffer -> {
            throw new EmptyException();
          });
      start(ids);
      return () -> retrying(ids);
    }

    @Override
    boolean allows(Width width) {
      return width.wide();
    }
  },
  /** 12 bits of sequence, fixed. By the system's clock: its cached one may repeat ids. */
  HUTOOL("Hutool", false) {
    @Override
    LongSupplier open(Width width) {
      return new Snowflake(0, 0, false)::nextId;
    }
  },
  /** 12 bits of sequence, fixed. */
  MYBATIS_PLUS("MyBatis-Plus", false) {
    @Override
    LongSupplier open(Width width) {
      return new Sequence(0, 0)::nextId;
    }
  },
  /** 12 bits of sequence, fixed. Ids go on from the last one; the clock only holds them back. */
  SEATA("Seata", false) {
    @Override
    LongSupplier open(Width width) {
      return new IdWorker(0L)::nextId;
    }
  },
  /** 12 bits of sequence, fixed. One key for each call. */
  SHARDING_SPHERE("ShardingSphere", false) {
    @Override
    LongSupplier open(Width width) {
      SnowflakeKeyGenerateAlgorithm ids = new SnowflakeKeyGenerateAlgorithm();
      ids.init(new Properties());
      return () -> ids.generateKeys(null, 1).iterator().next();
    }
  };

  private static final long EPOCH_MILLIS = 1_704_067_200_000L;

  private final String title;
  private final boolean wide;

  LongSubject(String title, boolean wide) {
    this.title = title;
    this.wide = wide;
  }

  /** A new generator, to be shared by all threads. */
  abstract LongSupplier open(Width width);

  /** Whether the generator can be made that wide. */
  boolean allows(Width width) {
    return wide || !width.wide();
  }

  /** Neither a floor nor ours. */
  boolean peer() {
    return compareTo(AGRONA) >= 0;
  }

  /** Whether it spins while the millisecond is used up, instead of running ahead or resting. */
  boolean spins() {
    return switch (this) {
      case AGRONA, COSID, HUTOOL, MYBATIS_PLUS, SHARDING_SPHERE -> true;
      default -> false;
    };
  }

  String title() {
    return title;
  }

  private static void start(DefaultUidGenerator ids) {
    ids.setEpochStr("2024-01-01");
    ids.setWorkerIdAssigner(() -> 0L);
    try {
      ids.afterPropertiesSet();
    } catch (Exception e) { // what the peer's interface declares
      throw new IllegalStateException("uid-generator: does not start", e);
    }
  }

  private static long retrying(CachedUidGenerator ids) {
    while (true) {
      try {
        return ids.getUID();
      } catch (UidGenerateException e) {
        Thread.onSpinWait();
      }
    }
  }

  /** Without a stack trace, whose making would be measured. */
  private static final class EmptyException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    EmptyException() {
      super("buffer: empty (expected: ids)");
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
      return this;
    }
  }
}
