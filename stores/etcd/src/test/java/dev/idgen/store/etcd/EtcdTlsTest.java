package dev.idgen.store.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.check.servers.EtcdServer;
import dev.idgen.check.servers.TestCertificate;
import dev.idgen.store.BehindPolicy;
import dev.idgen.store.ClaimRequest;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.LeaseTerms;
import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentRequest;
import dev.idgen.store.SegmentTerms;
import dev.idgen.store.StoreException;
import dev.idgen.time.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member that is spoken to over TLS, with a certificate of its own authority. */
class EtcdTlsTest {
  @TempDir private static Path folder;
  private static TestCertificate certificate;
  private static EtcdServer server;

  @BeforeAll
  static void startServer() {
    certificate = TestCertificate.in(folder, "ip:127.0.0.1");
    server = EtcdServer.startEncrypted(certificate);
  }

  @AfterAll
  static void endServer() {
    server.close();
  }

  private static String url(String host, String query) {
    return "etcds://" + host + ":" + server.encryptedPort() + "/tls" + query;
  }

  private static String trusted() {
    return "?ca=" + certificate.cert();
  }

  /** Both over the calls and over the member's clock. */
  @Test
  void open_authorityThatIsNamed_serves() {
    try (EtcdWorkerStore leases = EtcdWorkerStore.open(url("127.0.0.1", trusted()));
        EtcdSegmentStore marks = EtcdSegmentStore.open(url("127.0.0.1", trusted()))) {
      LeaseReply lease = leases.claim(claim()).toCompletableFuture().join();
      assertInstanceOf(LeaseReply.Granted.class, lease, lease.toString());
      var request = new SegmentRequest(SegmentTerms.of("default", "order", 100), 10, -1);
      SegmentReply ids = marks.allocate(request).toCompletableFuture().join();
      assertEquals(1, assertInstanceOf(SegmentReply.Granted.class, ids).first());
    }
  }

  private static ClaimRequest claim() {
    long now = TimeSource.system().wallMillis();
    LeaseTerms terms = new LeaseTerms("orders", "41/10/12", 60_000, 5_000, 2_000);
    return new ClaimRequest(terms, "a", 1, 2, 7, 7, -1, now, 10, BehindPolicy.REFUSE, true);
  }

  @Test
  void open_authorityThatNobodyNamed_isRefused() {
    for (Runnable open : stores(url("127.0.0.1", ""))) {
      StoreException e = assertThrows(StoreException.class, open::run);
      assertTrue(String.valueOf(e.getMessage()).contains("no answer: "), e::toString);
      assertTrue(String.valueOf(e.getMessage()).contains("PKIX path"), e::toString);
      assertFalse(e.permanent());
    }
  }

  /** Whoever has a certificate of the authority for another name is not believed. */
  @Test
  void open_certificateOfAnotherName_isRefused() {
    for (Runnable open : stores(url("localhost", trusted()))) {
      StoreException e = assertThrows(StoreException.class, open::run);
      assertTrue(String.valueOf(e.getMessage()).contains("localhost found"), e::toString);
    }
  }

  @Test
  void open_fileOfNoAuthority_saysSo() throws IOException {
    Path none = Files.writeString(folder.resolve("none.pem"), "nothing");
    for (String file : new String[] {none.toString(), folder.resolve("missing").toString()}) {
      for (Runnable open : stores(url("127.0.0.1", "?ca=" + file))) {
        StoreException e = assertThrows(StoreException.class, open::run);
        assertTrue(String.valueOf(e.getMessage()).contains(": ca " + file), e::toString);
        assertTrue(e.permanent());
      }
    }
  }

  /** The first asks for the clock at once, the second does not. */
  private static Runnable[] stores(String url) {
    return new Runnable[] {
      () -> EtcdWorkerStore.open(url).close(), () -> EtcdSegmentStore.open(url).close()
    };
  }
}
