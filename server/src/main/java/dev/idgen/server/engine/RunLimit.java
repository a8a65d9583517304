package dev.idgen.server.engine;

import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;

/**
 * Which ids of a tag can follow one another. A value.
 *
 * @param modulus how many databases and regions share the tag's ids
 * @param stepMax most of them in one call
 */
record RunLimit(int modulus, long stepMax) {

  /**
   * Refuses what there cannot be.
   *
   * @throws ServiceException nothing was taken
   */
  void require(int count) {
    if (modulus != 1) {
      throw new ServiceException(
          ServiceReason.ENGINE_MISMATCH,
          "tag: its ids are "
              + modulus
              + " apart (expected: a tag of one database and region: only their ids follow one"
              + " another)");
    }
    if (count > stepMax) {
      throw new ServiceException(
          ServiceReason.INVALID_COUNT,
          "count: " + count + " (expected: 1.." + stepMax + ", the stepMax of the tag)");
    }
  }
}
