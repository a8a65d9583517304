package dev.idgen.server.json;

import dev.idgen.inspect.Inspection;
import dev.idgen.inspect.Inspector;
import dev.idgen.inspect.Reading;
import dev.idgen.inspect.ReadingField;
import dev.idgen.layout.IdFields;
import dev.idgen.layout.Layout;
import dev.idgen.time.TimeSource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** What a text says as an id. */
public final class InspectJson {

  private final Inspector inspector;
  private final TimeSource time;
  private final UtcText utc = new UtcText();

  public InspectJson(Layout layout, TimeSource time) {
    this.inspector = Inspector.of(layout);
    this.time = time;
  }

  /**
   * One object: the fields of the text by a layout, its kind, and every plausible reading.
   *
   * @param layout reads the text as an id of that layout and no other; null: by this cluster's
   * @throws IllegalArgumentException the text is no id, or the layout is unknown
   */
  public JsonOut describe(String text, @Nullable String layout) {
    long now = time.wallMillis();
    return describe(
        layout == null ? inspector.inspect(text, now) : inspector.inspect(text, layout, now));
  }

  /** The same of a text that was read. */
  public JsonOut describe(Inspection inspection) {
    JsonOut out = new JsonOut(1024).beginObject();
    IdFields decoded = inspection.decoded();
    if (decoded == null) {
      foreign(out, inspection);
    } else {
      own(out, inspection, decoded);
    }
    out.name("kind").text(inspection.kind()).name("readings").beginArray();
    inspection.readings().forEach(reading -> reading(out, reading));
    return out.endArray().endObject();
  }

  private void own(JsonOut out, Inspection inspection, IdFields fields) {
    Layout layout = inspection.layout();
    boolean unsigned = layout != null && !layout.issuable();
    out.name("id").text(unsigned ? Long.toUnsignedString(fields.id()) : Long.toString(fields.id()));
    time(out.name("time"), fields.time());
    out.name("machine").number(fields.worker());
    out.name("sequence").number(fields.sequence());
    if (layout != null && layout.regionBits() > 0) {
      out.name("region").number(fields.region()).name("worker").number(fields.localWorker());
    }
  }

  /** A text that is no number of this layout has what its best reading says. */
  private void foreign(JsonOut out, Inspection inspection) {
    out.name("id").text(inspection.text());
    time(out.name("time"), inspection.best().time());
    out.name("machine").nothing().name("sequence").nothing();
  }

  private void reading(JsonOut out, Reading reading) {
    out.beginObject().name("kind").text(reading.kind());
    out.name("title").text(reading.title()).name("form").text(reading.form());
    if (reading.number() != null) {
      out.name("number").text(reading.number().toString());
    }
    time(out.name("time"), reading.time());
    out.name("fields").beginArray();
    for (ReadingField field : reading.fields()) {
      out.beginObject().name("name").text(field.name());
      out.name("value").text(field.value()).name("bits").number(field.bits()).endObject();
    }
    out.endArray().name("score").number(reading.score()).name("reason").text(reading.reason());
    if (!reading.note().isEmpty()) {
      out.name("note").text(reading.note());
    }
    out.endObject();
  }

  private void time(JsonOut out, @Nullable Instant time) {
    if (time == null) {
      out.nothing();
    } else if (time.truncatedTo(ChronoUnit.MILLIS).equals(time)) {
      utc.value(out, time.toEpochMilli());
    } else {
      out.text(time.toString());
    }
  }
}
