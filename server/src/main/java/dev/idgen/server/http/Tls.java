package dev.idgen.server.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A certificate, and the key that goes with it, as PEM.
 *
 * @param cert the certificate, then those that lead to one that clients know
 * @param key in the form PKCS #8, not encrypted
 */
public record Tls(Path cert, Path key) {

  /**
   * Reads both.
   *
   * @throws IOException one cannot be read
   */
  PemKeyCertOptions read() throws IOException {
    return new PemKeyCertOptions()
        .addCertValue(Buffer.buffer(Files.readAllBytes(cert)))
        .addKeyValue(Buffer.buffer(Files.readAllBytes(key)));
  }
}
