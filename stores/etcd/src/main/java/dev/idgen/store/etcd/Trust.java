package dev.idgen.store.etcd;

import dev.idgen.store.StoreAddress;
import dev.idgen.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.TrustManagerFactory;

/** Whom connections over TLS trust: the authorities of a file, or those that Java does. */
final class Trust {
  private Trust() {}

  /**
   * Those of an address, as its file is now.
   *
   * @throws StoreException the file cannot be used
   */
  static TrustManagerFactory of(StoreAddress address) {
    try {
      TrustManagerFactory trusted =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trusted.init(address.ca().isEmpty() ? null : authorities(Path.of(address.ca())));
      return trusted;
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw StoreException.permanent(
          "etcd: "
              + address
              + ": ca "
              + address.ca()
              + ": "
              + e
              + " (expected: a file with certificates in PEM)",
          e);
    }
  }

  private static KeyStore authorities(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = Files.newInputStream(file)) {
      for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("ca-" + store.size(), one);
      }
    }
    if (store.size() == 0) {
      throw new GeneralSecurityException("no certificate");
    }
    return store;
  }
}
