package dev.idgen.inspect;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Where a text may end its prefix and begin its id: after a prefix that is known, and after a
 * separator that leaves a text of a known width, or digits. A prefix that is not known has no
 * digits in it, or else parts of broken UUIDs would pass for ids.
 */
final class Prefixes {
  private static final int MAX_LENGTH = 64;
  private static final String SEPARATORS = "_.~:-";
  private static final Pattern PREFIX = Pattern.compile("[A-Za-z][A-Za-z._~:-]*");
  private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,20}");
  private static final Set<Integer> WIDTHS = Set.of(11, 13, 16, 20, 21, 24, 26, 27, 32, 36);

  private final List<String> known;

  Prefixes(Collection<String> known) {
    this.known = known.stream().filter(prefix -> !prefix.isEmpty()).toList();
  }

  /** Every prefix that the text may have, separator included. */
  Set<String> of(String text) {
    Set<String> prefixes = new LinkedHashSet<>();
    for (String prefix : known) {
      if (text.startsWith(prefix)) {
        prefixes.add(prefix);
      }
    }
    for (int end = Math.min(text.length() - 1, MAX_LENGTH); end > 0; end--) {
      if (SEPARATORS.indexOf(text.charAt(end - 1)) >= 0 && isSplit(text, end)) {
        prefixes.add(text.substring(0, end));
      }
    }
    return prefixes;
  }

  private static boolean isSplit(String text, int end) {
    String rest = text.substring(end);
    return PREFIX.matcher(text.substring(0, end)).matches()
        && (WIDTHS.contains(rest.length()) || DECIMAL.matcher(rest).matches());
  }
}
