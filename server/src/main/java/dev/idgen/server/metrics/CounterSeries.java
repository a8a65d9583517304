package dev.idgen.server.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;

/** The series of one counter. Used once, by one thread. */
final class CounterSeries {
  private final CounterSnapshot.Builder builder;

  /**
   * A counter without series.
   *
   * @param name without the ending that says what it is
   */
  CounterSeries(String name, String help) {
    this.builder = CounterSnapshot.builder().name(name).help(help);
  }

  void add(long value, Labels labels) {
    builder.dataPoint(
        CounterSnapshot.CounterDataPointSnapshot.builder()
            .value((double) value)
            .labels(labels)
            .build());
  }

  /** What never happened needs no series: there may be many tags. */
  void addIfAny(long value, Labels labels) {
    if (value != 0) {
      add(value, labels);
    }
  }

  CounterSnapshot snapshot() {
    return builder.build();
  }
}
