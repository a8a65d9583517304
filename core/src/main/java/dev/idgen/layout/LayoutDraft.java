package dev.idgen.layout;

import dev.idgen.layout.Field.Kind;
import java.util.ArrayList;
import java.util.List;

/** What a builder has been told so far, and the judgement on it. */
final class LayoutDraft {
  private static final int MAX_FIELDS = 16; // far more than can be right: a builder in a loop
  private static final int MAX_VERSION_BITS = 16;
  private static final int MAX_TIME_BITS = 52; // in seconds still within 64 bits of milliseconds
  private static final int MAX_OTHER_BITS = 31; // a worker id is an int
  private static final long MAX_EPOCH_MILLIS = 253_402_300_799_999L; // the last of the year 9999
  private static final long MIN_LIFE_MILLIS = 365L * 86_400_000;

  private final List<Part> parts = new ArrayList<>();
  int version;
  int regionBits;
  long tickMillis = 1;
  long epochMillis = Layout.DEFAULT_EPOCH_MILLIS;
  boolean javascriptSafe;
  boolean unsigned;

  void append(Kind kind, int bits) {
    if (parts.size() == MAX_FIELDS) {
      throw new IllegalArgumentException(
          "fields: more than " + MAX_FIELDS + " (expected: each at most once)");
    }
    parts.add(new Part(kind, bits));
  }

  /** Two ints that are out of range must not add up to one that is within. */
  void append(Kind kind, int upperBits, int lowerBits) {
    long sum = (long) upperBits + lowerBits;
    boolean sane = upperBits >= 0 && lowerBits >= 0 && sum <= Integer.MAX_VALUE;
    append(kind, sane ? (int) sum : Math.min(upperBits, lowerBits));
  }

  int totalBits() {
    return unsigned ? 64 : javascriptSafe ? 53 : 63;
  }

  /** The fields that have bits, each in its place. */
  List<Field> place() {
    List<Field> fields = new ArrayList<>();
    int shift = totalBits();
    for (Part part : parts) {
      shift -= part.bits;
      if (part.bits > 0) {
        fields.add(new Field(part.kind, part.bits, shift));
      }
    }
    return List.copyOf(fields);
  }

  void check() {
    Faults faults = new Faults();
    checkSettings(faults);
    checkOnce(faults);
    checkBits(faults);
    faults.throwIfAny();
  }

  private void checkSettings(Faults faults) {
    if (tickMillis != 1 && tickMillis != 10 && tickMillis != 1000) {
      faults.add("tickMillis", tickMillis, "1, 10 or 1000");
    }
    faults.range("epochMillis", epochMillis, 0, MAX_EPOCH_MILLIS);
    if (javascriptSafe && unsigned) {
      faults.add("unsigned", true, "false in a JavaScript-safe layout");
    }
  }

  private void checkOnce(Faults faults) {
    for (Kind kind : Kind.values()) {
      long times = parts.stream().filter(part -> part.kind == kind).count();
      if (times > 1) {
        faults.add(kind.toString(), times + " times", "once");
      }
    }
    if (parts.stream().noneMatch(part -> part.kind == Kind.TIME)) {
      faults.add("timeBits", "none", minTimeBits() + ".." + MAX_TIME_BITS);
    }
  }

  private void checkBits(Faults faults) {
    long sum = 0;
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      sum += part.bits;
      checkPart(faults, part, i == 0);
    }
    if (sum != totalBits()) {
      faults.add("bits in all", sum, String.valueOf(totalBits()));
    }
    long workerBits = parts.stream().filter(p -> p.kind == Kind.WORKER).mapToInt(Part::bits).sum();
    faults.range("regionBits", regionBits, 0, Math.max(0, workerBits));
  }

  private void checkPart(Faults faults, Part part, boolean top) {
    String name = part.kind + "Bits";
    switch (part.kind) {
      case TIME -> faults.range(name, part.bits, minTimeBits(), MAX_TIME_BITS);
      case VERSION -> checkVersion(faults, part, top);
      default -> faults.range(name, part.bits, 0, MAX_OTHER_BITS);
    }
  }

  private void checkVersion(Faults faults, Part part, boolean top) {
    faults.range("versionBits", part.bits, 1, MAX_VERSION_BITS);
    int sane = Math.max(1, Math.min(part.bits, MAX_VERSION_BITS));
    faults.range("version", version, 0, (1L << sane) - 1);
    if (!top) {
      faults.add("version", "below another field", "at the top");
    }
  }

  /** The fewest bits that last a year. */
  private int minTimeBits() {
    long tick = Math.max(1, Math.min(tickMillis, 1000));
    return Long.SIZE - Long.numberOfLeadingZeros(MIN_LIFE_MILLIS / tick);
  }

  private record Part(Kind kind, int bits) {}
}
