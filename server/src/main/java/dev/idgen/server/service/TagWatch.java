package dev.idgen.server.service;

import dev.idgen.store.StoreException;
import dev.idgen.store.TagChanges;
import dev.idgen.store.TagReply;
import dev.idgen.store.TagRow;
import dev.idgen.store.TagStore;
import dev.idgen.time.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks the store every two seconds which tags were written, and tells the directory: a change is
 * known to every server within five seconds while the store answers. While it does not, the tags
 * are those that were known. Thread-safe.
 */
public final class TagWatch {
  private static final long EVERY_NANOS = 2_000_000_000L;
  private static final long SOON_NANOS = 500_000_000L; // until everything was read once
  private static final long ANSWER_NANOS = 10_000_000_000L; // more than drivers take to give up

  private final String namespace;
  private final TagStore store;
  private final TagDirectory directory;
  private final TagRow defaultRow;
  private final Scheduler scheduler;
  private final Consumer<String> failed;
  private final CompletableFuture<Void> first = new CompletableFuture<>();

  // All below: guarded by this.
  private long asked; // number of the last question: the answer of an earlier one is not heard
  private long revision; // up to which everything is known
  private String identity = "";
  private @Nullable List<TagRow> reading; // all rows so far, while everything is read again
  private boolean complete; // everything was read once
  private boolean stopped;

  /**
   * A watch that has not begun.
   *
   * @param defaultRow of the tag that exists from the start
   * @param scheduler of whoever stops the watch before it
   * @param failed hears why the store did not answer
   */
  public TagWatch(
      String namespace,
      TagStore store,
      TagDirectory directory,
      TagRow defaultRow,
      Scheduler scheduler,
      Consumer<String> failed) {
    this.namespace = namespace;
    this.store = store;
    this.directory = directory;
    this.defaultRow = defaultRow;
    this.scheduler = scheduler;
    this.failed = failed;
  }

  /**
   * Begins.
   *
   * @return completes when all tags are known for the first time; fails, with a permanent {@link
   *     StoreException}, when they cannot be without other settings or grants
   */
  public CompletionStage<Void> start() {
    readAll("");
    ask();
    return first;
  }

  /** Asks no more. */
  public synchronized void stop() {
    stopped = true;
  }

  private void ask() {
    long from;
    synchronized (this) {
      if (stopped) {
        return;
      }
      from = revision;
    }
    await(() -> store.changes(namespace, from), (number, changes) -> heard(number, from, changes));
  }

  /** Begins a question to the store. */
  private interface Question<T> {
    CompletionStage<T> begin();
  }

  /** What is done with an answer. */
  private interface Hearing<T> {
    void hear(long number, T answer);
  }

  /**
   * Asks, and waits for the answer for a limited time. Whatever goes wrong, in the store or in
   * taking the answer over, is told, and is not the end of all questions.
   */
  private <T> void await(Question<T> question, Hearing<T> hearing) {
    long number;
    synchronized (this) {
      number = ++asked;
    }
    Scheduler.Timer limit =
        scheduler.schedule(
            ANSWER_NANOS, () -> failed(number, StoreException.unknown("no answer of the store")));
    var unused =
        begun(question)
            .thenAccept(answer -> hearing.hear(number, answer))
            .whenComplete(
                (done, failure) -> {
                  limit.cancel();
                  if (failure != null) {
                    failed(number, failure);
                  }
                });
  }

  private static <T> CompletionStage<T> begun(Question<T> question) {
    try {
      return question.begin();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void failed(long number, Throwable failure) {
    String why = text(failure);
    boolean begun;
    synchronized (this) {
      if (number != asked) {
        return;
      }
      asked++; // a late answer is not heard
      begun = complete;
      if (!begun) {
        directory.setProblem(why);
        readAll("");
      }
    }
    failed.accept(why);
    if (begun) {
      again(EVERY_NANOS);
    } else {
      beginAgain(failure);
    }
  }

  /** Before all was read once; what no repetition mends ends the start. */
  private void beginAgain(Throwable failure) {
    if (cause(failure) instanceof StoreException refusal && refusal.permanent()) {
      first.completeExceptionally(refusal);
    } else {
      again(SOON_NANOS);
    }
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  private static String text(Throwable failure) {
    ServiceException told = ServiceException.of(failure);
    return told.reason() == ServiceReason.INTERNAL ? cause(failure).toString() : told.detail();
  }

  private void heard(long number, long from, TagChanges changes) {
    boolean more;
    boolean whole = false;
    synchronized (this) {
      if (number != asked || stopped) {
        return;
      }
      if (hasLost(from, changes)) {
        readAll(changes.identity());
        more = true;
      } else {
        take(changes);
        more = !changes.complete();
        whole = !more && !complete;
      }
    }
    if (whole) {
      await(() -> store.write(namespace, defaultRow, 0), this::made);
    } else {
      again(more ? 0 : EVERY_NANOS);
    }
  }

  /** From the first revision on. */
  private synchronized void readAll(String of) {
    identity = of;
    revision = 0;
    reading = new ArrayList<>();
    directory.beginReading();
  }

  /**
   * Acknowledged writes are gone: those of tags may be among them. Held against each page, since a
   * store may be failed over between two.
   */
  private boolean hasLost(long from, TagChanges changes) {
    boolean another = !identity.isEmpty() && !changes.identity().equals(identity);
    return another || changes.head() < from;
  }

  private void take(TagChanges changes) {
    identity = changes.identity();
    for (TagRow row : changes.rows()) {
      revision = Math.max(revision, row.revision());
    }
    List<TagRow> all = reading;
    if (all == null) {
      changes.rows().forEach(directory::apply);
      return;
    }
    all.addAll(changes.rows());
    if (changes.complete() && complete) {
      directory.replaceBy(all);
      reading = null;
    }
  }

  /** The tag that exists from the start was written, the first time, where it never was. */
  private void made(long number, TagReply reply) {
    synchronized (this) {
      if (number != asked || stopped) {
        return;
      }
      List<TagRow> all = reading == null ? new ArrayList<>() : new ArrayList<>(reading);
      TagRow there = rowOf(reply);
      if (there != null) {
        all.add(there); // ours, or that of a server that began at the same time
      }
      directory.replaceBy(all);
      directory.setProblem("");
      reading = null;
      complete = true;
    }
    first.complete(null);
    again(EVERY_NANOS);
  }

  private static @Nullable TagRow rowOf(TagReply reply) {
    if (reply instanceof TagReply.Written written) {
      return written.row();
    }
    return reply instanceof TagReply.Conflict conflict ? conflict.row() : null;
  }

  private void again(long nanos) {
    scheduler.schedule(nanos, this::ask);
  }
}
