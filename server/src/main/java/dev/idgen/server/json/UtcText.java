package dev.idgen.server.json;

import java.time.Instant;

/**
 * Times as {@code 2026-11-29T16:06:01.123Z}. Remembers the last second, since ids that are issued
 * together share it. Not thread-safe.
 */
public final class UtcText {
  private static final long FIRST = 0;
  private static final long END = 253_402_300_800_000L; // the year 10000
  private static final int MILLIS_AT = 20;

  private final byte[] text = JsonOut.ascii("1970-01-01T00:00:00.000Z");
  private long second;

  /** Writes a time as a JSON text. */
  public void value(JsonOut out, long wallMillis) {
    JsonOut time = new JsonOut(text.length);
    append(time, wallMillis);
    out.text(time.toString());
  }

  /** Appends a time, without quotes. */
  public void append(JsonOut out, long wallMillis) {
    if (wallMillis < FIRST || wallMillis >= END) {
      out.raw(JsonOut.ascii(Instant.ofEpochMilli(wallMillis).toString()));
      return;
    }
    long nowSecond = wallMillis / 1000;
    if (nowSecond != second) {
      second = nowSecond;
      byte[] fresh = JsonOut.ascii(Instant.ofEpochSecond(nowSecond).toString());
      System.arraycopy(fresh, 0, text, 0, MILLIS_AT - 1);
    }
    int millis = (int) (wallMillis - nowSecond * 1000);
    text[MILLIS_AT] = (byte) ('0' + millis / 100);
    text[MILLIS_AT + 1] = (byte) ('0' + millis / 10 % 10);
    text[MILLIS_AT + 2] = (byte) ('0' + millis % 10);
    out.raw(text);
  }
}
