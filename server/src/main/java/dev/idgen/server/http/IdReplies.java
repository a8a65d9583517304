package dev.idgen.server.http;

import dev.idgen.IdBatch;
import dev.idgen.IdRun;
import dev.idgen.layout.Field;
import dev.idgen.layout.Layout;
import dev.idgen.server.json.JsonOut;
import dev.idgen.server.json.UtcText;
import dev.idgen.server.service.EngineKind;
import dev.idgen.server.service.Tag;

/** Ids as JSON. The bytes are put together by hand: this is what the server spends its time on. */
final class IdReplies {
  private static final byte[] ID = JsonOut.ascii("{\"id\":\"");
  private static final byte[] END = JsonOut.ascii("\"}");
  private static final byte[] TIME = JsonOut.ascii("\",\"time\":\"");
  private static final byte[] MACHINE = JsonOut.ascii("\",\"machine\":");
  private static final byte[] SEQUENCE = JsonOut.ascii(",\"sequence\":");
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
  JsonOut one(long id) {
    return new JsonOut(32).raw(ID).decimal(id).raw(END);
  }

  /** A list of one id with the fields that its engine has. */
  JsonOut listOf(Tag tag, long id) {
    JsonOut out = new JsonOut(BYTES_PER_DETAILED_ID).raw(OPEN_LIST);
    detailed(out, tag, id);
    return out.raw(CLOSE_LIST);
  }

  /** A list of ids with the fields that their engine has. */
  JsonOut listOf(Tag tag, IdBatch batch) {
    JsonOut out = new JsonOut(Math.toIntExact(batch.count()) * BYTES_PER_DETAILED_ID);
    byte[] before = OPEN_LIST;
    for (IdRun run : batch.runs()) {
      long id = run.first();
      for (int i = 0; i < run.count(); i++, id += run.stride()) {
        out.raw(before);
        detailed(out, tag, id);
        before = NEXT;
      }
    }
    return out.raw(CLOSE_LIST);
  }

  private void detailed(JsonOut out, Tag tag, long id) {
    if (tag.engine().kind() != EngineKind.SNOWFLAKE) {
      out.raw(ID).decimal(id).raw(END);
      return;
    }
    out.raw(ID).decimal(id).raw(TIME);
    utc.append(out, layout.startMillis(layout.tickOf(id)));
    out.raw(MACHINE).decimal(layout.workerOf(id));
    out.raw(SEQUENCE).decimal(layout.sequenceOf(id)).raw(CLOSE);
  }

  /** A batch as a list of texts. */
  JsonOut texts(Tag tag, IdBatch batch) {
    int count = Math.toIntExact(batch.count());
    JsonOut out = new JsonOut(BYTES_AROUND + count * BYTES_PER_ID);
    head(out, tag).name("ids").beginArray();
    byte[] before = QUOTE;
    for (IdRun run : batch.runs()) {
      long id = run.first();
      for (int i = 0; i < run.count(); i++, id += run.stride()) {
        out.raw(before).decimal(id);
        before = NEXT_QUOTED;
      }
    }
    return out.raw(QUOTE).endArray().endObject();
  }

  /** A batch as runs. */
  JsonOut runs(Tag tag, IdBatch batch) {
    JsonOut out = new JsonOut(BYTES_AROUND + batch.runs().size() * BYTES_PER_RUN);
    head(out, tag).name("runs").beginArray();
    boolean first = true;
    for (IdRun run : batch.runs()) {
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
