package dev.idgen.server.json;

import dev.idgen.store.TagRow;
import java.time.Instant;
import java.util.List;

/** Tags as JSON. */
public final class TagJson {
  private static final int BYTES_PER_TAG = 512;

  private TagJson() {}

  /** One tag. */
  public static JsonOut one(TagRow row) {
    JsonOut out = new JsonOut(BYTES_PER_TAG);
    tag(out, row);
    return out;
  }

  /**
   * A page of tags.
   *
   * @param rows at most one more than the limit: it tells that there is another page
   * @param limit of the page
   */
  public static JsonOut page(List<TagRow> rows, int limit) {
    JsonOut out = new JsonOut(BYTES_PER_TAG * (1 + Math.min(limit, rows.size())));
    out.beginObject().name("tags").beginArray();
    int shown = Math.min(limit, rows.size());
    for (TagRow row : rows.subList(0, shown)) {
      tag(out, row);
    }
    out.endArray();
    if (rows.size() > limit) {
      out.name("nextPageToken").text(rows.get(limit - 1).tag());
    }
    return out.endObject();
  }

  private static void tag(JsonOut out, TagRow row) {
    out.beginObject();
    out.name("tag").text(row.tag());
    out.name("engine").text(row.engine());
    out.name("text").text(row.text());
    out.name("prefix").text(row.prefix());
    out.name("start").numberText(row.start());
    out.name("maximum").numberText(row.maximum());
    out.name("step").number(row.step());
    out.name("stepMin").number(row.stepMin());
    out.name("stepMax").number(row.stepMax());
    out.name("critical").bool(row.critical());
    out.name("ratePerSecond").number(row.ratePerSecond());
    out.name("burst").number(row.burst());
    out.name("owner").text(row.owner());
    out.name("description").text(row.description());
    out.name("version").number(row.version());
    out.name("createdAt").text(time(row.createdMillis()));
    out.name("updatedAt").text(time(row.updatedMillis()));
    out.endObject();
  }

  private static String time(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }
}
