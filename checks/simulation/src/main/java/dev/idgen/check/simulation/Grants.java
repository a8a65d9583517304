package dev.idgen.check.simulation;

import dev.idgen.layout.Layout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which ticks of which worker id were ever any engine's own: the stronger form of "no id twice",
 * since it sees a cell that two engines might have issued even if neither did.
 */
final class Grants {
  private final World world;
  private final Map<Integer, List<Grant>> byWorker = new HashMap<>();
  private final Set<Integer> ended = new HashSet<>(); // processes
  private @Nullable Layout calm;

  Grants(World world) {
    this.world = world;
  }

  /** From here on every clock is healthy and the store forgets nothing. */
  void calm(Layout layout) {
    calm = layout;
  }

  void ended(int process) {
    ended.add(process);
  }

  /** One lease of one engine; {@code endTick} moves. */
  static final class Grant {
    final int process;
    final List<Integer> workerIds;
    final long fromTick;
    long endTick;
    boolean open = true;

    private Grant(int process, List<Integer> workerIds, long fromTick, long endTick) {
      this.process = process;
      this.workerIds = workerIds;
      this.fromTick = fromTick;
      this.endTick = endTick;
    }

    @Override
    public String toString() {
      return "process " + process + " ticks [" + fromTick + ", " + endTick + ")";
    }
  }

  Grant begin(int process, List<Integer> workerIds, long fromTick, long endTick) {
    Grant grant = new Grant(process, workerIds, fromTick, endTick);
    requireAlone(grant, fromTick);
    requireNotHandedOnWhileHeld(grant);
    for (int workerId : workerIds) {
      byWorker.computeIfAbsent(workerId, w -> new ArrayList<>()).add(grant);
    }
    return grant;
  }

  void raise(Grant grant, long endTick) {
    long before = grant.endTick;
    if (endTick < before) {
      throw world.fail(
          "horizon of " + grant + " fell to " + endTick + " (expected: it only rises)");
    }
    grant.endTick = endTick;
    requireAlone(grant, Math.max(grant.fromTick, before));
  }

  void end(Grant grant, long endTick) {
    grant.open = false;
    grant.endTick = Math.max(grant.fromTick, Math.min(grant.endTick, endTick));
  }

  private void requireAlone(Grant grant, long fromTick) {
    for (int workerId : grant.workerIds) {
      Grant other = overlapping(workerId, grant, fromTick);
      if (other != null) {
        throw world.fail(
            "worker id "
                + workerId
                + ": granted twice: "
                + other
                + " and "
                + grant
                + " (expected: no cell twice)");
      }
    }
  }

  /** No id is at stake, but a live owner loses its worker id for nothing. */
  private void requireNotHandedOnWhileHeld(Grant grant) {
    if (calm == null) {
      return;
    }
    for (int workerId : grant.workerIds) {
      for (Grant other : byWorker.getOrDefault(workerId, List.of())) {
        boolean held = other.process != grant.process && !ended.contains(other.process);
        boolean after = grant.fromTick >= other.endTick;
        if (held && after && other.open && calm.startMillis(other.endTick) > world.trueMillis()) {
          throw world.fail(
              "worker id "
                  + workerId
                  + ": handed on to "
                  + grant
                  + " (expected: held by "
                  + other
                  + ", whose horizon has not passed)");
        }
      }
    }
  }

  private @Nullable Grant overlapping(int workerId, Grant grant, long fromTick) {
    if (fromTick >= grant.endTick) {
      return null;
    }
    for (Grant other : byWorker.getOrDefault(workerId, List.of())) {
      boolean some = other.fromTick < other.endTick;
      if (other != grant && some && other.fromTick < grant.endTick && fromTick < other.endTick) {
        return other;
      }
    }
    return null;
  }
}
