package dev.idgen.layout;

import java.util.ArrayList;
import java.util.List;

/** Gathers faults, so that a refusal names every one of them at once. */
final class Faults {
  private final List<String> texts = new ArrayList<>();

  void add(String name, Object value, String expected) {
    texts.add(name + ": " + value + " (expected: " + expected + ")");
  }

  void range(String name, long value, long min, long max) {
    if (value < min || value > max) {
      add(name, value, min + ".." + max);
    }
  }

  void throwIfAny() {
    if (!texts.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", texts));
    }
  }
}
