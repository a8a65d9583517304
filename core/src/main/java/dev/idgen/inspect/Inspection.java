package dev.idgen.inspect;

import dev.idgen.layout.IdFields;
import dev.idgen.layout.Layout;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a text can be read as. A value; immutable.
 *
 * @param text the text
 * @param layout the layout that was asked for, else this cluster's; null where the one asked for
 *     cannot be expressed as a layout
 * @param decoded the id under that layout, plausible or not; null where the text is no 64-bit
 *     number, or none of that layout
 * @param readings every plausible reading, the best first; at least one
 */
public record Inspection(
    String text, @Nullable Layout layout, @Nullable IdFields decoded, List<Reading> readings) {

  /** Copies the readings and refuses to have none. */
  public Inspection {
    readings = List.copyOf(readings);
    if (readings.isEmpty()) {
      throw new IllegalArgumentException("readings: 0 (expected: >= 1)");
    }
  }

  /** The most plausible reading. */
  public Reading best() {
    return readings.get(0);
  }

  /** The kind of the most plausible reading. */
  public String kind() {
    return best().kind();
  }
}
