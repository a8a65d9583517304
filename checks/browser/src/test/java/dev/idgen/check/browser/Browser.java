package dev.idgen.check.browser;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * A headless Chromium of its own, with an empty profile. Browser and driver are those on the PATH,
 * or those that the system properties {@code idgen.chromium} and {@code idgen.chromedriver} name.
 */
final class Browser implements AutoCloseable {
  private static final List<String> CHROMIUM =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final List<String> CHROMEDRIVER = List.of("chromedriver");

  private final ChromeDriver driver;

  Browser() {
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(program("idgen.chromedriver", CHROMEDRIVER))
            .usingAnyFreePort()
            .build();
    driver = new ChromeDriver(service, options());
  }

  ChromeDriver driver() {
    return driver;
  }

  /** Lets the page's system look dark or light, as a person's settings would. */
  void prefer(String colourScheme) {
    Map<String, String> feature = Map.of("name", "prefers-color-scheme", "value", colourScheme);
    driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of(feature)));
  }

  /** Makes the window as narrow as a telephone. */
  void narrow() {
    Map<String, Object> size =
        Map.of("width", 360, "height", 740, "deviceScaleFactor", 1, "mobile", true);
    driver.executeCdpCommand("Emulation.setDeviceMetricsOverride", size);
  }

  /** Takes {@link #narrow} back. */
  void wide() {
    driver.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
  }

  /** Lets the page's own copying be read back. */
  void allowClipboard() {
    List<String> permissions = List.of("clipboardReadWrite", "clipboardSanitizedWrite");
    driver.executeCdpCommand("Browser.grantPermissions", Map.of("permissions", permissions));
  }

  /**
   * What the browser complained about since the last call: blocked by policy, thrown, not found.
   */
  List<String> complaints() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
        .map(entry -> entry.getMessage())
        .toList();
  }

  @Override
  public void close() {
    driver.quit();
  }

  private static ChromeOptions options() {
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(program("idgen.chromium", CHROMIUM));
    options.setCapability("goog:loggingPrefs", logs);
    // No sandbox: it cannot start for root, who runs the build in a container. Only our page is
    // opened.
    options.addArguments("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage");
    options.addArguments("--no-first-run", "--disable-background-networking", "--disable-sync");
    options.addArguments("--disable-component-update", "--window-size=1280,1000");
    return options;
  }

  private static File program(String property, List<String> names) {
    Stream<Path> candidates =
        Optional.ofNullable(System.getProperty(property))
            .map(named -> Stream.of(Path.of(named)))
            .orElseGet(() -> names.stream().flatMap(Browser::onPath));
    return candidates
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(missing(property, names)))
        .toFile();
  }

  private static Stream<Path> onPath(String name) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(folder -> Path.of(folder, name));
  }

  private static String missing(String property, List<String> names) {
    return property
        + ": none (expected: one of "
        + names
        + " on the PATH, or its path in this system property; ./verify installs both)";
  }
}
