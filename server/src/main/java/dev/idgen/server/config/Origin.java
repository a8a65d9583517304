package dev.idgen.server.config;

import java.util.Locale;

/** Where a value came from; a later one wins over an earlier one. */
public enum Origin {
  /** Nobody set it. */
  DEFAULT,
  /** The settings file. */
  FILE,
  /** An environment variable. */
  ENV,
  /** A flag of the command line. */
  FLAG;

  /** The word that users see. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
