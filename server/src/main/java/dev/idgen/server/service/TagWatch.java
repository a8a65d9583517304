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
    synchronized (this) {
      reading = new ArrayList<>();
    }
    ask();
    return first;
  }

  /** Asks no more. */
  public synchronized void stop() {
    stopped = true;
  }

  private void ask() {
    long number;
    long from;
    synchronized (this) {
      if (stopped) {
        return;
      }
      number = ++asked;
      from = revision;
    }
    Scheduler.Timer limit =
        scheduler.schedule(
            ANSWER_NANOS, () -> failed(number, StoreException.unknown("no answer of the store")));
    var unused =
        changes(from)
            .whenComplete(
                (changes, failure) -> {
                  limit.cancel();
                  if (failure == null) {
                    heard(number, from, changes);
                  } else {
                    failed(number, failure);
                  }
                });
  }

  private CompletionStage<TagChanges> changes(long from) {
    try {
      return store.changes(namespace, from);
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
    return told.reason() == ServiceReason.INTERNAL ? failure.toString() : told.detail();
  }

  /** A fault in one answer must not be the end of all questions. */
  private void heard(long number, long from, TagChanges changes) {
    try {
      answered(number, from, changes);
    } catch (RuntimeException e) {
      failed(number, e);
    }
  }

  private void answered(long number, long from, TagChanges changes) {
    boolean more;
    boolean whole = false;
    synchronized (this) {
      if (number != asked || stopped) {
        return;
      }
      if (reading == null && hasLost(from, changes)) {
        reading = new ArrayList<>();
        revision = 0;
        more = true;
      } else {
        identity = changes.identity();
        take(changes);
        more = !changes.complete();
        whole = !more && !complete;
      }
    }
    if (whole) {
      makeDefault();
    } else {
      again(more ? 0 : EVERY_NANOS);
    }
  }

  /** Acknowledged writes are gone: those of tags may be among them. */
  private boolean hasLost(long from, TagChanges changes) {
    return changes.head() < from || !changes.identity().equals(identity);
  }

  private void take(TagChanges changes) {
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
      reading = null;
      directory.replaceBy(all);
    }
  }

  /** The first time, the tag that exists from the start is written where it never was. */
  private void makeDefault() {
    var unused =
        store
            .write(namespace, defaultRow, 0)
            .whenComplete(
                (reply, failure) -> {
                  if (failure != null) {
                    directory.setProblem(text(failure));
                    failed.accept(text(failure));
                    synchronized (this) {
                      reading = new ArrayList<>();
                      revision = 0;
                    }
                    beginAgain(failure);
                  } else {
                    begun(reply);
                  }
                });
  }

  private void begun(TagReply reply) {
    synchronized (this) {
      List<TagRow> all = reading == null ? new ArrayList<>() : new ArrayList<>(reading);
      if (reply instanceof TagReply.Written written) {
        all.add(written.row());
      }
      reading = null;
      complete = true;
      directory.replaceBy(all);
      directory.setProblem("");
    }
    first.complete(null);
    again(EVERY_NANOS);
  }

  private void again(long nanos) {
    scheduler.schedule(nanos, this::ask);
  }
}
