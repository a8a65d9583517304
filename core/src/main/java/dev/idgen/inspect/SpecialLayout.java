package dev.idgen.inspect;

import java.math.BigInteger;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** 64-bit ids whose fields no {@link dev.idgen.layout.Layout} can express. */
enum SpecialLayout implements Known {
  /**
   * CockroachDB's {@code unique_rowid()}: 48 bits of 10 microseconds since 2015, and 15 bits of the
   * node, joined by exclusive or.
   *
   * @see <a href="https://www.cockroachlabs.com/docs/stable/serial">CockroachDB on SERIAL</a>
   */
  COCKROACHDB(
      "cockroachdb",
      "CockroachDB unique_rowid",
      63,
      "ticks of 10 microseconds; a node above 32767 alters the time, as the two are joined by"
          + " exclusive or") {
    @Override
    @Nullable Instant read(Cutter cutter) {
      long ticks = cutter.number("time", 48);
      cutter.number("node", 15);
      return Instant.ofEpochSecond(1_420_070_400L + ticks / 100_000, ticks % 100_000 * 10_000);
    }
  },

  /**
   * TiDB's {@code AUTO_RANDOM} with its defaults on a signed column: 5 bits of shard, 58 of a
   * counter.
   *
   * @see <a href="https://docs.pingcap.com/tidb/stable/auto-random">TiDB on AUTO_RANDOM</a>
   */
  TIDB(
      "tidb-auto-random",
      "TiDB AUTO_RANDOM(5)",
      63,
      "no time in it; the shard is a hash, so these ids are in no order") {
    @Override
    @Nullable Instant read(Cutter cutter) {
      cutter.number("shard", 5);
      cutter.number("increment", 58);
      return null;
    }
  },

  /** Seconds, machine and counter that take all 64 bits, as often sketched. */
  NOTEBOOK(
      "notebook",
      "32 bits of Unix seconds, 24 of machine, 8 of counter",
      64,
      "32 + 24 + 8 bits leave none for the sign: from 2038 on such ids are negative, so they are"
          + " read and never issued here") {
    @Override
    @Nullable Instant read(Cutter cutter) {
      long seconds = cutter.number("time", 32);
      cutter.number("machine", 24);
      cutter.number("counter", 8);
      return Instant.ofEpochSecond(seconds);
    }
  };

  private final String kind;
  private final String title;
  private final int bits;
  private final String note;

  SpecialLayout(String kind, String title, int bits, String note) {
    this.kind = kind;
    this.title = title;
    this.bits = bits;
    this.note = note;
  }

  @Override
  public String kind() {
    return kind;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public String note() {
    return note;
  }

  @Override
  public boolean fits(BigInteger number) {
    return number.bitLength() <= bits;
  }

  @Override
  public Cut cut(BigInteger number) {
    Cutter cutter = new Cutter(number, bits);
    Instant time = read(cutter);
    return new Cut(cutter.fields(), time);
  }

  @Override
  public String range() {
    return "0.." + BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
  }

  /** Cuts all bits into fields. Returns the time in them, or null where there is none. */
  abstract @Nullable Instant read(Cutter cutter);
}
