package dev.idgen.server.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import io.vertx.core.http.HttpHeaders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;

/**
 * A refusal as it goes over the wire, with its details: a {@code google.rpc.Status} that holds a
 * {@code google.rpc.ErrorInfo} and, where it is known when to come back, a {@code
 * google.rpc.RetryInfo}. The three are so small that they are written field by field. A value.
 *
 * @param cause what to tell
 * @param traceId the trace that the call belongs to
 * @see <a href="https://github.com/googleapis/googleapis/tree/master/google/rpc">google/rpc</a>
 * @see <a href="https://google.aip.dev/193">AIP-193</a>
 */
record Refusal(ServiceException cause, String traceId) {
  /** The trailer that bears the text. */
  static final CharSequence MESSAGE = HttpHeaders.createOptimized("grpc-message");

  /** The trailer that bears the details. */
  static final CharSequence DETAILS = HttpHeaders.createOptimized("grpc-status-details-bin");

  private static final String DOMAIN = "idgen";
  private static final String TYPES = "type.googleapis.com/google.rpc.";
  private static final long SOON_MS = 1000;
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  Code code() {
    return Code.of(cause.reason());
  }

  /**
   * The text as its trailer wants it: what is no printable ASCII as its bytes in UTF-8, percent and
   * two digits each.
   */
  String message() {
    StringBuilder message = new StringBuilder();
    for (byte b : cause.detail().getBytes(StandardCharsets.UTF_8)) {
      if (b >= ' ' && b <= '~' && b != '%') {
        message.append((char) b);
      } else {
        message.append('%').append(HEX.toHexDigits(b));
      }
    }
    return message.toString();
  }

  /** As the trailer wants it. */
  String details() {
    return Base64.getEncoder().withoutPadding().encodeToString(richStatus());
  }

  private byte[] richStatus() {
    return message(
        out -> {
          out.writeInt32(1, code().number());
          out.writeString(2, cause.detail());
          out.writeByteArray(3, any("ErrorInfo", errorInfo()));
          if (retryMs() > 0) {
            out.writeByteArray(3, any("RetryInfo", retryInfo()));
          }
        });
  }

  /** Whoever is told that it is not to be had now is told when to ask again. */
  private long retryMs() {
    boolean passing = code() == Code.UNAVAILABLE || cause.reason() == ServiceReason.RATE_LIMITED;
    return cause.retryAfterMs() == 0 && passing ? SOON_MS : cause.retryAfterMs();
  }

  private static byte[] any(String type, byte[] value) {
    return message(
        out -> {
          out.writeString(1, TYPES + type);
          out.writeByteArray(2, value);
        });
  }

  private byte[] errorInfo() {
    byte[] trace =
        message(
            out -> {
              out.writeString(1, "traceId");
              out.writeString(2, traceId);
            });
    return message(
        out -> {
          out.writeString(1, cause.reason().name());
          out.writeString(2, DOMAIN);
          out.writeByteArray(3, trace);
        });
  }

  private byte[] retryInfo() {
    byte[] delay =
        message(
            out -> {
              out.writeInt64(1, retryMs() / 1000);
              out.writeInt32(2, (int) (retryMs() % 1000) * 1_000_000);
            });
    return message(out -> out.writeByteArray(1, delay));
  }

  @FunctionalInterface
  private interface Fields {
    void write(CodedOutputStream out) throws IOException;
  }

  private static byte[] message(Fields fields) {
    ByteString.Output bytes = ByteString.newOutput(128);
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      fields.write(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // into memory: cannot be
    }
    return bytes.toByteString().toByteArray();
  }
}
