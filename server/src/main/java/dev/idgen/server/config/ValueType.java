package dev.idgen.server.config;

import java.math.BigDecimal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a text becomes a value, and what texts are accepted. A value; immutable.
 *
 * @param name what kind of value, for the documentation
 * @param unit unit of a bare number; empty if it has none
 * @param range what is accepted, as error messages and documentation say it
 * @param parser gives the value, or throws {@link IllegalArgumentException}
 */
public record ValueType<T>(String name, String unit, String range, Function<String, T> parser) {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,12})(ms|s|m|h)");
  private static final Pattern SIZE = Pattern.compile("(\\d{1,10})(KiB|MiB|)");

  /**
   * The value of a text.
   *
   * @throws IllegalArgumentException the text is not within {@link #range}
   */
  public T parse(String text) {
    return parser.apply(text);
  }

  static ValueType<Integer> integer(int min, int max) {
    return new ValueType<>(
        "number",
        "",
        min + ".." + max,
        text -> {
          int value = Integer.parseInt(text);
          require(value >= min && value <= max);
          return value;
        });
  }

  static ValueType<Long> integer64(long min, String unit) {
    return integer64(min, Long.MAX_VALUE, unit);
  }

  static ValueType<Long> integer64(long min, long max, String unit) {
    return new ValueType<>(
        "number",
        unit,
        min + ".." + max,
        text -> {
          long value = Long.parseLong(text);
          require(value >= min && value <= max);
          return value;
        });
  }

  /** A duration such as {@code 10ms}, {@code 60s}, {@code 2m}, {@code 24h}. */
  static ValueType<Duration> duration(Duration min, Duration max) {
    return new ValueType<>(
        "duration",
        "ms, s, m, h",
        show(min) + ".." + show(max),
        text -> {
          Duration value = parseDuration(text);
          require(value.compareTo(min) >= 0 && value.compareTo(max) <= 0);
          return value;
        });
  }

  /** A number of bytes such as {@code 65536}, {@code 64KiB}, {@code 1MiB}. */
  static ValueType<Integer> size(int minBytes, int maxBytes) {
    return new ValueType<>(
        "size",
        "bytes, KiB, MiB",
        showSize(minBytes) + ".." + showSize(maxBytes),
        text -> {
          long value = parseSize(text);
          require(value >= minBytes && value <= maxBytes);
          return (int) value;
        });
  }

  /** A share such as {@code 0.8}, in hundredths. */
  static ValueType<Integer> share() {
    return new ValueType<>(
        "share",
        "",
        "0.01..1",
        text -> {
          require(text.matches("0\\.[0-9]{1,2}|1(\\.0{1,2})?"));
          int percent = new BigDecimal(text).movePointRight(2).intValueExact();
          require(percent >= 1);
          return percent;
        });
  }

  /** Addresses of stores, with white space between them. */
  static ValueType<List<StoreUrl>> stores() {
    return new ValueType<>(
        "addresses",
        "",
        "1 to 64 addresses as for `store`, with spaces between them",
        text -> {
          List<StoreUrl> urls =
              Arrays.stream(text.strip().split("\\s+")).map(StoreUrl::parse).toList();
          require(urls.size() <= 64);
          return urls;
        });
  }

  /** Host names, with commas between them, or {@code none}. */
  static ValueType<Set<String>> names() {
    return new ValueType<>(
        "names",
        "",
        "none, or host names with commas between them",
        text -> {
          if (text.equals("none")) {
            return Set.of();
          }
          require(text.matches("[A-Za-z0-9.-]{1,255}(,[A-Za-z0-9.-]{1,255}){0,31}"));
          return Set.copyOf(Arrays.asList(text.split(",")));
        });
  }

  static ValueType<Boolean> flag() {
    return new ValueType<>(
        "switch",
        "",
        "true, false",
        text -> {
          require(text.equals("true") || text.equals("false"));
          return text.equals("true");
        });
  }

  static <E extends Enum<E>> ValueType<E> choice(Class<E> choices) {
    List<E> constants = List.of(choices.getEnumConstants());
    String range = String.join(", ", constants.stream().map(ValueType::word).toList());
    return new ValueType<>(
        "choice",
        "",
        range,
        text ->
            constants.stream()
                .filter(constant -> word(constant).equals(text))
                .findFirst()
                .orElseThrow(IllegalArgumentException::new));
  }

  static ValueType<String> text(String range, Pattern accepted) {
    return new ValueType<>(
        "text",
        "",
        range,
        text -> {
          require(accepted.matcher(text).matches());
          return text;
        });
  }

  /** Names of tags, of which the last character may be {@code *}. */
  static ValueType<List<String>> patterns() {
    Pattern one = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}\\*?|\\*");
    return new ValueType<>(
        "patterns",
        "",
        "names of tags, which may end in *, with commas between them, or none",
        text -> {
          if (text.equals("none")) {
            return List.of();
          }
          List<String> patterns = List.of(text.split(",", -1));
          patterns.forEach(pattern -> require(one.matcher(pattern).matches()));
          return patterns;
        });
  }

  static ValueType<Path> path() {
    return new ValueType<>(
        "path",
        "",
        "a path",
        text -> {
          require(!text.isBlank());
          try {
            return Path.of(text);
          } catch (InvalidPathException e) {
            throw new IllegalArgumentException(e);
          }
        });
  }

  /** A duration in the shortest form that {@link #duration} reads back. */
  public static String show(Duration value) {
    long ms = value.toMillis();
    if (ms % 3_600_000 == 0 && ms != 0) {
      return ms / 3_600_000 + "h";
    }
    if (ms % 60_000 == 0 && ms != 0) {
      return ms / 60_000 + "m";
    }
    return ms % 1000 == 0 ? ms / 1000 + "s" : ms + "ms";
  }

  private static String showSize(int bytes) {
    if (bytes % (1 << 20) == 0) {
      return (bytes >> 20) + "MiB";
    }
    return bytes % 1024 == 0 ? bytes / 1024 + "KiB" : bytes + "";
  }

  private static Duration parseDuration(String text) {
    Matcher matcher = DURATION.matcher(text);
    require(matcher.matches());
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      default -> Duration.ofHours(number);
    };
  }

  private static long parseSize(String text) {
    Matcher matcher = SIZE.matcher(text);
    require(matcher.matches());
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "KiB" -> number << 10;
      case "MiB" -> number << 20;
      default -> number;
    };
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static void require(boolean accepted) {
    if (!accepted) {
      throw new IllegalArgumentException("not in range");
    }
  }
}
