package dev.idgen.check.simulation;

/** What befalls a call between a process and the store. Probabilities are per call. */
final class Network {
  double loseRequest;
  double loseReply;
  double repeat;
  double slow;
  double silent; // of what fails: nobody is told
  long fastestNanos = 50_000;
  long fastNanos = 3 * World.MILLI;
  long slowNanos = 1_000 * World.MILLI;
  long lateNanos = 10_000 * World.MILLI; // how late a repeated request may arrive
  long patienceNanos = 2_000 * World.MILLI; // until a driver gives up on a store that hangs

  private final World world;

  Network(World world) {
    this.world = world;
  }

  long delayNanos() {
    return world.chance(slow)
        ? world.scaled(fastNanos, Math.max(fastNanos + 1, slowNanos))
        : world.scaled(fastestNanos, fastNanos);
  }

  void heal() {
    loseRequest = 0;
    loseReply = 0;
    repeat = 0;
    slow = 0;
  }
}
