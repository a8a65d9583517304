package dev.idgen.check.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.check.browser.ConsolePage.Row;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The console against answers that a test chooses: other layouts, the edges of an id, malice. */
class StubConsoleTest extends ConsoleContract {
  private static final String MALICE =
      "<img src=x onerror=window.hacked=1><script>window.hacked=1</script>";
  private static final List<Long> EDGES =
      List.of(0L, (1L << 31) - 1, 1L << 32, (1L << 53) + 1, Long.MAX_VALUE - 1, Long.MAX_VALUE);

  private final StubServer server;

  StubConsoleTest() throws IOException {
    server = new StubServer();
  }

  @Override
  URI address() {
    return server.address();
  }

  @BeforeAll
  @BeforeEach
  void usualAnswers() {
    server.reset();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  /** C81 */
  @Test
  void edges_issued_areExactToTheLastBit() {
    String rows = EDGES.stream().map(StubLayout.DEFAULT::row).collect(Collectors.joining(","));
    server.replace("/api/ids", 200, "application/json", "[" + rows + "]");
    page().generate();
    for (int at = 0; at < EDGES.size(); at++) {
      page().row(at).click();
      Row row = page().rows().get(at);
      assertEquals(EDGES.get(EDGES.size() - 1 - at), Long.parseLong(row.id()));
      assertEquals(row.bits(), page().bits());
      page().press("#chosen-pack");
      assertEquals(row.id(), page().packed());
    }
  }

  @Test
  void colours_defaultLayout_areThree() {
    page().generate();
    assertEquals(page().colourOf("sign"), page().colourOf("time"));
    assertEquals(3, colours("sign", "time", "worker", "sequence").size());
    List<String> owners = page().fieldOfEachBit();
    assertEquals(64, owners.size());
    assertEquals("sign", owners.get(0));
    assertEquals(41, Collections.frequency(owners, "time"));
    assertEquals(10, Collections.frequency(owners, "worker"));
    assertEquals(12, Collections.frequency(owners, "sequence"));
  }

  @Test
  void splitLayout_regionAndWorker_standApart() {
    long id = StubLayout.SPLIT.id(Instant.parse("2026-11-29T16:06:01.123Z"), 3 * 32 + 7, 4095);
    server.use(StubLayout.SPLIT, id - 4);
    page().open(address());
    page().generate();
    assertEquals(4, colours("time", "region", "worker", "sequence").size());
    assertEquals(
        new Row(Long.toString(id), "2026-11-29T16:06:01.123Z", "103", "4095"),
        page().rows().get(0));
    assertEquals("3", page().text("#fields [data-field='region'] .value"));
    assertEquals("7", page().text("#fields [data-field='worker'] .value"));
    page().press("#chosen-pack");
    assertEquals(Long.toString(id), page().packed());
  }

  @Test
  void safeLayout_topBits_belongToTheSign() {
    long id = StubLayout.JS_SAFE.id(Instant.parse("2026-11-29T16:06:01.123Z"), 7, 300);
    server.use(StubLayout.JS_SAFE, id - 4);
    page().open(address());
    page().generate();
    Row top = page().rows().get(0);
    assertEquals(top.bits(), page().bits());
    assertEquals("300", top.sequence());
    assertEquals(11, Collections.frequency(page().fieldOfEachBit(), "sign"));
    page().press("#chosen-pack");
    assertEquals(Long.toString(id), page().packed());
  }

  @Test
  void workerFirstLayout_packing_warnsOfItsOrderAndTick() {
    long id = StubLayout.WORKER_FIRST.id(Instant.parse("2026-11-29T16:06:01.120Z"), 1023, 9);
    server.use(StubLayout.WORKER_FIRST, id);
    page().open(address());
    page().type("#pack-time", "2026-11-29 16:06:01.129");
    page().type("#pack-machine", "1023");
    page().type("#pack-sequence", "9");
    assertEquals(Long.toString(id), page().packed());
    String cautions = page().text("#cautions");
    assertTrue(cautions.contains("under layout 10/41/12"), cautions);
    assertTrue(cautions.contains("One tick is 10 ms"), cautions);
    assertTrue(cautions.contains("do not sort by time"), cautions);
    assertTrue(cautions.contains("Packing reserves nothing"), cautions);
  }

  @Test
  void serverStartedAnewWithAnotherLayout_pageLearnsIt() {
    page().generate();
    long id = StubLayout.SPLIT.id(Instant.parse("2026-11-29T16:06:01.123Z"), 5, 0);
    server.use(StubLayout.WORKER_FIRST, id);
    page().generate();
    assertEquals("10/41/12", page().text("#layout-name"));
    assertFalse(page().shown("#parted"));
  }

  @Test
  void serverReadsOtherwiseThanItsLayout_isSaid() {
    String wrong =
        "[{\"id\":\"28673\",\"time\":\"2024-01-01T00:00:00.000Z\",\"machine\":9,\"sequence\":1}]";
    server.replace("/api/ids", 200, "application/json", wrong);
    page().generate();
    assertTrue(
        page().text("#parted").contains("machine: 9 (expected: 7 by layout 41/10/12)"),
        page().text("#parted"));
  }

  @Test
  void malice_inAnError_staysText() {
    String problem =
        "{\"title\":\"%s\",\"detail\":\"%s\",\"reason\":\"%s\",\"traceId\":\"%s\",\"status\":400}"
            .formatted(MALICE, MALICE, MALICE, MALICE);
    server.replace("/api/ids/abc", 400, "application/problem+json", problem);
    page().decode("abc");
    page().until("the refusal is shown", () -> page().shown("#notice"));
    assertEquals(MALICE, page().text("#notice strong"));
    assertEquals(MALICE, page().text("#notice .detail"));
    assertHarmless();
  }

  @Test
  void malice_inEveryValue_staysText() {
    String reading =
        "{\"kind\":\"%1$s\",\"form\":\"%1$s\",\"time\":\"%1$s\",\"note\":\"%1$s\",\"fields\":[{\"name\":\"%1$s\",\"value\":\"%1$s\"}]}";
    String body =
        "{\"id\":\"%1$s\",\"time\":\"%1$s\",\"machine\":\"%1$s\",\"sequence\":\"%1$s\",\"kind\":\"%1$s\",\"readings\":["
            + reading
            + "]}";
    server.replace("/api/ids/abc", 200, "application/json", body.formatted(MALICE));
    page().decode("abc");
    Row row = page().rows().get(0);
    assertEquals(new Row(MALICE, MALICE, MALICE, MALICE), row);
    assertTrue(page().text("#readings").contains(MALICE));
    assertHarmless();
  }

  @Test
  void malice_inTheLayout_staysText() {
    String layout = StubLayout.DEFAULT.json().replace("41/10/12", MALICE);
    server.replace("/api/layout", 200, "application/json", layout);
    page().open(address());
    page().generate();
    assertEquals(MALICE, page().text("#layout-name"));
    assertHarmless();
  }

  @Test
  void proxysErrorPage_isReducedToItsStatus() {
    server.replace("/api/ids", 502, "text/html", MALICE);
    page().press("#generate");
    page().until("the refusal is shown", () -> page().shown("#notice"));
    assertEquals("HTTP 502", page().text("#notice"));
    assertHarmless();
  }

  @Test
  void brokenLayout_isRefusedAndIdsAreStillShown() {
    String layout = StubLayout.DEFAULT.json().replace("\"bits\":10", "\"bits\":11");
    server.replace("/api/layout", 200, "application/json", layout);
    page().open(address());
    assertEquals("layout.worker: ends at bit 23 (expected: 0..22)", page().text("#notice"));
    page().generate();
    Row top = page().rows().get(0);
    assertEquals(top.bits(), page().bits());
    assertTrue(page().shown("#notice"));
    server.reset();
    page().generate();
    assertFalse(page().shown("#notice"));
    assertTrue(page().shown("#layout"));
  }

  @Test
  void readings_many_unlikelyOnesAreFolded() {
    String readings =
        IntStream.range(0, 7)
            .mapToObj("{\"kind\":\"kind%d\"}"::formatted)
            .collect(Collectors.joining(","));
    String body = "{\"id\":\"abc\",\"readings\":[%s]}".formatted(readings);
    server.replace("/api/ids/abc", 200, "application/json", body);
    page().decode("abc");
    assertTrue(page().text("#readings").startsWith("7 readings, best first"));
    assertTrue(page().text("#readings").contains("kind2"));
    assertFalse(page().text("#readings").contains("kind3"));
    page().press("#readings summary");
    assertTrue(page().text("#readings").contains("kind6"));
  }

  @Test
  void idsAsNumbers_areRefusedForTheyHaveLostBits() {
    server.replace("/api/ids", 200, "application/json", "[{\"id\":9007199254740993}]");
    page().press("#generate");
    page().until("the refusal is shown", () -> page().shown("#notice"));
    assertEquals("id: 9007199254740992 (expected: an id as text)", page().text("#notice"));
    assertEquals(List.of(), page().rows());
  }

  @Test
  void table_pastItsLimit_dropsTheOldest() {
    String rows =
        LongStream.range(1, 511)
            .mapToObj(StubLayout.DEFAULT::row)
            .collect(Collectors.joining(",", "[", "]"));
    server.replace("/api/ids", 200, "application/json", rows);
    page().generate();
    assertEquals(500, page().rows().size());
    assertEquals("510", page().rows().get(0).id());
    assertEquals("11", page().rows().get(499).id());
    assertEquals("500 ids, the newest 500; 10 older gone", page().text("#count"));
  }

  private Set<String> colours(String... fields) {
    Set<String> colours = new HashSet<>();
    for (String field : fields) {
      colours.add(page().colourOf(field));
    }
    return colours;
  }

  private void assertHarmless() {
    assertEquals(
        List.of(0L, true),
        page()
            .script(
                "return [document.querySelectorAll('img, body script').length,"
                    + " window.hacked === undefined]"));
  }
}
