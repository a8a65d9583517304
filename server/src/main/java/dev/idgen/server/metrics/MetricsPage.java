package dev.idgen.server.metrics;

import dev.idgen.layout.Layout;
import dev.idgen.server.service.Durations;
import dev.idgen.server.service.EngineGauges;
import dev.idgen.server.service.EngineKind;
import dev.idgen.server.service.IdService;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.server.service.Tag;
import dev.idgen.server.service.TagLimit;
import dev.idgen.time.TimeSource;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The page that Prometheus reads. Label values come from tags that exist and from words of the
 * server alone, so that no caller can make series. Thread-safe; takes longer the more tags there
 * are.
 */
public final class MetricsPage {
  private static final double NANOS = 1e9;
  private static final double MILLIS_PER_YEAR = 365.2425 * 24 * 3600 * 1000;
  private static final String OK = "OK";

  private final IdService service;
  private final Supplier<ServerGauges> gauges;
  private final Durations fetches;
  private final Layout layout;
  private final TimeSource time;
  private final ExpositionFormats formats = ExpositionFormats.init();

  /**
   * A page over what the parts have counted.
   *
   * @param fetches how long the store took for segments
   */
  public MetricsPage(
      IdService service,
      Supplier<ServerGauges> gauges,
      Durations fetches,
      Layout layout,
      TimeSource time) {
    this.service = service;
    this.gauges = gauges;
    this.fetches = fetches;
    this.layout = layout;
    this.time = time;
  }

  /**
   * A page in one of the forms that Prometheus reads.
   *
   * @param type of the content
   * @param bytes the page
   */
  @SuppressWarnings("ArrayRecordComponent") // handed on once, compared never
  public record Page(String type, byte[] bytes) {}

  /**
   * The page as of now.
   *
   * @param accept what the reader says it takes; null: nothing
   */
  public Page page(@Nullable String accept) {
    ExpositionFormatWriter writer = formats.findWriter(accept);
    ByteArrayOutputStream out = new ByteArrayOutputStream(16 << 10);
    try {
      writer.write(out, snapshots(), EscapingScheme.UNDERSCORE_ESCAPING);
    } catch (IOException e) {
      throw new IllegalStateException(e); // an array takes all that is written
    }
    return new Page(writer.getContentType(), out.toByteArray());
  }

  private MetricSnapshots snapshots() {
    Collection<Tag> tags = service.tags();
    List<MetricSnapshot> all = new ArrayList<>();
    all.add(requests(tags));
    all.add(issued(tags));
    durations(all);
    stores(all, tags);
    limits(all, tags);
    server(all);
    return new MetricSnapshots(all);
  }

  private MetricSnapshot requests(Collection<Tag> tags) {
    CounterSeries series =
        new CounterSeries("idgen_requests", "Requests for ids by outcome; OK or the reason");
    for (ServiceReason reason : ServiceReason.values()) {
      series.addIfAny(service.meters().withoutTag(reason), labels("", "", reason.name()));
    }
    for (Tag tag : tags) {
      String engine = tag.row().engine();
      series.addIfAny(tag.meter().served(), labels(tag.name(), engine, OK));
      for (ServiceReason reason : ServiceReason.values()) {
        series.addIfAny(tag.meter().refusedFor(reason), labels(tag.name(), engine, reason.name()));
      }
    }
    return series.snapshot();
  }

  private static Labels labels(String tag, String engine, String status) {
    return Labels.of("biz_tag", tag, "engine", engine, "status", status);
  }

  private static MetricSnapshot issued(Collection<Tag> tags) {
    CounterSeries series = new CounterSeries("idgen_ids_issued", "Ids issued");
    for (Tag tag : tags) {
      series.addIfAny(
          tag.meter().ids(), Labels.of("biz_tag", tag.name(), "engine", tag.row().engine()));
    }
    return series.snapshot();
  }

  private void durations(List<MetricSnapshot> all) {
    HistogramSeries millis =
        new HistogramSeries(
            "idgen_request_duration_ms", "Time from a request to its ids, in ms", 1e6);
    HistogramSeries seconds =
        new HistogramSeries(
            "idgen_request_duration_seconds", "Time from a request to its ids", NANOS);
    for (EngineKind kind : EngineKind.values()) {
      Durations durations = service.meters().durations(kind);
      Labels labels = Labels.of("engine", kind.word());
      millis.addIfAny(durations, labels);
      seconds.addIfAny(durations, labels);
    }
    all.add(millis.snapshot());
    all.add(seconds.snapshot());
    HistogramSeries store =
        new HistogramSeries(
            "idgen_segment_fetch_duration_seconds", "Time the store took for a segment", NANOS);
    store.add(fetches, Labels.EMPTY);
    all.add(store.snapshot());
  }

  private static void stores(List<MetricSnapshot> all, Collection<Tag> tags) {
    CounterSeries fetched = new CounterSeries("idgen_segment_fetch", "Segments fetched");
    CounterSeries failed = new CounterSeries("idgen_segment_fetch_fail", "Fetches that failed");
    CounterSeries passed =
        new CounterSeries(
            "idgen_segment_skipped_ids", "Ids left out so that others are contiguous");
    GaugeSeries held = new GaugeSeries("idgen_segment_remaining", "Ids held in memory");
    GaugeSeries runway =
        new GaugeSeries("idgen_segment_runway_seconds", "How long the ids held last");
    for (Tag tag : tags) {
      EngineGauges engine = tag.engine().gauges();
      if (engine != null) {
        Labels labels = Labels.of("biz_tag", tag.name());
        fetched.add(engine.fetches(), labels);
        failed.add(engine.fetchFailures(), labels);
        passed.addIfAny(engine.passedOver(), labels);
        held.add((double) engine.held(), labels);
        if (engine.runwayMs() >= 0) {
          runway.add(engine.runwayMs() / 1e3, labels);
        }
      }
    }
    all.add(fetched.snapshot());
    all.add(failed.snapshot());
    all.add(passed.snapshot());
    all.add(held.snapshot());
    all.add(runway.snapshot());
  }

  private static void limits(List<MetricSnapshot> all, Collection<Tag> tags) {
    GaugeSeries used =
        new GaugeSeries("idgen_limiter_saturation", "Used share of a tag's limit: 1 refuses");
    for (Tag tag : tags) {
      TagLimit limit = tag.limit();
      if (limit != null) {
        double free = (double) limit.remaining() / limit.burst();
        used.add(1 - Math.min(1, free), Labels.of("biz_tag", tag.name()));
      }
    }
    all.add(used.snapshot());
  }

  private void server(List<MetricSnapshot> all) {
    ServerGauges now = gauges.get();
    long wall = time.wallMillis();
    counter(all, "idgen_clock_rollback", "Clock readings below an earlier one", now.rollbacks());
    counter(all, "idgen_clock_leap", "Leaps of the clock forward", now.leaps());
    counter(
        all,
        "idgen_worker_register_fail",
        "Claims of a worker id that failed",
        now.claimFailures());
    counter(all, "idgen_lease_renew_fail", "Renewals of a lease that failed", now.renewFailures());
    counter(
        all, "idgen_sequence_exhausted", "Requests that found their tick used up", now.exhausted());
    gauge(all, "idgen_ready", "Whether ids can be had", now.ready() ? 1 : 0);
    double left = now.leaseHorizonMillis() == 0 ? 0 : (now.leaseHorizonMillis() - wall) / 1e3;
    gauge(all, "idgen_lease_horizon_seconds", "Time to the end of the lease", left);
    gauge(
        all,
        "idgen_clock_offset_seconds",
        "This machine's clock minus the store's",
        now.clockOffsetMs() / 1e3);
    if (now.workersUsed() >= 0) {
      gauge(all, "idgen_worker_pool_used", "Worker ids that are not free", now.workersUsed());
    }
    gauge(all, "idgen_worker_pool_size", "Worker ids that there are", now.workersSize());
    double years = (layout.end().toEpochMilli() - wall) / MILLIS_PER_YEAR;
    gauge(all, "idgen_years_left", "Years to the end of the layout", years);
  }

  private static void counter(List<MetricSnapshot> all, String name, String help, long value) {
    CounterSeries series = new CounterSeries(name, help);
    series.add(value, Labels.EMPTY);
    all.add(series.snapshot());
  }

  private static void gauge(List<MetricSnapshot> all, String name, String help, double value) {
    GaugeSeries series = new GaugeSeries(name, help);
    series.add(value, Labels.EMPTY);
    all.add(series.snapshot());
  }
}
