package dev.idgen.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files of tokens and of keys. */
class SecretFilesTest {
  private static final String SECRET = "a-secret-of-sixteen-or-more";

  @TempDir Path folder;

  private final List<String> faults = new ArrayList<>();

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("secrets.yaml"), text);
  }

  @Test
  void tokens_whole_areRead() throws IOException {
    Path path =
        file(
            "- name: web\n  token: "
                + SECRET
                + "\n  tags: [order, 'inv*']\n"
                + "- name: ops\n  sha256: "
                + "ab".repeat(32)
                + "\n  rights: [admin, decode]\n");
    List<TokensFile.Token> tokens = TokensFile.read(path, faults);
    assertEquals(List.of(), faults);
    assertEquals(Set.of("issue"), tokens.get(0).rights());
    assertEquals(List.of("order", "inv*"), tokens.get(0).tags());
    assertEquals(64, tokens.get(0).sha256().length());
    assertEquals(Set.of("admin", "decode"), tokens.get(1).rights());
    assertEquals(List.of("*"), tokens.get(1).tags());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'[]' | no list (expected: a list of maps)",
        "'a: b' | no list (expected: a list of maps)",
        "'- [' | no YAML (expected: a list of maps)",
      })
  void tokens_noList_isToldWithTheFile(String text, String fault) throws IOException {
    Path path = file(text);
    assertEquals(List.of(), TokensFile.read(path, faults));
    assertEquals(List.of("auth.tokens: " + path + ": " + fault), faults);
  }

  @Test
  void tokens_noFile_isTold() {
    Path path = folder.resolve("none");
    TokensFile.read(path, faults);
    assertEquals(List.of("auth.tokens: " + path + ": unreadable (expected: a YAML file)"), faults);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{token: a-secret-of-sixteen-or-more} | name: absent (expected: a name, each once)",
        "{name: web} | token and sha256: both or none (expected: one of them)",
        "{name: web, token: short} | token: not shown (expected: 16 or more visible characters)",
        "{name: web, sha256: abc} | sha256: not shown (expected: 64 of 0-9a-f)",
        "{name: 'a b', token: a-secret-of-sixteen-or-more} | name: a b (expected: a name, each once)",
        "{name: w, token: a-secret-of-sixteen-or-more, rights: [root]} | rights: [root] (expected:"
            + " issue, decode, metrics, admin)",
        "{name: w, token: a-secret-of-sixteen-or-more, rights: all} | rights: no list (expected: one"
            + " or more in a list)",
        "{name: w, token: a-secret-of-sixteen-or-more, tags: ['a*b']} | tags: a*b (expected: a name,"
            + " which may end in *)",
        "{name: w, token: a-secret-of-sixteen-or-more, tag: x} | tag: unknown (expected: name, token,"
            + " sha256, rights, tags)",
      })
  void tokens_badEntry_isToldWithoutTheSecret(String entry, String fault) throws IOException {
    TokensFile.read(file("- " + entry + "\n"), faults);
    assertEquals(List.of("auth.tokens, entry 1: " + fault), faults);
    assertFalse(faults.toString().contains(SECRET));
  }

  @Test
  void tokens_givenTwice_areTold() throws IOException {
    String entry = "- {name: w, token: " + SECRET + "}\n";
    TokensFile.read(file(entry + entry), faults);
    assertEquals(
        List.of(
            "auth.tokens, entry 2: name: w (expected: a name, each once)",
            "auth.tokens, entry 2: token: given twice (expected: each once)"),
        faults);
  }

  @Test
  void keys_whole_areReadInTheirOrder() throws IOException {
    String hex = "0123456789abcdef".repeat(4);
    List<KeysFile.Key> keys =
        KeysFile.read(
            file("- {name: b, key: '" + hex + "'}\n- {name: a, key: '" + "0a".repeat(16) + "'}\n"),
            faults);
    assertEquals(List.of(), faults);
    assertEquals('b', keys.get(0).name());
    assertEquals(32, keys.get(0).bytes().length);
    assertEquals(16, keys.get(1).bytes().length);
    assertFalse(keys.toString().contains(hex));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{name: ab, key: '00112233445566778899aabbccddeeff'} | name: ab (expected: one of 0-9A-Za-z,"
            + " each once)",
        "{name: a, key: 0011} | key: not shown (expected: 32, 48 or 64 hexadecimal digits)",
        "{name: a} | key: not shown (expected: 32, 48 or 64 hexadecimal digits)",
      })
  void keys_bad_areToldWithoutTheKey(String entry, String fault) throws IOException {
    KeysFile.read(file("- " + entry + "\n"), faults);
    assertEquals(List.of("opaque.keys, entry 1: " + fault), faults);
  }
}
