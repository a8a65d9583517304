package dev.idgen.store.etcd;

import dev.idgen.store.StoreException;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What was read at one revision, and when each key was last written. A value.
 *
 * @param identity which store answered: changes when acknowledged writes may be gone
 * @param clusterId its cluster
 * @param revision of the cluster when it was read
 * @param identityRevision in which the store got its identity
 * @param answers to what was asked for, in that order
 */
record Found(
    String identity,
    long clusterId,
    long revision,
    long identityRevision,
    List<GetResponse> answers) {

  /**
   * What a transaction read that asked for the store's identity first.
   *
   * @return null: the store has no identity
   */
  static @Nullable Found of(TxnResponse response) {
    List<GetResponse> answers = response.getGetResponses();
    List<KeyValue> identity = answers.get(0).getKvs();
    if (identity.isEmpty()) {
      return null;
    }
    long clusterId = response.getHeader().getClusterId();
    return new Found(
        Keys.identityText(Keys.text(identity.get(0).getValue()), clusterId),
        clusterId,
        response.getHeader().getRevision(),
        identity.get(0).getModRevision(),
        answers.subList(1, answers.size()));
  }

  /** The keys of an answer. */
  List<KeyValue> all(int answer) {
    return answers.get(answer).getKvs();
  }

  /**
   * What the one key of an answer says.
   *
   * @return null: it is not there
   * @throws StoreException it does not say what it should; permanent
   */
  <T> @Nullable T one(int answer, Function<String, T> reader) {
    List<KeyValue> values = all(answer);
    return values.isEmpty() ? null : read(values.get(0), reader);
  }

  /** In which revision the one key of an answer was last written; 0: it is not there. */
  long revision(int answer) {
    List<KeyValue> values = all(answer);
    return values.isEmpty() ? 0 : values.get(0).getModRevision();
  }

  /**
   * That no key has changed, or come.
   *
   * @param keys the one of each answer, from the first on
   */
  List<Cmp> unchanged(List<ByteSequence> keys) {
    List<Cmp> unchanged = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      unchanged.add(Session.unchanged(keys.get(i), revision(i)));
    }
    return unchanged;
  }

  /**
   * What a key says.
   *
   * @throws StoreException it does not say what it should; permanent
   */
  static <T> T read(KeyValue value, Function<String, T> reader) {
    try {
      return reader.apply(Keys.text(value.getValue()));
    } catch (IllegalArgumentException e) {
      throw StoreException.permanent(
              Session.KIND + ": key " + Keys.text(value.getKey()) + ": " + e.getMessage(), e)
          .ofRow();
    }
  }
}
