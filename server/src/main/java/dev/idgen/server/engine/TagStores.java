package dev.idgen.server.engine;

import dev.idgen.store.SegmentStore;
import dev.idgen.store.TagStore;
import java.util.List;
import java.util.function.Supplier;

/**
 * Opens what tags and their marks are kept in. May block.
 *
 * @param tags opens the store of tags
 * @param segments open the databases of marks, in their order
 */
public record TagStores(Supplier<TagStore> tags, List<Database> segments) {

  /**
   * One database of marks.
   *
   * @param kind for messages
   * @param opener opens it
   */
  public record Database(String kind, Supplier<SegmentStore> opener) {}
}
