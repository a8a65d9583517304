package dev.idgen.server.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import dev.idgen.grpc.v1.IdServiceProto;
import dev.idgen.server.http.HttpFixture;
import dev.idgen.server.service.Callers;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.reflection.v1.ExtensionRequest;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client without the proto file finds out what there is. */
class ReflectionTest {
  private static final Object END = new Object();

  private final GrpcFixture server = new GrpcFixture();

  @AfterEach
  void stop() {
    server.close();
  }

  /** One session: questions and answers in turn. */
  private static final class Session implements StreamObserver<ServerReflectionResponse> {
    private final BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
    private final StreamObserver<ServerReflectionRequest> questions;

    Session(GrpcFixture server) {
      questions = ServerReflectionGrpc.newStub(server.channel).serverReflectionInfo(this);
    }

    ServerReflectionResponse ask(ServerReflectionRequest.Builder question) {
      questions.onNext(question.build());
      Object answer = next();
      assertTrue(answer instanceof ServerReflectionResponse, String.valueOf(answer));
      return (ServerReflectionResponse) answer;
    }

    Object next() {
      try {
        Object answer = answers.poll(20, TimeUnit.SECONDS);
        return answer == null ? "nothing came" : answer;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void onNext(ServerReflectionResponse answer) {
      answers.add(answer);
    }

    @Override
    public void onError(Throwable failure) {
      answers.add(failure);
    }

    @Override
    public void onCompleted() {
      answers.add(END);
    }
  }

  private static ServerReflectionRequest.Builder question() {
    return ServerReflectionRequest.newBuilder();
  }

  @Test
  void services_asked_areListed() {
    Session session = new Session(server);

    assertEquals(
        List.of(
            "idgen.v1.IdService", "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection"),
        session
            .ask(question().setListServices("*"))
            .getListServicesResponse()
            .getServiceList()
            .stream()
            .map(ServiceResponse::getName)
            .toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "idgen.v1.IdService",
        "idgen.v1.IdService.NextID",
        "idgen.v1.NextIDRequest",
        "idgen.v1.NextIDRequest.biz_tag"
      })
  void symbol_known_givesItsFile(String symbol) throws Exception {
    Session session = new Session(server);

    assertEquals(
        List.of(IdServiceProto.getDescriptor().toProto()),
        files(session.ask(question().setFileContainingSymbol(symbol))));
  }

  private static List<FileDescriptorProto> files(ServerReflectionResponse answer) throws Exception {
    List<FileDescriptorProto> files = new ArrayList<>();
    for (var bytes : answer.getFileDescriptorResponse().getFileDescriptorProtoList()) {
      files.add(FileDescriptorProto.parseFrom(bytes));
    }
    return files;
  }

  @Test
  void questions_several_areAnsweredInOneSession() throws Exception {
    Session session = new Session(server);

    for (String name :
        List.of(
            "idgen/v1/id_service.proto",
            "grpc/health/v1/health.proto",
            "grpc/reflection/v1/reflection.proto")) {
      assertEquals(name, files(session.ask(question().setFileByFilename(name))).get(0).getName());
    }
    session.questions.onCompleted();
    assertEquals(END, session.next());
  }

  @Test
  void unknown_names_areErrorsOfTheirOwn() {
    Session session = new Session(server);

    for (ServerReflectionRequest.Builder question :
        List.of(
            question().setFileContainingSymbol("idgen.v1.Other"),
            question().setFileByFilename("other.proto"),
            question().setAllExtensionNumbersOfType("idgen.v1.NextIDRequest"),
            question()
                .setFileContainingExtension(
                    ExtensionRequest.newBuilder().setContainingType("a").setExtensionNumber(1)))) {
      ServerReflectionResponse answer = session.ask(question);
      assertEquals(Status.NOT_FOUND.getCode().value(), answer.getErrorResponse().getErrorCode());
      assertEquals(question.build(), answer.getOriginalRequest());
    }
    assertEquals(
        Status.INVALID_ARGUMENT.getCode().value(),
        session.ask(question()).getErrorResponse().getErrorCode());
  }

  @Test
  void reflection_switchedOff_isNotThere() {
    try (GrpcFixture closed =
        new GrpcFixture(HttpFixture.LIMITS, GrpcFixture.LIMITS, Callers.OPEN, false)) {
      Object answer = new Session(closed).next();

      assertEquals(
          Status.Code.UNIMPLEMENTED, ((StatusRuntimeException) answer).getStatus().getCode());
    }
  }

  @Test
  void session_serverStops_isEnded() {
    Session session = new Session(server);
    session.ask(question().setListServices("*"));

    server.transport().stop().await();

    assertEquals(
        Status.Code.UNAVAILABLE, ((StatusRuntimeException) session.next()).getStatus().getCode());
  }
}
