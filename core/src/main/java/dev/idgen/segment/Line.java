package dev.idgen.segment;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Takes that wait, in the order of their coming. While there is one, nothing is held, or not what
 * it needs: ids that follow one another. Guarded by the {@link Stock} they wait for.
 */
final class Line {
  static final int MOST = 10_000;

  private final Set<Waiter> waiters = new LinkedHashSet<>();

  boolean isEmpty() {
    return waiters.isEmpty();
  }

  boolean isFull() {
    return waiters.size() >= MOST;
  }

  int size() {
    return waiters.size();
  }

  void add(Waiter waiter) {
    waiters.add(waiter);
  }

  /** Whether it was in line. */
  boolean remove(Waiter waiter) {
    return waiters.remove(waiter);
  }

  /** Sends all away, to be told why. */
  List<Waiter> clear() {
    List<Waiter> all = List.copyOf(waiters);
    waiters.clear();
    return all;
  }

  /** How many ids they want together, counted up to a limit. */
  long demand(long most) {
    long sum = 0;
    for (Waiter waiter : waiters) {
      sum += waiter.wanted();
      if (sum >= most) {
        return most;
      }
    }
    return sum;
  }

  /** Wants others for those that they have below a floor. */
  long dropBelow(long floor) {
    long dropped = 0;
    for (Waiter waiter : waiters) {
      dropped += waiter.dropBelow(floor);
    }
    return dropped;
  }

  /**
   * In the order of their coming, before anybody who comes now can take. Whose ids have to follow
   * one another and are not all there waits on, and keeps nobody behind it waiting.
   *
   * @param fresh a segment that nobody else can reach yet
   * @param held nobody gets what is held any more once somebody got higher ids
   * @param served becomes those who have all they want
   * @return how many ids were passed over
   */
  long serve(Segment fresh, Stock held, List<Waiter> served) {
    long passed = 0;
    Iterator<Waiter> line = waiters.iterator();
    while (line.hasNext() && fresh.left() > 0) {
      Waiter waiter = line.next();
      waiter.takeFrom(fresh);
      if (waiter.wanted() == 0) {
        line.remove();
        served.add(waiter);
        passed += held.drop(); // else somebody would get lower ones after it
      }
    }
    return passed;
  }
}
