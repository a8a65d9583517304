package dev.idgen.store;

/**
 * A tag's row. Never deleted.
 *
 * @param maxId the high-water mark: no id up to it is given again; only rises
 * @param floor no later id is below; only rises
 * @param identity the store at the last write
 * @param fence the namespace's at the last write
 * @param version counts the writes
 * @param removed a tombstone
 */
public record SegmentRow(
    long maxId, long floor, String identity, long fence, long version, boolean removed) {}
