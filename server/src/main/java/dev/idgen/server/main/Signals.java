package dev.idgen.server.main;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * Signals that ask the process to end. The JDK has no public way to hear them that lets the process
 * end with status 0, so this goes by reflection to the one it has; where that is missing, a
 * shutdown hook hears the first one.
 */
final class Signals {
  private Signals() {}

  /**
   * Calls back at each SIGTERM and SIGINT.
   *
   * @param asked runs on a thread of its own each time
   * @param awaitEnd blocks until the process has done what it does at its end, for a bounded time:
   *     a shutdown hook that returns ends the process
   */
  static void onEnd(Runnable asked, Runnable awaitEnd) {
    try {
      listen("TERM", asked);
      listen("INT", asked);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      Runnable hook =
          () -> {
            asked.run();
            awaitEnd.run();
          };
      Runtime.getRuntime().addShutdownHook(new Thread(hook, "idgen-signal"));
    }
  }

  private static void listen(String name, Runnable asked) throws ReflectiveOperationException {
    Class<?> signal = Class.forName("sun.misc.Signal");
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    InvocationHandler invocation =
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "handle" -> {
                asked.run();
                yield null;
              }
              case "hashCode" -> System.identityHashCode(proxy);
              case "equals" -> proxy == arguments[0];
              default -> "signal " + name;
            };
    Object listener =
        Proxy.newProxyInstance(
            Signals.class.getClassLoader(), new Class<?>[] {handler}, invocation);
    signal
        .getMethod("handle", signal, handler)
        .invoke(null, signal.getConstructor(String.class).newInstance(name), listener);
  }
}
