package dev.idgen.inspect;

import dev.idgen.inspect.Candidate.Kind;
import dev.idgen.text.TextException;
import dev.idgen.uuid.Ulid;
import dev.idgen.uuid.Uuids;
import java.math.BigInteger;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * 128 bits in 26 Crockford characters: ULID and TypeID.
 *
 * @see <a href="https://github.com/ulid/spec">ULID</a>
 * @see <a href="https://github.com/jetify-com/typeid">TypeID</a>
 */
final class UlidReader {
  private static final Pattern TYPEID_PREFIX = Pattern.compile("([a-z]([a-z_]{0,61}[a-z])?_)?");
  private static final Kind ULID =
      new Kind("ulid", "ULID", "crockford", "26 Crockford characters, the first 0 to 7", "");
  private static final Kind TYPEID =
      new Kind(
          "typeid",
          "TypeID",
          "crockford",
          "26 lower-case Crockford characters that are a UUID v7",
          "");
  private static final Kind LOOSE_TYPEID =
      new Kind(
          "typeid",
          "TypeID",
          "crockford",
          "a prefix and 26 lower-case Crockford characters",
          "its bits are no UUID v7, which they should be");

  private UlidReader() {}

  static void read(Candidate candidate) {
    String text = candidate.text;
    Ulid ulid = parse(text);
    if (ulid == null) {
      return;
    }
    readUlid(candidate, ulid);
    boolean lower = text.equals(text.toLowerCase(Locale.ROOT));
    if (lower && TYPEID_PREFIX.matcher(candidate.prefix).matches()) {
      readTypeId(candidate, ulid.toUuid());
    }
  }

  /** A refusal is an answer here: the text is no ULID. */
  private static @Nullable Ulid parse(String text) {
    if (text.length() != Ulid.LENGTH) {
      return null;
    }
    try {
      return Ulid.parse(text);
    } catch (TextException e) {
      return null;
    }
  }

  private static void readUlid(Candidate candidate, Ulid ulid) {
    BigInteger number = new BigInteger(1, ulid.toBytes());
    Cutter cutter = new Cutter(number, 128);
    cutter.number("time", 48);
    cutter.hex("random", 80);
    candidate.add(ULID, number, cutter.fields(), ulid.time(), 85, 40);
  }

  private static void readTypeId(Candidate candidate, UUID uuid) {
    BigInteger number = new BigInteger(1, Uuids.toBytes(uuid));
    Cutter cutter = new Cutter(number, 128);
    if (Uuids.versionOf(uuid) == 7) {
      cutter.number("time", 48);
      cutter.number("version", 4);
      cutter.hex("randomA", 12);
      cutter.number("variant", 2);
      cutter.hex("randomB", 62);
      candidate.add(TYPEID, number, cutter.fields(), Uuids.timeOf(uuid), 95, 50);
    } else if (!candidate.prefix.isEmpty()) {
      cutter.hex("bits", 128);
      candidate.add(LOOSE_TYPEID, number, cutter.fields(), null, 60, 60);
    }
  }
}
