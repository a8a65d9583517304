package dev.idgen.server.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.grpc.v1.IdServiceGrpc;
import dev.idgen.grpc.v1.NextIDRequest;
import dev.idgen.server.http.FakeEngine;
import dev.idgen.server.http.HttpFixture;
import dev.idgen.server.http.HttpLimits;
import dev.idgen.server.http.TestTls;
import dev.idgen.server.http.Tls;
import dev.idgen.server.service.Callers;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All that is spoken on one port, over TLS. */
@SuppressWarnings("NullAway.Init") // before each test, and before all
class GrpcTlsTest {
  private static final NextIDRequest ONE = NextIDRequest.newBuilder().setBizTag("default").build();

  /** A handshake takes its time on a busy machine. */
  private static final HttpLimits LIMITS =
      new HttpLimits(
          10_000, 1_000_000, 1000, 64 << 10, 8 << 10, 2_000, 3_000, 3_000, 100, 256, 32 << 20);

  @TempDir private static Path folder;

  private static Tls tls;

  private GrpcFixture server;

  @BeforeAll
  static void makeCertificate() {
    tls = TestTls.in(folder);
  }

  @BeforeEach
  void start() {
    server = new GrpcFixture(LIMITS, GrpcFixture.LIMITS, Callers.OPEN, true, tls);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private SSLContext trust() throws Exception {
    KeyStore known = KeyStore.getInstance("PKCS12");
    known.load(null, null);
    try (InputStream in = Files.newInputStream(tls.cert())) {
      known.setCertificateEntry(
          "idgen", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(known);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  @Test
  void grpc_overTls_isServed() throws Exception {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("localhost", server.http.port)
            .sslContext(GrpcSslContexts.forClient().trustManager(tls.cert().toFile()).build())
            .build();
    try {
      assertEquals(FakeEngine.FIRST, IdServiceGrpc.newBlockingStub(channel).nextID(ONE).getId());
    } finally {
      channel.shutdownNow();
    }
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void http_overTls_isServedInBothVersions(Version version) throws Exception {
    HttpClient client = HttpClient.newBuilder().sslContext(trust()).version(version).build();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("https://localhost:" + server.http.port + "/ids/batch"))
            .POST(HttpRequest.BodyPublishers.ofString("{\"count\":2}"))
            .build();

    HttpResponse<String> reply = client.send(request, HttpResponse.BodyHandlers.ofString());

    assertEquals(200, reply.statusCode());
    assertEquals(version, reply.version());
    assertTrue(reply.body().contains("\"ids\":["), reply.body());
  }

  @Test
  void grpc_inClearText_isNotServed() {
    assertThrows(StatusRuntimeException.class, () -> server.ids().nextID(ONE));
  }

  private SSLSocket socket() throws Exception {
    SSLSocket socket =
        (SSLSocket) trust().getSocketFactory().createSocket("localhost", server.http.port);
    socket.setSoTimeout(20_000);
    return socket;
  }

  @Test
  void head_neverEnds_isCutWith408() throws Exception {
    try (SSLSocket socket = socket()) {
      OutputStream out = socket.getOutputStream();
      out.write("GET /api/ids HTTP/1.1\r\nhost: a\r\n".getBytes(StandardCharsets.US_ASCII));

      String reply = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(reply.startsWith("HTTP/1.1 408 Request Timeout"), reply);
    }
  }

  @Test
  void connection_saysNothing_isClosed() throws Exception {
    try (SSLSocket socket = socket()) {
      socket.startHandshake();

      assertEquals(-1, socket.getInputStream().read());
    }
    try (HttpFixture.Raw silent = server.http.raw()) {
      assertFalse(silent.untilClosed().contains("HTTP"));
    }
  }

  @Test
  void handshake_neverEnds_isClosed() {
    try (HttpFixture.Raw raw = server.http.raw()) {
      raw.send(new byte[] {22, 3, 1, 0, 100, 1});

      assertFalse(raw.untilClosed().contains("HTTP"));
    }
  }
}
