package dev.idgen.layout;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The layouts of idgen and of other systems, for issuing and for reading. Where another system lets
 * its users choose widths or epoch, this is its default.
 */
public final class Layouts {

  /** idgen's default: 41 bits of milliseconds from 2024, 1,024 workers; lasts to 2093. */
  public static final Layout IDGEN = Layout.of("41/10/12");

  /** idgen for JavaScript numbers: milliseconds from 2024, 32 workers, 128 ids per tick. */
  public static final Layout JAVASCRIPT_SAFE =
      Layout.builder().time(41).worker(5).sequence(7).javascriptSafe().build();

  /**
   * Twitter's Snowflake, from November 2010 on.
   *
   * @see <a href="https://github.com/twitter-archive/snowflake">twitter-archive/snowflake</a>
   */
  public static final Layout TWITTER =
      Layout.builder().time(41).worker(5, 5).sequence(12).epochMillis(1288834974657L).build();

  /**
   * Leaf's snowflake mode: Twitter's bits with one worker field.
   *
   * @see <a href="https://github.com/Meituan-Dianping/Leaf">Meituan-Dianping/Leaf</a>
   */
  public static final Layout LEAF =
      Layout.builder().time(41).worker(10).sequence(12).epochMillis(1288834974657L).build();

  /**
   * Hutool's and MyBatis-Plus's Snowflake: as Twitter's.
   *
   * @see <a href="https://github.com/dromara/hutool">dromara/hutool</a>
   */
  public static final Layout HUTOOL = TWITTER;

  /**
   * Discord's snowflakes: 42 bits of milliseconds from 2015, worker and process, increment.
   *
   * @see <a href="https://discord.com/developers/docs/reference#snowflakes">Discord reference</a>
   */
  public static final Layout DISCORD =
      Layout.builder()
          .time(42)
          .worker(5, 5)
          .sequence(12)
          .epochMillis(1420070400000L)
          .unsigned()
          .build();

  /**
   * Instagram's ids: the shard in the worker field; the time uses the sign bit from 2046 on. The
   * epoch is that of the example function in its engineers' article of 2012; real media ids agree
   * with it.
   */
  public static final Layout INSTAGRAM =
      Layout.builder()
          .time(41)
          .worker(13)
          .sequence(10)
          .epochMillis(1314220021721L)
          .unsigned()
          .build();

  /**
   * Sonyflake 1: ticks of 10 ms from 2014-09-01, the machine last.
   *
   * @see <a href="https://github.com/sony/sonyflake">sony/sonyflake</a>
   */
  public static final Layout SONYFLAKE_V1 = sonyflake(1409529600000L);

  /** Sonyflake 2: as the first, from 2025. */
  public static final Layout SONYFLAKE_V2 = sonyflake(1735689600000L);

  /**
   * Mastodon's ids: Unix milliseconds, then 16 bits that are a sequence mixed with a hash.
   *
   * @see <a href="https://github.com/mastodon/mastodon">mastodon/mastodon</a>, its snowflake module
   */
  public static final Layout MASTODON =
      Layout.builder().time(48).sequence(16).epochMillis(0).unsigned().build();

  /**
   * Baidu's uid-generator: seconds from 2016-05-20 in China. It ends in 2024.
   *
   * @see <a href="https://github.com/baidu/uid-generator">baidu/uid-generator</a>
   */
  public static final Layout BAIDU =
      Layout.builder()
          .time(28)
          .worker(22)
          .sequence(13)
          .tickMillis(1000)
          .epochMillis(1463673600000L)
          .build();

  /**
   * Seata's ids: the worker first, so that they do not follow the time.
   *
   * @see <a href="https://github.com/apache/incubator-seata">apache/incubator-seata</a>
   */
  public static final Layout SEATA =
      Layout.builder().worker(10).time(41).sequence(12).epochMillis(1588435200000L).build();

  /**
   * ShardingSphere up to 5.5.2 where the JVM's time zone was UTC: it took its epoch, 2016-11-01, in
   * local time.
   *
   * @see <a href="https://github.com/apache/shardingsphere">apache/shardingsphere</a>
   */
  public static final Layout SHARDINGSPHERE =
      Layout.builder().time(41).worker(10).sequence(12).epochMillis(1477958400000L).build();

  /** ShardingSphere up to 5.5.2 where the JVM's time zone was eight hours ahead, as in China. */
  public static final Layout SHARDINGSPHERE_CHINA =
      Layout.builder().time(41).worker(10).sequence(12).epochMillis(1477929600000L).build();

  /**
   * CosId in milliseconds from 2019-12-24T16:00:00Z.
   *
   * @see <a href="https://github.com/Ahoo-Wang/CosId">Ahoo-Wang/CosId</a>
   */
  public static final Layout COSID =
      Layout.builder().time(41).worker(10).sequence(12).epochMillis(1577203200000L).build();

  /** CosId in seconds. */
  public static final Layout COSID_SECONDS =
      Layout.builder()
          .time(31)
          .worker(10)
          .sequence(22)
          .tickMillis(1000)
          .epochMillis(1577203200000L)
          .build();

  /** CosId for JavaScript numbers, in milliseconds. */
  public static final Layout COSID_JAVASCRIPT =
      Layout.builder()
          .time(41)
          .worker(3)
          .sequence(9)
          .epochMillis(1577203200000L)
          .javascriptSafe()
          .build();

  /** CosId for JavaScript numbers, in seconds. */
  public static final Layout COSID_JAVASCRIPT_SECONDS =
      Layout.builder()
          .time(31)
          .worker(3)
          .sequence(19)
          .tickMillis(1000)
          .epochMillis(1577203200000L)
          .javascriptSafe()
          .build();

  /**
   * Agrona's SnowflakeIdGenerator: Unix milliseconds; ends in 2039.
   *
   * @see <a href="https://github.com/aeron-io/agrona">aeron-io/agrona</a>
   */
  public static final Layout AGRONA =
      Layout.builder().time(41).worker(10).sequence(12).epochMillis(0).build();

  /**
   * Yitter's IdGenerator: short ids, 64 workers; sequences 0 to 4 are kept back.
   *
   * @see <a href="https://github.com/yitter/IdGenerator">yitter/IdGenerator</a>
   */
  public static final Layout YITTER =
      Layout.builder().time(51).worker(6).sequence(6).epochMillis(1582136402000L).build();

  /**
   * TSID with 1,024 nodes, its most common setting: milliseconds from 2020.
   *
   * @see <a href="https://github.com/f4b6a3/tsid-creator">f4b6a3/tsid-creator</a>
   */
  public static final Layout TSID =
      Layout.builder()
          .time(42)
          .worker(10)
          .sequence(12)
          .epochMillis(1577836800000L)
          .unsigned()
          .build();

  /**
   * Hazelcast's FlakeIdGenerator: the node last, from 2018.
   *
   * @see <a
   *     href="https://docs.hazelcast.org/docs/latest/javadoc/com/hazelcast/flakeidgen/FlakeIdGenerator.html">its
   *     documentation</a>
   */
  public static final Layout HAZELCAST =
      Layout.builder().time(41).sequence(6).worker(16).epochMillis(1514764800000L).build();

  /** The common home-made variant: datacenter and worker, from 2020-01-01 in China. */
  public static final Layout DATACENTER =
      Layout.builder().time(41).worker(5, 5).sequence(12).epochMillis(1577808000000L).build();

  private static final Map<String, Layout> BY_NAME = byName();

  private Layouts() {}

  /** All layouts by name, idgen's own first. Not to be changed. */
  public static Map<String, Layout> all() {
    return BY_NAME;
  }

  /**
   * The layout of a name.
   *
   * @param name one of the keys of {@link #all}
   * @throws IllegalArgumentException there is none of that name
   */
  public static Layout named(String name) {
    Layout layout = BY_NAME.get(name);
    if (layout == null) {
      throw new IllegalArgumentException(
          "layout: " + name + " (expected: one of " + String.join(", ", BY_NAME.keySet()) + ")");
    }
    return layout;
  }

  private static Layout sonyflake(long epochMillis) {
    return Layout.builder()
        .time(39)
        .sequence(8)
        .worker(16)
        .tickMillis(10)
        .epochMillis(epochMillis)
        .build();
  }

  private static Map<String, Layout> byName() {
    Map<String, Layout> all = new LinkedHashMap<>();
    all.put("idgen", IDGEN);
    all.put("idgen-javascript", JAVASCRIPT_SAFE);
    all.put("twitter", TWITTER);
    all.put("leaf", LEAF);
    all.put("hutool", HUTOOL);
    all.put("discord", DISCORD);
    all.put("instagram", INSTAGRAM);
    all.put("sonyflake-v1", SONYFLAKE_V1);
    all.put("sonyflake-v2", SONYFLAKE_V2);
    all.put("mastodon", MASTODON);
    all.put("baidu", BAIDU);
    all.put("seata", SEATA);
    all.put("shardingsphere", SHARDINGSPHERE);
    all.put("shardingsphere-china", SHARDINGSPHERE_CHINA);
    all.put("cosid", COSID);
    all.put("cosid-seconds", COSID_SECONDS);
    all.put("cosid-javascript", COSID_JAVASCRIPT);
    all.put("cosid-javascript-seconds", COSID_JAVASCRIPT_SECONDS);
    all.put("agrona", AGRONA);
    all.put("yitter", YITTER);
    all.put("tsid", TSID);
    all.put("hazelcast", HAZELCAST);
    all.put("datacenter", DATACENTER);
    return Collections.unmodifiableMap(all);
  }
}
