package dev.idgen.check.browser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.check.browser.ConsolePage.Row;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.openqa.selenium.Keys;

/** What the console does against any server that speaks the wire; a subclass says which server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ConsoleContract {
  private static final String UUID_V7 = "01a13522-4200-7abc-8def-0123456789ab";

  private final Browser browser = new Browser();
  private final ConsolePage page = new ConsolePage(browser.driver());

  /** The address of the server under test, which runs from before the first test to the last. */
  abstract URI address();

  final ConsolePage page() {
    return page;
  }

  final Browser browser() {
    return browser;
  }

  @BeforeAll
  void allowClipboard() {
    browser.allowClipboard();
  }

  @AfterAll
  void closeBrowser() {
    browser.close();
  }

  @BeforeEach
  void openAfresh() {
    browser.prefer("light");
    page.open(address());
  }

  @AfterEach
  void nothingWasBlockedOrThrown() {
    page.script("localStorage.clear()");
    List<String> unexpected =
        browser.complaints().stream().filter(said -> !said.contains("Failed to load")).toList();
    assertEquals(List.of(), unexpected);
  }

  @Test
  void generate_pressedTwice_tenRowsNewestOnTop() {
    page.generate();
    List<Row> first = page.rows();
    page.generate();
    List<Row> both = page.rows();
    assertEquals(5, first.size());
    assertEquals(first, both.subList(5, 10));
    List<Long> ids = both.stream().map(row -> Long.parseUnsignedLong(row.id())).toList();
    List<Long> falling = ids.stream().sorted(Comparator.reverseOrder()).distinct().toList();
    assertEquals(falling, ids);
  }

  /** C81: the exact bits, past what a JavaScript number holds. */
  @Test
  void generate_pressed_bitsOfTheLastAreShown() {
    page.generate();
    Row last = page.rows().get(0);
    assertEquals(last.id(), page.text("#chosen"));
    assertEquals(last.bits(), page.bits());
    assertEquals("true", page.row(0).getDomAttribute("aria-selected"));
  }

  @Test
  void row_clicked_showsItsBits() {
    page.generate();
    for (int at = 4; at >= 0; at--) {
      page.row(at).click();
      assertEquals(page.rows().get(at).bits(), page.bits());
      assertEquals("true", page.row(at).getDomAttribute("aria-selected"));
    }
  }

  @Test
  void decode_spacesAround_areTrimmed() {
    page.generate();
    Row third = page.rows().get(2);
    page.decode("   " + third.id() + "  ");
    assertFalse(page.shown("#notice"));
    assertEquals(third.id(), page.text("#chosen"));
    assertEquals(third.bits(), page.bits());
    assertTrue(page.shown("#readings"));
    assertEquals(5, page.rows().size(), "an id in the table gets no second row");
  }

  /** C84: decoded through the page, the parts are those that it was issued with. */
  @Test
  void decode_idThatThePageHasNot_isARowOnTop() {
    page.generate();
    Row issued = page.rows().get(3);
    page.open(address());
    page.decode(issued.id());
    assertEquals(List.of(issued), page.rows());
  }

  @Test
  void decode_abc_showsTheServersWords() throws IOException, InterruptedException {
    page.decode("abc");
    page.until("the refusal is shown", () -> page.shown("#notice"));
    String answer = get("api/ids/abc").replace("\\\"", "\"");
    assertTrue(page.text("#notice").contains("INVALID_ID"), page.text("#notice"));
    assertTrue(answer.contains(page.text("#notice strong")), answer);
    assertTrue(answer.contains(page.text("#notice .detail")), answer);
    assertEquals(List.of(), page.rows());
  }

  @Test
  void decode_afterARefusal_clearsIt() {
    page.decode("abc");
    page.until("the refusal is shown", () -> page.shown("#notice"));
    page.generate();
    assertFalse(page.shown("#notice"));
  }

  @Test
  void decode_nothing_isRefusedInThePage() {
    page.decode("   ");
    assertEquals("id: empty (expected: an id to decode)", page.text("#notice"));
  }

  @Test
  void decode_uuid_showsWhatIsThere() {
    page.decode(UUID_V7);
    Row row = page.rows().get(0);
    assertEquals(UUID_V7, row.id());
    assertTrue(row.time().startsWith("2026-10-13T12:00:00"), row.time());
    assertEquals("–", row.machine());
    assertTrue(page.shown("#no-bits"));
    assertFalse(page.shown("#bits"));
    assertTrue(page.shown("#readings"));
  }

  /** C80, C81: typed as the table shows it, each part packs back to the very same id. */
  @Test
  void pack_partsOfEachRow_giveItsId() {
    page.generate();
    for (Row row : page.rows()) {
      assertTrue(Long.parseUnsignedLong(row.id()) > 1L << 53, row.id());
      page.type("#pack-time", row.time());
      page.type("#pack-machine", row.machine());
      page.type("#pack-sequence", row.sequence());
      assertEquals(row.id(), page.packed());
    }
  }

  @Test
  void pack_filledFromTheChosenRow_givesItsIdAndDecodesToIt() {
    page.generate();
    Row row = page.rows().get(1);
    page.row(1).click();
    page.press("#chosen-pack");
    assertEquals(row.id(), page.packed());
    page.press("#pack-decode");
    page.until("it is decoded", () -> page.shown("#readings"));
    assertEquals(row.id(), page.text("#chosen"));
  }

  @Test
  void pack_outOfRange_saysNameValueExpected() {
    String most = page.text("label[for='pack-machine'] .hint");
    page.type("#pack-machine", "99999999");
    assertEquals("machine: 99999999 (expected: " + most + ")", page.text("#pack-machine-error"));
    assertEquals("–", page.packed());
    page.type("#pack-sequence", "-1");
    assertTrue(page.text("#pack-sequence-error").startsWith("sequence: -1 (expected: 0.."));
    page.type("#pack-time", "1969-12-31T23:59:59.999Z");
    assertTrue(
        page.text("#pack-time-error").startsWith("time: 1969-12-31T23:59:59.999Z (expected: "));
  }

  @Test
  void keyboard_only_generatesMovesAndChooses() {
    page.keys("g");
    page.until("rows were added", () -> page.rows().size() == 5);
    page.settle();
    List<Row> rows = page.rows();
    page.keys("/");
    assertEquals("decode-text", page.focused());
    page.keys("gt", Keys.ESCAPE);
    assertEquals(5, page.rows().size(), "letters typed into a field are no shortcuts");
    tabUntil(rows.get(0).id());
    page.keys(Keys.ARROW_DOWN);
    page.keys(Keys.ARROW_DOWN);
    assertEquals(rows.get(2).id(), page.focused());
    assertNotEquals("none", page.row(2).getCssValue("outline-style"));
    page.keys(Keys.ENTER);
    assertEquals(rows.get(2).bits(), page.bits());
    page.keys(Keys.END);
    page.keys(Keys.SPACE);
    assertEquals(rows.get(4).bits(), page.bits());
    page.keys("p");
    assertEquals("pack-time", page.focused());
  }

  @Test
  void shortcuts_switchedOff_stayOffAfterReload() {
    page.press("#shortcuts-on");
    page.open(address());
    assertFalse(page.script("return document.getElementById('shortcuts-on').checked").equals(true));
    page.keys("/");
    assertNotEquals("decode-text", page.focused());
  }

  @Test
  void copy_key_putsTheExactIdOnTheClipboard() {
    page.generate();
    page.row(3).click();
    page.keys("c");
    page.until("it says so", () -> !page.text("#status").contains("made"));
    String id = page.rows().get(3).id();
    assertEquals(
        "Copied " + id, page.script("return document.getElementById('status').textContent"));
    Object copied =
        browser
            .driver()
            .executeAsyncScript(
                "navigator.clipboard.readText().then(arguments[arguments.length - 1])");
    assertEquals(id, copied);
  }

  @Test
  void theme_toggled_isKeptAfterReload() {
    String light = page.background();
    page.press("#theme");
    String dark = page.background();
    assertNotEquals(light, dark);
    page.open(address());
    assertEquals(dark, page.background());
    page.press("#theme");
    assertEquals(light, page.background());
  }

  @Test
  void theme_untouched_followsTheSystem() {
    String light = page.background();
    browser.prefer("dark");
    String dark = page.background();
    assertNotEquals(light, dark);
    page.press("#theme");
    assertEquals(light, page.background());
  }

  @Test
  void page_used_asksNoOtherServer() {
    page.generate();
    page.decode(UUID_V7);
    Object origins =
        page.script(
            "return [...new Set(performance.getEntriesByType('resource')"
                + ".map(entry => new URL(entry.name).origin))]");
    assertEquals(List.of(page.script("return location.origin")), origins);
  }

  @Test
  void page_served_allowsOnlyItsOwnFiles() throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(address()).build();
    String policy =
        HttpClient.newHttpClient()
            .send(request, BodyHandlers.discarding())
            .headers()
            .firstValue("Content-Security-Policy")
            .orElse("none");
    for (String rule : List.of("default-src 'none'", "script-src 'self'", "style-src 'self'")) {
      assertTrue(policy.contains(rule), policy);
    }
    assertFalse(policy.contains("unsafe"), policy);
  }

  @Test
  void page_everyControl_hasAName() {
    page.generate();
    Object nameless =
        page.script(
            "return [...document.querySelectorAll('button, input')].filter(each => !each.labels?.length"
                + " && !each.textContent && !each.getAttribute('aria-label')).map(each => each.id)");
    assertEquals(List.of(), nameless);
  }

  @Test
  void page_narrow_needsNoSidewaysScrolling() {
    page.generate();
    browser.narrow();
    try {
      assertEquals(
          true, page.script("return document.documentElement.scrollWidth <= window.innerWidth"));
    } finally {
      browser.wide();
    }
  }

  /** Goes by Tab until that row has the focus; the page has far fewer stops than the limit. */
  private void tabUntil(String id) {
    for (int stops = 0; stops < 40 && !page.focused().equals(id); stops++) {
      page.keys(Keys.TAB);
    }
    assertEquals(id, page.focused());
  }

  private String get(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(address().resolve(path)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }
}
