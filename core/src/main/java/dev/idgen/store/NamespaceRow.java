package dev.idgen.store;

/**
 * What a store keeps once for a whole cluster. Never deleted.
 *
 * @param layout {@code Layout.describe()} of every id of this namespace; never changes
 * @param identity the store that this namespace was last seen on
 * @param fence how often an operator has declared acknowledged writes lost
 * @param floorMillis no claim starts below this, in milliseconds since 1970; only rises
 * @param reachMs furthest that any holder may have written above the store's clock: the largest
 *     {@link LeaseTerms#floorDelayMs} that was ever seen here; only rises. It cannot know of a
 *     longer window whose first claim a failover has lost: lengthen windows while nothing fails
 *     over
 * @param createdAtMillis store time of the first claim
 */
public record NamespaceRow(
    String layout,
    String identity,
    long fence,
    long floorMillis,
    long reachMs,
    long createdAtMillis) {}
