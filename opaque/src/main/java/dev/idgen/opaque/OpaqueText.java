package dev.idgen.opaque;

import dev.idgen.text.Text;
import dev.idgen.text.TextException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.bouncycastle.crypto.fpe.FPEFF1Engine;
import org.bouncycastle.crypto.params.FPEParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.jspecify.annotations.Nullable;

/**
 * The name of a key, and eleven digits of base 62: the digits of the number, encrypted in place
 * with the tag as tweak. Of all such texts, those of 63-bit numbers are fewer than one in five:
 * others are refused. Immutable and thread-safe.
 *
 * @see <a href="https://doi.org/10.6028/NIST.SP.800-38G">NIST SP 800-38G, FF1</a>
 */
final class OpaqueText implements Text {
  static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  private static final int RADIX = ALPHABET.length();
  private static final int DIGITS = 11;
  private static final int LENGTH = 1 + DIGITS;

  private final List<OpaqueKey> keys;
  private final byte[] tweak;

  OpaqueText(List<OpaqueKey> keys, String tag) {
    this.keys = keys;
    this.tweak = tag.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public String encode(long id) {
    byte[] ascii = new byte[LENGTH];
    encode(id, ascii, 0);
    return new String(ascii, StandardCharsets.US_ASCII);
  }

  @Override
  public int encode(long id, byte[] into, int offset) {
    if (id < 0) {
      throw new IllegalArgumentException("id: " + id + " (expected: 0.." + Long.MAX_VALUE + ")");
    }
    if (offset < 0 || offset > into.length - LENGTH) {
      throw new IndexOutOfBoundsException(
          "offset: " + offset + " (expected: 0.." + (into.length - LENGTH) + ")");
    }
    OpaqueKey key = keys.get(0);
    byte[] digits = crypted(key, true, digits(id));
    into[offset] = (byte) key.name();
    for (int i = 0; i < DIGITS; i++) {
      into[offset + 1 + i] = (byte) ALPHABET.charAt(digits[i]);
    }
    return offset + LENGTH;
  }

  private static byte[] digits(long id) {
    byte[] digits = new byte[DIGITS];
    long rest = id;
    for (int i = DIGITS - 1; i >= 0; i--) {
      digits[i] = (byte) (rest % RADIX);
      rest /= RADIX;
    }
    return digits;
  }

  private byte[] crypted(OpaqueKey key, boolean encrypt, byte[] digits) {
    FPEFF1Engine engine = new FPEFF1Engine(); // holds the state of one call
    engine.init(encrypt, new FPEParameters(new KeyParameter(key.bytes()), RADIX, tweak));
    byte[] out = new byte[DIGITS];
    engine.processBlock(digits, 0, DIGITS, out, 0);
    return out;
  }

  @Override
  public long decode(CharSequence text) {
    if (text.length() != LENGTH) {
      throw new TextException(text, TextException.WHOLE, LENGTH + " characters");
    }
    OpaqueKey key = key(text.charAt(0));
    if (key == null) {
      throw new TextException(text, 0, "the name of a key");
    }
    byte[] digits = new byte[DIGITS];
    for (int i = 0; i < DIGITS; i++) {
      int digit = ALPHABET.indexOf(text.charAt(i + 1));
      if (digit < 0) {
        throw new TextException(text, i + 1, "0-9A-Za-z");
      }
      digits[i] = (byte) digit;
    }
    long id = number(crypted(key, false, digits));
    if (id < 0) {
      throw new TextException(
          text, TextException.WHOLE, "one that was made with key " + key.name());
    }
    return id;
  }

  private @Nullable OpaqueKey key(char name) {
    for (OpaqueKey key : keys) {
      if (key.name() == name) {
        return key;
      }
    }
    return null;
  }

  /** Negative: past 2^63-1. */
  private static long number(byte[] digits) {
    long number = 0;
    for (byte digit : digits) {
      if (number > (Long.MAX_VALUE - digit) / RADIX) {
        return -1;
      }
      number = number * RADIX + digit;
    }
    return number;
  }

  @Override
  public boolean isCanonical(CharSequence text) {
    try {
      return text.length() == LENGTH
          && text.charAt(0) == keys.get(0).name()
          && Arrays.equals(encode(decode(text)).toCharArray(), text.toString().toCharArray());
    } catch (TextException e) {
      return false;
    }
  }

  @Override
  public int length(long id) {
    return LENGTH;
  }

  @Override
  public int lengthMax() {
    return LENGTH;
  }

  /** Order is one of the things that it hides. */
  @Override
  public boolean isOrdered() {
    return false;
  }

  @Override
  public String name() {
    return "opaque";
  }
}
