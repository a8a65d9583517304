package dev.idgen.check.browser;

import dev.idgen.server.config.Config;
import dev.idgen.server.config.ConfigLoader;
import dev.idgen.server.main.IdgenServer;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The console against the real server, with an embedded store of its own. */
class ServerConsoleTest extends ConsoleContract {
  private static final long START_SECONDS = 30;

  private final IdgenServer server;

  ServerConsoleTest(@TempDir Path folder) {
    Map<String, String> flags =
        Map.of("http-port", "0", "resp-port", "0", "data", folder.resolve("data").toString());
    Config config = ConfigLoader.load(Map.of(), flags, folder, System.currentTimeMillis());
    server = new IdgenServer(config);
  }

  @Override
  URI address() {
    return URI.create("http://127.0.0.1:" + server.httpPort() + "/");
  }

  @BeforeAll
  void start() throws ExecutionException, InterruptedException, TimeoutException {
    server.start().toCompletableFuture().get(START_SECONDS, TimeUnit.SECONDS);
  }

  @AfterAll
  void stop() {
    server.stop();
  }
}
