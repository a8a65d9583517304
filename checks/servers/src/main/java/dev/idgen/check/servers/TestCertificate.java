package dev.idgen.check.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A certificate which has signed itself: made by the JDK's own tool. Immutable.
 *
 * @param cert the file of the certificate, in PEM: its own authority
 * @param key the file of its key, in PEM
 * @param context what a server speaks TLS with
 */
public record TestCertificate(Path cert, Path key, SSLContext context) {
  private static final char[] PASSWORD = "changeit".toCharArray();

  /**
   * Makes one in an empty folder.
   *
   * @param names whose it is, such as {@code dns:localhost,ip:127.0.0.1}
   */
  public static TestCertificate in(Path folder, String names) {
    Path store = folder.resolve("keys.p12");
    keytool(store, names);
    try (InputStream in = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD);
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(keys, PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      return new TestCertificate(
          pem(folder, "CERTIFICATE", keys.getCertificate("idgen").getEncoded()),
          pem(folder, "PRIVATE KEY", keys.getKey("idgen", PASSWORD).getEncoded()),
          context);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void keytool(Path store, String names) {
    ProcessBuilder command =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            "idgen",
            "-keyalg",
            "EC",
            "-dname",
            "CN=loopback",
            "-ext",
            "san=" + names,
            "-storetype",
            "PKCS12",
            "-keystore",
            store.toString(),
            "-storepass",
            new String(PASSWORD));
    try {
      Process process = command.redirectErrorStream(true).start();
      String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(told);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static Path pem(Path folder, String type, byte[] bytes) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    return Files.writeString(
        folder.resolve(type.replace(' ', '-') + ".pem"),
        "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n");
  }
}
