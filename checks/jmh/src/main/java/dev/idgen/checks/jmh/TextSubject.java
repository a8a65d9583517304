package dev.idgen.checks.jmh;

import com.github.f4b6a3.tsid.Tsid;
import dev.idgen.text.Text;
import io.hypersistence.tsid.TSID;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import me.ahoo.cosid.converter.Radix62IdConverter;

/** Whoever writes a 64-bit id as a text of fixed width and reads it back, checking it. */
@SuppressWarnings("ImmutableEnumChecker") // functions without state
enum TextSubject {
  /** 13 characters of Crockford's base 32. */
  CROCKFORD_IDGEN("idgen", Text.CROCKFORD::encode, Text.CROCKFORD::decode),
  /** The canonical string. */
  CROCKFORD_TSID_CREATOR(
      "tsid-creator", id -> Tsid.from(id).toString(), text -> Tsid.from(text).toLong()),
  /** As tsid-creator, which it is derived from. */
  CROCKFORD_HYPERSISTENCE(
      "hypersistence-tsid", id -> TSID.from(id).toString(), text -> TSID.from(text).toLong()),
  /** 11 characters. */
  BASE62_IDGEN("idgen", Text.BASE62::encode, Text.BASE62::decode),
  /** 11 characters, padded. */
  BASE62_COSID("CosId", CosId.RADIX_62::asString, CosId.RADIX_62::asLong);

  private final String title;
  private final LongFunction<String> encoder;
  private final ToLongFunction<String> decoder;

  TextSubject(String title, LongFunction<String> encoder, ToLongFunction<String> decoder) {
    this.title = title;
    this.encoder = encoder;
    this.decoder = decoder;
  }

  LongFunction<String> encoder() {
    return encoder;
  }

  ToLongFunction<String> decoder() {
    return decoder;
  }

  String title() {
    return title;
  }

  /** Made before the constants that use it. */
  private static final class CosId {
    static final Radix62IdConverter RADIX_62 = Radix62IdConverter.of(true, 11);
  }
}
