package dev.idgen.store.etcd;

import dev.idgen.store.IdempotencyEntry;
import io.etcd.jetcd.ByteSequence;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The names of all keys, below one prefix.
 *
 * <pre>
 * identity                      made with the first write
 * first-identity                what it was then, with the cluster's: written with it, and never again
 * namespace/{namespace}         one row
 * claims/{namespace}            rewritten by every claim that wins: claims come one after the other
 * worker/{namespace}/{id}       one row; the id in seven digits
 * alive/{namespace}/{id}        lasts as long as the holder has a connection: for people
 * mark/{namespace}/{tag}        one row: the high-water mark of a tag
 * residue/{namespace}           one row: which of several stores this one is
 * tag/{namespace}/{tag}         one row: what is set for a tag
 * tags/{namespace}              revision of the last write of such a row
 * idempotency/{namespace}/{caller}/{tag}/{key}           one row: what was answered under a key
 * idempotency-use/{namespace}/{caller}/{slot}            how many of the caller's there are
 * idempotency-end/{end}/{namespace}/{caller}/{tag}/{key} nothing: finds those that have expired
 * idempotency-of/{namespace}/{caller}/{end}/{tag}/{key}  nothing: finds those of one caller
 * </pre>
 *
 * Callers and keys as in a URL; ends in 19 digits.
 */
record Keys(String prefix) {

  ByteSequence identity() {
    return bytes(prefix + "/identity");
  }

  /**
   * The identity of a store.
   *
   * @param made with its first write
   */
  static String identityText(String made, long clusterId) {
    return made + "/" + Long.toHexString(clusterId);
  }

  ByteSequence firstIdentity() {
    return bytes(prefix + "/first-identity");
  }

  ByteSequence namespace(String namespace) {
    return bytes(prefix + "/namespace/" + namespace);
  }

  ByteSequence claims(String namespace) {
    return bytes(prefix + "/claims/" + namespace);
  }

  /** What the keys of all worker ids of a namespace begin with. */
  ByteSequence workers(String namespace) {
    return bytes(workersText(namespace));
  }

  ByteSequence worker(String namespace, int workerId) {
    return bytes(workersText(namespace) + digits(workerId));
  }

  ByteSequence alive(String namespace, int workerId) {
    return bytes(prefix + "/alive/" + namespace + "/" + digits(workerId));
  }

  /** What the keys of all marks of a namespace begin with. */
  ByteSequence marks(String namespace) {
    return bytes(prefix + "/mark/" + namespace + "/");
  }

  ByteSequence mark(String namespace, String tag) {
    return bytes(prefix + "/mark/" + namespace + "/" + tag);
  }

  /** How often the marks of a namespace were declared to have lost writes. */
  ByteSequence marksFence(String namespace) {
    return bytes(prefix + "/fence/" + namespace);
  }

  ByteSequence residue(String namespace) {
    return bytes(prefix + "/residue/" + namespace);
  }

  /** What the keys of all tags of a namespace begin with. */
  ByteSequence tags(String namespace) {
    return bytes(tagsText(namespace));
  }

  ByteSequence tag(String namespace, String tag) {
    return bytes(tagsText(namespace) + tag);
  }

  /** The tag of a key. */
  String tagOf(String namespace, ByteSequence key) {
    return text(key).substring(tagsText(namespace).length());
  }

  private String tagsText(String namespace) {
    return prefix + "/tag/" + namespace + "/";
  }

  /** The key of the last revision of a namespace's tags. */
  ByteSequence head(String namespace) {
    return bytes(prefix + "/tags/" + namespace);
  }

  ByteSequence idempotency(IdempotencyEntry entry) {
    return bytes(
        prefix + "/idempotency/" + callerText(entry) + "/" + entry.tag() + "/" + keyText(entry));
  }

  ByteSequence idempotencyUse(IdempotencyEntry entry, int slot) {
    return bytes(prefix + "/idempotency-use/" + callerText(entry) + "/" + slot);
  }

  ByteSequence idempotencyEnd(IdempotencyEntry entry, long endMillis) {
    return bytes(
        idempotencyEnds()
            + endDigits(endMillis)
            + "/"
            + callerText(entry)
            + "/"
            + entry.tag()
            + "/"
            + keyText(entry));
  }

  ByteSequence idempotencyOf(IdempotencyEntry entry, long endMillis) {
    return bytes(
        idempotencyOfs(entry) + endDigits(endMillis) + "/" + entry.tag() + "/" + keyText(entry));
  }

  /** What the ends of all entries begin with. */
  private String idempotencyEnds() {
    return prefix + "/idempotency-end/";
  }

  /** What the ends of a caller's entries begin with. */
  private String idempotencyOfs(IdempotencyEntry caller) {
    return prefix + "/idempotency-of/" + callerText(caller) + "/";
  }

  private String endsText(@Nullable IdempotencyEntry of) {
    return of == null ? idempotencyEnds() : idempotencyOfs(of);
  }

  /** Where the ends of entries begin, of a caller or of all. */
  ByteSequence firstEnd(@Nullable IdempotencyEntry of) {
    return bytes(endsText(of));
  }

  /** Where those begin that have not come at a time. */
  ByteSequence endAfter(@Nullable IdempotencyEntry of, long millis) {
    return bytes(endsText(of) + endDigits(millis + 1));
  }

  /**
   * Which entry an end is of, and when it is.
   *
   * @param of as it was looked for
   * @throws IllegalArgumentException the key is none of an end
   */
  End end(@Nullable IdempotencyEntry of, ByteSequence found) {
    String[] parts = text(found).substring(endsText(of).length()).split("/", -1);
    int expected = of == null ? 5 : 3;
    if (parts.length != expected) {
      throw new IllegalArgumentException(
          "end: " + parts.length + " parts (expected: " + expected + ")");
    }
    long millis = Long.parseLong(parts[0]);
    return of == null
        ? new End(
            new IdempotencyEntry(parts[1], decoded(parts[2]), parts[3], decoded(parts[4])), millis)
        : new End(
            new IdempotencyEntry(of.namespace(), of.caller(), parts[1], decoded(parts[2])), millis);
  }

  /** When an entry ends. */
  record End(IdempotencyEntry entry, long millis) {}

  private static String callerText(IdempotencyEntry entry) {
    return entry.namespace() + "/" + encoded(entry.caller());
  }

  private static String keyText(IdempotencyEntry entry) {
    return encoded(entry.key());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /** Sorts as the number does. */
  private static String endDigits(long millis) {
    return String.format(Locale.ROOT, "%019d", millis);
  }

  private static String digits(int workerId) {
    String digits = Integer.toString(workerId);
    return "0".repeat(7 - digits.length()) + digits;
  }

  private String workersText(String namespace) {
    return prefix + "/worker/" + namespace + "/";
  }

  static ByteSequence bytes(String text) {
    return ByteSequence.from(text, StandardCharsets.UTF_8);
  }

  static String text(ByteSequence bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
