package dev.idgen.store.etcd;

import io.etcd.jetcd.ByteSequence;
import java.nio.charset.StandardCharsets;

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
 * </pre>
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

  private String tagsText(String namespace) {
    return prefix + "/tag/" + namespace + "/";
  }

  /** The key of the last revision of a namespace's tags. */
  ByteSequence head(String namespace) {
    return bytes(prefix + "/tags/" + namespace);
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
