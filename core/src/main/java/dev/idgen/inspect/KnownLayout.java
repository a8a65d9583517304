package dev.idgen.inspect;

import dev.idgen.layout.Field;
import dev.idgen.layout.IdRange;
import dev.idgen.layout.Layout;
import dev.idgen.layout.Layouts;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * A layout as {@code inspect} tells it apart: under its name, with the words of where it comes
 * from.
 *
 * @param kind name for programs
 * @param title name for people
 * @param layout the bits
 * @param upperWorker what the upper part of a split worker id is called there
 * @param worker what the worker id is called there, or its lower part
 * @param note what else a reader should know; may be empty
 */
record KnownLayout(
    String kind, String title, Layout layout, String upperWorker, String worker, String note)
    implements Known {

  /** The kind of an id of this cluster. */
  static final String OWN = "snowflake";

  /** This cluster's layout. */
  static KnownLayout own(Layout layout) {
    String title = "id of this cluster, layout " + layout.name();
    return new KnownLayout(OWN, title, layout, "region", "worker", "");
  }

  /** A layout that the caller described. */
  static KnownLayout described(Layout layout) {
    return new KnownLayout("layout", layout.describe(), layout, "region", "worker", "");
  }

  /** The layouts that have a name, the better known first. */
  static List<KnownLayout> named() {
    List<KnownLayout> all = new ArrayList<>();
    add(all, "idgen", "idgen's default", "region", "worker", "");
    add(all, "twitter", "Twitter", "datacenter", "worker", "");
    add(all, "discord", "Discord", "worker", "process", "");
    add(all, "instagram", "Instagram", "", "shard", "");
    add(all, "tsid", "TSID of 1,024 nodes", "", "node", "other numbers of nodes are in use");
    add(all, "mastodon", "Mastodon", "", "", "the sequence is mixed with a hash");
    add(all, "sonyflake-v1", "Sonyflake 1", "", "machine", "");
    add(all, "sonyflake-v2", "Sonyflake 2", "", "machine", "");
    add(all, "hutool", "Hutool, MyBatis-Plus", "datacenter", "worker", "the bits of Twitter");
    add(all, "leaf", "Leaf", "", "worker", "the epoch of Twitter");
    add(all, "datacenter", "datacenter and worker from 2020", "datacenter", "worker", "");
    add(all, "shardingsphere", "ShardingSphere in UTC", "", "worker", "up to version 5.5.2");
    add(
        all,
        "shardingsphere-china",
        "ShardingSphere at +08:00",
        "",
        "worker",
        "up to version 5.5.2");
    add(all, "cosid", "CosId", "", "machine", "");
    add(all, "cosid-seconds", "CosId in seconds", "", "machine", "");
    add(all, "cosid-javascript", "CosId for JavaScript", "", "machine", "");
    add(all, "cosid-javascript-seconds", "CosId for JavaScript, seconds", "", "machine", "");
    add(all, "idgen-javascript", "idgen for JavaScript", "", "worker", "");
    add(all, "yitter", "Yitter", "", "worker", "sequences 0 to 4 are kept back");
    add(all, "seata", "Seata", "", "worker", "the worker comes first: ids do not follow the time");
    add(all, "hazelcast", "Hazelcast Flake", "", "node", "");
    add(all, "baidu", "Baidu uid-generator", "", "worker", "");
    add(all, "agrona", "Agrona", "", "node", "");
    return List.copyOf(all);
  }

  private static void add(
      List<KnownLayout> all,
      String kind,
      String title,
      String upperWorker,
      String worker,
      String note) {
    all.add(new KnownLayout(kind, title, Layouts.named(kind), upperWorker, worker, note));
  }

  @Override
  public boolean fits(BigInteger number) {
    return number.bitLength() <= Long.SIZE && layout.fits(number.longValue());
  }

  @Override
  public Cut cut(BigInteger number) {
    long id = number.longValue();
    List<ReadingField> fields =
        layout.fields().stream().map(field -> readField(field, id)).toList();
    return new Cut(fields, layout.timeOf(id));
  }

  @Override
  public String range() {
    IdRange all = layout.idRange();
    return Long.toUnsignedString(all.first()) + ".." + Long.toUnsignedString(all.lastInclusive());
  }

  private ReadingField readField(Field field, long id) {
    return new ReadingField(nameOf(field.kind()), String.valueOf(field.valueOf(id)), field.bits());
  }

  private String nameOf(Field.Kind kind) {
    return switch (kind) {
      case REGION -> upperWorker;
      case WORKER -> worker;
      default -> kind.toString();
    };
  }
}
