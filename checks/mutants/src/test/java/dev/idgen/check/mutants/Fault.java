package dev.idgen.check.mutants;

import java.util.List;

/**
 * One planted fault: what is replaced by what in the sources of engines or server, and which check
 * has to find it.
 */
enum Fault {
  HORIZON_UNCHECKED_AFTER_RESERVING(
      Finder.WALK,
      edit(
          "snowflake/Lease",
          "return last < 0 || last > lastPlace ? DROPPED : p;",
          "return last < 0 ? DROPPED : p;")),
  HORIZON_UNCHECKED(
      Finder.WALK,
      edit("snowflake/Lease", "if (base > lastPlace) {", "if (base < 0) {"),
      edit("snowflake/Lease", "Math.min(first + span, lastPlace)", "first + span"),
      edit(
          "snowflake/Lease",
          "return last < 0 || last > lastPlace ? DROPPED : p;",
          "return last < 0 ? DROPPED : p;")),
  SHORT_TAKE_UNCHECKED_AFTER_RESERVING(
      Finder.RACE_RAISE, edit("snowflake/Lease", "if (p > last) {", "if (p > last && p < 0) {")),
  OPEN_TAKE_UNCHECKED_AFTER_RESERVING(
      Finder.WALK,
      edit("snowflake/Lease", "if ((distance & past) == 0) {", "if (distance >= 0) {")),
  OPEN_TAKE_BLIND_TO_THE_CLOSE(
      Finder.RACE_CLOSE, edit("snowflake/Lease", "return p < 0 ? NONE : ~p;", "return ~p;")),
  STATE_TRUSTS_THE_CLOCK(
      Finder.WALK,
      edit("snowflake/Lease", "if (s >= start) {", "if (s >= start && tickOf(s) == now) {")),
  STATE_RESET_BEFORE_THE_ROLLBACK_CHECK(
      Finder.WALK,
      edit(
          "snowflake/ClockWatch",
          "return wall == known ? wall : judge();",
          "return wall == known || wall > 0 ? wall : judge();"),
      edit("snowflake/Lease", "if (s >= start) {", "if (s >= start && tickOf(s) <= now + 8) {")),
  CLOSE_BY_GET_AND_SET(
      Finder.RACE_CLOSE,
      edit(
          "snowflake/Lease",
          "long s = (long) POS.getAndSet(this, Long.MIN_VALUE);",
          "long s = pos;\n    pos = Long.MIN_VALUE;")),
  NEXT_PUBLISHED_BEFORE_CLOSE(
      Finder.RACE_SWITCH,
      edit(
          "snowflake/SnowflakeEngine",
          """
              long last = current.close();
              if (closed) {
                return last;
              }
          """,
          """
              Lease former = current;
              long last = former.closed() ? former.close() : former.tickOf(former.position());
              if (closed) {
                return last;
              }
          """),
      edit(
          "snowflake/SnowflakeEngine",
          "options.sequenceStart(), runAheadTicks);\n    return last;",
          "options.sequenceStart(), runAheadTicks);\n    return former.close();")),
  NEXT_STARTS_NOT_ABOVE_THE_LAST(
      Finder.WALK,
      edit(
          "snowflake/SnowflakeEngine",
          "long from = Math.max(fromTick, last + 1);",
          "long from = fromTick;")),
  HORIZON_FORGOTTEN_AT_RESTART(
      Finder.CAMPAIGN,
      edit(
          "store/LeaseRules",
          "long from = Math.max(row.horizonMillis(), base);",
          "long from = base;")),
  RELEASE_HANDS_ON_THE_LAST_TICK(
      Finder.CAMPAIGN,
      edit(
          "snowflake/LeaseKeeper",
          "last < 0 ? 0 : layout.startMillis(last + 1)",
          "last < 0 ? 0 : layout.startMillis(last)")),
  RELEASE_BEFORE_CLOSE(
      Finder.CAMPAIGN,
      edit(
          "snowflake/LeaseKeeper",
          """
              engine.close();
              long last = engine.endLease();
          """,
          """
              Lease open = engine.current();
              long last = open.closed() ? open.close() : open.tickOf(open.position());
          """),
      edit(
          "snowflake/LeaseKeeper",
          """
                phase = Phase.STOPPED;
                held.clear();
          """,
          """
                engine.close();
                phase = Phase.STOPPED;
                held.clear();
          """)),
  HORIZON_RAISED_BEFORE_THE_STORE_ANSWERED(
      Finder.CAMPAIGN,
      edit(
          "snowflake/LeaseKeeper",
          "var request = lease.extension(",
          "engine.current().raise(layout.tickAt(wall + options.terms().windowMs()));\n"
              + "    var request = lease.extension(")),
  HIGHEST_HORIZON_OF_SEVERAL(
      Finder.CAMPAIGN,
      edit(
          "snowflake/LeaseKeeper",
          "long lowest = held.isEmpty() ? 0 : Long.MAX_VALUE;",
          "long lowest = 0;"),
      edit(
          "snowflake/LeaseKeeper",
          "lowest = Math.min(lowest, lease.row().horizonMillis());",
          "lowest = Math.max(lowest, lease.row().horizonMillis());")),
  LOWEST_START_OF_SEVERAL(
      Finder.CAMPAIGN,
      edit("snowflake/LeaseKeeper", "long from = Long.MIN_VALUE;", "long from = Long.MAX_VALUE;"),
      edit(
          "snowflake/LeaseKeeper",
          "from = Math.max(from, held.get(i).row().fromMillis());",
          "from = Math.min(from, held.get(i).row().fromMillis());")),
  TICKS_ROUNDED_OUTWARDS(
      Finder.CAMPAIGN,
      edit(
          "snowflake/LeaseKeeper",
          "-Math.floorDiv(layout.epochMillis() - millis, layout.tickMillis())",
          "Math.floorDiv(millis - layout.epochMillis(), layout.tickMillis())"),
      edit(
          "snowflake/LeaseKeeper",
          "Math.floorDiv(usableMillis() - layout.epochMillis(), layout.tickMillis())",
          "-Math.floorDiv(layout.epochMillis() - horizonMillis(), layout.tickMillis())")),
  NEW_CLUSTER_SWORN_AGAIN(
      Finder.CAMPAIGN,
      edit("snowflake/LeaseKeeper", "options.newCluster() && !everHeld", "options.newCluster()")),
  LEAP_ACCEPTED_AT_ONCE(
      Finder.CAMPAIGN,
      edit(
          "snowflake/ClockWatch",
          "if (wall - highest - passed <= options.maxSkewMs()) {",
          "if (wall >= highest) {"),
      edit(
          "snowflake/ClockWatch",
          "if (wall - expected > options.maxSkewMs()) {",
          "if (wall < 0) {")),
  EXTEND_LOWERS_A_HORIZON(
      Finder.CAMPAIGN, edit("store/LeaseRules", "Math.max(row.horizonMillis(), target)", "target")),
  CLAIM_TAKES_A_LIVE_SLOT(
      Finder.CAMPAIGN,
      edit(
          "store/LeaseRules",
          "return row.owner() == null || s.knownDead().test(row.owner()) || expired(s, r, row);",
          "return true;")),
  ADOPTION_MAKES_A_NEW_START(
      Finder.CAMPAIGN,
      edit(
          "store/LeaseRules",
          "return own.token() == r.token() ? granted(s, own) : answered(own).decision(s);",
          "return granted(s, new WorkerRow(own.workerId(), own.owner(), own.generation(),"
              + " own.token(), own.nonce(), s.namespace().floorMillis(), own.horizonMillis(),"
              + " own.identity(), own.fence(), own.updatedAtMillis()));")),
  EXTEND_ACCEPTS_ANY_TOKEN(
      Finder.SCENARIO_GENERATION,
      edit(
          "store/LeaseRules",
          "if (row.token() == 0 || !(known || earlier)) {",
          "if (earlier && !earlier) {")),
  FLOOR_IGNORED(
      Finder.CAMPAIGN,
      edit(
          "store/LeaseRules",
          "long base = Math.max(ns.floorMillis(), newestEnded(s, r));",
          "long base = newestEnded(s, r);"),
      edit("store/LeaseRules", "if (ns.floorMillis() > waited) {", "if (ns.floorMillis() < 0) {")),
  FLOOR_OF_A_NEW_NAMESPACE_IGNORED(
      Finder.CAMPAIGN,
      edit(
          "store/LeaseRules",
          "long floor = wait ? plus(s.nowMillis(), terms.floorDelayMs()) : 0;",
          "long floor = 0;")),
  CLAIM_SETS_NO_FLOOR_ON_ANOTHER_STORE(
      Finder.CAMPAIGN,
      edit(
          "store/LeaseRules",
          "return moved(s) ? floored(ns, s, terms) : reaching(ns, terms);",
          "return moved(s) ? new NamespaceRow(ns.layout(), s.identity(), ns.fence(),"
              + " ns.floorMillis(), ns.reachMs(), ns.createdAtMillis()) : reaching(ns, terms);")),
  PASSED_HORIZON_EXTENDED_ON_ANOTHER_STORE(
      Finder.SCENARIO_WAKING,
      edit(
          "store/LeaseRules",
          "if (older && row.horizonMillis() <= Math.max(s.nowMillis(), r.wallMillis())) {",
          "if (older && row.horizonMillis() < 0) {")),
  SEGMENT_MARK_IGNORED(
      Finder.SEGMENTS,
      edit(
          "store/SegmentRules",
          "Math.max(used, Math.max(row.maxId(), row.floor() - 1))",
          "Math.max(used, row.floor() - 1)")),
  SEGMENT_FLOOR_IGNORED(
      Finder.SEGMENTS,
      edit("store/SegmentRules", "Math.max(row.maxId(), row.floor() - 1)", "row.maxId()")),
  CALLERS_MARK_IGNORED( // each of the two alone is enough for order within the process
      Finder.SEGMENTS,
      edit(
          "store/SegmentRules",
          "Math.max(r.terms().start() - 1, r.above())",
          "r.terms().start() - 1"),
      edit(
          "store/SegmentRules",
          "s.lossy() || r.mark() > (row == null ? -1 : row.maxId())",
          "s.lossy()"),
      edit("segment/Fetcher", "sound = granted.first() > asked.mark() &&", "sound =")),
  FAILOVER_UNSEEN_IN_A_ROW(
      Finder.SEGMENTS,
      edit(
          "store/SegmentSnapshot",
          ": row.fence() != fence || !row.identity().equals(identity)",
          ": row.fence() != fence")),
  FENCE_UNSEEN_IN_A_ROW(
      Finder.SEGMENTS, edit("store/SegmentSnapshot", ": row.fence() != fence || !row", ": !row")),
  FAILOVER_UNSEEN_WITHOUT_A_ROW(
      Finder.SEGMENTS,
      edit(
          "store/SegmentSnapshot",
          "? fence > 0 || !identity.equals(firstIdentity)",
          "? fence > 0")),
  FENCE_UNSEEN_WITHOUT_A_ROW(
      Finder.SEGMENTS, edit("store/SegmentSnapshot", "? fence > 0 || !identity", "? !identity")),
  RAISE_HIDES_A_LOSS(
      Finder.SEGMENTS,
      edit(
          "store/SegmentRules",
          ": raised(row, floor);",
          ": new SegmentRow(row.maxId(), floor, s.identity(), s.fence(), row.version() + 1,"
              + " false);")),
  RESIDUE_IGNORED(
      Finder.SEGMENTS,
      edit(
          "store/SegmentRules",
          "return past == 0 ? first : plusOrNone(first, terms.modulus() - past);",
          "return first;")),
  RANGE_GOES_OVER_THE_MAXIMUM(
      Finder.SEGMENTS,
      edit(
          "store/SegmentRules",
          "Math.min(r.count() - 1, (terms.maximum() - from) / terms.modulus())",
          "r.count() - 1")),
  RANGE_BEGINS_ABOVE_THE_MAXIMUM(
      Finder.SEGMENTS,
      edit("store/SegmentRules", "if (from < 0 || from > terms.maximum()) {", "if (from < 0) {")),
  TOMBSTONE_IGNORED(
      Finder.SEGMENTS,
      edit(
          "store/SegmentRules",
          "SegmentRow row = s.row(); if (row != null && row.removed()) { return refused("
              + "SegmentReply.Reason.REMOVED, terms, \"was removed (expected: a tag in use)\"); }"
              + " boolean lost",
          "SegmentRow row = s.row(); boolean lost")),
  LATE_ANSWER_USED(
      Finder.SEGMENTS,
      edit(
          "segment/Fetcher",
          "return stock.isClosed() || !fetching || asked.number() != number;",
          "return stock.isClosed() || !fetching;")),
  NEXT_OVERTAKES_THOSE_READY(
      Finder.SEGMENTS,
      edit(
          "segment/Stock",
          "if (current.left() == 0 && ready.isEmpty()) {",
          "if (current.left() == 0) {")),
  END_OF_SEGMENT_UNCHECKED(
      Finder.SEGMENTS,
      edit(
          "segment/SegmentEngine",
          "if (at >= s.count) { return -1;",
          "if (at > s.count) { return -1;")),
  RAISE_SPARES_THE_PRESENT_SEGMENT(
      Finder.SEGMENTS,
      edit("segment/Stock", "dropped = current.skipTo(current.offsetOf(floor));", "dropped = 0;")),
  RAISE_SPARES_SEGMENTS_READY(
      Finder.SEGMENTS,
      edit("segment/Stock", "dropped += segment.skipTo(segment.offsetOf(floor));", "")),
  RAISE_SPARES_A_FETCH_UNDER_WAY(
      Finder.SEGMENTS,
      edit("segment/Fetcher", "below = fresh.skipTo(fresh.offsetOf(stock.floor()));", "")),
  RAISE_SPARES_TAKES_THAT_WAIT(
      Finder.SEGMENTS,
      edit("segment/SegmentEngine", "thrown += line.dropBelow(stock.floor());", "")),
  CLOSE_SPARES_THE_PRESENT_SEGMENT(
      Finder.SEGMENTS,
      edit("segment/Stock", "long dropped = current.skipTo(Long.MAX_VALUE);", "long dropped = 0;")),
  CLOSE_SPARES_A_FETCH_UNDER_WAY(
      Finder.SEGMENTS,
      edit("segment/Fetcher", "return stock.isClosed() || !fetching", "return !fetching")),
  CLOSE_FORGETS_TAKES_THAT_WAIT(
      Finder.SEGMENTS,
      edit(
          "segment/SegmentEngine",
          "thrown = stock.close(); refused = line.clear();",
          "thrown = stock.close(); refused = List.of();")),
  CONTIGUOUS_SPARES_WHAT_IS_HELD(
      Finder.SEGMENTS, edit("segment/Line", "passed += held.drop();", "")),
  CONTIGUOUS_TAKES_WHAT_IS_TOO_LITTLE(
      Finder.SEGMENTS,
      edit(
          "segment/Segment",
          "for (long now = counter; now <= count - n; now = counter)",
          "for (long now = counter; now < count; now = counter)")),
  LOST_ANSWER_AWAITED(
      Finder.SEGMENTS, edit("segment/Fetcher", "options.callMs(),", "Long.MAX_VALUE / 2_000_000,")),
  TAKES_WAIT_PAST_THEIR_DEADLINE(
      Finder.SEGMENTS,
      edit("segment/SegmentEngine", "if (!line.remove(waiter)) {", "if (!line.isEmpty()) {")),
  LATE_COMERS_JOIN_A_CALL_UNDER_WAY(
      Finder.SEGMENTS,
      edit(
          "sequence/SequenceEngine",
          "count += waiter.count; // at most",
          "count += 50L * waiter.count; // at most"),
      edit(
          "sequence/SequenceEngine",
          "served = share(call.callers(), granted);",
          "call.callers().addAll(queue); queue.clear(); served = share(call.callers(), granted);")),
  RAISE_SPARES_A_CALL_UNDER_WAY(
      Finder.SEGMENTS,
      edit("sequence/SequenceEngine", "above = granted.first() >= floor;", "above = true;")),
  LOST_CALL_AWAITED(
      Finder.SEGMENTS,
      edit("sequence/SequenceEngine", "options.callMs(),", "Long.MAX_VALUE / 2_000_000,")),
  FAILED_CALL_FORGETS_ITS_CALLERS(
      Finder.SEGMENTS,
      edit(
          "sequence/SequenceEngine",
          "problem = why; requeue(call);",
          "problem = why; call.callers().forEach(w -> w.deadline.cancel());")),
  CLOSE_FORGETS_CALLERS(
      Finder.SEGMENTS,
      edit("sequence/SequenceEngine", "refused = endAll(closing());", "refused = List.of();")),
  ANOTHER_DATABASE_USED(
      Finder.TAGS,
      edit("store/SpreadDatabase", "well = residue.equals(answer);", "well = answer != null;")),
  DATABASE_CHANGED_BEFORE_IT_HAS_SAID(
      Finder.TAGS,
      edit(
          "store/SpreadDatabase",
          "return askAtOnce() .thenCompose( isWell ->",
          "return CompletableFuture.completedFuture(true) .thenCompose( isWell ->")),
  IDS_OF_OTHER_DATABASES_FORGOTTEN(
      Finder.TAGS, edit("store/SpreadSegmentStore", "highest.getOrDefault(tag, -1L)", "-1L")),
  UNUSED_TAG_LEAVES_NO_TOMBSTONE(
      Finder.TAGS,
      edit(
          "store/SegmentRules",
          "SegmentRow last = row == null ? unused(s, terms) : row;",
          "if (row == null) { return new SegmentDecision(new SegmentReply.Changed(null), null); }"
              + " SegmentRow last = row;")),
  IDENTITY_OF_TAGS_UNSEEN(
      Finder.TAGS,
      edit(
          "server/service/TagWatch",
          "return another || changes.head() < known;",
          "return changes.head() < known;")),
  LOWER_REVISION_OF_TAGS_UNSEEN(
      Finder.TAGS,
      edit(
          "server/service/TagWatch",
          "return another || changes.head() < known;",
          "return another;")),
  OWN_WRITES_UNSEEN_WHERE_THEY_ARE_LOST(
      Finder.TAGS,
      edit(
          "server/service/TagWatch",
          "reading == null ? Math.max(from, directory.lastRevision()) : from",
          "from")),
  REVISIONS_OF_THE_FORMER_STORE_KEPT(
      Finder.TAGS, edit("server/service/TagWatch", "directory.forgetRevisions();", "")),
  LOST_QUESTION_AWAITED(
      Finder.TAGS,
      edit("server/service/TagWatch", "ANSWER_NANOS, () ->", "Long.MAX_VALUE / 2, () ->")),
  FAILED_QUESTION_IS_THE_LAST(
      Finder.TAGS,
      edit("server/service/TagWatch", "if (begun) { again(EVERY_NANOS);", "if (begun) {")),
  OLDER_ROW_TAKEN_OVER(
      Finder.TAGS,
      edit(
          "server/service/TagDirectory",
          "if (known != null && known >= row.revision()) {",
          "if (known != null && known < 0) {")),
  FLOOR_NOT_PASSED_ON(
      Finder.TAGS, edit("server/service/TagDirectory", "tag.engine().raiseTo(row.floor());", "")),
  REPLACED_ENGINE_GOES_ON(
      Finder.TAGS,
      edit("server/service/TagDirectory", "before.engine().close(); // after", "// after")),
  REMOVED_ENGINE_GOES_ON(
      Finder.TAGS, edit("server/service/TagDirectory", "gone.engine().close();", "")),
  LOST_TAGS_KEPT(
      Finder.TAGS, edit("server/service/TagDirectory", "remove(name); // made", "// made")),
  REMOVAL_SPARES_THE_MARK(
      Finder.TAGS,
      edit(
          "server/service/TagAdmin",
          "events.tagRemoved(tombstone, by); return markRemoved(tombstone)",
          "events.tagRemoved(tombstone, by); return CompletableFuture.completedFuture(tombstone)")),
  REMOVAL_BLIND_TO_A_TAG_MADE_AGAIN(
      Finder.TAGS,
      edit(
          "server/service/TagAdmin",
          "now == null || now.removed() ? CompletableFuture",
          "now == null || now != null ? CompletableFuture")),
  RAISE_SPARES_THE_MARK(
      Finder.TAGS,
      edit(
          "server/service/TagAdmin",
          "told( segments.raise(terms.apply(before), floor),",
          "told( CompletableFuture.completedFuture("
              + "(SegmentReply) new SegmentReply.Changed(null)),")),
  RAISE_UNKNOWN_TO_WHO_ANSWERS(
      Finder.TAGS,
      edit(
          "server/service/TagAdmin",
          "directory.applyOwn(written.row()); events.tagRaised",
          "events.tagRaised")),
  REMOVAL_UNKNOWN_TO_WHO_ANSWERS(
      Finder.TAGS,
      edit(
          "server/service/TagAdmin",
          "directory.applyOwn(tombstone); events.tagRemoved",
          "events.tagRemoved")),
  MADE_BY_OTHERS_UNKNOWN_TO_WHO_ANSWERS(
      Finder.TAGS,
      edit("server/service/TagAdmin", "directory.applyOwn(row); return ready", "return ready"));

  /** Which check has to find it. */
  enum Finder {
    WALK(""),
    CAMPAIGN(""),
    SEGMENTS(""),
    TAGS(""),
    RACE_CLOSE("closeAtNewTick"),
    RACE_RAISE("raise"),
    RACE_SWITCH("switchLease"),
    SCENARIO_WAKING("formerOwnerWakesAfterALostClaim"),
    SCENARIO_GENERATION("twoLeasesOfOneGeneration");

    private final String part;

    Finder(String part) {
      this.part = part;
    }

    /** Name of the race or scenario. */
    String part() {
      return part;
    }
  }

  /**
   * One replacement.
   *
   * @param file below dev/idgen, without its ending
   * @param anchor must occur exactly once, white space aside
   * @param replacement what stands there instead
   */
  record Edit(String file, String anchor, String replacement) {}

  private final Finder finder;

  @SuppressWarnings("ImmutableEnumChecker") // List.of does not change
  private final List<Edit> edits;

  Fault(Finder finder, Edit... edits) {
    this.finder = finder;
    this.edits = List.of(edits);
  }

  private static Edit edit(String file, String anchor, String replacement) {
    return new Edit(file, anchor, replacement);
  }

  Finder finder() {
    return finder;
  }

  List<Edit> edits() {
    return edits;
  }
}
