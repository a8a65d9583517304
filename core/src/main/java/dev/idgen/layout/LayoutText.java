package dev.idgen.layout;

import dev.idgen.layout.Field.Kind;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Layouts as text. A layout has exactly one text, so that a store can compare texts: whatever reads
 * back as a layout with another text is refused.
 */
final class LayoutText {
  private static final int MAX_LENGTH = 200;
  private static final Pattern THREE_WIDTHS = Pattern.compile("(\\d{1,2})/(\\d{1,2})/(\\d{1,2})");
  private static final Pattern FIELD =
      Pattern.compile(
          "version(?<version>\\d{1,2})=(?<value>\\d{1,5})"
              + "|time(?<time>\\d{1,2})"
              + "|worker(?<worker>\\d{1,2})(\\(region(?<region>\\d{1,2})\\))?"
              + "|sequence(?<sequence>\\d{1,2})");
  private static final Pattern WHOLE =
      Pattern.compile(
          "(?<fields>[^;]+);tick=(?<tick>\\d{1,4});epoch=(?<epoch>\\d{1,15})"
              + "(;bits=(?<bits>53|64))?");
  private static final String EXPECTED =
      "time41,worker10,sequence12;tick=1;epoch=" + Layout.DEFAULT_EPOCH_MILLIS + " or the like";

  private LayoutText() {}

  static String describe(Layout layout) {
    String size = layout.totalBits() == 63 ? "" : ";bits=" + layout.totalBits();
    return fields(layout, ",")
        + ";tick="
        + layout.tickMillis()
        + ";epoch="
        + layout.epochMillis()
        + size;
  }

  static String name(Layout layout) {
    List<Kind> kinds = layout.whole().stream().map(Field::kind).toList();
    boolean usual =
        layout.regionBits() == 0
            && kinds.equals(kinds.stream().sorted().toList())
            && layout.versionBits() == 0;
    return usual
        ? layout.timeBits() + "/" + layout.workerBits() + "/" + layout.sequenceBits()
        : fields(layout, "/");
  }

  static Layout parse(String text) {
    Matcher whole = WHOLE.matcher(text);
    if (text.length() > MAX_LENGTH || !whole.matches()) {
      throw refused(text, EXPECTED);
    }
    Layout.Builder builder = Layout.builder();
    appendTo(builder, whole.group("fields"), ',');
    builder.tickMillis(Long.parseLong(whole.group("tick")));
    builder.epochMillis(Long.parseLong(whole.group("epoch")));
    if ("53".equals(whole.group("bits"))) {
      builder.javascriptSafe();
    }
    if ("64".equals(whole.group("bits"))) {
      builder.unsigned();
    }
    Layout layout = builder.build();
    if (!layout.describe().equals(text)) {
      throw refused(text, layout.describe());
    }
    return layout;
  }

  static void appendTo(Layout.Builder builder, String text, char separator) {
    if (text.length() > MAX_LENGTH) {
      throw refused(text, "at most " + MAX_LENGTH + " characters");
    }
    Matcher widths = THREE_WIDTHS.matcher(text);
    if (separator == '/' && widths.matches()) {
      builder.time(Integer.parseInt(widths.group(1)));
      builder.worker(Integer.parseInt(widths.group(2)));
      builder.sequence(Integer.parseInt(widths.group(3)));
      return;
    }
    for (String part : text.split(Pattern.quote(String.valueOf(separator)), -1)) {
      appendField(builder, part, text);
    }
  }

  private static void appendField(Layout.Builder builder, String part, String text) {
    Matcher field = FIELD.matcher(part);
    if (!field.matches()) {
      throw refused(text, "41/10/12, or fields such as time41, worker10, sequence12");
    }
    if (field.group("version") != null) {
      builder.version(number(field, "version"), number(field, "value"));
    } else if (field.group("time") != null) {
      builder.time(number(field, "time"));
    } else if (field.group("sequence") != null) {
      builder.sequence(number(field, "sequence"));
    } else {
      builder.worker(number(field, "worker"));
      if (field.group("region") != null) {
        builder.regionBits(number(field, "region"));
      }
    }
  }

  private static String fields(Layout layout, String separator) {
    return layout.whole().stream()
        .map(field -> field(layout, field))
        .collect(Collectors.joining(separator));
  }

  private static String field(Layout layout, Field field) {
    String text = field.kind() + "" + field.bits();
    if (field.kind() == Kind.VERSION) {
      return text + "=" + layout.version();
    }
    boolean split = field.kind() == Kind.WORKER && layout.regionBits() > 0;
    return split ? text + "(region" + layout.regionBits() + ")" : text;
  }

  private static int number(Matcher field, String group) {
    return Integer.parseInt(field.group(group));
  }

  private static IllegalArgumentException refused(String text, String expected) {
    String shown = text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH) + "..." : text;
    return new IllegalArgumentException("layout: " + shown + " (expected: " + expected + ")");
  }
}
