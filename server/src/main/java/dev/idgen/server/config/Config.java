package dev.idgen.server.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one process, each with its origin. Immutable once {@link ConfigLoader} gave it.
 */
public final class Config {
  private final Map<Setting<?>, Entry<?>> entries = new LinkedHashMap<>();
  private final Set<String> plainEnvs = new HashSet<>();

  Config() {}

  /**
   * The value of a setting that always has one.
   *
   * @throws IllegalStateException it has none; a fault of the program
   */
  public <T> T get(Setting<T> setting) {
    T value = find(setting);
    if (value == null) {
      throw new IllegalStateException(setting.key() + ": absent (expected: a value)");
    }
    return value;
  }

  /** The value of a setting; null if it was not set and has no default. */
  @SuppressWarnings("unchecked") // put() stores each value under the setting that made it
  public <T> @Nullable T find(Setting<T> setting) {
    Entry<?> entry = entries.get(setting);
    return entry == null ? null : (T) entry.value();
  }

  /** Whether anybody set it. */
  public boolean isSet(Setting<?> setting) {
    return origin(setting) != Origin.DEFAULT;
  }

  /** Where the value came from. */
  public Origin origin(Setting<?> setting) {
    Entry<?> entry = entries.get(setting);
    return entry == null ? Origin.DEFAULT : entry.origin();
  }

  /** Whether a variable without the usual prefix was given, even if another source won over it. */
  boolean isGiven(String plainEnv) {
    return plainEnvs.contains(plainEnv);
  }

  void give(String plainEnv) {
    plainEnvs.add(plainEnv);
  }

  /** Everything that has a value, in the order of the table. */
  public List<Entry<?>> entries() {
    return new ArrayList<>(entries.values());
  }

  <T> void put(Setting<T> setting, String text, Origin origin, String name) {
    entries.put(setting, new Entry<>(setting, setting.type().parse(text), text, origin, name));
  }

  /**
   * One value.
   *
   * @param setting what was set
   * @param value the parsed value
   * @param text as it was written
   * @param origin what kind of source gave it
   * @param name the file, variable or flag that gave it; empty for a default
   */
  public record Entry<T>(Setting<T> setting, T value, String text, Origin origin, String name) {

    /** The text with passwords masked. */
    public String shown() {
      return Setting.shown(text);
    }
  }
}
