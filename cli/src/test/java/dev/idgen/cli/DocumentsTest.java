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
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the documents show is what a user gets: their calls are made, and their Java is compiled.
 */
class DocumentsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern SHOWN =
      Pattern.compile("\\$ ((?:curl|redis-cli) [^\\n]+)\\n((?:[^$`\\n][^\\n]*\\n)*)");
  private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)\\)");

  /** Ids, but no times of them, and no run of digits within the hexadecimal ones of a trace. */
  private static final Pattern LONG_NUMBER =
      Pattern.compile("(?<![0-9a-z])[0-9]{15,19}(?![0-9a-z])");

  /** Of {@code openapi.json}: a path, or a method below it. */
  private static final Pattern OPERATION =
      Pattern.compile("(?m)^ {4}\"(/[^\"]*)\": \\{$|^ {6}\"(get|put|post|delete)\": \\{$");

  @TempDir private Path folder;

  /** A server with the keys of opaque ids that the document shows. */
  private ServeProcess server() throws IOException {
    return ServeProcess.ready(folder, "--opaque-keys", file("keys.yaml"));
  }

  /** Beside it, one with the tokens that the document shows. */
  private ServeProcess guarded() throws IOException {
    String data = folder.resolve("guarded").toString();
    return ServeProcess.ready(folder, "--data", data, "--auth-tokens", file("tokens.yaml"));
  }

  /** A file of the document; its first line is its name. */
  private String file(String name) throws IOException {
    String text = Files.readString(ROOT.resolve("docs/api.md"));
    Matcher block =
        Pattern.compile("```yaml\\n(# " + name + ",.*?)```", Pattern.DOTALL).matcher(text);
    assertTrue(block.find(), name);
    return Files.writeString(folder.resolve(name), block.group(1)).toString();
  }

  @Test
  void calls_ofTheDocuments_answerAsShown() throws Exception {
    int calls = 0;
    try (ServeProcess server = server();
        ServeProcess guarded = guarded()) {
      for (String document :
          List.of("README.md", "docs/api.md", "docs/engines.md", "docs/resp.md")) {
        Matcher shown = SHOWN.matcher(Files.readString(ROOT.resolve(document)));
        while (shown.find()) {
          String command =
              shown
                  .group(1)
                  .replace("localhost:8080", "localhost:" + server.port())
                  .replace("localhost:8081", "localhost:" + guarded.port())
                  .replace("redis-cli -p 6380", "redis-cli --no-raw -p " + server.respPort());
          String answer = run(command);
          assertEquals(shape(shown.group(2)), shape(answer), command);
          assertEquals(different(shown.group(2)), different(answer), command + "\n" + answer);
          calls++;
        }
      }
    }
    assertTrue(calls >= 80, "calls found: " + calls);
  }

  /** How many ids an answer has; of runs, whose number differs each time, none. */
  private static long different(String answer) {
    return answer.contains("\"runs\"")
        ? 0
        : LONG_NUMBER.matcher(answer).results().map(MatchResult::group).distinct().count();
  }

  /** A newcomer finds each call of the server on the page, made. */
  @Test
  void calls_ofTheServer_areAllShown() throws IOException {
    List<String> shown = new ArrayList<>();
    Matcher call = SHOWN.matcher(Files.readString(ROOT.resolve("docs/api.md")));
    while (call.find()) {
      shown.add(method(call.group(1)) + " " + path(call.group(1)));
    }
    List<String> missing = new ArrayList<>();
    for (String operation : operations()) {
      boolean asGetToo = operation.startsWith("POST /tinyid/");
      String pattern = operation.replaceAll("\\{.*?}", "[^/]+");
      if (!asGetToo && shown.stream().noneMatch(made -> made.matches(pattern))) {
        missing.add(operation);
      }
    }
    assertEquals(List.of(), missing);
  }

  /** What the server says of itself, as {@code POST /ids}. */
  private List<String> operations() throws IOException {
    List<String> all = new ArrayList<>();
    String path = "";
    try (ServeProcess server = server()) {
      Matcher line = OPERATION.matcher(server.get("/openapi.json"));
      while (line.find()) {
        if (line.group(1) == null) {
          all.add(line.group(2).toUpperCase(Locale.ROOT) + " " + path);
        } else {
          path = line.group(1);
        }
      }
    }
    assertTrue(all.size() >= 30, all.toString());
    return all;
  }

  private static String method(String command) {
    Matcher method = Pattern.compile("-X([A-Z]+)").matcher(command);
    return method.find() ? method.group(1) : "GET";
  }

  private static String path(String command) {
    Matcher path = Pattern.compile("localhost:\\d+(/[^ ?']*)").matcher(command);
    assertTrue(path.find(), command);
    return path.group(1);
  }

  @ParameterizedTest
  @CsvSource({"python,python3 -", "js,node --input-type=module -"})
  void programs_ofTheDocuments_printWhatTheyShow(String language, String interpreter)
      throws Exception {
    String text = Files.readString(ROOT.resolve("docs/api.md"));
    Pattern blocks = Pattern.compile("```" + language + "\\n(.*?)```", Pattern.DOTALL);
    Pattern shown = Pattern.compile("(?m)(?:print|console\\.log)\\(.*(?:#|//) (.*)$");
    Matcher block = blocks.matcher(text);
    assertTrue(block.find(), language);
    String program = block.group(1);
    String expected =
        shown
            .matcher(program)
            .results()
            .map(found -> found.group(1))
            .collect(Collectors.joining("\n"));
    assertTrue(expected.lines().count() >= 3, expected);
    try (ServeProcess server = server()) {
      Path file = folder.resolve("program");
      Files.writeString(file, program.replace("localhost:8080", "localhost:" + server.port()));
      assertEquals(shape(expected), shape(run(interpreter + " < " + file)));
    }
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
        .replaceAll("\"(owner|process)\":\"[^\"/]+/\\d+/[0-9a-f]+\"", "\"$1\":\"<process>\"")
        .replaceAll("[0-7][0-9A-HJKMNP-TV-Z]{25}", "<ulid>")
        .replaceAll("\\d{5,}", "<number>")
        .replaceAll("\"(count|machine|sequence|worker|generation|offsetMs)\":-?\\d+", "\"$1\":<n>")
        .replaceAll("\"workers\":\\[\\d+]", "\"workers\":[<n>]")
        .replaceAll("\"nextPageToken\":\"\\d+\"", "\"nextPageToken\":\"<n>\"")
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
