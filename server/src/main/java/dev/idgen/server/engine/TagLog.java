package dev.idgen.server.engine;

import dev.idgen.segment.SegmentEvents;
import dev.idgen.sequence.SequenceEvents;
import dev.idgen.server.log.AuditLog;
import dev.idgen.server.log.Log;
import dev.idgen.server.service.TagEvents;
import dev.idgen.store.TagRow;
import dev.idgen.time.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Takes down what happens to tags: what administrators do, and what costs ids, to the audit log;
 * all of it to the log. Thread-safe.
 */
public final class TagLog implements TagEvents {
  private static final Log LOG = Log.of("tags");

  private final AuditLog audit;
  private final Seldom seldom;

  public TagLog(AuditLog audit, TimeSource time) {
    this.audit = audit;
    this.seldom = new Seldom(LOG, time);
  }

  @Override
  public void tagWritten(TagRow after, @Nullable TagRow before, boolean forced) {
    String what = before == null ? "tag made" : "tag changed";
    audit.record(
        what,
        "tag",
        after.tag(),
        "engine",
        after.engine(),
        "version",
        after.version(),
        "forced",
        forced);
    LOG.info(what, "tag", after.tag(), "engine", after.engine(), "version", after.version());
  }

  @Override
  public void tagRemoved(TagRow tombstone) {
    audit.record("tag removed", "tag", tombstone.tag(), "version", tombstone.version());
    LOG.info("tag removed", "tag", tombstone.tag(), "version", tombstone.version());
  }

  @Override
  public void tagRaised(TagRow row) {
    audit.record("tag raised", "tag", row.tag(), "to", row.floor(), "version", row.version());
    LOG.info("tag raised", "tag", row.tag(), "to", row.floor(), "version", row.version());
  }

  /** Tags could not be read; they are asked for again. */
  void readFailed(String why) {
    seldom.warn("tags not read", why);
  }

  /** A tag that a newer version has made, or a server with other settings. */
  void notServed(String tag, String why) {
    LOG.warn("tag not served", "tag", tag, "why", why);
  }

  /** A database of marks failed, or is not the one it should be. */
  void databaseFailed(String why) {
    seldom.warn("marks not reached", why);
  }

  /** The store of tags or of their marks could not be opened; it is tried again. */
  void openFailed(String why) {
    seldom.warn("tag store not usable", why);
  }

  private void skipped(String tag, long first) {
    audit.record("ids left out", "tag", tag, "upTo", first);
    LOG.warn("ids left out", "tag", tag, "upTo", first, "why", "the store may have lost writes");
  }

  private void nearsItsEnd(String tag, int percent, long daysLeft) {
    audit.record("tag nears its end", "tag", tag, "usedPercent", percent, "daysLeft", daysLeft);
    LOG.warn("tag nears its end", "tag", tag, "usedPercent", percent, "daysLeft", daysLeft);
  }

  private void failed(String tag, String why) {
    seldom.warn("ids not fetched", "tag " + tag + ": " + why);
  }

  /** What happens to the segments of one tag. */
  SegmentEvents segments(String tag) {
    return new SegmentEvents() {
      @Override
      public void fetchFailed(String why) {
        failed(tag, why);
      }

      @Override
      public void skipped(long first) {
        TagLog.this.skipped(tag, first);
      }

      @Override
      public void nearsItsEnd(int percent, long daysLeft) {
        TagLog.this.nearsItsEnd(tag, percent, daysLeft);
      }

      @Override
      public void wasted(long ids) {
        LOG.info("ids thrown away", "tag", tag, "count", ids);
      }
    };
  }

  /** What happens to the sequence of one tag. */
  SequenceEvents sequence(String tag) {
    return new SequenceEvents() {
      @Override
      public void allocateFailed(String why) {
        failed(tag, why);
      }

      @Override
      public void skipped(long first) {
        TagLog.this.skipped(tag, first);
      }

      @Override
      public void nearsItsEnd(int percent, long daysLeft) {
        TagLog.this.nearsItsEnd(tag, percent, daysLeft);
      }
    };
  }
}
