package dev.idgen.server.config;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One thing that can be set: its names, its type, and what the documentation says of it. A value;
 * immutable.
 *
 * @param <T> type of the parsed value
 */
public final class Setting<T> {
  /** To the last at sign of a word: a password that is spelt wrongly is one, too. */
  private static final Pattern PASSWORD = Pattern.compile("(?<=://)([^/@\\s:]*):\\S*@");

  /** Options of an address, as drivers name them. */
  private static final Pattern SECRET =
      Pattern.compile("(?i)([?&][^=&\\s]*(?:password|passwd|pwd|secret|token)[^=&\\s]*=)[^&\\s]*");

  private final String key;
  private final ValueType<T> type;
  private final String defaultText;
  private final @Nullable Default computed;
  private final String doc;
  private @Nullable String plainEnv;

  private Setting(
      String key, ValueType<T> type, String defaultText, @Nullable Default computed, String doc) {
    this.key = key;
    this.type = type;
    this.defaultText = defaultText;
    this.computed = computed;
    this.doc = doc;
  }

  /** A setting with a fixed default. */
  static <T> Setting<T> of(String key, ValueType<T> type, String defaultText, String doc) {
    return new Setting<>(key, type, defaultText, config -> defaultText, doc);
  }

  /** A setting whose default follows from settings further up in the table. */
  static <T> Setting<T> derived(
      String key, ValueType<T> type, String defaultText, Default computed, String doc) {
    return new Setting<>(key, type, defaultText, computed, doc);
  }

  /** A setting that has no value unless it is set. */
  static <T> Setting<T> optional(String key, ValueType<T> type, String absent, String doc) {
    return new Setting<>(key, type, absent, null, doc);
  }

  /** Names an environment variable without the usual prefix that is read too. */
  Setting<T> alsoFromEnv(String name) {
    plainEnv = name;
    return this;
  }

  /** The name in the file, like {@code snowflake.worker-bits}. */
  public String key() {
    return key;
  }

  /** The name on the command line. */
  public String flag() {
    return "--" + key.replace('.', '-');
  }

  /** The name in the environment. */
  public String env() {
    return "IDGEN_" + key.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /** A second name in the environment, without prefix; null if there is none. */
  public @Nullable String plainEnv() {
    return plainEnv;
  }

  /** How texts become values. */
  public ValueType<T> type() {
    return type;
  }

  /** The default as the documentation gives it. */
  public String defaultText() {
    return defaultText;
  }

  /** What it does, in one sentence. */
  public String doc() {
    return doc;
  }

  /** The default as it follows from the other values; null: no value. */
  @Nullable String defaultFor(Config config) {
    return computed == null ? null : computed.text(config);
  }

  /** A text of this setting as it may be shown: passwords in addresses are masked. */
  public static String shown(String text) {
    return SECRET.matcher(PASSWORD.matcher(text).replaceAll("$1:***@")).replaceAll("$1***");
  }

  @Override
  public String toString() {
    return key;
  }

  /** Computes a default from the settings further up in the table. */
  @FunctionalInterface
  interface Default {
    String text(Config config);
  }
}
