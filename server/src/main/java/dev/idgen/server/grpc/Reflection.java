package dev.idgen.server.grpc;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import dev.idgen.server.service.ServiceException;
import io.grpc.reflection.v1.ErrorResponse;
import io.grpc.reflection.v1.FileDescriptorResponse;
import io.grpc.reflection.v1.ListServiceResponse;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
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
  private final List<ServiceDescriptor> services;
  private final Map<String, FileDescriptor> byName = new HashMap<>();
  private final Map<String, FileDescriptor> bySymbol = new HashMap<>();
  private final Set<Exchange> open = new HashSet<>();

  /** Reflection on services. */
  Reflection(List<ServiceDescriptor> services) {
    this.services = services;
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
    exchange.receive(
        ServiceException::of,
        message -> exchange.send(answer(Unary.parsed(ServerReflectionRequest.parser(), message))),
        whole -> exchange.complete());
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
          error(reply, Code.NOT_FOUND, "extension: none (there are none here)");
      case ALL_EXTENSION_NUMBERS_OF_TYPE ->
          error(reply, Code.NOT_FOUND, "extension: none (there are none here)");
      default -> error(reply, Code.INVALID_ARGUMENT, "message_request: absent");
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
      error(reply, Code.NOT_FOUND, name + ": none (expected: a name that is served here)");
    } else {
      FileDescriptorResponse.Builder files = FileDescriptorResponse.newBuilder();
      files.addFileDescriptorProto(file.toProto().toByteString());
      file.getDependencies()
          .forEach(needed -> files.addFileDescriptorProto(needed.toProto().toByteString()));
      reply.setFileDescriptorResponse(files);
    }
  }

  private static void error(ServerReflectionResponse.Builder reply, Code code, String message) {
    reply.setErrorResponse(
        ErrorResponse.newBuilder().setErrorCode(code.number()).setErrorMessage(message));
  }

  /** Ends the calls that are open. */
  void stop(ServiceException why) {
    List.copyOf(open).forEach(exchange -> exchange.refuse(why));
    open.clear();
  }
}
