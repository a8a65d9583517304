package dev.idgen.segment;

import dev.idgen.IdBatch;
import dev.idgen.IdGenerator;
import dev.idgen.IdRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Issues the ids of a segment engine in no order between threads: each thread takes blocks of up to
 * {@value #SIZE} ids and counts through its own, without an atomic step. Thread-safe.
 *
 * <p><b>Only within one thread do ids rise.</b> Of two threads the one that asks later may get the
 * lower id, by any distance, even where it was told to ask by the other one: whoever sorts, pages
 * or cuts by id must not use this, and stay with the engine. No id is issued twice, and a raised
 * floor holds here as it does there.
 *
 * <p>For threads that stay and take much. Each thread that ever took holds up to {@value #SIZE}
 * ids; when it ends, the next thread that comes goes on with them. A thread for each request, as
 * with virtual ones, gains nothing, and takes longer the more there are at a time.
 */
public final class ThreadBlocks implements IdGenerator {
  /** How many ids a thread takes at a time, fewer where a segment ends. */
  public static final int SIZE = 64;

  private static final int NEAR = 64; // a power of two

  private final SegmentEngine engine;

  /** Where threads find their blocks. One for each generator: a thread has a block in each. */
  @SuppressWarnings("ThreadLocalUsage")
  private final ThreadLocal<Block> own = ThreadLocal.withInitial(this::begin);

  /**
   * Where most find them sooner: at their number. Races are benign: who finds another's block, or
   * nobody's, looks where it always is.
   */
  private final Block[] near = new Block[NEAR];

  /** As many as there ever were threads at a time; guarded by this. */
  private final List<Block> blocks = new ArrayList<>();

  private boolean closed; // guarded by this

  /**
   * Blocks of an engine. Others may take from the engine itself, in its order.
   *
   * @param engine closed with this
   */
  public ThreadBlocks(SegmentEngine engine) {
    this.engine = engine;
    Arrays.fill(near, new Block(null));
  }

  // ---- whose block

  private Block block() {
    Thread thread = Thread.currentThread();
    Block found = near[place(thread)];
    return found.isOf(thread) ? found : own.get();
  }

  private static int place(Thread thread) {
    return (int) thread.getId() & (NEAR - 1);
  }

  /** Takes the near place, unless a living thread has it: two would drive each other out. */
  private void settle(Block block) {
    int place = place(Thread.currentThread());
    if (near[place] != block && near[place].orphaned()) {
      near[place] = block;
    }
  }

  /** A thread's first: it goes on with what a thread that has ended left, if there is one. */
  private synchronized Block begin() {
    Thread thread = Thread.currentThread();
    for (int i = 0; i < blocks.size(); i++) {
      Block block = blocks.get(i);
      if (block.orphaned()) {
        Block adopted = new Block(thread, block);
        blocks.set(i, adopted);
        return adopted;
      }
    }
    Block fresh = new Block(thread);
    blocks.add(fresh);
    return fresh;
  }

  // ---- taking

  @Override
  public long next() {
    return next(block());
  }

  private long next(Block block) {
    long left = block.left();
    long id = block.first(left);
    if (left == 0 || id <= engine.lastGone()) { // linearization point: no floor was above it then
      return nextElsewhere(block);
    }
    block.leave(left - 1);
    return id;
  }

  /** A floor was raised, or the block is used up. */
  private long nextElsewhere(Block block) {
    drop(block);
    if (block.left() == 0) {
      engine.take(block, SIZE);
      settle(block);
    }
    return block.take();
  }

  /** Gives up what a floor has passed, or all of it after a close. */
  private void drop(Block block) {
    long gone = engine.lastGone();
    if (!block.holds(gone)) {
      return;
    }
    long told;
    synchronized (this) { // told once: here, or by whoever closes
      long dropped = block.dropUpTo(gone);
      told = closed ? 0 : dropped;
    }
    engine.waste(told);
  }

  @Override
  public void fill(long[] into) {
    if (into.length == 0) {
      return;
    }
    Block block = block();
    fill(into, block);
    while (isGone(into[0])) { // a floor was raised while the rest was waited for
      engine.waste(into.length);
      fill(into, block);
    }
  }

  private boolean isGone(long id) {
    return id <= engine.lastGone();
  }

  private void fill(long[] into, Block block) {
    int at = 0;
    while (at < into.length && (block.left() > 0 || into.length - at < SIZE)) {
      into[at] = next(block);
      at++;
    }
    if (at < into.length) {
      engine.fill(into, at); // above the block, which is used up
    }
  }

  @Override
  public IdBatch nextBatch(int count) {
    SegmentEngine.requireCount(count);
    Block block = block();
    IdBatch batch = nextBatch(count, block);
    while (isGone(batch.runs().get(0).first())) { // as above
      engine.waste(count);
      batch = nextBatch(count, block);
    }
    return batch;
  }

  private IdBatch nextBatch(int count, Block block) {
    drop(block);
    List<IdRun> runs = new ArrayList<>(2);
    int wanted = count;
    while (wanted > 0) {
      if (block.left() == 0 && wanted >= SIZE) {
        runs.addAll(engine.nextBatch(wanted).runs());
        break;
      }
      if (block.left() == 0) {
        engine.take(block, SIZE);
      }
      IdRun run = block.takeRun(wanted);
      runs.add(run);
      wanted -= run.count();
    }
    return new IdBatch(runs);
  }

  // ---- from outside

  /**
   * Throws away what the engine and the blocks hold below a floor that an administrator has set in
   * the store; the engine's own {@link SegmentEngine#raiseTo} does the same. What blocks held is
   * told as waste when their threads ask next.
   *
   * @param id no take that begins after this gives one below
   */
  public void raiseTo(long id) {
    engine.raiseTo(id);
  }

  /**
   * Issues nothing more, and closes the engine. What was left in it and in blocks becomes a gap,
   * and is told as waste; an id that is being taken at that moment may be counted with it.
   */
  @Override
  public void close() {
    engine.close(); // from here on no block gives an id
    long left = 0;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      for (Block block : blocks) {
        left += block.left();
      }
      blocks.clear();
    }
    engine.waste(left);
  }
}
