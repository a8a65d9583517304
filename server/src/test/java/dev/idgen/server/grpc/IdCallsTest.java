package dev.idgen.server.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.grpc.v1.BatchNextIDRequest;
import dev.idgen.grpc.v1.BatchNextIDResponse;
import dev.idgen.grpc.v1.Field;
import dev.idgen.grpc.v1.InspectRequest;
import dev.idgen.grpc.v1.InspectResponse;
import dev.idgen.grpc.v1.NextIDRequest;
import dev.idgen.grpc.v1.NextIDResponse;
import dev.idgen.grpc.v1.ReserveRequest;
import dev.idgen.grpc.v1.ReserveResponse;
import dev.idgen.grpc.v1.Run;
import dev.idgen.server.http.FakeEngine;
import dev.idgen.uuid.UuidV5;
import dev.idgen.uuid.Uuids;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the calls answer. */
class IdCallsTest {
  private final GrpcFixture server = new GrpcFixture();

  @AfterEach
  void stop() {
    server.close();
  }

  private void tag(String name, String body) {
    String path = "/admin/tags/" + name;
    assertEquals(
        201, server.http.send("PUT", path, body, "content-type", "application/json").statusCode());
  }

  @Test
  void nextId_numbers_isIdAndText() {
    NextIDResponse reply = server.ids().nextID(one("default"));

    assertEquals(
        NextIDResponse.newBuilder()
            .setId(FakeEngine.FIRST)
            .setText(Long.toString(FakeEngine.FIRST))
            .setEngine("snowflake")
            .build(),
        reply);
    assertEquals(FakeEngine.FIRST + 1, server.ids().nextID(one("default")).getId());
  }

  private static NextIDRequest one(String tag) {
    return NextIDRequest.newBuilder().setBizTag(tag).build();
  }

  @Test
  void nextId_waitedFor_isThatOfTheEngine() throws Exception {
    server.engine().hold = true;
    var reply =
        dev.idgen.grpc.v1.IdServiceGrpc.newFutureStub(server.channel).nextID(one("default"));
    server.engine().heldCall().complete(server.engine().batch(1));

    assertEquals(FakeEngine.FIRST, reply.get().getId());
  }

  @Test
  void nextId_tagWithAForm_isWrittenInIt() {
    tag("order", "{\"text\":\"crockford\",\"prefix\":\"ord_\"}");

    NextIDResponse reply = server.ids().nextID(one("order"));

    assertEquals(FakeEngine.FIRST, reply.getId());
    assertEquals("ord_" + dev.idgen.text.Text.CROCKFORD.encode(FakeEngine.FIRST), reply.getText());
  }

  @Test
  void nextId_texts_haveNoNumber() {
    tag("user", "{\"engine\":\"uuidv4\",\"text\":\"native\"}");

    NextIDResponse reply = server.ids().nextID(one("user"));

    assertEquals(0, reply.getId());
    assertEquals(4, Uuids.parse(reply.getText()).version());
    assertEquals("uuidv4", reply.getEngine());
  }

  @Test
  void nextId_content_isComputedFromIt() {
    tag("file", "{\"engine\":\"content\",\"text\":\"native\"}");

    NextIDResponse reply =
        server
            .ids()
            .nextID(
                NextIDRequest.newBuilder()
                    .setBizTag("file")
                    .setContent("www.example.org")
                    .setNamespace("dns")
                    .build());

    assertEquals(UuidV5.of(UuidV5.DNS, "www.example.org").toString(), reply.getText());
    assertEquals("content", reply.getEngine());
  }

  @Test
  void batchNextId_numbers_areIdsAndTextsInOrder() {
    BatchNextIDResponse reply =
        server.ids().batchNextID(batch("default", 5_000)); // more than one run

    List<Long> expected =
        LongStream.range(FakeEngine.FIRST, FakeEngine.FIRST + 5_000).boxed().toList();
    assertEquals(expected, reply.getIdsList());
    assertEquals(
        expected.stream().map(String::valueOf).toList(), List.copyOf(reply.getTextsList()));
    assertEquals("snowflake", reply.getEngine());
  }

  private static BatchNextIDRequest batch(String tag, int count) {
    return BatchNextIDRequest.newBuilder().setBizTag(tag).setCount(count).build();
  }

  @Test
  void batchNextId_largest_isWhole() {
    assertEquals(10_000, server.ids().batchNextID(batch("default", 10_000)).getTextsCount());
  }

  @Test
  void batchNextId_texts_areTextsAlone() {
    tag("event", "{\"engine\":\"ulid\",\"text\":\"native\"}");

    BatchNextIDResponse reply = server.ids().batchNextID(batch("event", 3));

    assertEquals(0, reply.getIdsCount());
    assertEquals(3, reply.getTextsCount());
    assertEquals(
        reply.getTextsList().stream().sorted().distinct().toList(),
        List.copyOf(reply.getTextsList()));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 500})
  void batchNextId_opaque_isTextsThatHideTheirNumbers(int count) {
    tag("public", "{\"text\":\"opaque\"}");

    BatchNextIDResponse reply = server.ids().batchNextID(batch("public", count));

    assertEquals(0, reply.getIdsCount());
    assertEquals(count, reply.getTextsList().stream().distinct().count());
    assertEquals(0, server.ids().nextID(one("public")).getId());
  }

  @Test
  void reserve_numbers_areRuns() {
    ReserveResponse reply =
        server
            .ids()
            .reserve(ReserveRequest.newBuilder().setBizTag("default").setCount(10_000).build());

    assertEquals(
        List.of(
            run(FakeEngine.FIRST, 4096),
            run(FakeEngine.FIRST + 4096, 4096),
            run(FakeEngine.FIRST + 8192, 1808)),
        reply.getRunsList());
    assertEquals("snowflake", reply.getEngine());
  }

  private static Run run(long first, int count) {
    return Run.newBuilder().setFirst(first).setCount(count).setStride(1).build();
  }

  @Test
  void reserve_million_isShort() {
    ReserveResponse reply =
        server
            .ids()
            .reserve(ReserveRequest.newBuilder().setBizTag("default").setCount(1_000_000).build());

    assertEquals(1_000_000, reply.getRunsList().stream().mapToInt(Run::getCount).sum());
  }

  @Test
  void inspect_ownId_hasItsFields() {
    InspectResponse reply =
        server
            .ids()
            .inspect(InspectRequest.newBuilder().setText(Long.toString(FakeEngine.FIRST)).build());

    assertEquals("snowflake", reply.getKind());
    assertEquals("decimal", reply.getForm());
    assertEquals(FakeEngine.LAYOUT.timeOf(FakeEngine.FIRST).toString(), reply.getTime());
    assertTrue(
        reply
            .getFieldsList()
            .contains(Field.newBuilder().setName("worker").setValue("7").setBits(10).build()),
        reply.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "550e8400-e29b-41d4-a716-446655440000,, uuid-v4",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV,, ulid",
    "1541815603606036480, twitter, twitter"
  })
  void inspect_otherIds_areOfTheirKind(String text, String layout, String kind) {
    InspectRequest.Builder request = InspectRequest.newBuilder().setText(text);
    if (layout != null) {
      request.setLayout(layout);
    }

    assertEquals(kind, server.ids().inspect(request.build()).getKind());
  }
}
