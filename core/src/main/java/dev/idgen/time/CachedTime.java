package dev.idgen.time;

/**
 * A wall clock that is read ahead of its readers. While it is read often, a timer keeps a copy,
 * about a millisecond old; at rest there is no timer, and each reading is the clock's own.
 */
final class CachedTime implements TimeSource {
  /** The one of this machine, whose thread lives only while it is needed first. */
  static final CachedTime INSTANCE =
      new CachedTime(SystemTime.INSTANCE, Scheduler.daemon("idgen-clock"));

  private static final long PERIOD_NANOS = 1_000_000;
  private static final int BUSY_READS = 64; // this many in one millisecond start the timer
  private static final int IDLE_PERIODS = 32; // this many without a reading stop it
  private static final long NONE = Long.MIN_VALUE;

  private final TimeSource source;
  private final Scheduler scheduler;

  /** A reading while the timer runs, else NONE. Written under the lock alone. */
  private volatile long copy = NONE;

  /** Whether the copy was read since the timer last looked. */
  private volatile boolean read;

  /** These two are racy, but benign: a count that is lost starts the timer a little later. */
  private long busyMillis;

  private int busyReads;

  private int idlePeriods; // only the timer

  CachedTime(TimeSource source, Scheduler scheduler) {
    this.source = source;
    this.scheduler = scheduler;
  }

  @Override
  public long wallMillis() {
    long known = copy;
    if (known == NONE) {
      return readSource();
    }
    if (!read) {
      read = true;
    }
    return known;
  }

  private long readSource() {
    long now = source.wallMillis();
    if (now != busyMillis) {
      busyMillis = now;
      busyReads = 0;
    }
    busyReads++;
    if (busyReads >= BUSY_READS) {
      start();
    }
    return now;
  }

  private synchronized void start() {
    if (copy == NONE) {
      idlePeriods = 0;
      busyReads = 0;
      copy = source.wallMillis();
      scheduler.schedule(PERIOD_NANOS, this::tick);
    }
  }

  private synchronized void tick() {
    idlePeriods = read ? 0 : idlePeriods + 1;
    read = false;
    if (idlePeriods >= IDLE_PERIODS) {
      copy = NONE;
      return;
    }
    copy = source.wallMillis();
    scheduler.schedule(PERIOD_NANOS, this::tick);
  }

  @Override
  public long monotonicNanos() {
    return source.monotonicNanos();
  }

  @Override
  public void pause(long nanos) {
    source.pause(nanos);
  }

  @Override
  public long nanosUntil(long wallMillis) {
    return source.nanosUntil(wallMillis);
  }
}
