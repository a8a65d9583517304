package dev.idgen.server.service;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The engines that a tag can choose. */
public enum EngineKind {
  /** Time, worker id and sequence; no store is asked. */
  SNOWFLAKE,
  /** Short numbers from segments that are leased ahead. */
  SEGMENT,
  /** Short numbers in the order of real time over all servers; each call asks the store. */
  SEQUENCE,
  /** UUIDs in the order of time: RFC 9562, version 7. */
  UUIDV7,
  /** Random UUIDs. */
  UUIDV4,
  /** 26 characters in the order of time. */
  ULID,
  /** Random characters. */
  RANDOM,
  /** The UUID of a content: the same one for the same content, RFC 9562, version 5. */
  CONTENT;

  private final String word = name().toLowerCase(Locale.ROOT);

  /** Its word on the wire and in the store. */
  public String word() {
    return word;
  }

  /** Whether its ids are 64-bit numbers; others are texts. */
  public boolean numbers() {
    return this == SNOWFLAKE || marked();
  }

  /** Whether the store keeps a high-water mark for each of its tags. */
  public boolean marked() {
    return this == SEGMENT || this == SEQUENCE;
  }

  /**
   * The engine of a word.
   *
   * @return null: there is none
   */
  public static @Nullable EngineKind of(String word) {
    for (EngineKind kind : values()) {
      if (kind.word().equals(word)) {
        return kind;
      }
    }
    return null;
  }

  /** All words, for messages. */
  static String words() {
    return Arrays.stream(values()).map(EngineKind::word).collect(Collectors.joining(", "));
  }
}
