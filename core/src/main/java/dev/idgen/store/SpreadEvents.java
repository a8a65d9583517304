package dev.idgen.store;

/**
 * What happens to the databases behind a {@link SpreadSegmentStore}, for logs. Called on whatever
 * thread it happens on, without a lock; must not block.
 */
public interface SpreadEvents {

  /** Listens to nothing. */
  SpreadEvents NONE = new SpreadEvents() {};

  /** A database failed, or is not the one it should be. */
  default void databaseFailed(String why) {}

  /**
   * A database has another identity, or its fence was raised: acknowledged writes may be gone, and
   * each of its tags leaves a gap out. A late answer of the one before tells so once more.
   *
   * @param number of the database, from 0 on
   * @param before its identity and fence
   * @param now the same
   */
  default void identityChanged(int number, String before, String now) {}
}
