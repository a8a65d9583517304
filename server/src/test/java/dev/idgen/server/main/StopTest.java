package dev.idgen.server.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.entropy.Entropy;
import dev.idgen.server.config.Config;
import dev.idgen.server.config.ConfigLoader;
import dev.idgen.server.log.LogLines;
import dev.idgen.store.StoreException;
import dev.idgen.store.WorkerStore;
import dev.idgen.store.memory.MemoryWorkerStore;
import dev.idgen.time.TimeSource;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a server ends when its store does not let it. */
class StopTest {
  @TempDir private Path folder;

  private Config config() {
    Map<String, String> flags =
        Map.of(
            "http-port",
            "0",
            "resp-port",
            "0",
            "data",
            folder.toString(),
            "server.shutdown-timeout",
            "1s");
    return ConfigLoader.load(Map.of(), flags, folder, TimeSource.system().wallMillis());
  }

  /** A store whose last call is what a test says. */
  private static WorkerStore closing(WorkerStore store, Runnable close) {
    return (WorkerStore)
        Proxy.newProxyInstance(
            StopTest.class.getClassLoader(),
            new Class<?>[] {WorkerStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                close.run();
                return null;
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static MemoryWorkerStore store(CountDownLatch hang) {
    return new MemoryWorkerStore(
        "m",
        TimeSource.system(),
        Entropy.operatingSystem(),
        true,
        task -> {
          if (hang.getCount() > 0) {
            task.run(); // otherwise the answer never comes
          }
        });
  }

  private IdgenServer started(WorkerStore store) {
    IdgenServer server = new IdgenServer(config(), TimeSource.system(), () -> store);
    server.start().toCompletableFuture().join();
    return server;
  }

  private void assertEnded(IdgenServer server) throws IOException {
    assertThrows(
        ConnectException.class,
        () -> new Socket(InetAddress.getLoopbackAddress(), server.httpPort()).close());
    String audit = Files.readString(folder.resolve("audit.log"));
    assertTrue(audit.contains("\"event\":\"stop\""), audit);
  }

  @Test
  void stop_storeHangs_takesAllOtherSteps() throws IOException {
    CountDownLatch hang = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    IdgenServer server = started(closing(store(hang), () -> await(never)));
    hang.countDown();

    try (LogLines log = new LogLines()) {
      server.stop();

      assertEquals(1, log.count("renewal failed"), log.all() + "");
      assertTrue(
          log.all().stream()
              .anyMatch(line -> line.startsWith("stop does not wait longer [for, the store,")),
          log.all() + "");
      assertEquals(1, log.count("stopped"), log.all() + "");
    }
    assertEnded(server);
    never.countDown();
  }

  @Test
  void stop_storeFailsToClose_saysSoAndTakesAllOtherSteps() throws IOException {
    CountDownLatch hang = new CountDownLatch(1);
    IdgenServer server =
        started(
            closing(
                store(hang),
                () -> {
                  throw StoreException.refused("disk: gone");
                }));

    try (LogLines log = new LogLines()) {
      server.stop();

      assertTrue(log.all().stream().anyMatch(line -> line.contains("disk: gone")), log.all() + "");
      assertEquals(1, log.count("stopped"), log.all() + "");
    }
    assertEnded(server);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
