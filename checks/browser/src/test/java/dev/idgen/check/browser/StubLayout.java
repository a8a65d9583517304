package dev.idgen.check.browser;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** A layout in plain long arithmetic, written apart from the library and from the page. */
record StubLayout(String name, long tickMillis, List<Field> fields) {
  private static final long EPOCH_MILLIS = 1_704_067_200_000L;

  static final StubLayout DEFAULT =
      new StubLayout(
          "41/10/12",
          1,
          List.of(
              new Field("sign", 1, 63),
              new Field("time", 41, 22),
              new Field("worker", 10, 12),
              new Field("sequence", 12, 0)));

  static final StubLayout SPLIT =
      new StubLayout(
          "41/5+5/12",
          1,
          List.of(
              new Field("sign", 1, 63),
              new Field("time", 41, 22),
              new Field("region", 5, 17),
              new Field("worker", 5, 12),
              new Field("sequence", 12, 0)));

  static final StubLayout JS_SAFE =
      new StubLayout(
          "41/3/9",
          1,
          List.of(
              new Field("sign", 11, 53),
              new Field("time", 41, 12),
              new Field("worker", 3, 9),
              new Field("sequence", 9, 0)));

  static final StubLayout WORKER_FIRST =
      new StubLayout(
          "10/41/12",
          10,
          List.of(
              new Field("sign", 1, 63),
              new Field("worker", 10, 53),
              new Field("time", 41, 12),
              new Field("sequence", 12, 0)));

  /** An id as the wire tells it. */
  String row(long id) {
    return "{%s}".formatted(parts(id));
  }

  /** A decoded id as the wire tells it. */
  String decoded(long id) {
    String reading =
        "{\"kind\":\"idgen\",\"form\":\"decimal\",\"fields\":[{\"name\":\"machine\",\"value\":%d}]}";
    return "{%s,\"kind\":\"idgen\",\"readings\":[%s]}"
        .formatted(parts(id), reading.formatted(machine(id)));
  }

  /** The layout as the wire tells it. */
  String json() {
    String told =
        fields.stream()
            .map(
                field ->
                    "{\"name\":\"%s\",\"bits\":%d,\"shift\":%d}"
                        .formatted(field.name, field.bits, field.shift))
            .collect(Collectors.joining(","));
    return "{\"fields\":[%s],\"tickMillis\":%d,\"epochMillis\":\"%d\",\"name\":\"%s\"}"
        .formatted(told, tickMillis, EPOCH_MILLIS, name);
  }

  long id(Instant time, long machine, long sequence) {
    long low = machine & ((1L << field("worker").bits) - 1);
    long high = machine >>> field("worker").bits;
    long tick = (time.toEpochMilli() - EPOCH_MILLIS) / tickMillis;
    long id = tick << field("time").shift;
    id |= low << field("worker").shift;
    id |= sequence << field("sequence").shift;
    return hasRegion() ? id | (high << field("region").shift) : id;
  }

  private String parts(long id) {
    String time = Instant.ofEpochMilli(EPOCH_MILLIS + value("time", id) * tickMillis).toString();
    String millis = time.contains(".") ? time : time.replace("Z", ".000Z");
    return "\"id\":\"%d\",\"time\":\"%s\",\"machine\":%d,\"sequence\":%d"
        .formatted(id, millis, machine(id), value("sequence", id));
  }

  private long machine(long id) {
    long high = hasRegion() ? value("region", id) << field("worker").bits : 0;
    return high | value("worker", id);
  }

  private long value(String name, long id) {
    return (id >>> field(name).shift) & ((1L << field(name).bits) - 1);
  }

  private boolean hasRegion() {
    return fields.stream().anyMatch(field -> field.name.equals("region"));
  }

  private Field field(String name) {
    return fields.stream().filter(each -> each.name.equals(name)).findFirst().orElseThrow();
  }

  record Field(String name, int bits, int shift) {}
}
