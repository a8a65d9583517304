package dev.idgen.inspect;

import dev.idgen.inspect.Candidate.Kind;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * 128 bits in 26 Crockford characters: ULID and TypeID.
 *
 * @see <a href="https://github.com/ulid/spec">ULID</a>
 * @see <a href="https://github.com/jetify-com/typeid">TypeID</a>
 */
final class UlidReader {
  private static final int LENGTH = 26;
  private static final Pattern TYPEID_PREFIX = Pattern.compile("([a-z]([a-z_]{0,61}[a-z])?_)?");
  private static final Kind ULID =
      new Kind("ulid", "ULID", "crockford32", "26 Crockford characters, the first 0 to 7", "");
  private static final Kind TYPEID =
      new Kind(
          "typeid",
          "TypeID",
          "crockford32",
          "26 lower-case Crockford characters that are a UUID v7",
          "");
  private static final Kind LOOSE_TYPEID =
      new Kind(
          "typeid",
          "TypeID",
          "crockford32",
          "a prefix and 26 lower-case Crockford characters",
          "its bits are no UUID v7, which they should be");

  private UlidReader() {}

  static void read(Candidate candidate) {
    String text = candidate.text;
    if (text.length() != LENGTH || text.charAt(0) < '0' || text.charAt(0) > '7') {
      return;
    }
    BigInteger number = Digits.CROCKFORD.decode(text);
    if (number == null) {
      return;
    }
    readUlid(candidate, number);
    boolean lower = text.equals(text.toLowerCase(Locale.ROOT));
    if (lower && TYPEID_PREFIX.matcher(candidate.prefix).matches()) {
      readTypeId(candidate, number);
    }
  }

  private static void readUlid(Candidate candidate, BigInteger number) {
    Cutter cutter = new Cutter(number, 128);
    long millis = cutter.number("time", 48);
    cutter.hex("random", 80);
    candidate.add(ULID, number, cutter.fields(), Instant.ofEpochMilli(millis), 85, 40);
  }

  private static void readTypeId(Candidate candidate, BigInteger number) {
    boolean version7 =
        (number.shiftRight(76).intValue() & 0xf) == 7
            && (number.shiftRight(62).intValue() & 3) == 2;
    if (version7) {
      Cutter cutter = new Cutter(number, 128);
      long millis = cutter.number("time", 48);
      cutter.number("version", 4);
      cutter.hex("randomA", 12);
      cutter.number("variant", 2);
      cutter.hex("randomB", 62);
      candidate.add(TYPEID, number, cutter.fields(), Instant.ofEpochMilli(millis), 95, 50);
    } else if (!candidate.prefix.isEmpty()) {
      Cutter cutter = new Cutter(number, 128);
      cutter.hex("bits", 128);
      candidate.add(LOOSE_TYPEID, number, cutter.fields(), null, 60, 60);
    }
  }
}
