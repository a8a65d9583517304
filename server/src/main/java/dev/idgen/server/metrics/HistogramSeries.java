package dev.idgen.server.metrics;

import dev.idgen.server.service.Durations;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.stream.LongStream;

/** The series of one histogram of durations. Used once, by one thread. */
final class HistogramSeries {
  private final HistogramSnapshot.Builder builder;
  private final double unitNanos;

  /**
   * A histogram without series.
   *
   * @param unitNanos how many nanoseconds one of its units has
   */
  HistogramSeries(String name, String help, double unitNanos) {
    this.builder = HistogramSnapshot.builder().name(name).help(help);
    this.unitNanos = unitNanos;
  }

  void add(Durations durations, Labels labels) {
    ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
    long[] ends = Durations.endsNanos();
    long[] counts = durations.counts();
    for (int i = 0; i < counts.length; i++) {
      double end = i < ends.length ? ends[i] / unitNanos : Double.POSITIVE_INFINITY;
      buckets.bucket(end, counts[i]);
    }
    builder.dataPoint(
        HistogramSnapshot.HistogramDataPointSnapshot.builder()
            .classicHistogramBuckets(buckets.build())
            .sum(durations.sumNanos() / unitNanos)
            .labels(labels)
            .build());
  }

  /** An engine that nobody asked has no series. */
  void addIfAny(Durations durations, Labels labels) {
    if (LongStream.of(durations.counts()).sum() > 0) {
      add(durations, labels);
    }
  }

  HistogramSnapshot snapshot() {
    return builder.build();
  }
}
