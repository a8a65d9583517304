package dev.idgen.store.etcd;

import dev.idgen.entropy.Entropy;
import dev.idgen.store.RowText;
import dev.idgen.store.StoreException;
import dev.idgen.store.TagChanges;
import dev.idgen.store.TagReply;
import dev.idgen.store.TagRow;
import dev.idgen.store.TagRules;
import dev.idgen.store.TagStore;
import dev.idgen.store.UnreadTag;
import dev.idgen.store.etcd.Session.Change;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What is set for tags, in etcd, one key for each tag, over one client on one thread. Thread-safe.
 *
 * <p>Every write also writes the key {@code tags} of its namespace, which holds the last revision,
 * and compares it: so writes of a namespace come one after the other, and who reads at one revision
 * of the cluster sees each of them with all that came before. Revisions are the namespace's own,
 * not the cluster's, which go back when a backup is put in place of what there was.
 */
public final class EtcdTagStore implements TagStore {
  // The order of the answers.
  private static final int HEAD = 0;
  private static final int TAG = 1;

  private final Session session;
  private final Keys keys;

  private EtcdTagStore(Session session) {
    this.session = session;
    this.keys = session.keys();
  }

  /**
   * Opens the store of an etcd cluster, and gives it an identity if it has none.
   *
   * @param url as for {@link EtcdWorkerStore#open}
   * @throws IllegalArgumentException it is no such address
   * @throws StoreException the cluster cannot be used: the message says what to do
   */
  public static EtcdTagStore open(String url) {
    return new EtcdTagStore(Session.open(Session.parse(url), Entropy.operatingSystem(), () -> {}));
  }

  @Override
  public CompletionStage<@Nullable TagRow> read(String namespace, String tag) {
    List<ByteSequence> read = List.of(keys.tag(namespace, tag));
    return session
        .run(
            "read tag",
            () ->
                Optional.ofNullable(
                    session.read("read tag", Session.gets(read)).one(0, text -> rowOf(tag, text))))
        .thenApply(row -> row.orElse(null));
  }

  @Override
  public CompletionStage<TagReply> write(String namespace, TagRow next, long knownVersion) {
    return transact(
        namespace,
        next.tag(),
        (current, revision) -> TagRules.write(current, next, knownVersion, revision));
  }

  /** Decides a write. */
  interface Rule {
    /**
     * Decides it from the row as it is, if there is one.
     *
     * @param revision the next one of the namespace
     */
    TagReply apply(@Nullable TagRow current, long revision);
  }

  /**
   * Reads, decides and writes.
   *
   * @param rule asked again when something has changed meanwhile
   */
  CompletionStage<TagReply> transact(String namespace, String tag, Rule rule) {
    List<ByteSequence> read = List.of(keys.head(namespace), keys.tag(namespace, tag));
    return session.run(
        "write tag",
        () -> session.transact("write tag", read, found -> change(found, read, tag, rule)));
  }

  private static Change<TagReply> change(
      Found found, List<ByteSequence> read, String tag, Rule rule) {
    long revision = head(found) + 1;
    TagReply reply = rule.apply(found.one(TAG, text -> rowOf(tag, text)), revision);
    return reply instanceof TagReply.Written written
        ? new Change<>(
            reply,
            found.unchanged(read),
            List.of(
                Session.put(read.get(HEAD), Long.toString(revision)),
                Session.put(read.get(TAG), RowText.of(written.row()))))
        : Change.none(reply);
  }

  /** The last revision of a namespace; 0: nothing was ever written. */
  private static long head(Found found) {
    Long head = found.one(HEAD, Long::valueOf);
    return head == null ? 0 : head;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Where something has changed, all tags of the namespace are read: etcd cannot look for
   * revisions that are not its own.
   */
  @Override
  public CompletionStage<TagChanges> changes(String namespace, long revision) {
    return session.run("read tags", () -> changed(namespace, revision));
  }

  private TagChanges changed(String namespace, long revision) {
    Found found =
        session.read(
            "read tags",
            Session.gets(
                List.of(
                    keys.head(namespace), keys.namespace(namespace), keys.marksFence(namespace))));
    long head = head(found);
    List<TagRow> later = new ArrayList<>();
    List<UnreadTag> unread = new ArrayList<>();
    if (head > revision) {
      session.readAll(
          "read tags",
          found,
          keys.tags(namespace),
          value -> {
            TagRow row = row(namespace, value, unread);
            if (row != null && row.revision() > revision) {
              later.add(row);
            }
          });
      later.sort(Comparator.comparingLong(TagRow::revision));
    }
    boolean complete = later.size() <= PAGE;
    String identity = found.identity() + "/" + EtcdSegmentStore.fence(found, HEAD + 1, HEAD + 2);
    return new TagChanges(
        identity, head, complete ? later : later.subList(0, PAGE), unread, complete);
  }

  /**
   * What a key says.
   *
   * @param unread gets the tag of one that makes no sense, of an unknown revision
   * @return null: it makes none
   */
  private @Nullable TagRow row(String namespace, KeyValue value, List<UnreadTag> unread) {
    String tag = keys.tagOf(namespace, value.getKey());
    try {
      return Found.read(value, text -> rowOf(tag, text));
    } catch (StoreException e) {
      unread.add(new UnreadTag(tag, 0, String.valueOf(e.getMessage())));
      return null;
    }
  }

  /** A copy under another key is not the other tag's row. */
  private static TagRow rowOf(String tag, String text) {
    TagRow row = RowText.tag(text);
    if (!row.tag().equals(tag)) {
      throw new IllegalArgumentException("tag: " + row.tag() + " (expected: " + tag + ")");
    }
    return row;
  }

  @Override
  public void close() {
    session.close();
  }
}
