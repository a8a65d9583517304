package dev.idgen.server.service;

import dev.idgen.IdRun;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Writes the ids of large opaque batches, apart from the threads that serve callers: each id is to
 * be enciphered. Does so for a limited number of batches at a time, whatever transport they go to.
 * Thread-safe.
 */
final class Enciphering {
  /** Under way or waiting, the issue of their ids included. */
  static final int MAX_BATCHES = 64;

  /** So many ids are enciphered by the thread that serves the caller, and no more. */
  static final int AT_ONCE = 16;

  private static final long RETRY_SOON_MS = 1000;
  private static final long IDLE_SECONDS = 10;

  /** Batches between {@link #enter} and {@link #leave}: 0..MAX_BATCHES. */
  private final AtomicInteger batches = new AtomicInteger();

  private final ThreadPoolExecutor worker =
      new ThreadPoolExecutor(
          1,
          1,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MAX_BATCHES),
          Enciphering::thread);

  Enciphering() {
    worker.allowCoreThreadTimeOut(true);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "idgen-opaque");
    thread.setDaemon(true);
    return thread;
  }

  /** Whether the ids of a request are written here. */
  static boolean concerns(Tag tag, int count, IssueRequest.Shape shape) {
    return count > AT_ONCE && shape == IssueRequest.Shape.ANY && tag.opaque();
  }

  /**
   * Takes a place, before any id is taken.
   *
   * @throws ServiceException with {@link ServiceReason#OVERLOADED}: there is none
   */
  void enter() {
    if (batches.incrementAndGet() > MAX_BATCHES) {
      leave();
      throw new ServiceException(
          ServiceReason.OVERLOADED,
          "batches of opaque ids: more than "
              + MAX_BATCHES
              + " (expected: at most that many at a time)",
          RETRY_SOON_MS);
    }
  }

  /** Gives the place back. */
  void leave() {
    batches.decrementAndGet();
  }

  /** The same ids as texts; those of a tag that hides nothing any more, as they are. */
  CompletionStage<Issued> written(Issued issued) {
    return issued.numbers() && issued.tag().opaque()
        ? CompletableFuture.supplyAsync(() -> texts(issued), worker)
        : CompletableFuture.completedFuture(issued);
  }

  private static Issued texts(Issued issued) {
    String[] texts = new String[Math.toIntExact(issued.count())];
    int at = 0;
    for (IdRun run : issued.runs()) {
      long id = run.first();
      for (int i = 0; i < run.count(); i++, id += run.stride()) {
        texts[at++] = issued.tag().written(id);
      }
    }
    return Issued.of(issued.tag(), Arrays.asList(texts));
  }
}
