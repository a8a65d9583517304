package dev.idgen.checks.jmh;

import dev.idgen.layout.Layout;

/** How many ids a millisecond holds. */
enum Width {
  /** Layout 41/0/22, or the widest sequence that a peer allows: nobody waits for the clock. */
  WIDE,
  /** Layout 41/10/12: 4,096 ids a millisecond. */
  STANDARD;

  Layout layout() {
    return wide()
        ? Layout.builder().time(41).worker(0).sequence(22).build()
        : Layout.of("41/10/12");
  }

  boolean wide() {
    return this == WIDE;
  }
}
