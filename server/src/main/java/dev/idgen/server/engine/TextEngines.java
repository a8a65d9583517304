package dev.idgen.server.engine;

import dev.idgen.entropy.Entropy;
import dev.idgen.server.service.EngineKind;
import dev.idgen.server.service.TextEngine;
import dev.idgen.time.TimeSource;
import dev.idgen.uuid.RandomText;
import dev.idgen.uuid.UlidGenerator;
import dev.idgen.uuid.UuidV4;
import dev.idgen.uuid.UuidV7;
import dev.idgen.uuid.Uuids;

/** The engines of texts; all tags share them but those of contents. Thread-safe. */
public final class TextEngines {
  private final TextEngine uuidV7;
  private final TextEngine uuidV4 =
      new GeneratedTextEngine(EngineKind.UUIDV4, () -> Uuids.print(UuidV4.next()));
  private final TextEngine ulid;
  private final TextEngine random = new GeneratedTextEngine(EngineKind.RANDOM, RandomText::next);

  /** Engines that begin now. */
  public TextEngines(TimeSource time) {
    UuidV7 inOrder = new UuidV7(time, Entropy.secure());
    UlidGenerator ulids = new UlidGenerator(time, Entropy.secure());
    this.uuidV7 = new GeneratedTextEngine(EngineKind.UUIDV7, () -> Uuids.print(inOrder.take()));
    this.ulid = new GeneratedTextEngine(EngineKind.ULID, ulids::takeText);
  }

  /**
   * The engine of a tag.
   *
   * @param kind one whose ids are texts
   */
  public TextEngine of(EngineKind kind, String tag) {
    return switch (kind) {
      case UUIDV7 -> uuidV7;
      case UUIDV4 -> uuidV4;
      case ULID -> ulid;
      case RANDOM -> random;
      case CONTENT -> new ContentEngine(tag);
      case SNOWFLAKE, SEGMENT, SEQUENCE ->
          throw new IllegalArgumentException("kind: " + kind + " (expected: one of texts)");
    };
  }
}
