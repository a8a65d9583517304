package dev.idgen.inspect;

import dev.idgen.layout.IdFields;
import dev.idgen.layout.Layout;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says what kind of id a text is: every plausible reading, the best first.
 *
 * <p>Knows 64-bit ids of this cluster and of the layouts that have a name, as decimals and in the
 * fixed-width texts of idgen; UUIDs, ULID, KSUID, XID, ObjectId, TypeID, NanoID; each also behind a
 * prefix. Immutable, so any thread may use it.
 */
public final class Inspector {
  private static final int MAX_LENGTH = 128; // the longest known text is a TypeID of 90
  private static final String OWN = "own";
  private static final String NUMBERS = "a decimal number 0..9223372036854775807";
  private static final String FIXED = "a text of a known width or prefix";

  private static final int SURE_SCORE = 80; // no need to look for a prefix

  private final Layout ownLayout;
  private final NumberReader numbers;
  private final Map<String, Known> byName = new LinkedHashMap<>();

  private final Prefixes prefixes;

  private Inspector(Layout ownLayout, Collection<String> knownPrefixes) {
    this.ownLayout = ownLayout;
    prefixes = new Prefixes(knownPrefixes);
    numbers = new NumberReader(ownLayout);
    byName.put(OWN, KnownLayout.own(ownLayout));
    for (KnownLayout known : KnownLayout.named()) {
      byName.put(known.kind(), known);
    }
    for (SpecialLayout special : SpecialLayout.values()) {
      byName.put(special.kind(), special);
    }
  }

  /**
   * An inspector of one cluster.
   *
   * @param ownLayout the cluster's layout: its reading of a number comes first where the time is
   *     plausible
   */
  public static Inspector of(Layout ownLayout) {
    return new Inspector(ownLayout, List.of());
  }

  /**
   * An inspector of one cluster whose texts have prefixes.
   *
   * @param ownLayout the cluster's layout: its reading of a number comes first where the time is
   *     plausible
   * @param prefixes those in use, which need not end in a separator
   */
  public static Inspector of(Layout ownLayout, Collection<String> prefixes) {
    return new Inspector(ownLayout, prefixes);
  }

  /** The names that a layout can be asked for by: {@code own}, {@code twitter} and so on. */
  public Set<String> layoutNames() {
    return Collections.unmodifiableSet(byName.keySet());
  }

  /**
   * Every plausible reading of a text.
   *
   * @param text not trimmed here
   * @param nowMillis the present, in milliseconds since 1970, to judge times by
   * @throws InspectException the text is no id of a known kind
   */
  public Inspection inspect(String text, long nowMillis) {
    List<Reading> readings = new ArrayList<>();
    Candidate whole = whole(text, nowMillis, readings);
    read(whole);
    if (whole.bestScore() < SURE_SCORE) {
      prefixes.of(text).forEach(prefix -> read(whole.without(prefix)));
    }
    if (readings.isEmpty()) {
      throw new InspectException("text", text, expected(text));
    }
    return sorted(text, ownLayout, KnownLayout.OWN, readings);
  }

  /**
   * The reading of a text under one layout, plausible or not. This is the only way to read numbers
   * from 2^63 to 2^64-1.
   *
   * @param text a 64-bit number in any of its forms, not trimmed here
   * @param layout one of {@link #layoutNames}, or a layout such as {@code 41/10/12} or as {@link
   *     Layout#describe} writes it
   * @param nowMillis the present, in milliseconds since 1970, to judge times by
   * @throws InspectException the layout is unknown, or the text is no 64-bit number, or none of
   *     that layout
   */
  public Inspection inspect(String text, String layout, long nowMillis) {
    Known asked = asked(layout);
    List<Reading> readings = new ArrayList<>();
    Candidate whole = whole(text, nowMillis, readings);
    NumberReader.readAs(asked, whole);
    prefixes.of(text).forEach(prefix -> NumberReader.readAs(asked, whole.without(prefix)));
    if (readings.isEmpty()) {
      String expected = "a number " + asked.range() + ", which the layout " + layout + " holds";
      throw new InspectException("text", text, expected);
    }
    Layout expressed = asked instanceof KnownLayout known ? known.layout() : null;
    return sorted(text, expressed, asked.kind(), readings);
  }

  private Known asked(String layout) {
    Known known = byName.get(layout);
    if (known != null) {
      return known;
    }
    try {
      Layout described = layout.contains(";") ? Layout.parse(layout) : Layout.of(layout);
      return KnownLayout.described(described);
    } catch (IllegalArgumentException e) {
      String expected = "41/10/12 or the like, or one of " + String.join(", ", byName.keySet());
      throw new InspectException("layout", layout, expected, e);
    }
  }

  private static Candidate whole(String text, long nowMillis, List<Reading> readings) {
    if (text.length() > MAX_LENGTH) {
      throw new InspectException("text", text, "at most " + MAX_LENGTH + " characters");
    }
    return new Candidate(text, "", new Judge(nowMillis), readings);
  }

  private void read(Candidate candidate) {
    UuidReader.read(candidate);
    UlidReader.read(candidate);
    LongReader.read(candidate);
    numbers.read(candidate);
  }

  private static String expected(String text) {
    boolean tooLarge = NumberForm.of(text).stream().anyMatch(form -> !form.isPositive());
    return tooLarge
        ? NUMBERS + ", or a larger one together with the name of its layout"
        : NUMBERS + ", or " + FIXED;
  }

  private static Inspection sorted(
      String text, @Nullable Layout layout, String kind, List<Reading> readings) {
    readings.sort(Comparator.comparingInt(Reading::score).reversed());
    return new Inspection(text, layout, decoded(layout, kind, readings), readings);
  }

  private static @Nullable IdFields decoded(
      @Nullable Layout layout, String kind, List<Reading> readings) {
    for (Reading reading : readings) {
      BigInteger number = reading.number();
      if (layout != null && number != null && reading.kind().equals(kind)) {
        return layout.decode(number.longValue());
      }
    }
    return null;
  }
}
