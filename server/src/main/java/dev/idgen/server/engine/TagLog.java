package dev.idgen.server.engine;

import dev.idgen.segment.SegmentEvents;
import dev.idgen.sequence.SequenceEvents;
import dev.idgen.server.log.AuditLog;
import dev.idgen.server.log.Log;
import dev.idgen.server.service.TagEvents;
import dev.idgen.server.service.WatchEvents;
import dev.idgen.store.SpreadEvents;
import dev.idgen.store.TagRow;
import dev.idgen.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes down what happens to tags: what administrators do, and what costs ids, to the audit log;
 * all of it to the log. Thread-safe.
 */
public final class TagLog implements TagEvents, WatchEvents, SpreadEvents {
  private static final Log LOG = Log.of("tags");

  private final AuditLog audit;
  private final Seldom seldom;
  private final TagEvents done = new Changes();
  private final TagEvents unknown = new Changes("outcome", "unknown");

  public TagLog(AuditLog audit, TimeSource time) {
    this.audit = audit;
    this.seldom = new Seldom(LOG, time);
  }

  @Override
  public void tagWritten(TagRow after, @Nullable TagRow before, String by, boolean forced) {
    done.tagWritten(after, before, by, forced);
  }

  @Override
  public void tagRemoved(TagRow tombstone, String by) {
    done.tagRemoved(tombstone, by);
  }

  @Override
  public void tagRaised(TagRow row, String by) {
    done.tagRaised(row, by);
  }

  @Override
  public TagEvents unknown() {
    return unknown;
  }

  /** Takes down what administrators did, with more behind each entry. */
  private final class Changes implements TagEvents {
    private final List<Object> more;

    Changes(Object... more) {
      this.more = List.of(more);
    }

    @Override
    public void tagWritten(TagRow after, @Nullable TagRow before, String by, boolean forced) {
      take(
          before == null ? "tag made" : "tag changed",
          "tag",
          after.tag(),
          "engine",
          after.engine(),
          "version",
          after.version(),
          "by",
          by,
          "forced",
          forced,
          "set",
          String.join(", ", TagDifference.of(before, after)));
    }

    @Override
    public void tagRemoved(TagRow tombstone, String by) {
      take("tag removed", "tag", tombstone.tag(), "version", tombstone.version(), "by", by);
    }

    @Override
    public void tagRaised(TagRow row, String by) {
      take("tag raised", "tag", row.tag(), "to", row.floor(), "version", row.version(), "by", by);
    }

    private void take(String what, Object... told) {
      List<Object> all = new ArrayList<>(List.of(told));
      all.addAll(more);
      audit.record(what, all.toArray());
      LOG.info(what, all.toArray());
    }
  }

  @Override
  public void readFailed(String why) {
    seldom.warn("tags not read", why);
  }

  @Override
  public void storeChanged(String before, String now) {
    changed("tags", before, now);
  }

  @Override
  public void identityChanged(int number, String before, String now) {
    changed("marks, database " + number, before, now);
  }

  private void changed(String of, String before, String now) {
    audit.record("store changed", "of", of, "before", before, "now", now);
    LOG.warn("store changed", "of", of, "before", before, "now", now);
  }

  /** A tag that a newer version has made, or a server with other settings. */
  void notServed(String tag, String why) {
    LOG.warn("tag not served", "tag", tag, "why", why);
  }

  @Override
  public void databaseFailed(String why) {
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
  SegmentEvents segments(String tag, FetchMeter meter) {
    return new SegmentEvents() {
      @Override
      public void fetched(long first, long count, long nanos) {
        meter.fetched(nanos);
      }

      @Override
      public void fetchFailed(String why) {
        meter.failed();
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
      public void passedOver(long ids) {
        meter.passedOver(ids);
      }

      @Override
      public void wasted(long ids) {
        LOG.info("ids thrown away", "tag", tag, "count", ids);
      }
    };
  }

  /** What happens to the sequence of one tag. */
  SequenceEvents sequence(String tag, FetchMeter meter) {
    return new SequenceEvents() {
      @Override
      public void allocated(long first, long count, int callers, long nanos) {
        meter.fetched(nanos);
      }

      @Override
      public void allocateFailed(String why) {
        meter.failed();
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
