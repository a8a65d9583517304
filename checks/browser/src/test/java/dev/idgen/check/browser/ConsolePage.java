package dev.idgen.check.browser;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;

/** The console as a person sees it: what can be pressed and typed, and what stands on the page. */
final class ConsolePage {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final ChromeDriver driver;

  ConsolePage(ChromeDriver driver) {
    this.driver = driver;
  }

  /**
   * Opens the page and waits until its scripts run and it has the layout, or says why it has not.
   */
  void open(URI address) {
    driver.get(address.toString());
    until("the page is ready", () -> shown("#layout") || shown("#notice"));
  }

  void generate() {
    int before = rows().size();
    press("#generate");
    until("rows were added", () -> rows().size() > before || shown("#notice"));
    settle();
  }

  void decode(String text) {
    WebElement field = find("#decode-text");
    field.clear();
    field.sendKeys(text, Keys.ENTER);
    settle();
  }

  /** Waits until no question to the server is open. */
  void settle() {
    until(
        "the answer is there", () -> find("#generate").isEnabled() && find("#decode").isEnabled());
  }

  void press(String selector) {
    find(selector).click();
  }

  /** Types keys to whatever has the focus. */
  void keys(CharSequence... keys) {
    driver.switchTo().activeElement().sendKeys(keys);
  }

  void type(String selector, String text) {
    WebElement field = find(selector);
    field.clear();
    field.sendKeys(text);
  }

  /** The table, from its top. */
  List<Row> rows() {
    Object cells =
        script(
            "return [...document.querySelectorAll('#rows tr')].map(line =>"
                + " [line.querySelector('.number').textContent,"
                + " ...[...line.cells].slice(1, 4).map(cell => cell.textContent)].join('|'))");
    return ((List<?>) cells)
        .stream()
            .map(line -> String.valueOf(line).split("\\|", -1))
            .map(line -> new Row(line[0], line[1], line[2], line[3]))
            .toList();
  }

  WebElement row(int fromTop) {
    return find("#rows tr:nth-child(" + (fromTop + 1) + ")");
  }

  /** The 64 digits in the coloured cells. */
  String bits() {
    return each(".bit", "textContent");
  }

  /** The name of the field that each of the 64 cells belongs to, most significant first. */
  List<String> fieldOfEachBit() {
    Object names =
        script("return [...document.querySelectorAll('.bit')].map(cell => cell.dataset.field)");
    return ((List<?>) names).stream().map(String::valueOf).toList();
  }

  /** The colour that stands for a field beside the bits. */
  String colourOf(String field) {
    return find("#fields [data-field='" + field + "'] .swatch").getCssValue("background-color");
  }

  String packed() {
    return text("#packed");
  }

  String text(String selector) {
    return find(selector).getText();
  }

  boolean shown(String selector) {
    List<WebElement> found = driver.findElements(By.cssSelector(selector));
    return !found.isEmpty() && found.get(0).isDisplayed();
  }

  /** The id of the element that has the focus, or the data-id of a row. */
  String focused() {
    Object id = script("const e = document.activeElement; return e.dataset.id ?? e.id");
    return String.valueOf(id);
  }

  String background() {
    return find("body").getCssValue("background-color");
  }

  Object script(String code, Object... arguments) {
    return Objects.requireNonNullElse(driver.executeScript(code, arguments), "");
  }

  /** Waits for a condition that the page reaches by itself; each look is a round trip to it. */
  void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError(what + ": not within " + PATIENCE.toSeconds() + " s");
      }
    }
  }

  private String each(String selector, String property) {
    Object values =
        script(
            "return [...document.querySelectorAll(arguments[0])].map(e => e[arguments[1]])",
            selector,
            property);
    return ((List<?>) values).stream().map(String::valueOf).collect(Collectors.joining());
  }

  private WebElement find(String selector) {
    return driver.findElement(By.cssSelector(selector));
  }

  /** One line of the table, as its cells read. */
  record Row(String id, String time, String machine, String sequence) {
    /** All 64 bits of the id, computed apart from the page. */
    String bits() {
      String digits = Long.toBinaryString(Long.parseUnsignedLong(id));
      return "0".repeat(Long.SIZE - digits.length()) + digits;
    }
  }
}
