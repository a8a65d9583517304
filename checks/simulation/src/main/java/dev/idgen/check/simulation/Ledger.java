package dev.idgen.check.simulation;

import dev.idgen.IdBatch;
import dev.idgen.IdRun;
import dev.idgen.layout.Layout;
import java.util.ArrayList;
import java.util.List;

/** The judge: everything that was ever issued in the namespace, and what must hold of it. */
final class Ledger {
  private final World world;
  private final Layout layout;
  private final List<String> owners = new ArrayList<>();
  private final IdTable ids = new IdTable();
  private final Grants grants;
  private long endedTick = -1; // of ids issued by processes that are known to have ended
  private long refusals;

  Ledger(World world, Layout layout) {
    this.world = world;
    this.layout = layout;
    this.grants = new Grants(world);
  }

  Layout layout() {
    return layout;
  }

  Grants grants() {
    return grants;
  }

  /** A new process. Its number names it from here on. */
  int enter(String owner) {
    owners.add(owner);
    return owners.size() - 1;
  }

  int enterCount() {
    return owners.size();
  }

  String owner(int process) {
    return process + " (" + owners.get(process) + ")";
  }

  /** Ids that a caller got. */
  void issued(int process, IdBatch batch, long above) {
    long last = above;
    for (IdRun run : batch.runs()) {
      for (int i = 0; i < run.count(); i++) {
        last = issued(process, run.get(i), last);
      }
    }
  }

  /**
   * One id that a caller got.
   *
   * @param above an id that the process had issued before this one was asked for
   * @return the id
   */
  long issued(int process, long id, long above) {
    if (!layout.fits(id)) {
      throw world.fail("id: " + id + " (expected: one of layout " + layout + ")");
    }
    int before = ids.add(id, process, world.nowNanos());
    if (before >= 0) {
      throw world.fail(
          "id: "
              + id
              + " "
              + layout.decode(id)
              + " issued twice: by process "
              + owner(ids.ownerAt(before))
              + " at "
              + ids.nanosAt(before) / 1e6
              + " ms and by process "
              + owner(process)
              + " at "
              + world.nowNanos() / 1e6
              + " ms");
    }
    if (id <= above && layout.timeOrdered()) {
      throw world.fail(
          "id: " + id + " of process " + owner(process) + " (expected: > " + above + ")");
    }
    return id;
  }

  void refused() {
    refusals++;
  }

  /** A process is gone for good, and everybody on its machine may know it. */
  void ended(long lastId) {
    if (lastId >= 0) {
      endedTick = Math.max(endedTick, layout.tickOf(lastId));
    }
  }

  long endedTick() {
    return endedTick;
  }

  int issued() {
    return ids.size();
  }

  long refusals() {
    return refusals;
  }
}
