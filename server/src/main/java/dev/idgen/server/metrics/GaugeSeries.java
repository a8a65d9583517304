package dev.idgen.server.metrics;

import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;

/** The series of one gauge. Used once, by one thread. */
final class GaugeSeries {
  private final GaugeSnapshot.Builder builder;

  GaugeSeries(String name, String help) {
    this.builder = GaugeSnapshot.builder().name(name).help(help);
  }

  void add(double value, Labels labels) {
    builder.dataPoint(
        GaugeSnapshot.GaugeDataPointSnapshot.builder().value(value).labels(labels).build());
  }

  GaugeSnapshot snapshot() {
    return builder.build();
  }
}
