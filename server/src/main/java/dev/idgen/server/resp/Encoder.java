package dev.idgen.server.resp;

import dev.idgen.IdRun;
import dev.idgen.server.service.Issued;
import dev.idgen.server.service.Tag;
import dev.idgen.text.Text;

/** How a command tells its caller what was issued. */
@FunctionalInterface
interface Encoder {
  /** One number. */
  Encoder NUMBER = (out, issued) -> out.integer(issued.first());

  /** The last of numbers that follow one another. */
  Encoder LAST = (out, issued) -> out.integer(issued.runs().get(0).lastInclusive());

  /** One id as its tag writes it. */
  Encoder ONE = Encoder::one;

  /** A list of them. */
  Encoder LIST = Encoder::list;

  /** Writes the whole reply. */
  void write(Writer out, Issued issued);

  private static void one(Writer out, Issued issued) {
    if (issued.numbers()) {
      out.id(textOf(issued.tag()), issued.first());
    } else {
      out.ascii(issued.texts().get(0));
    }
  }

  private static void list(Writer out, Issued issued) {
    out.array(Math.toIntExact(issued.count()));
    Text text = textOf(issued.tag());
    for (IdRun run : issued.runs()) {
      long id = run.first();
      for (int i = 0; i < run.count(); i++, id += run.stride()) {
        out.id(text, id);
      }
    }
    issued.texts().forEach(out::ascii);
  }

  private static Text textOf(Tag tag) {
    Text text = tag.text();
    return text == null ? Text.DECIMAL : text;
  }
}
