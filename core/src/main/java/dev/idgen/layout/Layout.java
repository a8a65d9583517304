package dev.idgen.layout;

import dev.idgen.layout.Field.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bits of a time-based id: its fields from the most significant bit down, the length of a tick
 * and the epoch.
 *
 * <p>The fields fill 63 bits, so that ids are positive; 53 where a JavaScript number must hold
 * them; or all 64, for ids of other systems that are only read. A value; immutable, so any thread
 * may use it.
 */
public final class Layout {
  /** 2024-01-01T00:00:00Z: the epoch unless another one is set. */
  public static final long DEFAULT_EPOCH_MILLIS = 1704067200000L;

  private static final long YEAR_MILLIS = 31_557_600_000L; // a Julian year

  private final List<Field> whole; // the worker field unsplit
  private final List<Field> fields; // as shown: region and worker apart
  private final int totalBits;
  private final int timeBits;
  private final int workerBits;
  private final int regionBits;
  private final int sequenceBits;
  private final int versionBits;
  private final int version;
  private final int timeShift;
  private final int workerShift;
  private final int sequenceShift;
  private final long tickMillis;
  private final long epochMillis;
  private final long maxTick;
  private final int maxWorker;
  private final long maxSequence;
  private final long fixedBits;
  private final long fixedMask; // the bits that are the same in all ids of the layout
  private final String text;

  /** Takes over what the builder found free of faults. */
  Layout(LayoutDraft draft) {
    whole = draft.place();
    totalBits = draft.totalBits();
    tickMillis = draft.tickMillis;
    epochMillis = draft.epochMillis;
    regionBits = draft.regionBits;
    version = draft.version;
    timeBits = bits(Kind.TIME);
    workerBits = bits(Kind.WORKER);
    sequenceBits = bits(Kind.SEQUENCE);
    versionBits = bits(Kind.VERSION);
    timeShift = shift(Kind.TIME);
    workerShift = shift(Kind.WORKER);
    sequenceShift = shift(Kind.SEQUENCE);
    maxTick = ones(timeBits);
    maxWorker = (int) ones(workerBits);
    maxSequence = ones(sequenceBits);
    fixedBits = (long) version << shift(Kind.VERSION);
    fixedMask = ~ones(totalBits - versionBits);
    fields = split();
    text = LayoutText.describe(this);
  }

  /** A builder without fields: 1 ms ticks from {@link #DEFAULT_EPOCH_MILLIS}, 63 bits. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * A layout of three widths, time/worker/sequence, or of named ones, with the default tick and
   * epoch.
   *
   * @param fields such as {@code 41/10/12} or {@code worker10/time41/sequence12}
   * @throws IllegalArgumentException every fault at once
   */
  public static Layout of(String fields) {
    return builder().fields(fields).build();
  }

  /**
   * Reads what {@link #describe} wrote.
   *
   * @throws IllegalArgumentException the text is not the one text of a valid layout
   */
  public static Layout parse(String text) {
    return LayoutText.parse(text);
  }

  /** How many bits the time has. */
  public int timeBits() {
    return timeBits;
  }

  /** How many bits the worker id has, region included. */
  public int workerBits() {
    return workerBits;
  }

  /** How many upper bits of the worker id are the region. */
  public int regionBits() {
    return regionBits;
  }

  /** How many bits the sequence has. */
  public int sequenceBits() {
    return sequenceBits;
  }

  /** How many bits the version has; 0 where there is none. */
  public int versionBits() {
    return versionBits;
  }

  /** The number that all ids have in their version field; 0 where there is none. */
  public int version() {
    return version;
  }

  /** How many bits the fields fill: 63, 53 or 64. */
  public int totalBits() {
    return totalBits;
  }

  /** How long a tick is, in milliseconds. */
  public long tickMillis() {
    return tickMillis;
  }

  /** When tick 0 begins, in milliseconds since 1970. */
  public long epochMillis() {
    return epochMillis;
  }

  /** The last tick that fits. */
  public long maxTick() {
    return maxTick;
  }

  /** The largest worker id that fits. */
  public int maxWorker() {
    return maxWorker;
  }

  /** The largest sequence that fits. */
  public long maxSequence() {
    return maxSequence;
  }

  /** How many bits lie below the time. */
  public int timeShift() {
    return timeShift;
  }

  /** How many bits lie below the worker id; 0 where it has no bits. */
  public int workerShift() {
    return workerShift;
  }

  /** How many bits lie below the sequence; 0 where it has no bits. */
  public int sequenceShift() {
    return sequenceShift;
  }

  /** The bits that every id has set: the version in its place. */
  public long fixedBits() {
    return fixedBits;
  }

  /**
   * Puts an id together.
   *
   * @param tick 0..maxTick
   * @param worker 0..maxWorker, region included
   * @param sequence 0..maxSequence
   * @throws IllegalArgumentException a value does not fit its field; no field spills into another
   */
  public long encode(long tick, int worker, long sequence) {
    check("tick", tick, maxTick);
    check("workerId", worker, maxWorker);
    check("sequence", sequence, maxSequence);
    return fixedBits | tick << timeShift | (long) worker << workerShift | sequence << sequenceShift;
  }

  /** Whether an id is one that this layout can express. */
  public boolean fits(long id) {
    return (id & fixedMask) == fixedBits;
  }

  /**
   * Takes an id apart.
   *
   * @throws IllegalArgumentException the id is none of this layout
   */
  public IdFields decode(long id) {
    long tick = tickOf(id);
    return new IdFields(
        id,
        Instant.ofEpochMilli(startMillis(tick)),
        tick,
        workerOf(id),
        regionOf(id),
        localWorkerOf(id),
        sequenceOf(id),
        version);
  }

  /**
   * The tick in an id.
   *
   * @throws IllegalArgumentException the id is none of this layout
   */
  public long tickOf(long id) {
    return own(id) >>> timeShift & maxTick;
  }

  /**
   * The worker id in an id, region included.
   *
   * @throws IllegalArgumentException the id is none of this layout
   */
  public int workerOf(long id) {
    return (int) (own(id) >>> workerShift) & maxWorker;
  }

  /**
   * The region in an id; 0 where the layout has none.
   *
   * @throws IllegalArgumentException the id is none of this layout
   */
  public int regionOf(long id) {
    return workerOf(id) >>> (workerBits - regionBits);
  }

  /**
   * The worker id in an id, without the region.
   *
   * @throws IllegalArgumentException the id is none of this layout
   */
  public int localWorkerOf(long id) {
    return workerOf(id) & (int) ones(workerBits - regionBits);
  }

  /**
   * The sequence in an id.
   *
   * @throws IllegalArgumentException the id is none of this layout
   */
  public long sequenceOf(long id) {
    return own(id) >>> sequenceShift & maxSequence;
  }

  /**
   * When the tick in an id began.
   *
   * @throws IllegalArgumentException the id is none of this layout
   */
  public Instant timeOf(long id) {
    return Instant.ofEpochMilli(startMillis(tickOf(id)));
  }

  /**
   * The tick that a moment lies in: negative before the epoch, and above {@link #maxTick} past the
   * end.
   *
   * @param wallMillis milliseconds since 1970, not below -2^62
   */
  public long tickAt(long wallMillis) {
    long sinceEpoch = wallMillis - epochMillis;
    return tickMillis == 1 ? sinceEpoch : Math.floorDiv(sinceEpoch, tickMillis);
  }

  /**
   * When a tick begins, in milliseconds since 1970.
   *
   * @param tick any from -2^53 to 2^53; it need not fit
   */
  public long startMillis(long tick) {
    return epochMillis + tick * tickMillis;
  }

  /** The first moment that the layout cannot express. */
  public Instant end() {
    return Instant.ofEpochMilli(startMillis(maxTick + 1));
  }

  /** All ids that the layout can express. */
  public IdRange idRange() {
    return new IdRange(fixedBits, fixedBits | ~fixedMask);
  }

  /**
   * The ids of a time window: exactly those whose {@link #timeOf} is in {@code [from, to)}, for
   * paging by id and for scanning a primary key by time.
   *
   * @param from start of the window; before the epoch it means the epoch
   * @param toExclusive end of the window; past the end of the layout it means the end
   * @throws IllegalArgumentException {@code from} is after {@code toExclusive}
   * @throws IllegalStateException time is not the layout's top field, so the ids of a window are
   *     spread over many ranges
   */
  public IdRange idRange(Instant from, Instant toExclusive) {
    if (from.isAfter(toExclusive)) {
      throw new IllegalArgumentException("from: " + from + " (expected: <= " + toExclusive + ")");
    }
    if (!timeOrdered()) {
      throw new IllegalStateException(
          "layout: "
              + name()
              + " (expected: time first, for only then are the ids of a time window one range)");
    }
    long first = firstTickFrom(from);
    long end = firstTickFrom(toExclusive);
    return first == end ? IdRange.EMPTY : new IdRange(firstOf(first), lastOf(end - 1));
  }

  /**
   * How many ids a number of workers can issue in a second.
   *
   * @param workers 1..maxWorker+1
   */
  public double idsPerSecond(int workers) {
    if (workers < 1 || workers > maxWorker + 1L) {
      throw new IllegalArgumentException(
          "workers: " + workers + " (expected: 1.." + (maxWorker + 1L) + ")");
    }
    return workers * (maxSequence + 1.0) * (1000.0 / tickMillis);
  }

  /** Whether a later tick always means a larger id: nothing but the version lies above the time. */
  public boolean timeOrdered() {
    return timeShift + timeBits + versionBits == totalBits;
  }

  /**
   * Whether ids of several worker ids in one tick can rise: time above worker above sequence.
   * Otherwise a process that holds several cannot keep its ids in order.
   */
  public boolean workersOrdered() {
    return timeOrdered() && (workerBits == 0 || workerShift >= sequenceShift + sequenceBits);
  }

  /** Whether ids may be issued: not where they fill all 64 bits and can turn negative. */
  public boolean issuable() {
    return totalBits < Long.SIZE;
  }

  /** The fields from the most significant down, region and worker apart. None is empty. */
  public List<Field> fields() {
    return fields;
  }

  /**
   * The fields alone, for people: {@code 41/10/12} where they are time, worker and sequence in this
   * order, else with their names, as in {@code worker10/time41/sequence12}.
   */
  public String name() {
    return LayoutText.name(this);
  }

  /**
   * The whole layout as its one text, such as {@code
   * time41,worker10(region5),sequence12;tick=1;epoch=1704067200000}. Two layouts are equal just
   * when these texts are. {@link #parse} reads it back.
   */
  public String describe() {
    return text;
  }

  /**
   * Refuses to start with a layout whose time has not begun, or that ends in less than a year.
   *
   * @param nowMillis the present, in milliseconds since 1970
   * @return this layout
   * @throws IllegalArgumentException every fault at once
   */
  public Layout checkedForStart(long nowMillis) {
    return checkedForStart(nowMillis, 1);
  }

  /**
   * Refuses to start with a layout whose time has not begun, or that ends too soon, or whose ids
   * are only for reading.
   *
   * @param nowMillis the present, in milliseconds since 1970
   * @param minYearsLeft years that must be left, 0 or more
   * @return this layout
   * @throws IllegalArgumentException every fault at once
   */
  public Layout checkedForStart(long nowMillis, int minYearsLeft) {
    Faults faults = new Faults();
    if (minYearsLeft < 0) {
      faults.add("minYearsLeft", minYearsLeft, ">= 0");
    }
    if (!issuable()) {
      faults.add("layout", text, "63 bits or 53: ids of 64 bits are only for reading");
    }
    if (epochMillis > nowMillis) {
      faults.add("epochMillis", epochMillis, "<= " + nowMillis + ", which is now");
    }
    long endMillis = startMillis(maxTick + 1);
    if (endMillis - nowMillis < minYearsLeft * YEAR_MILLIS) {
      String left = minYearsLeft + (minYearsLeft == 1 ? " year" : " years");
      faults.add("end", end(), "at least " + left + " after " + Instant.ofEpochMilli(nowMillis));
    }
    faults.throwIfAny();
    return this;
  }

  /**
   * Refuses to go on in a namespace under another layout than the one that its ids were issued
   * with.
   *
   * @param stored the layout kept with the namespace
   * @return this layout
   * @throws IllegalArgumentException every difference at once
   */
  public Layout checkedAgainst(Layout stored) {
    Faults faults = new Faults();
    if (!name().equals(stored.name()) || totalBits != stored.totalBits) {
      faults.add("layout", name(), stored.name() + ", as stored");
    }
    if (tickMillis != stored.tickMillis) {
      faults.add("tickMillis", tickMillis, stored.tickMillis + ", as stored");
    }
    if (epochMillis != stored.epochMillis) {
      faults.add("epochMillis", epochMillis, stored.epochMillis + ", as stored");
    }
    faults.throwIfAny();
    return this;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Layout that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** The same as {@link #describe}. */
  @Override
  public String toString() {
    return text;
  }

  /** The fields with the worker field in one piece. */
  List<Field> whole() {
    return whole;
  }

  private long own(long id) {
    if ((id & fixedMask) != fixedBits) {
      IdRange all = idRange();
      throw new IllegalArgumentException(
          "id: "
              + (issuable() ? Long.toString(id) : Long.toUnsignedString(id))
              + " (expected: "
              + Long.toUnsignedString(all.first())
              + ".."
              + Long.toUnsignedString(all.lastInclusive())
              + ")");
    }
    return id;
  }

  /** The first tick that begins at a moment or later, held within 0..maxTick+1. */
  private long firstTickFrom(Instant moment) {
    if (!moment.isAfter(Instant.ofEpochMilli(epochMillis))) {
      return 0;
    }
    if (!moment.isBefore(end())) {
      return maxTick + 1;
    }
    long floorMillis = moment.toEpochMilli();
    boolean past = moment.isAfter(Instant.ofEpochMilli(floorMillis));
    return tickAt(floorMillis + (past ? 1 : 0) + tickMillis - 1);
  }

  private long firstOf(long tick) {
    return fixedBits | tick << timeShift;
  }

  private long lastOf(long tick) {
    return firstOf(tick) | ones(timeShift);
  }

  private List<Field> split() {
    List<Field> shown = new ArrayList<>();
    for (Field field : whole) {
      if (field.kind() != Kind.WORKER || regionBits == 0) {
        shown.add(field);
        continue;
      }
      int localBits = workerBits - regionBits;
      shown.add(new Field(Kind.REGION, regionBits, workerShift + localBits));
      if (localBits > 0) {
        shown.add(new Field(Kind.WORKER, localBits, workerShift));
      }
    }
    return List.copyOf(shown);
  }

  private int bits(Kind kind) {
    for (Field field : whole) {
      if (field.kind() == kind) {
        return field.bits();
      }
    }
    return 0;
  }

  private int shift(Kind kind) {
    for (Field field : whole) {
      if (field.kind() == kind) {
        return field.shift();
      }
    }
    return 0;
  }

  private static void check(String name, long value, long max) {
    if (value < 0 || value > max) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: 0.." + max + ")");
    }
  }

  private static long ones(int bits) {
    return bits == Long.SIZE ? -1 : (1L << bits) - 1;
  }

  /**
   * Puts a layout together. Fields are appended from the most significant bit down, in any order,
   * each at most once; a field left out has no bits. Not thread-safe.
   */
  public static final class Builder {
    private final LayoutDraft draft = new LayoutDraft();

    private Builder() {}

    /**
     * Appends a fixed number, so that ids of a later layout lie above all ids of an earlier one.
     * Only at the top.
     *
     * @param bits 1..16
     * @param value 0..2^bits-1
     */
    public Builder version(int bits, int value) {
      draft.append(Kind.VERSION, bits);
      draft.version = value;
      return this;
    }

    /**
     * Appends the ticks since the epoch. Every layout has them.
     *
     * @param bits at most 52, and enough for a year
     */
    public Builder time(int bits) {
      draft.append(Kind.TIME, bits);
      return this;
    }

    /**
     * Appends the worker id.
     *
     * @param bits 0..31; with 0 there is only worker 0
     */
    public Builder worker(int bits) {
      draft.append(Kind.WORKER, bits);
      return this;
    }

    /**
     * Appends a worker id whose upper bits are the region, for display and for handing worker ids
     * out.
     *
     * @param regionBits upper part, 0 or more
     * @param localBits lower part, 0 or more; both together at most 31
     */
    public Builder worker(int regionBits, int localBits) {
      draft.append(Kind.WORKER, regionBits, localBits);
      return regionBits(regionBits);
    }

    /**
     * Splits the region off the worker field, wherever that is.
     *
     * @param bits 0..the bits of the worker field
     */
    public Builder regionBits(int bits) {
      draft.regionBits = bits;
      return this;
    }

    /**
     * Appends the number that tells the ids of one worker and tick apart.
     *
     * @param bits 0..31; with 0 there is one id per worker and tick
     */
    public Builder sequence(int bits) {
      draft.append(Kind.SEQUENCE, bits);
      return this;
    }

    /**
     * Appends several fields: three widths are time, worker and sequence; otherwise each has its
     * name.
     *
     * @param text such as {@code 41/10/12}, {@code time39/sequence8/worker16}, {@code
     *     version2=1/time39/worker10(region5)/sequence12}
     * @throws IllegalArgumentException the text is none of these
     */
    public Builder fields(String text) {
      LayoutText.appendTo(this, text, '/');
      return this;
    }

    /**
     * Sets the length of a tick.
     *
     * @param millis 1, 10 or 1000; 1 unless set
     */
    public Builder tickMillis(long millis) {
      draft.tickMillis = millis;
      return this;
    }

    /**
     * Sets when tick 0 begins.
     *
     * @param millis milliseconds since 1970, to the year 9999; {@link #DEFAULT_EPOCH_MILLIS} unless
     *     set
     */
    public Builder epochMillis(long millis) {
      draft.epochMillis = millis;
      return this;
    }

    /** The fields must fill 53 bits, so that a JavaScript number holds every id exactly. */
    public Builder javascriptSafe() {
      draft.javascriptSafe = true;
      return this;
    }

    /** The fields fill all 64 bits: ids of another system, to be read and never issued. */
    public Builder unsigned() {
      draft.unsigned = true;
      return this;
    }

    /**
     * The layout.
     *
     * @throws IllegalArgumentException it does not hold; every fault at once
     */
    public Layout build() {
      draft.check();
      return new Layout(draft);
    }
  }
}
