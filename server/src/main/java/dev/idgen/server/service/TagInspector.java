package dev.idgen.server.service;

import dev.idgen.inspect.InspectException;
import dev.idgen.inspect.Inspection;
import dev.idgen.inspect.Inspector;
import dev.idgen.inspect.Reading;
import dev.idgen.inspect.ReadingField;
import dev.idgen.layout.Layout;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Says what a text is as an id: of which kind, and, behind the prefix of tags, which number of
 * theirs. Thread-safe.
 */
public final class TagInspector {
  private final IdService service;
  private final Inspector inspector;
  private final TimeSource time;

  /**
   * An inspector of one cluster.
   *
   * @param service knows the tags
   * @param layout of the cluster's snowflake ids
   */
  public TagInspector(IdService service, Layout layout, TimeSource time) {
    this.service = service;
    this.inspector = Inspector.of(layout);
    this.time = time;
  }

  /**
   * Every plausible reading of a text. The text of a tag is read as the tag writes it, and as
   * whatever it may be beside.
   *
   * @param caller is told nothing of tags of which they may neither take nor decode ids
   * @param layout reads the text as an id of that layout and no other; null: by this cluster's
   * @throws ServiceException with {@link ServiceReason#INVALID_ID}: it is no id, or the layout is
   *     unknown
   */
  public Inspection inspect(Caller caller, String text, @Nullable String layout) {
    List<TagText> numbers = service.readBehindPrefixes(caller, text);
    try {
      return numbers.isEmpty() ? plain(text, layout) : of(numbers, text, layout);
    } catch (InspectException e) {
      throw new ServiceException(ServiceReason.INVALID_ID, String.valueOf(e.getMessage()));
    }
  }

  private Inspection plain(String text, @Nullable String layout) {
    long now = time.wallMillis();
    return layout == null ? inspector.inspect(text, now) : inspector.inspect(text, layout, now);
  }

  private Inspection of(List<TagText> numbers, String text, @Nullable String layout) {
    List<Inspection> found = new ArrayList<>();
    for (TagText number : numbers) {
      Inspection read = plainOrNone(Long.toString(number.id()), layout);
      if (read != null) {
        found.add(as(number, read));
      }
    }
    Inspection whole = plainOrNone(text, layout);
    if (found.isEmpty()) {
      return whole == null ? plain(text, layout) : whole; // of that layout it is none
    }
    found.sort(Comparator.comparingInt((Inspection one) -> one.best().score()).reversed());
    Inspection first = found.get(0);
    List<Reading> all = new ArrayList<>();
    found.forEach(one -> all.addAll(one.readings()));
    if (whole != null) {
      whole.readings().stream().filter(more -> all.stream().noneMatch(is(more))).forEach(all::add);
    }
    all.sort(Comparator.comparingInt(Reading::score).reversed());
    return new Inspection(text, first.layout(), first.decoded(), all);
  }

  /** What is no id as one way to read it has no readings that way. */
  private @Nullable Inspection plainOrNone(String text, @Nullable String layout) {
    try {
      return plain(text, layout);
    } catch (InspectException e) {
      return null;
    }
  }

  private static Predicate<Reading> is(Reading one) {
    return other ->
        one.kind().equals(other.kind())
            && one.form().equals(other.form())
            && Objects.equals(one.number(), other.number());
  }

  /** The readings of a number, as those of the text that it was written as. */
  private static Inspection as(TagText text, Inspection number) {
    return new Inspection(
        number.text(),
        number.layout(),
        number.decoded(),
        number.readings().stream().map(reading -> as(text, reading)).toList());
  }

  private static Reading as(TagText text, Reading reading) {
    List<ReadingField> fields = new ArrayList<>();
    fields.add(new ReadingField("prefix", text.prefix(), 0));
    fields.addAll(reading.fields());
    return new Reading(
        reading.kind(),
        reading.title(),
        text.form(),
        reading.number(),
        fields,
        reading.time(),
        reading.score(),
        reading.reason(),
        reading.note());
  }
}
