package dev.idgen.server.http;

import dev.idgen.IdRun;
import dev.idgen.layout.Field;
import dev.idgen.layout.Layout;
import dev.idgen.server.json.JsonOut;
import dev.idgen.server.json.UtcText;
import dev.idgen.server.service.EngineKind;
import dev.idgen.server.service.Issued;
import dev.idgen.server.service.Tag;
import dev.idgen.text.Text;
import dev.idgen.uuid.Ulid;
import dev.idgen.uuid.Uuids;

/** Ids as JSON. The bytes are put together by hand: this is what the server spends its time on. */
final class IdReplies {
  private static final byte[] ID = JsonOut.ascii("{\"id\":\"");
  private static final byte[] END = JsonOut.ascii("\"}");
  private static final byte[] TIME = JsonOut.ascii("\",\"time\":\"");
  private static final byte[] MACHINE = JsonOut.ascii("\",\"machine\":");
  private static final byte[] SEQUENCE = JsonOut.ascii(",\"sequence\":");
  private static final byte[] NOTHING = new byte[0];
  private static final byte[] OPEN_LIST = JsonOut.ascii("[");
  private static final byte[] CLOSE_LIST = JsonOut.ascii("]");
  private static final byte[] CLOSE = JsonOut.ascii("}");
  private static final byte[] NEXT = JsonOut.ascii(",");
  private static final byte[] QUOTE = JsonOut.ascii("\"");
  private static final byte[] NEXT_QUOTED = JsonOut.ascii("\",\"");
  private static final byte[] FIRST = JsonOut.ascii("{\"first\":\"");
  private static final byte[] COUNT = JsonOut.ascii("\",\"count\":");
  private static final byte[] STRIDE = JsonOut.ascii(",\"stride\":");
  private static final int BYTES_PER_DETAILED_ID = 104;
  private static final int BYTES_PER_ID = 22;
  private static final int BYTES_PER_RUN = 72;
  private static final int BYTES_AROUND = 128;

  private final Layout layout;
  private final UtcText utc = new UtcText();

  IdReplies(Layout layout) {
    this.layout = layout;
  }

  /** One id: {@code {"id":".."}}. */
  JsonOut one(Issued issued) {
    JsonOut out = new JsonOut(48).raw(ID);
    written(out, issued.tag(), issued);
    return out.raw(END);
  }

  private static void written(JsonOut out, Tag tag, Issued issued) {
    if (issued.numbers()) {
      written(out, tag, issued.first());
    } else {
      out.visible(issued.texts().get(0));
    }
  }

  /** As the tag has it. */
  private static void written(JsonOut out, Tag tag, long id) {
    Text text = tag.text();
    if (text == null || text == Text.DECIMAL) {
      out.decimal(id);
    } else {
      out.encoded(text, id);
    }
  }

  /** A list of ids with the fields that their engine has. */
  JsonOut listOf(Issued issued) {
    Tag tag = issued.tag();
    JsonOut out = new JsonOut(16 + Math.toIntExact(issued.count()) * BYTES_PER_DETAILED_ID);
    out.raw(OPEN_LIST);
    if (issued.isOneNumber()) {
      detailed(out, tag, issued.first());
      return out.raw(CLOSE_LIST);
    }
    byte[] before = NOTHING;
    for (IdRun run : issued.runs()) {
      long id = run.first();
      for (int i = 0; i < run.count(); i++, id += run.stride()) {
        detailed(out.raw(before), tag, id);
        before = NEXT;
      }
    }
    for (String text : issued.texts()) {
      detailed(out.raw(before), tag, text);
      before = NEXT;
    }
    return out.raw(CLOSE_LIST);
  }

  private void detailed(JsonOut out, Tag tag, long id) {
    out.raw(ID);
    written(out, tag, id);
    if (tag.engine().kind() != EngineKind.SNOWFLAKE || tag.opaque()) {
      out.raw(END);
      return;
    }
    out.raw(TIME);
    utc.append(out, layout.startMillis(layout.tickOf(id)));
    out.raw(MACHINE).decimal(layout.workerOf(id));
    out.raw(SEQUENCE).decimal(layout.sequenceOf(id)).raw(CLOSE);
  }

  private void detailed(JsonOut out, Tag tag, String text) {
    out.raw(ID).visible(text);
    String bare = text.substring(tag.row().prefix().length());
    switch (tag.engine().kind()) {
      case UUIDV7 -> timed(out, Uuids.timeOf(Uuids.parse(bare)).toEpochMilli());
      case ULID -> timed(out, Ulid.parse(bare).time().toEpochMilli());
      default -> out.raw(END);
    }
  }

  private void timed(JsonOut out, long millis) {
    out.raw(TIME);
    utc.append(out, millis);
    out.raw(END);
  }

  /** A batch as a list of texts. */
  JsonOut texts(Issued issued) {
    Tag tag = issued.tag();
    JsonOut out = new JsonOut(BYTES_AROUND + Math.toIntExact(issued.count()) * BYTES_PER_ID);
    head(out, tag).name("ids").beginArray();
    byte[] before = QUOTE;
    for (IdRun run : issued.runs()) {
      long id = run.first();
      for (int i = 0; i < run.count(); i++, id += run.stride()) {
        written(out.raw(before), tag, id);
        before = NEXT_QUOTED;
      }
    }
    for (String text : issued.texts()) {
      out.raw(before).visible(text);
      before = NEXT_QUOTED;
    }
    return out.raw(QUOTE).endArray().endObject();
  }

  /** A batch as runs. */
  JsonOut runs(Issued issued) {
    JsonOut out = new JsonOut(BYTES_AROUND + issued.runs().size() * BYTES_PER_RUN);
    head(out, issued.tag()).name("runs").beginArray();
    boolean first = true;
    for (IdRun run : issued.runs()) {
      if (!first) {
        out.raw(NEXT);
      }
      first = false;
      out.raw(FIRST).decimal(run.first()).raw(COUNT).decimal(run.count());
      out.raw(STRIDE).decimal(run.stride()).raw(CLOSE);
    }
    return out.endArray().endObject();
  }

  private static JsonOut head(JsonOut out, Tag tag) {
    out.beginObject().name("tag").text(tag.name());
    return out.name("engine").text(tag.engine().kind().word());
  }

  /** The fields of this cluster's ids, the unused bits at the top included. */
  JsonOut layout() {
    JsonOut out = new JsonOut(512).beginObject().name("fields").beginArray();
    field(out, "sign", Long.SIZE - layout.totalBits(), layout.totalBits());
    for (Field field : layout.fields()) {
      field(out, field.kind().toString(), field.bits(), field.shift());
    }
    out.endArray();
    out.name("tickMillis").number(layout.tickMillis());
    out.name("epochMillis").numberText(layout.epochMillis());
    return out.name("name").text(layout.name()).endObject();
  }

  private static void field(JsonOut out, String name, int bits, int shift) {
    out.beginObject().name("name").text(name);
    out.name("bits").number(bits).name("shift").number(shift).endObject();
  }
}
