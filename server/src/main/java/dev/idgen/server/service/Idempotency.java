package dev.idgen.server.service;

import dev.idgen.entropy.Entropy;
import dev.idgen.server.digest.Sha256;
import dev.idgen.store.IdempotencyEntry;
import dev.idgen.store.IdempotencyReply;
import dev.idgen.store.IdempotencyRequest;
import dev.idgen.store.IdempotencyRow;
import dev.idgen.store.IdempotencyStore;
import dev.idgen.store.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers a request that is sent again under the same key with what was issued the first time. What
 * is issued goes out only after it has been stored under the attempt's token: whatever is lost or
 * comes late, nobody gets a second batch under one key. Thread-safe.
 */
public final class Idempotency {
  /** What an attempt may take: longer than any wait for ids and for the store. */
  private static final long IN_FLIGHT_MS = 30_000;

  /** A lost answer is asked for again: what was done is then found. */
  private static final int ATTEMPTS = 2;

  private static final long RETRY_MS = 1000;

  /** Whose keys they are where no tokens are set; no token has this name. */
  private static final String ANYBODY = "-";

  /** The most characters of an id of texts, without its prefix. */
  private static final int MAX_TEXT = 40;

  private final IdempotencyStore store;
  private final String namespace;
  private final long keepMs;
  private final int maxKeys;
  private final Entropy entropy;

  /**
   * Keys of one namespace.
   *
   * @param keepMs how long a reply is kept
   * @param maxKeys the most keys of a caller
   * @param entropy names attempts
   */
  public Idempotency(
      IdempotencyStore store, String namespace, long keepMs, int maxKeys, Entropy entropy) {
    this.store = store;
    this.namespace = namespace;
    this.keepMs = keepMs;
    this.maxKeys = maxKeys;
    this.entropy = entropy;
  }

  /**
   * What was issued under the key, now or before.
   *
   * @param replayed whether it was issued before
   */
  record Answer(Issued issued, boolean replayed) {}

  /**
   * Issues, or repeats what was issued.
   *
   * @param key of the request
   * @param fresh issues; called at most once
   * @return fails with a {@link ServiceException}
   */
  CompletionStage<Answer> issue(
      Tag tag,
      int count,
      IssueRequest request,
      String key,
      Supplier<CompletionStage<Issued>> fresh) {
    IdempotencyRequest begun = request(tag, count, request, key);
    return begin(begun, ATTEMPTS)
        .thenCompose(
            reply -> {
              if (reply instanceof IdempotencyReply.Started) {
                return attempt(begun, fresh);
              }
              return CompletableFuture.completedFuture(known(tag, reply));
            });
  }

  private IdempotencyRequest request(Tag tag, int count, IssueRequest request, String key) {
    requireRoom(tag, count);
    try {
      String caller = request.caller().isAnybody() ? ANYBODY : request.caller().name();
      return new IdempotencyRequest(
          new IdempotencyEntry(namespace, caller, tag.name(), key),
          fingerprint(count, request),
          entropy.nextLong(),
          keepMs,
          IN_FLIGHT_MS,
          maxKeys);
    } catch (IllegalArgumentException e) {
      // The key is all of it that a caller has made, so the message is of the key.
      throw new ServiceException(ServiceReason.INVALID_BODY, "idempotency-" + e.getMessage());
    }
  }

  /** Before anything is issued: what cannot be kept could not be repeated. */
  private static void requireRoom(Tag tag, int count) {
    int most = IdempotencyRow.MAX_REPLY_BYTES / (MAX_TEXT + tag.row().prefix().length());
    if (!tag.engine().kind().numbers() && count > most) {
      throw new ServiceException(
          ServiceReason.INVALID_COUNT,
          "count: " + count + " (expected: 1.." + most + " with an idempotency key)");
    }
  }

  /** What tells one request from another. */
  private static String fingerprint(int count, IssueRequest request) {
    TextEngine.Content content = request.content();
    String all =
        count
            + "\n"
            + request.shape()
            + "\n"
            + (content == null ? "" : content.namespace() + "\n" + content.text());
    return Sha256.hex(all);
  }

  private CompletionStage<IdempotencyReply> begin(IdempotencyRequest request, int attempts) {
    return again(() -> store.begin(request), attempts);
  }

  /** Repeats what may have been done without anybody's hearing of it. */
  private static <T> CompletionStage<T> again(Supplier<CompletionStage<T>> call, int attempts) {
    return call.get()
        .handle(
            (value, failure) -> {
              if (failure == null) {
                return CompletableFuture.completedFuture(value);
              }
              StoreException refusal = refusal(failure);
              if (attempts > 1 && refusal != null && refusal.outcomeUnknown()) {
                return again(call, attempts - 1).toCompletableFuture();
              }
              return CompletableFuture.<T>failedFuture(unavailable(failure));
            })
        .thenCompose(stage -> stage);
  }

  private static @Nullable StoreException refusal(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof StoreException refusal ? refusal : null;
  }

  private static Throwable unavailable(Throwable failure) {
    StoreException refusal = refusal(failure);
    return refusal == null
        ? failure
        : new ServiceException(
            ServiceReason.STORE_UNAVAILABLE, "idempotency keys: " + refusal.getMessage(), RETRY_MS);
  }

  private CompletionStage<Answer> attempt(
      IdempotencyRequest begun, Supplier<CompletionStage<Issued>> fresh) {
    return started(fresh)
        .handle(
            (issued, failure) -> failure == null ? finish(begun, issued) : abandon(begun, failure))
        .thenCompose(stage -> stage);
  }

  private static CompletionStage<Issued> started(Supplier<CompletionStage<Issued>> fresh) {
    try {
      return fresh.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletionStage<Answer> finish(IdempotencyRequest begun, Issued issued) {
    String reply = IssuedText.write(issued);
    return finish(begun, reply)
        .handle(
            (finish, failure) -> {
              if (failure != null) {
                return abandon(begun, failure); // a reply that was stored all the same stays
              }
              return finish == IdempotencyStore.Finish.STORED
                  ? CompletableFuture.completedFuture(new Answer(issued, false))
                  : CompletableFuture.<Answer>failedFuture(tookTooLong());
            })
        .thenCompose(stage -> stage);
  }

  private CompletionStage<IdempotencyStore.Finish> finish(IdempotencyRequest begun, String reply) {
    try {
      return again(() -> store.finish(begun.entry(), begun.attempt(), reply), ATTEMPTS);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static ServiceException tookTooLong() {
    return new ServiceException(
        ServiceReason.IDEMPOTENCY_IN_FLIGHT,
        "idempotency-key: this attempt took too long, and another one may have begun"
            + " (expected: asked again)",
        RETRY_MS);
  }

  /** A failure is not stored. Where the store cannot be told, the entry ends by itself. */
  private CompletionStage<Answer> abandon(IdempotencyRequest begun, Throwable failure) {
    return store
        .abandon(begun.entry(), begun.attempt())
        .handle((done, ignored) -> CompletableFuture.<Answer>failedFuture(failure))
        .thenCompose(stage -> stage);
  }

  private static Answer known(Tag tag, IdempotencyReply reply) {
    if (reply instanceof IdempotencyReply.Done done) {
      Issued issued = IssuedText.read(tag, done.reply());
      if (issued == null) {
        throw mismatch("was used when the tag had another engine");
      }
      return new Answer(issued, true);
    }
    if (reply instanceof IdempotencyReply.InFlight other) {
      throw new ServiceException(
          ServiceReason.IDEMPOTENCY_IN_FLIGHT,
          "idempotency-key: a request with it is under way (expected: asked again)",
          Math.min(other.retryAfterMs(), RETRY_MS)); // most attempts end long before they must
    }
    if (reply instanceof IdempotencyReply.Full full) {
      throw new ServiceException(
          ServiceReason.RATE_LIMITED,
          "idempotency keys: " + full.maxKeys() + " are kept (expected: fewer in that time)",
          RETRY_MS);
    }
    throw mismatch("was used for another request");
  }

  private static ServiceException mismatch(String what) {
    return new ServiceException(
        ServiceReason.IDEMPOTENCY_MISMATCH,
        "idempotency-key: " + what + " (expected: the same one, or another key)");
  }
}
