package dev.idgen.inspect;

import dev.idgen.inspect.Candidate.Kind;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Ids of 96 bits and more that are neither UUID nor ULID: KSUID, XID, ObjectId, NanoID.
 *
 * @see <a href="https://github.com/segmentio/ksuid">KSUID</a>
 * @see <a href="https://github.com/rs/xid">XID</a>
 * @see <a href="https://www.mongodb.com/docs/manual/reference/bson-types/#objectid">ObjectId</a>
 * @see <a href="https://github.com/ai/nanoid">NanoID</a>
 */
final class LongReader {
  private static final Kind KSUID =
      new Kind("ksuid", "KSUID", "base62", "27 base-62 characters of at most 160 bits", "");
  private static final Kind XID =
      new Kind("xid", "XID", "base32hex", "20 characters of 0-9 and a-v for 96 bits", "");
  private static final Kind OBJECT_ID =
      new Kind("objectid", "ObjectId", "hex", "24 hexadecimal digits", "");
  private static final Kind NANO_ID =
      new Kind(
          "nanoid",
          "NanoID",
          "base64url",
          "21 characters of A-Z, a-z, 0-9, _ and -",
          "all random; it has no fields");
  private static final long KSUID_EPOCH_SECONDS = 1_400_000_000;
  private static final BigInteger XID_SPARE = BigInteger.valueOf(16); // 20 characters: 100 bits
  private static final Pattern NANO_ID_TEXT = Pattern.compile("[A-Za-z0-9_-]{21}");
  private static final Pattern DECIMAL = Pattern.compile("[0-9]+");

  private LongReader() {}

  static void read(Candidate candidate) {
    switch (candidate.text.length()) {
      case 20 -> readXid(candidate);
      case 21 -> readNanoId(candidate);
      case 24 -> readObjectId(candidate);
      case 27 -> readKsuid(candidate);
      default -> {}
    }
  }

  private static void readKsuid(Candidate candidate) {
    BigInteger number = Digits.BASE62.decode(candidate.text);
    if (number == null || number.bitLength() > 160) {
      return;
    }
    Cutter cutter = new Cutter(number, 160);
    long seconds = cutter.number("time", 32);
    cutter.hex("random", 128);
    Instant time = Instant.ofEpochSecond(KSUID_EPOCH_SECONDS + seconds);
    candidate.add(KSUID, number, cutter.fields(), time, 90, 30);
  }

  private static void readXid(Candidate candidate) {
    BigInteger padded = Digits.BASE32_HEX.decode(candidate.text);
    if (padded == null || padded.mod(XID_SPARE).signum() != 0) {
      return;
    }
    BigInteger number = padded.divide(XID_SPARE);
    Cutter cutter = new Cutter(number, 96);
    Instant time = Instant.ofEpochSecond(cutter.number("time", 32));
    cutter.hex("machine", 24);
    cutter.number("process", 16);
    cutter.number("counter", 24);
    boolean tooLongADecimal = DECIMAL.matcher(candidate.text).matches();
    if (!tooLongADecimal || candidate.judge.of(time).plausible()) {
      candidate.add(XID, number, cutter.fields(), time, 90, 30);
    }
  }

  private static void readObjectId(Candidate candidate) {
    BigInteger number = Digits.HEX.decode(candidate.text);
    if (number == null) {
      return;
    }
    Cutter cutter = new Cutter(number, 96);
    long seconds = cutter.number("time", 32);
    cutter.hex("process", 40);
    cutter.number("counter", 24);
    Instant time = Instant.ofEpochSecond(seconds);
    boolean tooLongADecimal = DECIMAL.matcher(candidate.text).matches();
    if (!tooLongADecimal || candidate.judge.of(time).plausible()) {
      candidate.add(OBJECT_ID, number, cutter.fields(), time, 90, 30);
    }
  }

  private static void readNanoId(Candidate candidate) {
    String text = candidate.text;
    if (NANO_ID_TEXT.matcher(text).matches() && !DECIMAL.matcher(text).matches()) {
      candidate.add(NANO_ID, null, List.of(), null, 30, NANO_ID.shape());
    }
  }
}
