package dev.idgen.server.service;

import dev.idgen.IdBatch;
import dev.idgen.IdRun;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a request got: numbers or texts of one tag. Immutable. */
public final class Issued {
  private final Tag tag;
  private final long first;
  private final @Nullable IdBatch batch; // null: first alone
  private final @Nullable List<String> texts; // null: numbers

  private Issued(Tag tag, long first, @Nullable IdBatch batch, @Nullable List<String> texts) {
    this.tag = tag;
    this.first = first;
    this.batch = batch;
    this.texts = texts;
  }

  /** One number. */
  public static Issued of(Tag tag, long id) {
    return new Issued(tag, id, null, null);
  }

  /** Numbers. */
  public static Issued of(Tag tag, IdBatch batch) {
    return new Issued(tag, batch.runs().get(0).first(), batch, null);
  }

  /**
   * Texts.
   *
   * @param texts with the tag's prefix; at least one
   */
  public static Issued of(Tag tag, List<String> texts) {
    return new Issued(tag, 0, null, List.copyOf(texts));
  }

  /** Whose ids they are. */
  public Tag tag() {
    return tag;
  }

  /** Whether they are 64-bit numbers. */
  public boolean numbers() {
    return texts == null;
  }

  /** Whether it is one number, {@link #first}. */
  public boolean isOneNumber() {
    return texts == null && batch == null;
  }

  /** The first number; 0 where they are texts. */
  public long first() {
    return first;
  }

  /** How many. */
  public long count() {
    return texts != null ? texts.size() : batch != null ? batch.count() : 1;
  }

  /**
   * The numbers, in issuing order.
   *
   * @return none where they are texts
   */
  public List<IdRun> runs() {
    if (texts != null) {
      return List.of();
    }
    return batch != null ? batch.runs() : List.of(new IdRun(first, 1, 1));
  }

  /** The ids of an engine of texts; none where they are numbers. */
  public List<String> texts() {
    return texts == null ? List.of() : texts;
  }
}
