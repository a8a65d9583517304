package dev.idgen.check.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import javax.net.ServerSocketFactory;

/**
 * A network between a client and a server of loopback that can be told to lose replies, or
 * everything. Thread-safe.
 */
public final class CutProxy implements AutoCloseable {
  private static final int BUFFER = 1 << 16;
  private static final long LISTEN_NANOS = 100_000_000;

  private final int target;
  private final ServerSocket listening;
  private final List<Socket> open = new ArrayList<>(); // guarded by itself
  private volatile boolean losesReplies;
  private volatile boolean down;

  private CutProxy(int target, ServerSocket listening) {
    this.target = target;
    this.listening = listening;
  }

  /** Stands before a port of loopback. */
  public static CutProxy before(int port) {
    return before(port, ServerSocketFactory.getDefault());
  }

  /** Speaks TLS with its clients, for a server that does not. */
  public static CutProxy encrypting(int port, TestCertificate certificate) {
    return before(port, certificate.context().getServerSocketFactory());
  }

  private static CutProxy before(int port, ServerSocketFactory sockets) {
    try {
      CutProxy proxy =
          new CutProxy(port, sockets.createServerSocket(0, 50, InetAddress.getLoopbackAddress()));
      daemon(proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The port to connect to instead. */
  public int port() {
    return listening.getLocalPort();
  }

  /**
   * From now on requests arrive and replies do not: a connection ends a moment after its server has
   * begun to answer.
   */
  public void loseReplies(boolean lose) {
    losesReplies = lose;
  }

  /** Ends every connection, and takes no more until {@link #mend}. */
  public void cut() {
    down = true;
    closeAll();
  }

  /** Takes connections again. */
  public void mend() {
    down = false;
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        if (down) {
          client.close();
        } else {
          join(client);
        }
      } catch (IOException e) {
        // The listener was closed, or the server is away: the client sees its connection end.
      }
    }
  }

  private void join(Socket client) throws IOException {
    Socket server = new Socket();
    synchronized (open) {
      open.add(client);
      open.add(server);
    }
    try {
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
    } catch (IOException e) {
      client.close();
      throw e;
    }
    daemon(() -> pump(client, server, false));
    daemon(() -> pump(server, client, true));
  }

  private void pump(Socket from, Socket to, boolean replies) {
    byte[] buffer = new byte[BUFFER];
    try (from;
        to) {
      for (int n = from.getInputStream().read(buffer); n >= 0; ) {
        if (replies && losesReplies) {
          LockSupport.parkNanos(LISTEN_NANOS); // what answers first may not be the answer
          return;
        }
        to.getOutputStream().write(buffer, 0, n);
        to.getOutputStream().flush();
        n = from.getInputStream().read(buffer);
      }
    } catch (IOException e) {
      // One side has gone: both are closed.
    }
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "cut-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void closeAll() {
    List<Socket> closing;
    synchronized (open) {
      closing = new ArrayList<>(open);
      open.clear();
    }
    for (Socket socket : closing) {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() {
    down = true;
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    closeAll();
  }
}
