package dev.idgen.server.resp;

import dev.idgen.inspect.Inspection;
import dev.idgen.inspect.ReadingField;
import dev.idgen.layout.IdFields;
import dev.idgen.layout.Layout;
import dev.idgen.server.service.Caller;
import dev.idgen.server.service.TagInspector;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a text says as an id: names with values. */
final class InspectReply {
  private final TagInspector inspector;

  InspectReply(TagInspector inspector) {
    this.inspector = inspector;
  }

  /**
   * Reads a text by this cluster's layout, else as what it most plausibly is.
   *
   * @throws dev.idgen.server.service.ServiceException it is none
   */
  Reply of(Caller caller, String text) {
    Map<String, Object> entries = entries(inspector.inspect(caller, text, null));
    return out -> {
      out.map(entries.size());
      entries.forEach(
          (name, value) -> {
            out.ascii(name);
            write(out, value);
          });
    };
  }

  private static Map<String, Object> entries(Inspection inspection) {
    Map<String, Object> entries = new LinkedHashMap<>();
    IdFields fields = inspection.decoded();
    entries.put("kind", inspection.kind());
    if (fields == null) {
      entries.put("id", inspection.text());
      Instant made = inspection.best().time();
      if (made != null) {
        entries.put("time", made.toString());
      }
      for (ReadingField field : inspection.best().fields()) {
        entries.putIfAbsent(field.name(), field.value());
      }
    } else {
      own(entries, inspection.layout(), fields);
    }
    return entries;
  }

  private static void own(Map<String, Object> entries, @Nullable Layout layout, IdFields fields) {
    boolean unsigned = layout != null && !layout.issuable();
    entries.put("id", unsigned ? Long.toUnsignedString(fields.id()) : Long.toString(fields.id()));
    entries.put("time", fields.time().toString());
    entries.put("machine", (long) fields.worker());
    entries.put("sequence", fields.sequence());
    if (layout != null && layout.regionBits() > 0) {
      entries.put("region", (long) fields.region());
      entries.put("worker", (long) fields.localWorker());
    }
  }

  private static void write(Writer out, Object value) {
    if (value instanceof Long number) {
      out.integer(number);
    } else {
      out.text(value.toString());
    }
  }
}
