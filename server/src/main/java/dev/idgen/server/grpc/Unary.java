package dev.idgen.server.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import io.vertx.grpc.common.GrpcMessage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The request of a call that has one message. Used once.
 *
 * @param <T> type of the message
 */
final class Unary<T> {
  private final Exchange exchange;
  private final Parser<T> parser;
  private final int maxBytes;
  private final Function<Throwable, ServiceException> refusal;
  private final Consumer<T> call;
  private @Nullable GrpcMessage message;
  private boolean more;

  private Unary(
      Exchange exchange,
      Parser<T> parser,
      int maxBytes,
      Function<Throwable, ServiceException> refusal,
      Consumer<T> call) {
    this.exchange = exchange;
    this.parser = parser;
    this.maxBytes = maxBytes;
    this.refusal = refusal;
    this.call = call;
  }

  /**
   * Reads the message.
   *
   * @param refusal is told of whatever is wrong with it, or with the call
   * @param call gets it, once it is whole and nothing follows
   */
  static <T> void read(
      Exchange exchange,
      Parser<T> parser,
      int maxBytes,
      Function<Throwable, ServiceException> refusal,
      Consumer<T> call) {
    Unary<T> unary = new Unary<>(exchange, parser, maxBytes, refusal, call);
    exchange.request().invalidMessageHandler(fault -> unary.refuse(Plain.tooLarge(maxBytes)));
    exchange.request().messageHandler(unary::take);
    exchange.request().endHandler(end -> unary.end());
  }

  private void take(GrpcMessage sent) {
    more |= message != null;
    message = sent;
  }

  private void end() {
    if (exchange.over()) {
      return;
    }
    try {
      call.accept(parsed());
    } catch (RuntimeException e) {
      refuse(e);
    }
  }

  private T parsed() {
    if (message == null) {
      throw invalid("none, or not whole (expected: one)");
    }
    if (more) {
      throw invalid("more than one (expected: one)");
    }
    try {
      return parser.parseFrom(Plain.bytes(message, maxBytes));
    } catch (InvalidProtocolBufferException e) {
      throw invalid("malformed (expected: of the type that the method takes)");
    }
  }

  private static ServiceException invalid(String what) {
    return new ServiceException(ServiceReason.INVALID_BODY, "message: " + what);
  }

  private void refuse(RuntimeException failure) {
    exchange.refuse(refusal.apply(failure));
  }
}
