package dev.idgen.server.grpc;

import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import io.vertx.core.http.HttpHeaders;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Messages without their compression. */
final class Plain {
  /** Says how messages that are marked are compressed. */
  static final CharSequence ENCODING = HttpHeaders.createOptimized("grpc-encoding");

  /** Compressions that are understood, as they are told to clients. */
  static final String ENCODINGS = "identity,gzip";

  private static final String IDENTITY = "identity";
  private static final String GZIP = "gzip";

  private Plain() {}

  /** Whether messages may come like this. */
  static boolean understands(String encoding) {
    return encoding.equals(IDENTITY) || encoding.equals(GZIP);
  }

  /**
   * The bytes of a message that is marked.
   *
   * @param flag its mark: 1 where it is compressed
   * @param encoding how, as the client says; null: it does not
   * @param maxBytes no more are made of it, however small it came
   * @throws ServiceException with {@link ServiceReason#TOO_LARGE} or {@link
   *     ServiceReason#INVALID_BODY}
   */
  static byte[] bytes(int flag, @Nullable String encoding, byte[] sent, int maxBytes) {
    if (flag != 1 || !GZIP.equals(encoding)) {
      throw new ServiceException(
          ServiceReason.INVALID_BODY,
          "message: marked as compressed (expected: with grpc-encoding: gzip)");
    }
    return inflated(sent, maxBytes);
  }

  private static byte[] inflated(byte[] sent, int maxBytes) {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(sent))) {
      byte[] bytes = in.readNBytes(maxBytes + 1);
      if (bytes.length > maxBytes) {
        throw tooLarge(maxBytes);
      }
      return bytes;
    } catch (IOException e) {
      throw new ServiceException(
          ServiceReason.INVALID_BODY, "message: not gzip (expected: as grpc-encoding says)");
    }
  }

  static ServiceException tooLarge(int maxBytes) {
    return new ServiceException(
        ServiceReason.TOO_LARGE,
        "message: over the limit (expected: at most " + maxBytes + " bytes)");
  }
}
