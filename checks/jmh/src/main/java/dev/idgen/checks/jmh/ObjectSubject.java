package dev.idgen.checks.jmh;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.TimeBasedEpochGenerator;
import com.github.f4b6a3.ulid.UlidFactory;
import com.github.f4b6a3.uuid.factory.standard.TimeOrderedEpochFactory;
import com.github.ksuid.KsuidGenerator;
import de.huxhorn.sulky.ulid.ULID;
import dev.idgen.entropy.Entropy;
import dev.idgen.time.TimeSource;
import dev.idgen.uuid.UlidGenerator;
import dev.idgen.uuid.UuidV7;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.bson.types.ObjectId;

/**
 * Whoever makes ids of 96 bits and more: ourselves, and each peer in its fastest configuration that
 * is still correct when all threads share one generator. Where a peer draws random bits for each
 * id, it gets a generator that is fast and not secure; ours stays secure.
 */
enum ObjectSubject {
  /** Version 7, in order, as it is by default. */
  UUID_IDGEN("idgen") {
    @Override
    Supplier<Object> open() {
      return new UuidV7(TimeSource.system(), Entropy.secure())::take;
    }
  },
  /** Version 7, in order, by a cached clock. */
  UUID_IDGEN_CACHED("idgen, cached clock") {
    @Override
    Supplier<Object> open() {
      return new UuidV7(TimeSource.cached(), Entropy.secure())::take;
    }
  },
  /** In order: counts up from random bits that it draws once in a millisecond. */
  UUID_JUG("java-uuid-generator") {
    @Override
    Supplier<Object> open() {
      TimeBasedEpochGenerator ids = Generators.timeBasedEpochGenerator(new Random());
      return ids::generate;
    }
  },
  /** In order: adds 1 to the last id of the millisecond. */
  UUID_CREATOR_PLUS_1("uuid-creator, plus 1") {
    @Override
    Supplier<Object> open() {
      TimeOrderedEpochFactory ids =
          TimeOrderedEpochFactory.builder().withIncrementPlus1().withFastRandom().build();
      return ids::create;
    }
  },
  /** In order: counts in the upper bits and draws the lower ones for each id, as ours does. */
  UUID_CREATOR("uuid-creator") {
    @Override
    Supplier<Object> open() {
      TimeOrderedEpochFactory ids = TimeOrderedEpochFactory.builder().withFastRandom().build();
      return ids::create;
    }
  },
  /** In order, as text. */
  ULID_IDGEN("idgen") {
    @Override
    Supplier<Object> open() {
      return new UlidGenerator(TimeSource.system(), Entropy.secure())::takeText;
    }
  },
  /** In order, as text, by a cached clock. */
  ULID_IDGEN_CACHED("idgen, cached clock") {
    @Override
    Supplier<Object> open() {
      return new UlidGenerator(TimeSource.cached(), Entropy.secure())::takeText;
    }
  },
  /** In order; as text. Its random bits are drawn once in a millisecond, by a fast generator. */
  ULID_CREATOR("ulid-creator") {
    @Override
    Supplier<Object> open() {
      UlidFactory ids =
          UlidFactory.newMonotonicInstance(() -> ThreadLocalRandom.current().nextLong());
      return () -> ids.create().toString();
    }
  },
  /**
   * In order for each thread only: the caller hands in the last one. A shared generator would need
   * a lock, so each thread has its own row, and rows may meet.
   */
  ULID_SULKY("sulky, a row per thread") {
    @Override
    Supplier<Object> open() {
      ThreadLocal<SulkyRow> rows = ThreadLocal.withInitial(SulkyRow::new);
      return () -> rows.get().next();
    }
  },
  /** In no order inside its second; as text. */
  KSUID("ksuid") {
    @Override
    Supplier<Object> open() {
      SplittableRandom seeds = new SplittableRandom();
      KsuidGenerator ids = new KsuidGenerator(new Random(seeds.nextLong()));
      return () -> ids.newKsuid().toString();
    }
  },
  /** In order inside its second, until the counter of 24 bits turns over; as text. */
  OBJECT_ID("bson ObjectId") {
    @Override
    Supplier<Object> open() {
      return () -> ObjectId.get().toHexString();
    }
  };

  private final String title;

  ObjectSubject(String title) {
    this.title = title;
  }

  /** A new generator, to be shared by all threads. */
  abstract Supplier<Object> open();

  String title() {
    return title;
  }

  private static final class SulkyRow {
    private final ULID ids = new ULID(new Random());
    private ULID.Value last = ids.nextValue();

    String next() {
      last = ids.nextMonotonicValue(last);
      return last.toString();
    }
  }
}
