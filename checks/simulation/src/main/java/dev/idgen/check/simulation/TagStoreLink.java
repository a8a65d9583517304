package dev.idgen.check.simulation;

import dev.idgen.store.StoreException;
import dev.idgen.store.TagChanges;
import dev.idgen.store.TagReply;
import dev.idgen.store.TagRow;
import dev.idgen.store.TagStore;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The store of tags as one server reaches it, and whether it did lately. */
final class TagStoreLink implements TagStore {
  /** An answer that takes longer may keep a server from hearing in time. */
  private static final long SOON_NANOS = 250 * World.MILLI;

  private final World world;
  private final TagHost host;
  private final Link<TagStore> questions; // whose answers may never come
  private final Link<TagStore> orders; // whose failures a driver tells
  private long askedNanos = -1; // of the question that has no answer yet; -1: none
  private long troubleNanos; // when the last trouble ended
  private int answering; // the primary that answered the last question

  TagStoreLink(TagCluster cluster, TagServer server) {
    this.world = cluster.world();
    this.host = cluster.tags();
    this.questions = new Link<>(world, cluster.following(), host, server);
    this.orders = new Link<>(world, cluster.steady(), host, server);
    this.troubleNanos = world.nowNanos();
  }

  void cut(boolean yes) {
    questions.cut(yes);
    orders.cut(yes);
  }

  /** Something keeps the server from hearing in time. */
  void trouble() {
    troubleNanos = world.nowNanos();
  }

  /** Whether the server knows that the present primary is the one that answers. */
  boolean knowsThePrimary() {
    return answering == host.generation();
  }

  /** Whether every question since a time was answered soon. */
  boolean isWellSince(long nanos) {
    boolean waits = askedNanos >= 0 && world.nowNanos() - askedNanos > SOON_NANOS;
    return !waits && troubleNanos <= nanos;
  }

  @Override
  public CompletionStage<@Nullable TagRow> read(String namespace, String tag) {
    return call(orders, "read tag", store -> store.read(namespace, tag), row -> {});
  }

  @Override
  public CompletionStage<TagReply> write(String namespace, TagRow next, long knownVersion) {
    return watched(
        call(
            orders,
            "write tag",
            store -> store.write(namespace, next, knownVersion),
            reply -> {
              if (reply instanceof TagReply.Written written) {
                host.wrote(written.row());
              }
            }));
  }

  @Override
  public CompletionStage<TagChanges> changes(String namespace, long revision) {
    if (askedNanos >= 0) {
      trouble(); // the one before was given up
    }
    askedNanos = world.nowNanos();
    return watched(
        call(questions, "read tags", store -> store.changes(namespace, revision), changes -> {})
            .whenComplete(
                (changes, failure) -> {
                  askedNanos = -1;
                  if (failure == null) {
                    answering = host.generation();
                  }
                }));
  }

  private <R> CompletionStage<R> watched(CompletionStage<R> stage) {
    long begun = world.nowNanos();
    return stage.whenComplete(
        (reply, failure) -> {
          if (failure != null || world.nowNanos() - begun > SOON_NANOS) {
            trouble();
          }
        });
  }

  /** A connection ends with the primary that it led to. */
  private <R extends @Nullable Object> CompletionStage<R> call(
      Link<TagStore> link,
      String name,
      Function<TagStore, CompletionStage<R>> operation,
      Consumer<R> applied) {
    AtomicInteger to = new AtomicInteger();
    return link.<R>call(
            name,
            store -> {
              to.set(host.generation());
              return operation.apply(store);
            },
            applied)
        .thenApply(
            reply -> {
              if (to.get() != host.generation()) {
                throw StoreException.unknown("simulated: connection lost: " + name);
              }
              return reply;
            });
  }

  @Override
  public void close() {}
}
