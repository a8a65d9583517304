package dev.idgen.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Clients that call one server again and again, and take down what they got, and when. */
final class Load implements AutoCloseable {
  private static final long PAUSE_NANOS = 3_000_000; // leaves the processors to the servers
  private static final long PATIENCE_MS = 60_000;
  private static final Pattern ID = Pattern.compile("\"(\\d+)\"");

  private final String name;
  private final int port;
  private final String body;
  private final List<Thread> clients = new ArrayList<>();
  private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
  private final Queue<IOException> broken = new ConcurrentLinkedQueue<>();
  private volatile boolean ending;

  private Load(int port, String tag, int count) {
    this.name = tag + " at " + port;
    this.port = port;
    this.body = "{\"tag\":\"" + tag + "\",\"count\":" + count + "}";
  }

  /** Starts clients that ask for a number of ids at a time. */
  static Load start(ServeProcess server, String tag, int clients, int count) {
    Load load = new Load(server.port(), tag, count);
    for (int i = 0; i < clients; i++) {
      Thread client = new Thread(load::call, "client of " + load.name);
      client.setDaemon(true);
      load.clients.add(client);
      client.start();
    }
    return load;
  }

  private void call() {
    try (Wire wire = new Wire(port)) {
      while (!ending) {
        long start = System.nanoTime();
        Wire.Reply reply = wire.send("/ids/batch", body);
        long end = System.nanoTime();
        calls.add(
            new Call(
                start,
                end,
                reply.ok() ? ids(reply.body()) : new long[0],
                reply.ok() ? "" : reply.head() + reply.text()));
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } catch (IOException e) {
      broken.add(e);
    }
  }

  private static long[] ids(byte[] body) {
    Matcher id = ID.matcher(new String(body, StandardCharsets.US_ASCII));
    return id.results().mapToLong(found -> Long.parseLong(found.group(1))).toArray();
  }

  /** What was answered by now. */
  List<Call> soFar() {
    return List.copyOf(calls);
  }

  /** Waits until so many more calls were answered. */
  Load awaitMore(int number) {
    int until = calls.size() + number;
    Patience.await(
        () -> broken.isEmpty() ? calls.size() : Integer.MAX_VALUE, count -> count >= until);
    return this;
  }

  /** Ends the clients, of which each must have been answered to the last. */
  List<Call> end() {
    List<Call> all = endOfKilled();
    for (IOException e : broken) {
      throw new IllegalStateException(name, e);
    }
    return all;
  }

  /** Ends the clients of a server that was killed: what it did not answer is not looked at. */
  List<Call> endOfKilled() {
    close();
    return soFar();
  }

  @Override
  public void close() {
    ending = true;
    for (Thread client : clients) {
      try {
        client.join(PATIENCE_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
      if (client.isAlive()) {
        throw new IllegalStateException(name + ": a call is not answered");
      }
    }
  }
}
