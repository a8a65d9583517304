package dev.idgen.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The documentation's table is the one that the program goes by. */
class ConfigurationDocTest {
  private static final Path DOC = Path.of("../docs/configuration.md");

  @Test
  void table_inTheDocumentation_isThatOfTheSettings() throws IOException {
    List<String> documented =
        Files.readAllLines(DOC).stream().filter(line -> line.startsWith("| `")).toList();

    assertEquals(String.join("\n", table()), String.join("\n", documented));
  }

  private static List<String> table() {
    List<String> lines = new ArrayList<>();
    for (Setting<?> setting : Settings.ALL) {
      lines.add(
          "| `"
              + setting.key()
              + "` | "
              + escaped(setting.type().range())
              + (setting.type().unit().isEmpty() ? "" : " (" + setting.type().unit() + ")")
              + " | "
              + escaped(setting.defaultText())
              + " | "
              + setting.doc()
              + (setting.plainEnv() == null ? "" : "; also `" + setting.plainEnv() + "`")
              + " |");
    }
    return lines;
  }

  private static String escaped(String text) {
    return text.replace("<", "&lt;").replace(">", "&gt;");
  }
}
