package dev.idgen.store;

import java.nio.charset.StandardCharsets;

/**
 * What is set for a tag, shared by all processes of a namespace. Never deleted. A value.
 *
 * @param tag its name: 1..64 of {@code A-Za-z0-9._-}, the first a letter or digit
 * @param engine the word of what issues its ids: {@code snowflake}, {@code segment} and so on
 * @param text the word of how its ids are written: {@code decimal} and so on
 * @param prefix before each text; may be empty
 * @param start the first id of a tag that is new, 0 or more
 * @param maximum no id above, start or more
 * @param step ids of a first fetch, stepMin..stepMax
 * @param stepMin fewest ids of a fetch, 1 or more
 * @param stepMax most ids of a fetch
 * @param critical whether it may try a store that has just failed, before others may
 * @param ratePerSecond ids that a process may issue in a second; 0: no limit
 * @param burst ids that may be issued at once, beyond the rate; 0: as many as the rate
 * @param owner whom to ask about it, at most 128 characters; may be empty
 * @param description at most 128 characters; may be empty
 * @param floor no later id is below: an administrator has raised it; only rises
 * @param version counts the writes, from 1 on; goes on when a removed tag is made again
 * @param revision of the namespace when it was written: tells the order of writes
 * @param removed a tombstone
 * @param createdMillis when it was made, in milliseconds since 1970
 * @param updatedMillis when it was last written
 */
public record TagRow(
    String tag,
    String engine,
    String text,
    String prefix,
    long start,
    long maximum,
    long step,
    long stepMin,
    long stepMax,
    boolean critical,
    long ratePerSecond,
    long burst,
    String owner,
    String description,
    long floor,
    long version,
    long revision,
    boolean removed,
    long createdMillis,
    long updatedMillis) {

  /** The most characters of a free text. */
  public static final int MAX_TEXT = 128;

  /** The highest step: sums of some of them are numbers, too. */
  public static final long MAX_STEP = Long.MAX_VALUE / 4;

  /** Refuses what no tag can have. */
  public TagRow {
    requireName(tag);
    require("start", start, 0, Long.MAX_VALUE);
    require("maximum", maximum, start, Long.MAX_VALUE);
    require("stepMin", stepMin, 1, MAX_STEP);
    require("stepMax", stepMax, stepMin, MAX_STEP);
    require("step", step, stepMin, stepMax);
    require("ratePerSecond", ratePerSecond, 0, Long.MAX_VALUE);
    require("burst", burst, 0, Long.MAX_VALUE);
    require("floor", floor, 0, Long.MAX_VALUE);
    requireText("prefix", prefix);
    requireText("owner", owner);
    requireText("description", description);
  }

  private static void requireName(String tag) {
    if (!tag.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
      throw new IllegalArgumentException(
          "tag: " + tag + " (expected: 1 to 64 of A-Z a-z 0-9 . _ -, the first a letter or digit)");
    }
  }

  private static void require(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + ": " + value + " (expected: " + min + ".." + max + ")");
    }
  }

  private static void requireText(String name, String value) {
    if (value.length() > MAX_TEXT) {
      throw new IllegalArgumentException(
          name + ": " + value.length() + " characters (expected: at most " + MAX_TEXT + ")");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
      throw new IllegalArgumentException(
          name + ": half a character (expected: text that UTF-8 can carry)");
    }
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) < ' ' || value.charAt(i) == 0x7f) {
        throw new IllegalArgumentException(
            name + ": a control character at " + i + " (expected: a line of text)");
      }
    }
  }

  /** The same as written by a store. */
  TagRow written(long newVersion, long newRevision) {
    return with(tag, floor, newVersion, newRevision, removed, createdMillis, updatedMillis);
  }

  /** The same with another time of its last write. */
  public TagRow updatedAt(long millis) {
    return with(tag, floor, version, revision, removed, createdMillis, millis);
  }

  /** A tombstone of it. */
  public TagRow removedAt(long millis) {
    return with(tag, floor, version, revision, true, createdMillis, millis);
  }

  /** The same with a floor that is not below its own. */
  public TagRow raisedTo(long id, long millis) {
    return with(tag, Math.max(floor, id), version, revision, removed, createdMillis, millis);
  }

  /** The same settings under another name, for a tag that is made now. */
  public TagRow named(String name, long millis) {
    return with(name, 0, 0, 0, false, millis, millis);
  }

  /** The same settings for a tag that was there before, and is made again. */
  public TagRow succeeding(TagRow tombstone, long millis) {
    return with(
        tombstone.tag,
        tombstone.floor,
        tombstone.version,
        tombstone.revision,
        false,
        millis,
        millis);
  }

  private TagRow with(
      String name,
      long newFloor,
      long newVersion,
      long newRevision,
      boolean tombstone,
      long created,
      long updated) {
    return new TagRow(
        name,
        engine,
        text,
        prefix,
        start,
        maximum,
        step,
        stepMin,
        stepMax,
        critical,
        ratePerSecond,
        burst,
        owner,
        description,
        newFloor,
        newVersion,
        newRevision,
        tombstone,
        created,
        updated);
  }
}
