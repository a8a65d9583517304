package dev.idgen.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the documents show is what a user gets: their calls are made, and their Java is compiled.
 */
class DocumentsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern SHOWN =
      Pattern.compile("\\$ ((?:curl|redis-cli) [^\\n]+)\\n((?:[^$`\\n][^\\n]*\\n)*)");
  private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)\\)");

  @TempDir private Path folder;

  @Test
  void calls_ofTheDocuments_answerAsShown() throws Exception {
    int calls = 0;
    try (ServeProcess server = ServeProcess.ready(folder)) {
      for (String document :
          List.of("README.md", "docs/api.md", "docs/engines.md", "docs/resp.md")) {
        Matcher shown = SHOWN.matcher(Files.readString(ROOT.resolve(document)));
        while (shown.find()) {
          String command =
              shown
                  .group(1)
                  .replace("localhost:8080", "localhost:" + server.port())
                  .replace("redis-cli -p 6380", "redis-cli --no-raw -p " + server.respPort());
          assertEquals(shape(shown.group(2)), shape(run(command)), command);
          calls++;
        }
      }
    }
    assertTrue(calls >= 20, "calls found: " + calls);
  }

  /**
   * An answer without what differs each time: numbers, times, traces, and how many of them there
   * are.
   */
  private static String shape(String answer) {
    return answer
        .strip()
        .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "<time>")
        .replaceAll("\"[0-9a-f]{32}\"", "\"<trace>\"")
        .replaceAll("\\d{5,}", "<number>")
        .replaceAll("\"(count|machine|sequence)\":\\d+", "\"$1\":<n>")
        .replaceAll("(\\{\"first\"[^}]*}),(\\1,?)+", "$1");
  }

  private static String run(String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("bash", "-c", command)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), command);
    return out;
  }

  @Test
  void java_ofTheDocuments_compiles() throws IOException {
    for (String document : List.of("README.md", "docs/engines.md")) {
      Matcher java = JAVA.matcher(Files.readString(ROOT.resolve(document)));
      int blocks = 0;
      while (java.find()) {
        assertEquals("", compile(java.group(1)), document);
        blocks++;
      }
      assertTrue(blocks > 0, document);
    }
  }

  /** The imports that it shows have to be enough, but for those of the JDK. */
  private static String compile(String block) {
    List<String> lines = block.lines().toList();
    String imports =
        lines.stream().filter(l -> l.startsWith("import ")).collect(Collectors.joining("\n"));
    String statements =
        lines.stream().filter(l -> !l.startsWith("import ")).collect(Collectors.joining("\n"));
    String source =
        imports
            + """

            import java.nio.file.Path;
            import java.time.Instant;
            import java.util.UUID;
            class Shown {
              void shown(Instant from, Instant to) {
            """
            + statements
            + "}}";
    JavaFileObject file =
        new SimpleJavaFileObject(URI.create("string:///Shown.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    StringWriter out = new StringWriter();
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    boolean done =
        ToolProvider.getSystemJavaCompiler()
            .getTask(out, null, null, List.of("-proc:none", "-cp", classPath), null, List.of(file))
            .call();
    return done ? "" : out.toString();
  }

  @Test
  void links_ofTheDocuments_leadSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    try (var documents = Files.find(ROOT, 3, (path, a) -> isDocument(path))) {
      for (Path document : documents.toList()) {
        Matcher link = LINK.matcher(Files.readString(document));
        while (link.find()) {
          String to = link.group(1);
          boolean here = !to.contains("://") && !to.startsWith("#");
          if (here && Files.notExists(document.resolveSibling(to))) {
            broken.add(ROOT.relativize(document) + " -> " + to);
          }
        }
      }
    }
    assertEquals(List.of(), broken);
    assertFalse(ROOT.endsWith("cli"));
  }

  private static boolean isDocument(Path path) {
    String shown = ROOT.relativize(path).toString();
    return shown.endsWith(".md") && !shown.contains("target") && !shown.contains("node_modules");
  }
}
