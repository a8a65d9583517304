package dev.idgen.server.engine;

import dev.idgen.store.TagRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a write of a tag set, for people. */
final class TagDifference {
  private static final List<Map.Entry<String, Function<TagRow, Object>>> FIELDS =
      List.of(
          Map.entry("engine", TagRow::engine),
          Map.entry("text", TagRow::text),
          Map.entry("prefix", TagRow::prefix),
          Map.entry("start", TagRow::start),
          Map.entry("maximum", TagRow::maximum),
          Map.entry("step", TagRow::step),
          Map.entry("stepMin", TagRow::stepMin),
          Map.entry("stepMax", TagRow::stepMax),
          Map.entry("critical", TagRow::critical),
          Map.entry("ratePerSecond", TagRow::ratePerSecond),
          Map.entry("burst", TagRow::burst),
          Map.entry("owner", TagRow::owner),
          Map.entry("description", TagRow::description));

  private TagDifference() {}

  /**
   * The fields that are other than they were, with both values.
   *
   * @param before null: all are new, and told
   */
  static List<String> of(@Nullable TagRow before, TagRow after) {
    List<String> told = new ArrayList<>();
    for (Map.Entry<String, Function<TagRow, Object>> field : FIELDS) {
      Object now = field.getValue().apply(after);
      Object was = before == null ? null : field.getValue().apply(before);
      if (!now.equals(was)) {
        told.add(field.getKey() + "=" + now + (was == null ? "" : " (was " + was + ")"));
      }
    }
    return told;
  }
}
