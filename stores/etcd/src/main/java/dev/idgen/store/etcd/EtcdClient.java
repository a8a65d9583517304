package dev.idgen.store.etcd;

import dev.idgen.store.StoreAddress;
import dev.idgen.store.StoreException;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.options.PutOption;
import io.etcd.jetcd.support.Observers;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.net.URI;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Calls to the members of a cluster, each with a limit in time, and none repeated but where a
 * member said that its token of the account has run out, which it says before it does anything. Of
 * one thread alone.
 *
 * <p>After a failure the connections are given up: new ones are tried at once, where old ones would
 * rest for longer each time.
 */
final class EtcdClient {
  /** How long a connection, or an answer, is waited for. */
  private static final int ANSWER_MS = 2_000;

  /** The library's future ends a little later than the call itself at the latest. */
  private static final int GRACE_MS = 250;

  private static final int TOKEN_RETRIES = 2;
  private static final int TOKEN_RETRY_MS = 10;
  private static final int MAX_ANSWER_BYTES = 1 << 26;

  /** How many causes are looked at: they may form a circle. */
  private static final int DEPTH = 10;

  private static final int ALIVE_ANSWER_MS = 1_000;

  private final StoreAddress address;
  private final Set<ByteSequence> alive = new HashSet<>();
  private @Nullable Client client;

  EtcdClient(StoreAddress address) {
    this.address = address;
  }

  /**
   * Calls, and waits for the answer.
   *
   * @param writes whether a lost answer may have been a write
   * @throws StoreException no answer, or one that is an error
   */
  <T> T call(String name, boolean writes, Function<KV, CompletableFuture<T>> call) {
    CompletableFuture<T> answer = call.apply(connected().getKVClient());
    boolean done = false;
    try {
      T result = answer.get(ANSWER_MS + GRACE_MS, TimeUnit.MILLISECONDS);
      done = true;
      return result;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(name, writes, Status.CANCELLED.withDescription("interrupted"), e);
    } catch (TimeoutException e) {
      throw failed(name, writes, Status.DEADLINE_EXCEEDED, e);
    } catch (ExecutionException e) {
      throw failed(name, writes, status(e), e);
    } finally {
      if (!done) {
        answer.cancel(true);
        close();
      }
    }
  }

  /**
   * Writes a key that lasts as long as this client has connections, and some time more. Nothing is
   * decided by it, so a failure is left at that: it is tried again with the next call.
   *
   * @param ttlSeconds how much more
   */
  void showAlive(ByteSequence key, ByteSequence value, long ttlSeconds) {
    if (alive.contains(key)) {
      return;
    }
    Client open = connected();
    try {
      long id =
          open.getLeaseClient()
              .grant(ttlSeconds)
              .get(ALIVE_ANSWER_MS, TimeUnit.MILLISECONDS)
              .getID();
      PutOption lasting = PutOption.builder().withLeaseId(id).build();
      var unused =
          open.getKVClient().put(key, value, lasting).get(ALIVE_ANSWER_MS, TimeUnit.MILLISECONDS);
      open.getLeaseClient().keepAlive(id, Observers.observer(kept -> {}));
      alive.add(key);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      close();
    }
  }

  /** Takes a sign of life away. */
  void hideAlive(ByteSequence key) {
    if (alive.remove(key)) {
      call("release", false, kv -> kv.delete(key));
    }
  }

  /** Whatever keeps the library from getting a token is called unauthenticated by it. */
  private static Status status(Throwable e) {
    Status status = Status.fromThrowable(e);
    Throwable cause = status.getCause();
    boolean deeper = status.getCode() == Status.Code.UNAUTHENTICATED && cause != null;
    return deeper ? Status.fromThrowable(cause) : status;
  }

  /**
   * What a failure means. A write is known not to have been done only where a member refused it
   * before it looked at it: one that is out of space, for example, has done it and says so.
   */
  private StoreException failed(String name, boolean writes, Status status, Exception e) {
    String what = status.getDescription();
    String text = "etcd: " + address + ": " + name + ": ";
    String said = what == null ? status.getCode().name() : what.replace("etcdserver: ", "");
    switch (status.getCode()) {
      case UNAUTHENTICATED, PERMISSION_DENIED, INVALID_ARGUMENT, FAILED_PRECONDITION -> {
        String expected = " (expected: an account that may read and write " + address.path() + "/)";
        return lasting(said)
            ? StoreException.permanent(text + said + expected, e)
            : StoreException.refused(text + said + " (expected: no error)", e);
      }
      case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED -> {
        String silent =
            text + "no answer: " + said + tls(status) + " (expected: a cluster that answers)";
        return writes ? StoreException.unknown(silent, e) : StoreException.refused(silent, e);
      }
      default -> {
        String other = text + said + " (expected: no error)";
        return writes ? StoreException.unknown(other, e) : StoreException.refused(other, e);
      }
    }
  }

  /** What was wrong with a certificate; empty: nothing is known. */
  private static String tls(Status status) {
    Throwable cause = status.getCause();
    for (int i = 0; i < DEPTH && cause != null; i++) {
      if (cause instanceof SSLException) {
        return ": " + cause.getMessage();
      }
      cause = cause.getCause();
    }
    return "";
  }

  /** Whether somebody must change the account, or the address. */
  private static boolean lasting(String said) {
    return said.startsWith("authentication failed")
        || said.startsWith("authentication is not enabled")
        || said.startsWith("user name is empty")
        || said.startsWith("permission denied");
  }

  private Client connected() {
    Client open = client;
    if (open == null) {
      open = builder().build();
      client = open;
    }
    return open;
  }

  private ClientBuilder builder() {
    String scheme = address.encrypted() ? "https://" : "http://";
    ClientBuilder builder =
        Client.builder()
            .endpoints(
                address.servers().stream()
                    .map(server -> URI.create(scheme + server))
                    .toArray(URI[]::new))
            .waitForReady(false)
            .retryMaxAttempts(TOKEN_RETRIES)
            .retryDelay(TOKEN_RETRY_MS)
            .retryMaxDelay(TOKEN_RETRY_MS * 2)
            .maxInboundMessageSize(MAX_ANSWER_BYTES)
            .interceptor(new Limit());
    if (address.encrypted()) {
      encrypt(builder, Trust.of(address));
    }
    if (!address.user().isEmpty()) {
      builder.user(Keys.bytes(address.user())).password(Keys.bytes(address.password()));
    }
    return builder;
  }

  private void encrypt(ClientBuilder builder, TrustManagerFactory trusted) {
    try {
      builder.sslContext(tls -> tls.trustManager(trusted));
    } catch (SSLException e) {
      throw StoreException.refused("etcd: " + address + ": TLS: " + e, e);
    }
  }

  /** Ends each call in time, so that none arrives long after it was given up. */
  private static final class Limit implements ClientInterceptor {
    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(
        MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
      if (method.getType() != MethodDescriptor.MethodType.UNARY) {
        return next.newCall(method, options); // what keeps a sign of life goes on
      }
      return next.newCall(method, options.withDeadlineAfter(ANSWER_MS, TimeUnit.MILLISECONDS));
    }
  }

  void close() {
    Client open = client;
    client = null;
    alive.clear();
    if (open != null) {
      open.close();
    }
  }
}
