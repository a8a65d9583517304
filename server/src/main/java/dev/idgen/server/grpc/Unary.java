package dev.idgen.server.grpc;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The request of a call that has one message. Used once.
 *
 * @param <T> type of the message
 */
final class Unary<T> {
  private final Parser<T> parser;
  private final Consumer<T> call;
  private byte @Nullable [] message;

  private Unary(Parser<T> parser, Consumer<T> call) {
    this.parser = parser;
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
      Function<Throwable, ServiceException> refusal,
      Consumer<T> call) {
    Unary<T> unary = new Unary<>(parser, call);
    exchange.receive(refusal, unary::take, unary::end);
  }

  private void take(byte[] sent) {
    if (message != null) {
      throw invalid("more than one (expected: one)");
    }
    message = sent;
  }

  private void end(boolean whole) {
    if (message == null || !whole) {
      throw invalid("none, or not whole (expected: one)");
    }
    call.accept(parsed(parser, message));
  }

  /**
   * A message of a type.
   *
   * @throws ServiceException with {@link ServiceReason#INVALID_BODY}
   */
  static <T> T parsed(Parser<T> parser, byte[] message) {
    try {
      return parser.parseFrom(message);
    } catch (InvalidProtocolBufferException e) {
      throw invalid("malformed (expected: of the type that the method takes)");
    }
  }

  private static ServiceException invalid(String what) {
    return new ServiceException(ServiceReason.INVALID_BODY, "message: " + what);
  }
}
