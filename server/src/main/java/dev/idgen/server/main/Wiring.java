package dev.idgen.server.main;

import dev.idgen.layout.Layout;
import dev.idgen.server.config.Config;
import dev.idgen.server.config.LayoutSettings;
import dev.idgen.server.config.Setting;
import dev.idgen.server.config.Settings;
import dev.idgen.server.config.Workers;
import dev.idgen.server.http.HttpLimits;
import dev.idgen.snowflake.EngineOptions;
import dev.idgen.snowflake.KeeperOptions;
import dev.idgen.store.LeaseTerms;
import java.time.Duration;

/** What the settings mean for each part. */
final class Wiring {
  private Wiring() {}

  static EngineOptions engine(Config config) {
    return new EngineOptions(
        LayoutSettings.of(config),
        config.get(Settings.ROLLBACK_POLICY),
        ms(config, Settings.ROLLBACK_WAIT),
        ms(config, Settings.CLOCK_MAX_SKEW),
        config.get(Settings.CLOCK),
        config.get(Settings.SEQUENCE_START),
        ms(config, Settings.WAIT));
  }

  static KeeperOptions keeper(Config config, EngineOptions engine, boolean embedded) {
    Layout layout = engine.layout();
    LeaseTerms terms = terms(config, engine);
    KeeperOptions options =
        KeeperOptions.leased(engine, terms.namespace(), embedded)
            .withTerms(terms, ms(config, Settings.LEASE_RENEW_EVERY))
            .withNewCluster(config.get(Settings.NEW_CLUSTER));
    Integer worker = config.find(Settings.WORKER);
    if (worker != null) {
      return options.withFixed(worker, layout.maxWorker());
    }
    Workers range = Workers.of(config, layout);
    return options
        .withRange(range.first(), range.endExclusive() - 1)
        .withWorkers(config.get(Settings.WORKERS));
  }

  /** What all processes of the namespace have in common. */
  static LeaseTerms terms(Config config, EngineOptions engine) {
    return new LeaseTerms(
        config.get(Settings.NAMESPACE_NAME),
        engine.layout().describe(),
        ms(config, Settings.LEASE_WINDOW),
        ms(config, Settings.LEASE_REUSE_DELAY),
        engine.maxSkewMs());
  }

  static HttpLimits limits(Config config) {
    return new HttpLimits(
        config.get(Settings.MAX_COUNT),
        config.get(Settings.MAX_RUNS_COUNT),
        config.get(Settings.MAX_LIST_COUNT),
        config.get(Settings.MAX_BODY),
        config.get(Settings.MAX_HEADERS),
        ms(config, Settings.HEADER_TIMEOUT),
        ms(config, Settings.REQUEST_TIMEOUT),
        ms(config, Settings.IDLE_TIMEOUT),
        config.get(Settings.MAX_CONNECTIONS),
        config.get(Settings.MAX_UNSENT));
  }

  static long ms(Config config, Setting<Duration> setting) {
    return config.get(setting).toMillis();
  }
}
