package dev.idgen.check.mutants;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Puts a fault into a copy of the sources of engines or server, and compiles what it touches. */
final class Planting {
  private static final String SERVER = "server/";
  private static final String ROOT = "dev/idgen/";

  private Planting() {}

  /**
   * Plants a fault.
   *
   * @param into an empty directory for copies and classes
   * @param classPath what the sources are compiled against: engines and server as they are
   * @return the directory of the changed classes, to be looked into first
   */
  static Path plant(Fault fault, Path into, String classPath) {
    try {
      Map<String, String> changed = new LinkedHashMap<>();
      for (Fault.Edit edit : fault.edits()) {
        String text = changed.get(edit.file());
        changed.put(edit.file(), replaced(text == null ? source(edit) : text, edit));
      }
      return compile(changed, into, classPath);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String source(Fault.Edit edit) throws IOException {
    String module = edit.file().startsWith(SERVER) ? "server" : "core";
    Path sources = Path.of("..", "..", module, "src", "main", "java");
    return Files.readString(sources.resolve(ROOT + edit.file() + ".java"));
  }

  /** White space counts as little as it does to a compiler, so that formatting breaks no anchor. */
  static String replaced(String text, Fault.Edit edit) {
    String[] words = edit.anchor().strip().split("\\s+");
    StringBuilder pattern = new StringBuilder();
    for (String word : words) {
      pattern.append(pattern.isEmpty() ? "" : "\\s+").append(Pattern.quote(word));
    }
    Matcher matcher = Pattern.compile(pattern.toString()).matcher(text);
    int found = (int) matcher.results().count();
    if (found != 1) {
      throw new IllegalStateException(
          edit.file() + ": anchor found " + found + " times (expected: once): " + edit.anchor());
    }
    return matcher.reset().replaceFirst(Matcher.quoteReplacement(edit.replacement()));
  }

  private static Path compile(Map<String, String> changed, Path into, String classPath)
      throws IOException {
    Path sources = into.resolve("sources");
    Path classes = Files.createDirectories(into.resolve("classes"));
    List<Path> files = new ArrayList<>();
    for (Map.Entry<String, String> entry : changed.entrySet()) {
      Path file = sources.resolve(ROOT + entry.getKey() + ".java");
      Files.createDirectories(file.getParent());
      files.add(Files.writeString(file, entry.getValue()));
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> options =
        List.of(
            "-d", classes.toString(), "-cp", classPath, "-proc:none", "-nowarn", "--release", "17");
    StringBuilder said = new StringBuilder();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      Writer out = new StringBuilderWriter(said);
      boolean done =
          compiler
              .getTask(
                  out, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
              .call();
      if (!done) {
        throw new IllegalStateException("planted source does not compile:\n" + said);
      }
    }
    return classes;
  }

  /** Removes what an earlier run left. */
  static void clear(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class StringBuilderWriter extends Writer {
    private final StringBuilder into;

    StringBuilderWriter(StringBuilder into) {
      this.into = into;
    }

    @Override
    public void write(char[] text, int offset, int length) {
      into.append(text, offset, length);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
