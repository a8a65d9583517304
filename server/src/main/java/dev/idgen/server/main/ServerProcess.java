package dev.idgen.server.main;

import dev.idgen.server.config.Choices.LogFormat;
import dev.idgen.server.config.Choices.LogLevel;
import dev.idgen.server.config.Config;
import dev.idgen.server.config.Settings;
import dev.idgen.server.log.Log;
import dev.idgen.server.log.LogOutput;
import java.io.PrintStream;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;

/** A process that is one server, from its start to its end. */
public final class ServerProcess {
  /** Ended in order. */
  public static final int OK = 0;

  /** Could not start. */
  public static final int FAILED = 1;

  private static final int KILLED = 130;
  private static final Log LOG = Log.of("process");

  private final Config config;
  private final PrintStream err;
  private final CountDownLatch end = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();
  private volatile int status = OK;

  private ServerProcess(Config config, PrintStream err) {
    this.config = config;
    this.err = err;
  }

  /**
   * Serves until a signal asks to end.
   *
   * @param terminal whether stdout is one
   * @param err gets the one line that says why it cannot start
   * @return the exit status
   */
  public static int run(Config config, boolean terminal, PrintStream err) {
    LogFormat format = config.get(Settings.LOG_FORMAT);
    boolean json = format == LogFormat.AUTO ? !terminal : format == LogFormat.JSON;
    LogOutput.install(json, level(config.get(Settings.LOG_LEVEL)));
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, fault) -> LOG.error("thread failed", fault, "thread", thread.getName()));
    return new ServerProcess(config, err).run();
  }

  private static Level level(LogLevel level) {
    return switch (level) {
      case ERROR -> Level.SEVERE;
      case WARN -> Level.WARNING;
      case INFO -> Level.INFO;
      case DEBUG -> Level.FINE;
    };
  }

  private int run() {
    Signals.onEnd(this::askedToEnd, this::awaitStopped);
    try {
      return serve();
    } finally {
      stopped.countDown();
    }
  }

  private int serve() {
    IdgenServer server = new IdgenServer(config);
    try {
      var unused =
          server
              .start()
              .whenComplete(
                  (ready, failure) -> {
                    if (failure != null) {
                      failed(failure);
                    }
                  });
      end.await();
    } catch (StartFailure e) {
      err.println("idgen: " + e.getMessage());
      return FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    server.stop();
    return status;
  }

  private void awaitStopped() {
    try {
      if (!stopped.await(Wiring.ms(config, Settings.SHUTDOWN_TIMEOUT), TimeUnit.MILLISECONDS)) {
        LOG.warn("stop is left behind", "why", "the shutdown timeout has passed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void failed(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    err.println("idgen: " + cause.getMessage());
    status = FAILED;
    end.countDown();
  }

  /** The first signal ends in order; the second one at once. */
  private void askedToEnd() {
    if (asked.incrementAndGet() > 1) {
      Runtime.getRuntime().halt(KILLED);
    }
    end.countDown();
  }
}
