package dev.idgen.snowflake;

import java.util.ArrayList;
import java.util.List;

/** Remembers what an engine told. */
final class EventLog implements EngineEvents {
  final List<String> lines = new ArrayList<>();

  @Override
  public void clockRolledBack(long byMs) {
    lines.add("rollback " + byMs);
  }

  @Override
  public void clockLeapt(long byMs) {
    lines.add("leap");
  }

  @Override
  public void clockTrusted() {
    lines.add("trusted");
  }

  @Override
  public void leaseGained(int workerId, long generation) {
    lines.add("gained " + workerId + "/" + generation);
  }

  @Override
  public void leaseLost(int workerId, long generation, String why) {
    lines.add("lost " + workerId + "/" + generation);
  }

  @Override
  public void leaseReleased(int workerId, long generation) {
    lines.add("released " + workerId + "/" + generation);
  }

  @Override
  public void storeClockJumped(long byMs) {
    lines.add("store jumped");
  }

  @Override
  public void clockApart(long byMs) {
    lines.add("apart");
  }

  @Override
  public void storeChanged(String before, String now) {
    lines.add("store " + before + " -> " + now);
  }

  int count(String line) {
    return (int) lines.stream().filter(line::equals).count();
  }
}
