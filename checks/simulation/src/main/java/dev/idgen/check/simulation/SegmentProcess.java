package dev.idgen.check.simulation;

import dev.idgen.store.StoreBreaker;
import dev.idgen.time.Scheduler;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.List;

/** One process with an engine for each tag and database. */
final class SegmentProcess extends AbstractProcess {
  private final World world;
  private final SegmentCluster cluster;
  private final SegmentNode node;
  private final TimeSource time;
  private final List<SegmentLink> links = new ArrayList<>(); // by database
  private final List<TagEngine> engines = new ArrayList<>();
  private boolean stopping;

  SegmentProcess(SegmentCluster cluster, SegmentNode node, int number) {
    super(cluster.world(), number);
    this.world = cluster.world();
    this.cluster = cluster;
    this.node = node;
    long boot = world.random().nextLong(-1L << 60, 1L << 60);
    this.time = new ProcessTime(world, cluster.clock(), boot);
    Scheduler scheduler = new ProcessScheduler(world, this);
    for (int database = 0; database < cluster.hosts().size(); database++) {
      SegmentLink link = new SegmentLink(cluster, this, database);
      StoreBreaker breaker = new StoreBreaker();
      links.add(link);
      for (SegmentTag tag : cluster.tags()) {
        Issuer issuer =
            tag.sequence()
                ? new SequenceIssuer(cluster, this, tag, link, breaker, scheduler)
                : new SegmentIssuer(cluster, this, tag, link, breaker, scheduler);
        engines.add(new TagEngine(cluster, this, tag, database, issuer));
      }
    }
    world.note(number, "start", node.number(), 0);
  }

  @Override
  void look() {}

  @Override
  String name() {
    return number() + " of node " + node.number();
  }

  TimeSource time() {
    return time;
  }

  List<TagEngine> engines() {
    return engines;
  }

  boolean stopping() {
    return stopping;
  }

  void cut(int database, boolean yes) {
    links.get(database).cut(yes);
  }

  /** Closes its engines, and ends a little later; callers go on coming meanwhile. */
  void stop(long lingerMs) {
    if (stopping) {
      return;
    }
    stopping = true;
    enter(
        () -> {
          world.note(number(), "stop", 0, 0);
          engines.forEach(TagEngine::close);
          world.inMillis(lingerMs, this::exit);
        });
  }

  private void exit() {
    engines.forEach(TagEngine::requireAnswers);
    end("exit");
  }

  void kill() {
    end("kill");
  }

  private void end(String how) {
    if (alive()) {
      world.note(number(), how, 0, 0);
      dead();
      node.ended(this);
      cluster.ended(this);
    }
  }
}
