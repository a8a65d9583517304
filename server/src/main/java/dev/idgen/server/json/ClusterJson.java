package dev.idgen.server.json;

import dev.idgen.server.service.ServerAdmin;
import dev.idgen.store.WorkerRow;
import dev.idgen.store.WorkerStore;
import java.time.Instant;
import java.util.List;

/** The state of a cluster as JSON. */
public final class ClusterJson {
  private static final int BYTES_PER_WORKER = 256;

  private ClusterJson() {}

  /**
   * A page of worker ids.
   *
   * @param after the last one of the page before; -1: none
   */
  public static JsonOut workers(
      WorkerStore.Listing listing, long reuseDelayMs, int limit, long after) {
    List<WorkerRow> rows =
        listing.workers().stream().filter(row -> row.workerId() > after).limit(limit + 1L).toList();
    int shown = Math.min(limit, rows.size());
    JsonOut out = new JsonOut(BYTES_PER_WORKER * (1 + shown));
    out.beginObject().name("storeTime").text(time(listing.storeMillis()));
    out.name("workers").beginArray();
    rows.subList(0, shown).forEach(row -> worker(out, row, reuseDelayMs));
    out.endArray();
    if (rows.size() > limit) {
      out.name("nextPageToken").text(String.valueOf(rows.get(limit - 1).workerId()));
    }
    return out.endObject();
  }

  /** One worker id. */
  public static JsonOut worker(WorkerRow row, long reuseDelayMs) {
    JsonOut out = new JsonOut(BYTES_PER_WORKER);
    worker(out, row, reuseDelayMs);
    return out;
  }

  private static void worker(JsonOut out, WorkerRow row, long reuseDelayMs) {
    String owner = row.owner();
    out.beginObject().name("worker").number(row.workerId());
    out.name("owner");
    if (owner == null) {
      out.nothing();
    } else {
      out.text(owner);
    }
    out.name("generation").number(row.generation());
    out.name("from").text(time(row.fromMillis()));
    out.name("horizon").text(time(row.horizonMillis()));
    out.name("freeFrom").text(time(row.horizonMillis() + (owner == null ? 0 : reuseDelayMs)));
    out.name("updatedAt").text(time(row.updatedAtMillis()));
    out.endObject();
  }

  /** A clock. */
  public static JsonOut clock(ServerAdmin.ClockState clock) {
    JsonOut out = new JsonOut(512).beginObject();
    out.name("time").text(time(clock.wallMillis()));
    out.name("offsetMs").number(clock.offsetMs());
    out.name("maxSkewMs").number(clock.maxSkewMs());
    out.name("rollbacks").number(clock.rollbacks());
    out.name("leaps").number(clock.leaps());
    out.name("workers").beginArray();
    clock.workerIds().forEach(out::number);
    out.endArray().name("horizon");
    if (clock.horizonMillis() == 0) {
      out.nothing();
    } else {
      out.text(time(clock.horizonMillis()));
    }
    out.name("layoutEnds").text(time(clock.endMillis()));
    out.name("reasons").beginArray();
    clock.reasons().forEach(out::text);
    return out.endArray().endObject();
  }

  /** Lines of the audit log. */
  public static JsonOut audit(ServerAdmin.AuditPage page) {
    JsonOut out = new JsonOut(BYTES_PER_WORKER * (1 + page.lines().size()));
    out.beginObject().name("entries").beginArray();
    page.lines().forEach(line -> entry(out, line));
    out.endArray();
    if (page.next() >= 0) {
      out.name("nextPageToken").text(String.valueOf(page.next()));
    }
    return out.endObject();
  }

  /** A process that died may have left half a line, which is shown as what it is. */
  private static void entry(JsonOut out, String line) {
    if (JsonText.isObject(line)) {
      out.json(line);
    } else {
      out.beginObject().name("unreadable").text(line).endObject();
    }
  }

  private static String time(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }
}
