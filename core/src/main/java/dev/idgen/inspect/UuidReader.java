package dev.idgen.inspect;

import dev.idgen.inspect.Candidate.Kind;
import dev.idgen.uuid.Uuids;
import java.math.BigInteger;
import java.time.Instant;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * UUIDs of every version.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9562">RFC 9562</a>, sections 4 and 5
 */
final class UuidReader {
  private static final String GROUPS = "\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}";
  private static final Pattern TEXT =
      Pattern.compile(
          GROUPS + "|\\{" + GROUPS + "\\}|(?<urn>urn:uuid:" + GROUPS + ")|(?<hex>\\p{XDigit}{32})");
  private static final BigInteger MAX = BigInteger.ONE.shiftLeft(128).subtract(BigInteger.ONE);
  private static final int RFC_VARIANT = 2;

  private UuidReader() {}

  static void read(Candidate candidate) {
    Matcher text = TEXT.matcher(candidate.text);
    if (!text.matches()) {
      return;
    }
    boolean bare = text.group("hex") != null;
    String form = bare ? "hex" : text.group("urn") != null ? "uuid-urn" : "uuid";
    String digits = candidate.text.replace("urn:uuid:", "").replaceAll("[-{}]", "");
    readNumber(candidate, new BigInteger(digits, 16), form, bare);
  }

  private static void readNumber(
      Candidate candidate, BigInteger number, String form, boolean bare) {
    int version = number.shiftRight(76).intValue() & 0xf;
    int variant = number.shiftRight(62).intValue() & 3;
    if (number.signum() == 0) {
      whole(candidate, number, new Kind("uuid-nil", "nil UUID", form, "all bits are 0", ""), 95);
    } else if (number.equals(MAX)) {
      whole(candidate, number, new Kind("uuid-max", "max UUID", form, "all bits are 1", ""), 95);
    } else if (variant != RFC_VARIANT || !isKnown(version)) {
      String shape = "variant and version are none of RFC 9562";
      String note = bare ? "any 128 bits look like this, an MD5 hash for one" : "";
      whole(candidate, number, new Kind("uuid", "UUID", form, shape, note), bare ? 20 : 40);
    } else {
      readVersion(candidate, number, version, form, bare ? 15 : 0);
    }
  }

  private static boolean isKnown(int version) {
    return version >= 1 && version <= 8;
  }

  private static void whole(Candidate candidate, BigInteger number, Kind kind, int score) {
    Cutter cutter = new Cutter(number, 128);
    cutter.hex("bits", 128);
    candidate.add(kind, number, cutter.fields(), null, score, 0);
  }

  private static void readVersion(
      Candidate candidate, BigInteger number, int version, String form, int malus) {
    Cutter cutter = new Cutter(number, 128);
    switch (version) {
      case 1 -> version1(cutter);
      case 6 -> version6(cutter);
      case 7 -> version7(cutter);
      case 3, 5 -> opaque(cutter, "hash");
      case 4 -> opaque(cutter, "random");
      default -> opaque(cutter, "custom");
    }
    String shape = "variant and version are those of a UUID v" + version;
    Kind kind = new Kind("uuid-v" + version, "UUID v" + version, form, shape, note(version));
    UUID uuid = new UUID(number.shiftRight(64).longValue(), number.longValue());
    Instant time = Uuids.hasTime(uuid) ? Uuids.timeOf(uuid) : null;
    candidate.add(kind, number, cutter.fields(), time, 100 - malus, 80 - malus);
  }

  private static String note(int version) {
    return switch (version) {
      case 2 -> "DCE security; its fields are not taken apart";
      case 3 -> "MD5 of a namespace and a name";
      case 5 -> "SHA-1 of a namespace and a name";
      case 8 -> "what the bits mean is known only to who made it";
      default -> "";
    };
  }

  private static void version1(Cutter cutter) {
    cutter.number("timeLow", 32);
    cutter.number("timeMid", 16);
    cutter.number("version", 4);
    cutter.number("timeHigh", 12);
    clockAndNode(cutter);
  }

  private static void version6(Cutter cutter) {
    cutter.number("timeHigh", 32);
    cutter.number("timeMid", 16);
    cutter.number("version", 4);
    cutter.number("timeLow", 12);
    clockAndNode(cutter);
  }

  private static void clockAndNode(Cutter cutter) {
    cutter.number("variant", 2);
    cutter.number("clockSequence", 14);
    cutter.hex("node", 48);
  }

  private static void version7(Cutter cutter) {
    cutter.number("time", 48);
    cutter.number("version", 4);
    cutter.hex("randomA", 12);
    cutter.number("variant", 2);
    cutter.hex("randomB", 62);
  }

  private static void opaque(Cutter cutter, String name) {
    cutter.hex(name + "A", 48);
    cutter.number("version", 4);
    cutter.hex(name + "B", 12);
    cutter.number("variant", 2);
    cutter.hex(name + "C", 62);
  }
}
