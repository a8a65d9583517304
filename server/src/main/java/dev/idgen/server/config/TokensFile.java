package dev.idgen.server.config;

import dev.idgen.server.digest.Sha256;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the file of tokens: YAML, a list of who may do what. */
public final class TokensFile {
  /** What a token may allow. */
  public static final Set<String> RIGHTS = Set.of("issue", "decode", "metrics", "admin");

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Pattern TAGS = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}\\*?|\\*");
  private static final Pattern SECRET = Pattern.compile("[!-~]{16,4096}");
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
  private static final Set<String> KEYS =
      new LinkedHashSet<>(List.of("name", "token", "sha256", "rights", "tags"));

  private final List<Token> tokens = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private final Set<String> hashes = new HashSet<>();
  private final List<String> faults;

  private TokensFile(List<String> faults) {
    this.faults = faults;
  }

  /**
   * One token. A value; immutable.
   *
   * @param name whom it stands for in logs
   * @param sha256 of the token, in lower-case hexadecimal digits
   * @param rights of {@link #RIGHTS}
   * @param tags names of tags, of which the last character may be {@code *}
   */
  public record Token(String name, String sha256, Set<String> rights, List<String> tags) {

    /** Copies the lists. */
    public Token {
      rights = Set.copyOf(rights);
      tags = List.copyOf(tags);
    }
  }

  /**
   * All tokens of a file.
   *
   * @param faults receives what is wrong with it; tokens are never part of it
   */
  public static List<Token> read(Path path, List<String> faults) {
    TokensFile file = new TokensFile(faults);
    YamlList.read("auth.tokens", path, KEYS, faults).forEach(file::entry);
    return List.copyOf(file.tokens);
  }

  private void entry(YamlList.Entry entry) {
    String where = entry.where();
    Map<?, ?> map = entry.values();
    int before = faults.size();
    Object named = map.get("name");
    String name = named == null ? "absent" : named.toString();
    require(
        named != null && NAME.matcher(name).matches() && names.add(name),
        where,
        "name: " + name,
        "a name, each once");
    String hash = hash(where, map.get("token"), map.get("sha256"));
    Set<String> rights = Set.copyOf(texts(where, "rights", map.get("rights"), List.of("issue")));
    require(
        RIGHTS.containsAll(rights), where, "rights: " + rights, "issue, decode, metrics, admin");
    List<String> tags = texts(where, "tags", map.get("tags"), List.of("*"));
    for (String tag : tags) {
      require(TAGS.matcher(tag).matches(), where, "tags: " + tag, "a name, which may end in *");
    }
    if (faults.size() == before) {
      tokens.add(new Token(name, hash, rights, tags));
    }
  }

  private String hash(String where, @Nullable Object token, @Nullable Object sha256) {
    if ((token == null) == (sha256 == null)) {
      fault(where, "token and sha256: both or none", "one of them");
      return "";
    }
    String hash = token == null ? String.valueOf(sha256) : Sha256.hex(token.toString());
    if (token == null) {
      require(HASH.matcher(hash).matches(), where, "sha256: not shown", "64 of 0-9a-f");
    } else {
      boolean long16 = SECRET.matcher(token.toString()).matches();
      require(long16, where, "token: not shown", "16 or more visible characters");
    }
    require(hashes.add(hash), where, "token: given twice", "each once");
    return hash;
  }

  private List<String> texts(
      String where, String name, @Nullable Object value, List<String> absent) {
    if (value == null) {
      return absent;
    }
    if (!(value instanceof List<?> list) || list.isEmpty()) {
      faults.add(where + ": " + name + ": no list (expected: one or more in a list)");
      return absent;
    }
    return list.stream().map(String::valueOf).toList();
  }

  private void require(boolean holds, String where, String what, String expected) {
    if (!holds) {
      fault(where, what, expected);
    }
  }

  private void fault(String where, String what, String expected) {
    faults.add(where + ": " + what + " (expected: " + expected + ")");
  }
}
