package dev.idgen.checks.jmh;

import dev.idgen.segment.SegmentEngine;
import dev.idgen.segment.SegmentEvents;
import dev.idgen.segment.SegmentOptions;
import dev.idgen.segment.ThreadBlocks;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.StoreBreaker;
import dev.idgen.store.memory.MemorySegmentStore;
import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.util.function.LongSupplier;
import me.ahoo.cosid.segment.DefaultSegmentId;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;

/**
 * Whoever takes ids from segments: ourselves and the peers, over a store in memory that answers at
 * once, all with the same step and one generator for all threads.
 */
enum SegmentSubject {
  /** The engine; its segments never grow. */
  IDGEN("idgen") {
    @Override
    LongSupplier open() {
      return engine()::next;
    }
  },
  /** In order for each thread alone. */
  IDGEN_BLOCKS("idgen, blocks of 64 for each thread") {
    @Override
    LongSupplier open() {
      return new ThreadBlocks(engine())::next;
    }
  },
  /** Fetches when a segment is used up, under a lock. */
  COSID_DEFAULT("CosId DefaultSegmentId") {
    @Override
    LongSupplier open() {
      return new DefaultSegmentId(new IdSegmentDistributor.Atomic(STEP))::generate;
    }
  },
  /** Fetches ahead on a thread of its own; the distance as it is by default. */
  COSID_CHAIN("CosId SegmentChainId") {
    @Override
    LongSupplier open() {
      return new SegmentChainId(new IdSegmentDistributor.Atomic(STEP))::generate;
    }
  };

  /** Ids of a fetch. */
  static final long STEP = 10_000_000;

  private final String title;

  SegmentSubject(String title) {
    this.title = title;
  }

  /** A new generator, to be shared by all threads. */
  abstract LongSupplier open();

  /** Not ours. */
  boolean peer() {
    return compareTo(COSID_DEFAULT) >= 0;
  }

  String title() {
    return title;
  }

  private static SegmentEngine engine() {
    return new SegmentEngine(
        SegmentTerms.of("default", "order", STEP),
        SegmentOptions.defaults().withSteps(STEP, STEP, STEP),
        new MemorySegmentStore("memory"),
        new StoreBreaker(),
        TimeSource.system(),
        Scheduler.daemon("ids"),
        SegmentEvents.NONE);
  }
}
