package dev.idgen.server.config;

import dev.idgen.layout.Layout;
import dev.idgen.layout.Layouts;
import java.time.Duration;

/** The layout that the settings ask for. */
public final class LayoutSettings {
  private LayoutSettings() {}

  /**
   * Puts the layout together.
   *
   * @throws IllegalArgumentException there is no such layout, or two settings disagree
   */
  public static Layout of(Config config) {
    Layout known = Layouts.all().get(config.get(Settings.LAYOUT_NAME));
    Layout layout = known == null ? built(config) : known;
    agree(config, Settings.WORKER_BITS, layout.workerBits());
    agree(config, Settings.SEQUENCE_BITS, layout.sequenceBits());
    agree(config, Settings.REGION_BITS, layout.regionBits());
    agree(config, Settings.EPOCH_MILLIS, layout.epochMillis());
    return layout;
  }

  private static Layout built(Config config) {
    Layout.Builder builder = Layout.builder().fields(config.get(Settings.LAYOUT_NAME));
    Long epoch = config.find(Settings.EPOCH_MILLIS);
    if (epoch != null) {
      builder.epochMillis(epoch);
    }
    Integer regionBits = config.find(Settings.REGION_BITS);
    if (regionBits != null) {
      builder.regionBits(regionBits);
    }
    Duration tick = config.find(Settings.TICK);
    if (tick != null) {
      builder.tickMillis(tick.toMillis());
    }
    return builder.build();
  }

  private static void agree(Config config, Setting<? extends Number> setting, long inLayout) {
    Number value = config.find(setting);
    if (value != null && value.longValue() != inLayout) {
      throw new IllegalArgumentException(
          setting.key()
              + ": "
              + value
              + " (expected: "
              + inLayout
              + ", as in "
              + Settings.LAYOUT_NAME.key()
              + ": "
              + config.get(Settings.LAYOUT_NAME)
              + ")");
    }
  }
}
