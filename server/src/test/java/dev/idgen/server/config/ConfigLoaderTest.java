package dev.idgen.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigLoaderTest {
  private static final long NOW = 1_796_000_000_000L; // late in 2026

  @TempDir private Path folder;

  @Test
  void load_nothingSet_givesTheDefaults() {
    Config config = load(Map.of(), Map.of());

    assertEquals(8080, config.get(Settings.HTTP_PORT));
    assertEquals("127.0.0.1", config.get(Settings.BIND));
    assertEquals(
        new StoreUrl(StoreUrl.Kind.SQLITE, "sqlite:./data/idgen.db"), config.get(Settings.STORE));
    assertEquals("41/10/12", config.get(Settings.LAYOUT_NAME));
    assertEquals(Duration.ofSeconds(3), config.get(Settings.LEASE_WINDOW));
    assertEquals(Duration.ofMillis(500), config.get(Settings.LEASE_RENEW_EVERY));
    assertEquals(65_536, config.get(Settings.MAX_BODY));
    assertNull(config.find(Settings.WORKER));
    assertEquals(Origin.DEFAULT, config.origin(Settings.HTTP_PORT));
  }

  /** C22: a server always has a store; it cannot be set to none. */
  @ParameterizedTest
  @ValueSource(strings = {"", " ", "none", "memory", "memory:", "null", "sqlite:", "file:"})
  void load_noStore_isRefusedAndTheDefaultIsOne(String none) {
    assertEquals(StoreUrl.Kind.SQLITE, load(Map.of(), Map.of()).get(Settings.STORE).kind());

    var e = assertThrows(ConfigException.class, () -> load(Map.of(), Map.of("store", none)));
    assertTrue(e.toString().contains("store: " + none), e.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "etcd://a:1,b:2",
        "etcd://u:p@a/x",
        "etcds://a/x?ca=/c",
        "zookeepers://a",
        "zookeeper://a,b,c/x/y"
      })
  void load_workersStore_hasTheLeasesAndTheirWindow(String url) {
    Config config = load(Map.of(), Map.of("workers-store", url));

    assertEquals(url, config.get(Settings.WORKERS_STORE).address());
    assertEquals(StoreUrl.Kind.SQLITE, config.get(Settings.STORE).kind());
    assertEquals(Duration.ofSeconds(60), config.get(Settings.LEASE_WINDOW));
  }

  @Test
  void load_store_isThatOfTheLeasesToo() {
    Config config = load(Map.of(), Map.of("store", "etcd://a:1,b:2"));
    assertEquals("etcd://a:1,b:2", config.get(Settings.WORKERS_STORE).address());
  }

  @Test
  void load_storeThatKeepsNoTags_isRefusedForThem() {
    var e =
        assertThrows(
            ConfigException.class, () -> load(Map.of(), Map.of("store", "zookeeper://a/x")));
    assertTrue(e.toString().contains("store: zookeeper (expected: another kind"), e.toString());
    e =
        assertThrows(
            ConfigException.class,
            () -> load(Map.of(), Map.of("segment.stores", "sqlite:a sqlite:a file:b")));
    assertTrue(e.toString().contains("segment.stores: file:b (expected: "), e.toString());
    assertTrue(e.toString().contains("segment.stores: one given twice"), e.toString());
  }

  @Test
  void load_steps_boundsMakeRoomForAStepAlone() {
    Config small = load(Map.of(), Map.of("segment.step", "5"));
    assertEquals(5, small.get(Settings.SEGMENT_STEP_MIN));
    Config large = load(Map.of(), Map.of("segment.step", "5000000"));
    assertEquals(5_000_000, large.get(Settings.SEGMENT_STEP_MAX));
    var e =
        assertThrows(
            ConfigException.class,
            () -> load(Map.of(), Map.of("segment.step", "5", "segment.step-min", "6")));
    assertTrue(e.toString().contains("segment.step: 5 (expected: 6..1000000"), e.toString());
  }

  @Test
  void load_everySource_theLaterWins() throws IOException {
    file("http-port: 1\nlease:\n  window: 6s\nsnowflake.workers: 2\nnamespace: fromfile\n");
    Map<String, String> env = Map.of("IDGEN_LEASE_WINDOW", "7s", "IDGEN_SNOWFLAKE_WORKERS", "3");

    Config config = load(env, Map.of("snowflake.workers", "4"));

    assertEquals(1, config.get(Settings.HTTP_PORT));
    assertEquals(Origin.FILE, config.origin(Settings.HTTP_PORT));
    assertEquals(Duration.ofSeconds(7), config.get(Settings.LEASE_WINDOW));
    assertEquals(Origin.ENV, config.origin(Settings.LEASE_WINDOW));
    assertEquals(4, config.get(Settings.WORKERS));
    assertEquals(Origin.FLAG, config.origin(Settings.WORKERS));
    assertTrue(config.isSet(Settings.NAMESPACE_NAME));
    assertFalse(config.isSet(Settings.DATA));
  }

  /** Several servers are started by their PORT alone: no second port may stand in their way. */
  @Test
  void load_respPort_isAnyFreeOneWherePortIsGiven() {
    assertEquals(6380, load(Map.of(), Map.of("http-port", "8081")).get(Settings.RESP_PORT));
    assertEquals(0, load(Map.of("PORT", "8081"), Map.of()).get(Settings.RESP_PORT));
    assertEquals(0, load(Map.of("PORT", "8081"), Map.of("http-port", "1")).get(Settings.RESP_PORT));
    assertEquals(7, load(Map.of("PORT", "8081"), Map.of("resp-port", "7")).get(Settings.RESP_PORT));
    assertEquals(
        8, load(Map.of("PORT", "8081", "IDGEN_RESP_PORT", "8"), Map.of()).get(Settings.RESP_PORT));
  }

  @Test
  void load_plainNames_areReadBelowOurOwn() {
    Config plain = load(Map.of("PORT", "8081", "MACHINE_ID", "1"), Map.of());
    assertEquals(8081, plain.get(Settings.HTTP_PORT));
    assertEquals(1, plain.find(Settings.WORKER));

    Config both = load(Map.of("PORT", "8081", "IDGEN_HTTP_PORT", "8082"), Map.of());
    assertEquals(8082, both.get(Settings.HTTP_PORT));
  }

  @Test
  void load_defaultThatFollows_followsWhatWasSet() {
    Config config = load(Map.of(), Map.of("data", "/var/ids", "lease.window", "12s"));

    assertEquals(Path.of("/var/ids/idgen.db"), config.get(Settings.STORE).path());
    assertEquals(Duration.ofSeconds(2), config.get(Settings.LEASE_RENEW_EVERY));
  }

  @Test
  void load_bits_leaveTheRestToTheTime() {
    Config config = load(Map.of(), Map.of("snowflake.worker-bits", "8"));

    assertEquals("43/8/12", config.get(Settings.LAYOUT_NAME));
    assertEquals(8, LayoutSettings.of(config).workerBits());
  }

  @Test
  void load_severalFaults_areAllTold() throws IOException {
    file("http-prot: 1\nlease: 5\nbind: [a, b]\nnamespace:\n");
    Map<String, String> env = Map.of("IDGEN_HTTP_PROT", "1", "PORT", "x");
    Map<String, String> flags = Map.of("snowflake.workers", "0", "lease.window", "3");

    ConfigException refused = assertThrows(ConfigException.class, () -> load(env, flags));

    Path path = folder.resolve("idgen.yaml");
    assertEquals(
        List.of(
            "bind: a list (expected: one value)",
            "namespace: empty (expected: one value)",
            "http-prot: unknown setting in " + path,
            "lease: unknown setting in " + path,
            "IDGEN_HTTP_PROT: unknown setting in the environment",
            "PORT: x (expected: 0..65535)",
            "--snowflake-workers: 0 (expected: 1..64)",
            "--lease-window: 3 (expected: 1s..1h)"),
        refused.faults());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          http-port              | 65536      | --http-port: 65536 (expected: 0..65535)
          http-port              | -1         | --http-port: -1 (expected: 0..65535)
          http-port              | ''         | --http-port:  (expected: 0..65535)
          insecure               | yes        | --insecure: yes (expected: true, false)
          store                  | redis:x    | --store: redis:x (expected: sqlite:<file>, file:<folder>, postgres://user:pw@host:port/db, mariadb://.., mysql://.., etcd://host:port,host:port/prefix, etcds://..; in user and pw %40 is @, %2F is /, %3F is ?, %25 is %)
          store                  | postgres://u:pw@h | --store: postgres://u:***@h (expected: sqlite:<file>, file:<folder>, postgres://user:pw@host:port/db, mariadb://.., mysql://.., etcd://host:port,host:port/prefix, etcds://..; in user and pw %40 is @, %2F is /, %3F is ?, %25 is %)
          store                  | etcd://u:pw@h: | --store: etcd://u:***@h: (expected: sqlite:<file>, file:<folder>, postgres://user:pw@host:port/db, mariadb://.., mysql://.., etcd://host:port,host:port/prefix, etcds://..; in user and pw %40 is @, %2F is /, %3F is ?, %25 is %)
          workers-store          | zookeeper:///x | --workers-store: zookeeper:///x (expected: sqlite:<file>, file:<folder>, postgres://user:pw@host:port/db, mariadb://.., mysql://.., etcd://host:port,host:port/prefix, etcds://.., zookeeper://host:port,host:port/path, zookeepers://..; in user and pw %40 is @, %2F is /, %3F is ?, %25 is %)
          store                  | postgres://u:p@ss:w/rd@h/db | --store: postgres://u:***@h/db (expected: sqlite:<file>, file:<folder>, postgres://user:pw@host:port/db, mariadb://.., mysql://.., etcd://host:port,host:port/prefix, etcds://..; in user and pw %40 is @, %2F is /, %3F is ?, %25 is %)
          store                  | postgres://u:p%ss@h/db | --store: postgres://u:***@h/db (expected: sqlite:<file>, file:<folder>, postgres://user:pw@host:port/db, mariadb://.., mysql://.., etcd://host:port,host:port/prefix, etcds://..; in user and pw %40 is @, %2F is /, %3F is ?, %25 is %)
          store                  | postgres://h:99999/db?user=u&password=pw | --store: postgres://h:99999/db?user=u&password=*** (expected: sqlite:<file>, file:<folder>, postgres://user:pw@host:port/db, mariadb://.., mysql://.., etcd://host:port,host:port/prefix, etcds://..; in user and pw %40 is @, %2F is /, %3F is ?, %25 is %)
          store                  | mysql://u:pw@/db | --store: mysql://u:***@/db (expected: sqlite:<file>, file:<folder>, postgres://user:pw@host:port/db, mariadb://.., mysql://.., etcd://host:port,host:port/prefix, etcds://..; in user and pw %40 is @, %2F is /, %3F is ?, %25 is %)
          store                  | sqlite:    | --store: sqlite: (expected: sqlite:<file>, file:<folder>, postgres://user:pw@host:port/db, mariadb://.., mysql://.., etcd://host:port,host:port/prefix, etcds://..; in user and pw %40 is @, %2F is /, %3F is ?, %25 is %)
          namespace              | a/b        | --namespace: a/b (expected: 1 to 64 of A-Z a-z 0-9 . _ -, the first a letter or digit)
          snowflake.clock        | fast       | --snowflake-clock: fast (expected: precise, cached)
          snowflake.rollback-wait | 10        | --snowflake-rollback-wait: 10 (expected: 0s..10s)
          snowflake.rollback-wait | 11s       | --snowflake-rollback-wait: 11s (expected: 0s..10s)
          snowflake.rollback-wait | 99999999999999s | --snowflake-rollback-wait: 99999999999999s (expected: 0s..10s)
          http.max-body          | 64KB       | --http-max-body: 64KB (expected: 1KiB..16MiB)
          http.max-body          | 17MiB      | --http-max-body: 17MiB (expected: 1KiB..16MiB)
          nothing                | 1          | --nothing: unknown setting
          bind                   | 0.0.0.0    | bind: 0.0.0.0 (expected: a loopback address, since callers are not authenticated; --auth-tokens or --insecure allow others)
          bind                   | 127.evil.example | bind: 127.evil.example (expected: a loopback address, since callers are not authenticated; --auth-tokens or --insecure allow others)
          worker                 | 1024       | worker: 1024 (expected: 0..1023)
          region                 | 0          | regions: absent (expected: given together with region)
          regions                | 2          | region: absent (expected: given together with regions)
          lease.renew-every      | 2s         | lease.renew-every: 2s (expected: at most 1500ms, half of lease.window)
          lease.reuse-delay      | 1s         | lease.reuse-delay: 1s (expected: at least 2s, twice snowflake.clock-max-skew)
          http.header-timeout    | 16s        | http.header-timeout: 16s (expected: at most 15s, http.request-timeout)
          """)
  void load_oneFault_isToldAsNameValueExpected(String key, String value, String fault) {
    ConfigException refused =
        assertThrows(ConfigException.class, () -> load(Map.of(), Map.of(key, value)));

    assertEquals(List.of(fault), refused.faults());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          snowflake.layout=40/10/12 | sum
          snowflake.layout=41/10/12,snowflake.worker-bits=9 | snowflake.worker-bits: 9 (expected: 10, as in snowflake.layout: 41/10/12)
          snowflake.layout=twitter,snowflake.epoch-millis=5 | snowflake.epoch-millis: 5 (expected: 1288834974657, as in snowflake.layout: twitter)
          snowflake.layout=discord  | 63 bits
          snowflake.layout=baidu    | years left
          snowflake.epoch-millis=9999999999999 | epochMillis: 9999999999999
          region=2,regions=2,snowflake.region-bits=1 | region: 2 (expected: 0..1)
          region=0,regions=3,snowflake.region-bits=1 | regions: 3 (expected: 1..2, as snowflake.region-bits is 1)
          region=1,regions=2,snowflake.region-bits=1,worker=5 | worker: 5 (expected: 512..1023)
          snowflake.layout=sonyflake-v2,snowflake.workers=2 | snowflake.workers: 2 (expected: 1, since ids of layout
          worker=5,snowflake.workers=2 | snowflake.workers: 2 (expected: 1, as worker is fixed to 5)
          """)
  void load_contradiction_isRefused(String settings, String part) {
    Map<String, String> flags = new java.util.HashMap<>();
    for (String setting : settings.split(",")) {
      flags.put(
          setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
    }
    ConfigException refused = assertThrows(ConfigException.class, () -> load(Map.of(), flags));

    if (part.equals("sum") || part.equals("years left")) {
      assertEquals(1, refused.faults().size());
      assertTrue(
          String.valueOf(refused.getMessage()).startsWith("snowflake: "), refused.getMessage());
    } else {
      assertTrue(String.valueOf(refused.getMessage()).contains(part), refused.getMessage());
    }
  }

  @Test
  void load_wideBindWithInsecure_isAccepted() {
    Config config = load(Map.of(), Map.of("bind", "0.0.0.0", "insecure", "true"));

    assertEquals("0.0.0.0", config.get(Settings.BIND));
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "localhost", "::1"})
  void load_loopbackBind_isAccepted(String bind) {
    assertEquals(bind, load(Map.of(), Map.of("bind", bind)).get(Settings.BIND));
  }

  @Test
  void load_linksOfKubernetes_areLeftAlone() {
    Map<String, String> env =
        Map.of(
            "IDGEN_SERVICE_HOST", "10.0.0.1",
            "IDGEN_SERVICE_PORT", "80",
            "IDGEN_SERVICE_PORT_HTTP", "80",
            "IDGEN_PORT", "tcp://10.0.0.1:80",
            "IDGEN_PORT_80_TCP", "tcp://10.0.0.1:80",
            "IDGEN_PORT_80_TCP_ADDR", "10.0.0.1",
            "IDGEN_CONSOLE_SERVICE_HOST", "10.0.0.2",
            "IDGEN_JAVA_OPTS", "-Xmx1g");

    assertEquals(8080, load(env, Map.of()).get(Settings.HTTP_PORT));
  }

  @Test
  void load_fileAskedFor_isTheOneRead() throws IOException {
    Path other = Files.writeString(folder.resolve("other.yaml"), "http-port: 3");

    assertEquals(3, load(Map.of(), Map.of("config", other.toString())).get(Settings.HTTP_PORT));
    assertEquals(3, load(Map.of("IDGEN_CONFIG", "other.yaml"), Map.of()).get(Settings.HTTP_PORT));
  }

  @Test
  void load_fileAskedForMissing_isAFault() {
    ConfigException refused =
        assertThrows(ConfigException.class, () -> load(Map.of(), Map.of("config", "nothing.yaml")));

    assertTrue(
        refused.faults().get(0).startsWith(folder.resolve("nothing.yaml") + ": unreadable"),
        refused.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http-port: 1\nhttp-port: 2",
        "a: [",
        "http-port: *unknown",
        "just text",
        "- 1",
        "http-port: 1\nlease: {window: 3s}\nlease.window: 4s",
        "config: other.yaml"
      })
  void load_brokenFile_isAFault(String text) throws IOException {
    file(text);

    assertThrows(ConfigException.class, () -> load(Map.of(), Map.of()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "# nothing set\n", "---\n"})
  void load_emptyFile_setsNothing(String text) throws IOException {
    file(text);

    assertEquals(8080, load(Map.of(), Map.of()).get(Settings.HTTP_PORT));
  }

  private Config load(Map<String, String> env, Map<String, String> flags) {
    return ConfigLoader.load(env, flags, folder, NOW);
  }

  private void file(String text) throws IOException {
    Files.writeString(folder.resolve("idgen.yaml"), text);
  }
}
