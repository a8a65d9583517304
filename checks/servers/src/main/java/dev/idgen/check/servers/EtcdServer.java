package dev.idgen.check.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One member of an etcd cluster of one or more, of the program that this machine has ({@code
 * etcd}). Its folder outlives a kill.
 */
public final class EtcdServer implements AutoCloseable {
  private static final long PATIENCE_MS = 60_000;
  private static final long AGAIN_NANOS = 20_000_000;
  private static final long ANSWER_MS = 5_000;
  private static final Pattern MEMBER = Pattern.compile("\"member_id\":\"(\\d+)\"");
  private static final Pattern VALUE = Pattern.compile("\"value\":\"([^\"]*)\"");
  private static final Pattern LEADER = Pattern.compile("\"leader\":\"(\\d+)\"");
  private static final AtomicInteger PREFIXES = new AtomicInteger();

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofMillis(ANSWER_MS))
          .build();
  private final Path folder;
  private final String name;
  private final Ports ports;
  private final String cluster;
  private final @Nullable TestCertificate certificate; // null: it takes no clients over TLS
  private Process process;

  /** Where it listens. */
  private record Ports(int client, int peer, int encrypted) {}

  private EtcdServer(
      Path folder, String name, Ports ports, String cluster, @Nullable TestCertificate certificate)
      throws IOException {
    this.folder = folder;
    this.name = name;
    this.ports = ports;
    this.cluster = cluster;
    this.certificate = certificate;
    this.process = launch();
  }

  /** Starts one alone. Takes a second or two. */
  public static EtcdServer start() {
    return startCluster(1).get(0);
  }

  /** Starts one alone that takes clients over TLS at another port too. */
  public static EtcdServer startEncrypted(TestCertificate certificate) {
    return startCluster(1, certificate).get(0);
  }

  /** Starts a cluster. Takes a few seconds. */
  public static List<EtcdServer> startCluster(int size) {
    return startCluster(size, null);
  }

  private static List<EtcdServer> startCluster(int size, @Nullable TestCertificate certificate) {
    try {
      List<Integer> ports = freePorts(3 * size);
      List<String> peers = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        peers.add("m" + i + "=" + url(ports.get(size + i)));
      }
      List<EtcdServer> servers = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        Path folder = Files.createTempDirectory("idgen-etcd");
        String name = "m" + i;
        String cluster = String.join(",", peers);
        Ports own = new Ports(ports.get(i), ports.get(size + i), ports.get(2 * size + i));
        servers.add(new EtcdServer(folder, name, own, cluster, certificate));
      }
      servers.forEach(EtcdServer::awaitUp);
      return servers;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Process launch() throws IOException {
    String encrypted = certificate == null ? "" : ",https://127.0.0.1:" + ports.encrypted;
    List<String> command =
        new ArrayList<>(
            List.of(
                "etcd",
                "--name=" + name,
                "--data-dir=" + folder.resolve("data"),
                "--listen-client-urls=" + url(ports.client) + encrypted,
                "--advertise-client-urls=" + url(ports.client),
                "--listen-peer-urls=" + url(ports.peer),
                "--initial-advertise-peer-urls=" + url(ports.peer),
                "--initial-cluster=" + cluster,
                "--initial-cluster-token=" + Integer.toHexString(cluster.hashCode()),
                "--logger=zap",
                "--log-level=warn"));
    if (certificate != null) {
      command.add("--cert-file=" + certificate.cert());
      command.add("--key-file=" + certificate.key());
    }
    Process launched =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(launched::destroyForcibly));
    return launched;
  }

  private static String url(int port) {
    return "http://127.0.0.1:" + port;
  }

  private void awaitUp() {
    for (long waited = 0; waited < PATIENCE_MS; waited += AGAIN_NANOS / 1_000_000) {
      if (!process.isAlive()) {
        throw new IllegalStateException("etcd ended: " + log());
      }
      if (healthy()) {
        return;
      }
      LockSupport.parkNanos(AGAIN_NANOS);
    }
    throw new IllegalStateException("etcd does not answer: " + log());
  }

  private boolean healthy() {
    try {
      return send(HttpRequest.newBuilder(URI.create(url(ports.client) + "/health")))
          .body()
          .contains("true");
    } catch (IOException e) {
      return false;
    }
  }

  private String log() {
    try {
      return Files.readString(folder.resolve("log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** The port for clients, on loopback. */
  public int port() {
    return ports.client;
  }

  /** The port for clients over TLS, where it has one. */
  public int encryptedPort() {
    return ports.encrypted;
  }

  /** The address of this member alone, with a prefix that nobody has used. */
  public String freshUrl() {
    return freshUrl(List.of(this));
  }

  /** The address of a cluster, with a prefix that nobody has used. */
  public static String freshUrl(List<EtcdServer> members) {
    List<String> hosts =
        members.stream().map(member -> "127.0.0.1:" + member.ports.client).toList();
    return "etcd://" + String.join(",", hosts) + "/t" + PREFIXES.incrementAndGet();
  }

  /** Whether it leads its cluster, as far as it knows. */
  public boolean leads() {
    String status = post("/v3/maintenance/status", "{}");
    Matcher member = MEMBER.matcher(status);
    Matcher leader = LEADER.matcher(status);
    return member.find() && leader.find() && member.group(1).equals(leader.group(1));
  }

  /** Deletes every key that begins so. */
  public void deleteAll(String prefix) {
    String end =
        prefix.substring(0, prefix.length() - 1) + (char) (prefix.charAt(prefix.length() - 1) + 1);
    post(
        "/v3/kv/deleterange",
        "{\"key\":\"" + base64(prefix) + "\",\"range_end\":\"" + base64(end) + "\"}");
  }

  /** Gives a key a value. */
  public void put(String key, String value) {
    post("/v3/kv/put", "{\"key\":\"" + base64(key) + "\",\"value\":\"" + base64(value) + "\"}");
  }

  /** The value of a key; empty: there is none. */
  public String get(String key) {
    Matcher value = VALUE.matcher(post("/v3/kv/range", "{\"key\":\"" + base64(key) + "\"}"));
    return value.find()
        ? new String(Base64.getDecoder().decode(value.group(1)), StandardCharsets.UTF_8)
        : "";
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Sends a request in JSON, as etcd's gateway takes them, and gives the answer. */
  public String post(String path, String json) {
    try {
      HttpResponse<String> response =
          send(
              HttpRequest.newBuilder(URI.create(url(ports.client) + path))
                  .POST(HttpRequest.BodyPublishers.ofString(json)));
      if (response.statusCode() != 200) {
        throw new IllegalStateException(path + " " + json + ": " + response.body());
      }
      return response.body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
    try {
      // Its own limit ends with the head of a reply.
      return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString())
          .get(ANSWER_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(e);
    }
  }

  /** Ends it as a power cut would. */
  public void kill() {
    process.destroyForcibly();
    try {
      if (!process.waitFor(PATIENCE_MS, TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("still runs: " + process.info());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Starts it, after {@link #kill}, on what it had written, at the same ports. */
  public void startAgain() {
    try {
      process = launch();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    awaitUp();
  }

  private static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      List<Integer> ports = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        sockets.add(socket);
        ports.add(socket.getLocalPort());
      }
      return ports;
    } finally {
      for (ServerSocket socket : sockets) {
        socket.close();
      }
    }
  }

  @Override
  public void close() {
    kill();
    try (var paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
