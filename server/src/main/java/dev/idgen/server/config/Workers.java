package dev.idgen.server.config;

import dev.idgen.layout.Layout;

/**
 * The worker ids that this process may have. A value; immutable.
 *
 * @param first the lowest
 * @param endExclusive above the highest
 */
public record Workers(int first, int endExclusive) {

  /** All of the layout's, or those of the region where one is set. */
  public static Workers of(Config config, Layout layout) {
    int ids = layout.maxWorker() + 1;
    Integer region = config.find(Settings.REGION);
    if (region == null) {
      return new Workers(0, ids);
    }
    int each = ids >> layout.regionBits();
    return new Workers(region * each, (region + 1) * each);
  }
}
