package dev.idgen.server.grpc;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import io.grpc.reflection.v1.ErrorResponse;
import io.grpc.reflection.v1.FileDescriptorResponse;
import io.grpc.reflection.v1.ListServiceResponse;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.vertx.grpc.common.GrpcMessage;
import io.vertx.grpc.common.GrpcStatus;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The call of {@code grpc.reflection.v1.ServerReflection}: which services there are, and the proto
 * files that they come from. Belongs to one event loop.
 *
 * @see <a href="https://github.com/grpc/grpc/blob/master/doc/server-reflection.md">gRPC server
 *     reflection</a>
 */
final class Reflection {
  private final int maxMessageBytes;
  private final List<ServiceDescriptor> services;
  private final Map<String, FileDescriptor> byName = new HashMap<>();
  private final Map<String, FileDescriptor> bySymbol = new HashMap<>();
  private final Set<Exchange> open = new HashSet<>();

  /** Reflection on services. */
  Reflection(List<ServiceDescriptor> services, int maxMessageBytes) {
    this.services = services;
    this.maxMessageBytes = maxMessageBytes;
    services.forEach(service -> add(service.getFile()));
  }

  private void add(FileDescriptor file) {
    if (byName.put(file.getName(), file) != null) {
      return;
    }
    for (ServiceDescriptor service : file.getServices()) {
      bySymbol.put(service.getFullName(), file);
      service.getMethods().forEach(method -> bySymbol.put(method.getFullName(), file));
    }
    file.getMessageTypes().forEach(type -> add(type, file));
    file.getEnumTypes().forEach(type -> add(type, file));
    file.getDependencies().forEach(this::add);
  }

  private void add(Descriptor type, FileDescriptor file) {
    bySymbol.put(type.getFullName(), file);
    type.getFields().forEach(field -> bySymbol.put(field.getFullName(), file));
    type.getNestedTypes().forEach(nested -> add(nested, file));
    type.getEnumTypes().forEach(nested -> add(nested, file));
  }

  private void add(EnumDescriptor type, FileDescriptor file) {
    bySymbol.put(type.getFullName(), file);
    type.getValues().forEach(value -> bySymbol.put(value.getFullName(), file));
  }

  /** Answers questions, one after the other, until the client has no more. */
  void ask(Exchange exchange) {
    open.removeIf(Exchange::over);
    open.add(exchange);
    exchange
        .request()
        .invalidMessageHandler(fault -> exchange.refuse(Plain.tooLarge(maxMessageBytes)));
    exchange.request().messageHandler(message -> answer(exchange, message));
    exchange.request().endHandler(end -> exchange.complete());
  }

  private void answer(Exchange exchange, GrpcMessage message) {
    try {
      exchange.send(
          answer(ServerReflectionRequest.parseFrom(Plain.bytes(message, maxMessageBytes))));
      exchange.slowDown();
    } catch (InvalidProtocolBufferException e) {
      exchange.refuse(
          new ServiceException(
              ServiceReason.INVALID_BODY,
              "message: malformed (expected: of the type that the method takes)"));
    } catch (RuntimeException e) {
      exchange.refuse(e);
    }
  }

  private ServerReflectionResponse answer(ServerReflectionRequest asked) {
    ServerReflectionResponse.Builder reply =
        ServerReflectionResponse.newBuilder()
            .setValidHost(asked.getHost())
            .setOriginalRequest(asked);
    switch (asked.getMessageRequestCase()) {
      case LIST_SERVICES -> reply.setListServicesResponse(list());
      case FILE_BY_FILENAME ->
          file(reply, byName.get(asked.getFileByFilename()), asked.getFileByFilename());
      case FILE_CONTAINING_SYMBOL ->
          file(
              reply,
              bySymbol.get(asked.getFileContainingSymbol()),
              asked.getFileContainingSymbol());
      case FILE_CONTAINING_EXTENSION ->
          error(reply, GrpcStatus.NOT_FOUND, "extension: none (there are none here)");
      case ALL_EXTENSION_NUMBERS_OF_TYPE ->
          error(reply, GrpcStatus.NOT_FOUND, "extension: none (there are none here)");
      default -> error(reply, GrpcStatus.INVALID_ARGUMENT, "message_request: absent");
    }
    return reply.build();
  }

  private ListServiceResponse list() {
    ListServiceResponse.Builder list = ListServiceResponse.newBuilder();
    services.forEach(
        service -> list.addService(ServiceResponse.newBuilder().setName(service.getFullName())));
    return list.build();
  }

  private static void file(
      ServerReflectionResponse.Builder reply, @Nullable FileDescriptor file, String name) {
    if (file == null) {
      error(reply, GrpcStatus.NOT_FOUND, name + ": none (expected: a name that is served here)");
    } else {
      FileDescriptorResponse.Builder files = FileDescriptorResponse.newBuilder();
      files.addFileDescriptorProto(file.toProto().toByteString());
      file.getDependencies()
          .forEach(needed -> files.addFileDescriptorProto(needed.toProto().toByteString()));
      reply.setFileDescriptorResponse(files);
    }
  }

  private static void error(
      ServerReflectionResponse.Builder reply, GrpcStatus status, String message) {
    reply.setErrorResponse(
        ErrorResponse.newBuilder().setErrorCode(status.code).setErrorMessage(message));
  }

  /** Ends the calls that are open. */
  void stop(ServiceException why) {
    List.copyOf(open).forEach(exchange -> exchange.refuse(why));
    open.clear();
  }
}
