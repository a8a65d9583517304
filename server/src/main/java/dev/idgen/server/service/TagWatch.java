package dev.idgen.server.service;

import dev.idgen.store.StoreException;
import dev.idgen.store.TagChanges;
import dev.idgen.store.TagReply;
import dev.idgen.store.TagRow;
import dev.idgen.store.TagStore;
import dev.idgen.store.UnreadTag;
import dev.idgen.time.Scheduler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Asks the store every two seconds which tags were written, and tells the directory: a change is
 * known to every server within five seconds while the store answers. While it does not, the tags
 * are those that were known. A row that cannot be read concerns its tag alone; while there is one,
 * everything is read again every half a minute, since a hand that mends it may tell no revision.
 * Thread-safe.
 */
public final class TagWatch {
  private static final long EVERY_NANOS = 2_000_000_000L;
  private static final long SOON_NANOS = 500_000_000L; // until everything was read once
  private static final long ANSWER_NANOS = 10_000_000_000L; // more than drivers take to give up
  private static final int QUESTIONS = 15; // until unread rows are looked at again

  private final String namespace;
  private final TagStore store;
  private final TagDirectory directory;
  private final TagRow defaultRow;
  private final Scheduler scheduler;
  private final WatchEvents events;
  private final CompletableFuture<Void> first = new CompletableFuture<>();

  // All below: guarded by this.
  private long asked; // number of the last question: the answer of an earlier one is not heard
  private long revision; // up to which everything is known
  private String identity = "";
  private @Nullable List<TagRow> reading; // all rows so far, while everything is read again
  private final Map<String, UnreadTag> unread = new HashMap<>(); // by tag, since then
  private int questions; // since all was read while some were unread
  private boolean complete; // everything was read once
  private boolean stopped;

  /**
   * A watch that has not begun.
   *
   * @param defaultRow of the tag that exists from the start
   * @param scheduler of whoever stops the watch before it
   * @param events hears why the store did not answer, and that it is another one
   */
  public TagWatch(
      String namespace,
      TagStore store,
      TagDirectory directory,
      TagRow defaultRow,
      Scheduler scheduler,
      WatchEvents events) {
    this.namespace = namespace;
    this.store = store;
    this.directory = directory;
    this.defaultRow = defaultRow;
    this.scheduler = scheduler;
    this.events = events;
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
    long known; // to the directory, which hears of this server's own writes at once
    synchronized (this) {
      if (stopped) {
        return;
      }
      if (reading == null && !unread.isEmpty() && ++questions >= QUESTIONS) {
        readAll(identity);
      }
      from = revision;
      known = reading == null ? Math.max(from, directory.lastRevision()) : from;
    }
    await(() -> store.changes(namespace, from), (number, changes) -> heard(number, known, changes));
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
    events.readFailed(why);
    if (begun) {
      again(EVERY_NANOS);
    } else {
      beginAgain(failure);
    }
  }

  /** Before all was read once; what no repetition mends ends the start. */
  private void beginAgain(Throwable failure) {
    boolean lasts =
        cause(failure) instanceof StoreException refusal
            && refusal.permanent()
            && !refusal.concernsRow();
    if (lasts) {
      first.completeExceptionally(cause(failure));
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

  private void heard(long number, long known, TagChanges changes) {
    String before;
    boolean lost;
    synchronized (this) {
      if (isOver(number)) {
        return;
      }
      before = state(identity, known);
      lost = hasLost(known, changes);
      if (lost) {
        readAll(changes.identity());
        directory.forgetRevisions();
      }
    }
    if (lost) {
      events.storeChanged(before, state(changes.identity(), changes.head()));
      again(0);
    } else {
      take(number, changes);
    }
  }

  private synchronized boolean isOver(long number) {
    return number != asked || stopped;
  }

  private static String state(String identity, long revision) {
    return "identity " + identity + ", revision " + revision;
  }

  /** From the first revision on. */
  private synchronized void readAll(String of) {
    identity = of;
    revision = 0;
    reading = new ArrayList<>();
    unread.clear();
    questions = 0;
    directory.beginReading();
  }

  /**
   * Acknowledged writes are gone: those of tags may be among them. Held against each page, since a
   * store may be failed over between two.
   */
  private boolean hasLost(long known, TagChanges changes) {
    boolean another = !identity.isEmpty() && !changes.identity().equals(identity);
    return another || changes.head() < known;
  }

  private void take(long number, TagChanges changes) {
    boolean whole;
    boolean unreadDefault;
    synchronized (this) {
      if (isOver(number)) {
        return;
      }
      take(changes);
      whole = changes.complete() && !complete;
      unreadDefault = unread.containsKey(defaultRow.tag());
    }
    if (!whole) {
      again(changes.complete() ? EVERY_NANOS : 0);
    } else if (unreadDefault) {
      known(number, null); // it is there, and cannot be replaced
    } else {
      await(() -> store.write(namespace, defaultRow, 0), this::made);
    }
  }

  private synchronized void take(TagChanges changes) {
    identity = changes.identity();
    for (TagRow row : changes.rows()) {
      revision = Math.max(revision, row.revision());
      unread.remove(row.tag());
    }
    for (UnreadTag tag : changes.unread()) {
      revision = Math.max(revision, tag.revision());
      unread.put(tag.tag(), tag);
    }
    List<TagRow> all = reading;
    if (all == null) {
      changes.rows().forEach(directory::apply);
      changes.unread().forEach(directory::applyUnread);
      return;
    }
    all.addAll(changes.rows());
    if (changes.complete() && complete) {
      directory.replaceBy(all, unread.values());
      reading = null;
    }
  }

  /** The tag that exists from the start was written, the first time, where it never was. */
  private void made(long number, TagReply reply) {
    known(number, rowOf(reply)); // ours, or that of a server that began at the same time
  }

  /** All tags, for the first time. */
  private void known(long number, @Nullable TagRow made) {
    synchronized (this) {
      if (isOver(number)) {
        return;
      }
      List<TagRow> all = reading == null ? new ArrayList<>() : new ArrayList<>(reading);
      if (made != null) {
        all.add(made);
      }
      directory.replaceBy(all, unread.values());
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
