package dev.idgen.server.config;

import java.util.List;

/** The settings cannot be used. Carries every fault that was found, not only the first. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> faults;

  /**
   * Settings that cannot be used.
   *
   * @param faults each as name, value, expected; at least one
   */
  public ConfigException(List<String> faults) {
    super(String.join("\n", faults));
    this.faults = List.copyOf(faults);
  }

  /** Every fault, in the order of the settings. */
  public List<String> faults() {
    return faults;
  }
}
