package dev.idgen.server.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/** A certificate of this machine's own, made by the JDK's own tool. */
public final class TestTls {
  private static final char[] PASSWORD = "changeit".toCharArray();

  private TestTls() {}

  /** Makes one in a folder. */
  public static Tls in(Path folder) {
    try {
      Path store = folder.resolve("keys.p12");
      run(
          Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
          "-genkeypair",
          "-alias",
          "idgen",
          "-keyalg",
          "EC",
          "-dname",
          "CN=localhost",
          "-ext",
          "san=dns:localhost,ip:127.0.0.1",
          "-storetype",
          "PKCS12",
          "-keystore",
          store.toString(),
          "-storepass",
          new String(PASSWORD));
      KeyStore keys = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(store)) {
        keys.load(in, PASSWORD);
      }
      return new Tls(
          pem(folder, "CERTIFICATE", keys.getCertificate("idgen").getEncoded()),
          pem(folder, "PRIVATE KEY", keys.getKey("idgen", PASSWORD).getEncoded()));
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
    String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IllegalStateException(told);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static Path pem(Path folder, String type, byte[] bytes) throws IOException {
    return Files.writeString(
        folder.resolve(type.replace(' ', '-') + ".pem"),
        "-----BEGIN "
            + type
            + "-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes)
            + "\n-----END "
            + type
            + "-----\n");
  }
}
