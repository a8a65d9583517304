package dev.idgen.cli;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code idgen serve} as a process of its own. */
final class ServeProcess implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 90;

  /** As `./idgen` starts Java: newer ones warn of native code where these are missing. */
  private static final List<String> QUIET =
      List.of(
          "-XX:+IgnoreUnrecognizedVMOptions",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  private static final Pattern ADDRESS = Pattern.compile("\"http\":\"127\\.0\\.0\\.1:(\\d+)\"");
  private static final Pattern RESP = Pattern.compile("\"resp\":\"127\\.0\\.0\\.1:(\\d+)\"");
  private static final Pattern WORKER = Pattern.compile("\"worker\":\"(\\d+)\"");
  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(PATIENCE_SECONDS))
          .build();

  private final Process process;
  private final Path err;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final Queue<String> seen = new ConcurrentLinkedQueue<>();
  private int port;
  private int respPort;
  private String worker = "";

  private ServeProcess(Process process, Path err) {
    this.process = process;
    this.err = err;
    Thread reader = new Thread(this::read, "stdout of " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts one that may fail, or be unready. */
  static ServeProcess start(Path folder, Map<String, String> env, String... flags) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m"));
    command.addAll(QUIET);
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.addAll(List.of("dev.idgen.cli.Main", "serve", "--log-format", "json"));
    command.addAll(List.of(flags));
    try {
      Path err = Files.createTempFile(folder, "stderr", ".txt");
      ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
      builder.environment().keySet().removeIf(name -> name.startsWith("IDGEN_"));
      builder.environment().remove("PORT");
      builder.environment().remove("MACHINE_ID");
      builder.environment().put("IDGEN_RESP_PORT", "0"); // servers of tests run beside each other
      builder.environment().putAll(env);
      return new ServeProcess(builder.redirectError(new File(err.toString())).start(), err);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Starts one on any free port, and waits until it is ready. */
  static ServeProcess ready(Path folder, String... flags) {
    List<String> all = new ArrayList<>(List.of("--http-port", "0"));
    all.addAll(List.of(flags));
    return start(folder, Map.of(), all.toArray(String[]::new)).awaitReady();
  }

  private void read() {
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        seen.add(line);
        lines.add(line);
      }
    } catch (IOException e) {
      lines.add("stdout ended: " + e);
    }
  }

  ServeProcess awaitReady() {
    String line = awaitLine("\"event\":\"ready\"");
    port = Integer.parseInt(found(ADDRESS, line));
    respPort = Integer.parseInt(found(RESP, line));
    worker = found(WORKER, line);
    return this;
  }

  /** Waits until it answers, ready or not. */
  int awaitListening() {
    return Integer.parseInt(found(ADDRESS, awaitLine("\"event\":\"listening\"")));
  }

  /** The first line to come that holds a text. */
  String awaitLine(String part) {
    try {
      String line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      while (line != null && !line.contains(part)) {
        line = lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
      if (line == null) {
        throw new IllegalStateException("no line with " + part + " in: " + seen + "\n" + stderr());
      }
      return line;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** A line that has come already. */
  String seen(String part) {
    return seen.stream().filter(line -> line.contains(part)).findFirst().orElseThrow();
  }

  private static String found(Pattern pattern, String line) {
    Matcher matcher = pattern.matcher(line);
    if (!matcher.find()) {
      throw new IllegalStateException(pattern + " is not in: " + line);
    }
    return matcher.group(1);
  }

  int port() {
    return port;
  }

  int respPort() {
    return respPort;
  }

  String worker() {
    return worker;
  }

  HttpResponse<String> get(int at, String path) {
    return send(at, path, builder -> builder);
  }

  /** Sends a request with a JSON body, or an empty one. */
  HttpResponse<String> send(String method, String path, String body) {
    return send(
        port,
        path,
        builder ->
            builder
                .header("content-type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body)));
  }

  private HttpResponse<String> send(
      int at, String path, UnaryOperator<HttpRequest.Builder> method) {
    HttpRequest request =
        method
            .apply(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + at + path)))
            .timeout(Duration.ofSeconds(PATIENCE_SECONDS))
            .build();
    try {
      return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new IllegalStateException(path + "\n" + seen + "\n" + stderr(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  String get(String path) {
    return get(port, path).body();
  }

  long nextId() {
    return Long.parseLong(get("/api/ids").replaceAll("\\D*(\\d+).*", "$1"));
  }

  /** Asks it to end. By its handle, since the process object would close its stdout as well. */
  ServeProcess terminate() {
    process.toHandle().destroy();
    return this;
  }

  /** Ends it as a power cut would. */
  void kill() {
    process.destroyForcibly();
    exitStatus();
  }

  int exitStatus() {
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("still runs: " + seen + "\n" + stderr());
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  String stderr() {
    try {
      return Files.readString(err);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
