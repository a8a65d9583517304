package dev.idgen.server.service;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Issues ids that are texts, at once. Thread-safe. */
public non-sealed interface TextEngine extends TagEngine {

  /**
   * Takes one.
   *
   * @param content what the id is of; null: nothing was sent
   * @return ASCII that JSON takes as it is
   * @throws ServiceException the engine needs a content and there is none, or the other way round
   * @throws dev.idgen.IdException the clock cannot be used
   */
  String next(@Nullable Content content);

  /** The most that one request may take. */
  default int mostAtOnce() {
    return Integer.MAX_VALUE;
  }

  /**
   * Refuses a request that it cannot serve.
   *
   * @throws ServiceException as {@link #next(int, Content, String)}
   */
  default void requireSound(int count, @Nullable Content content) {
    if (count > mostAtOnce()) {
      throw new ServiceException(
          ServiceReason.INVALID_COUNT,
          "count: " + count + " (expected: 1.." + mostAtOnce() + " of " + kind().word() + ")");
    }
    requireContent(content);
  }

  /** Refuses a content where none belongs, and none where one does. */
  default void requireContent(@Nullable Content content) {
    requireNone(content, kind());
  }

  /** It needs nothing that could be away. */
  @Override
  default EngineHealth health() {
    return EngineHealth.WELL;
  }

  /**
   * What an id is to be made of.
   *
   * @param text any text; it is taken as UTF-8
   * @param namespace a UUID, or {@code dns}, {@code url}, {@code oid}, {@code x500}; null: the
   *     tag's
   */
  record Content(String text, @Nullable String namespace) {}

  /** Refuses a content where none belongs. */
  static void requireNone(@Nullable Content content, EngineKind kind) {
    if (content != null) {
      throw new ServiceException(
          ServiceReason.INVALID_BODY,
          "content: given (expected: none; ids of the engine " + kind.word() + " are of none)");
    }
  }

  /**
   * Takes some.
   *
   * @param count 1 or more
   * @param prefix before each
   * @throws ServiceException as {@link #next}; also if they are more than one request may take
   */
  default List<String> next(int count, @Nullable Content content, String prefix) {
    requireSound(count, content);
    String[] texts = new String[count];
    for (int i = 0; i < count; i++) {
      texts[i] = prefix + next(content);
    }
    return List.of(texts);
  }
}
