package dev.idgen.cli;

import java.util.Locale;

/** How data is printed. */
enum OutputFormat {
  /** For people and simple scripts. */
  TEXT,
  /** One JSON document. */
  JSON;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
