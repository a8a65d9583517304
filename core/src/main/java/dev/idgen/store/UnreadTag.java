package dev.idgen.store;

/**
 * A tag's row that makes no sense to this version: a newer one has written it, or a hand. The tag
 * alone is concerned. A value.
 *
 * @param tag its name, by its key in the store: perhaps one that no tag can have
 * @param revision of the namespace when it was written; 0: that cannot be read either
 * @param why where it is, name, value, expected
 */
public record UnreadTag(String tag, long revision, String why) {}
