package dev.idgen.check.simulation;

import java.util.Arrays;

/** Which process issued an id, and when: an open hash table, since a run issues many thousands. */
final class IdTable {
  private static final long EMPTY = -1;

  private long[] ids = new long[1 << 12];
  private int[] owners = new int[1 << 12];
  private long[] times = new long[1 << 12];
  private int size;

  IdTable() {
    Arrays.fill(ids, EMPTY);
  }

  /**
   * Adds an id.
   *
   * @return where it was already, or -1
   */
  int add(long id, int owner, long nanos) {
    if (size * 2 >= ids.length) {
      grow();
    }
    int i = place(id);
    if (ids[i] == id) {
      return i;
    }
    put(i, id, owner, nanos);
    size++;
    return -1;
  }

  private int place(long id) {
    int mask = ids.length - 1;
    int i = (int) ((id * 0x9E3779B97F4A7C15L) >>> 32) & mask;
    while (ids[i] != EMPTY && ids[i] != id) {
      i = (i + 1) & mask;
    }
    return i;
  }

  private void put(int i, long id, int owner, long nanos) {
    ids[i] = id;
    owners[i] = owner;
    times[i] = nanos;
  }

  private void grow() {
    long[] oldIds = ids;
    int[] oldOwners = owners;
    long[] oldTimes = times;
    ids = new long[oldIds.length * 2];
    owners = new int[ids.length];
    times = new long[ids.length];
    Arrays.fill(ids, EMPTY);
    for (int i = 0; i < oldIds.length; i++) {
      if (oldIds[i] != EMPTY) {
        put(place(oldIds[i]), oldIds[i], oldOwners[i], oldTimes[i]);
      }
    }
  }

  int ownerAt(int place) {
    return owners[place];
  }

  long nanosAt(int place) {
    return times[place];
  }

  int size() {
    return size;
  }
}
