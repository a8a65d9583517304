package dev.idgen.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.store.IdempotencyStore.Finish;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyRulesTest {
  private static final IdempotencyEntry ENTRY =
      new IdempotencyEntry("default", "a", "order", "key");
  private static final long NOW = 1_000_000;

  private static IdempotencyRequest request(long attempt) {
    return new IdempotencyRequest(ENTRY, "print", attempt, 5_000, 300, 3);
  }

  private static IdempotencyRow inFlight(long attempt, long expires) {
    return new IdempotencyRow("print", attempt, expires, 5_000, null);
  }

  private static IdempotencyRow done(long attempt, long expires) {
    return new IdempotencyRow("print", attempt, expires, 5_000, "1..9");
  }

  private static IdempotencySnapshot snapshot(long used, @Nullable IdempotencyRow row) {
    return new IdempotencySnapshot(NOW, used, row);
  }

  private static void assertNothingWritten(Object reply, IdempotencyDecision<?> decision) {
    assertEquals(reply, decision.reply());
    assertFalse(decision.writes());
    assertNull(decision.row());
    assertEquals(0, decision.added(snapshot(1, inFlight(1, NOW))));
  }

  // ---- begin

  @Test
  void begin_newKey_isStarted() {
    IdempotencySnapshot s = snapshot(2, null);
    var decision = IdempotencyRules.begin(s, request(7));
    assertEquals(new IdempotencyReply.Started(), decision.reply());
    assertEquals(inFlight(7, NOW + 300), decision.row());
    assertEquals(1, decision.added(s));
  }

  @ParameterizedTest
  @CsvSource({"1,1", "299,299", "300,300", "301,300", "9000000,300"})
  void begin_othersAttempt_isInFlightForNoLongerThanAnAttempt(long left, long told) {
    assertNothingWritten(
        new IdempotencyReply.InFlight(told),
        IdempotencyRules.begin(snapshot(9, inFlight(1, NOW + left)), request(7)));
  }

  @ParameterizedTest
  @ValueSource(longs = {NOW, NOW - 1, 0, Long.MIN_VALUE})
  void begin_expired_isTakenOverAndCountsNoMore(long expires) {
    for (IdempotencyRow row : new IdempotencyRow[] {inFlight(1, expires), done(7, expires)}) {
      IdempotencySnapshot s = snapshot(3, row);
      var decision =
          IdempotencyRules.begin(s, new IdempotencyRequest(ENTRY, "other", 7, 5_000, 300, 3));
      assertEquals(new IdempotencyReply.Started(), decision.reply());
      assertEquals(new IdempotencyRow("other", 7, NOW + 300, 5_000, null), decision.row());
      assertEquals(0, decision.added(s));
    }
  }

  @Test
  void begin_ownAttempt_isAdopted() {
    assertNothingWritten(
        new IdempotencyReply.Started(),
        IdempotencyRules.begin(snapshot(9, inFlight(7, NOW + 1)), request(7)));
  }

  @Test
  void begin_done_givesTheReply() {
    for (long attempt : new long[] {1, 7}) {
      assertNothingWritten(
          new IdempotencyReply.Done("1..9"),
          IdempotencyRules.begin(snapshot(9, done(attempt, NOW + 1)), request(7)));
    }
  }

  @Test
  void begin_otherRequest_isAMismatchEvenOfTheSameAttempt() {
    IdempotencyRequest other = new IdempotencyRequest(ENTRY, "other", 7, 5_000, 300, 3);
    for (IdempotencyRow row :
        new IdempotencyRow[] {inFlight(1, NOW + 1), inFlight(7, NOW + 1), done(1, NOW + 1)}) {
      assertNothingWritten(
          new IdempotencyReply.Mismatch(), IdempotencyRules.begin(snapshot(1, row), other));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {3, 4})
  void begin_noRoom_isFull(long used) {
    assertNothingWritten(
        new IdempotencyReply.Full(3), IdempotencyRules.begin(snapshot(used, null), request(7)));
    assertNothingWritten(
        new IdempotencyReply.Full(3),
        IdempotencyRules.begin(snapshot(used + 1, inFlight(1, NOW)), request(7)));
  }

  // ---- finish

  @Test
  void finish_ownAttempt_isStoredFromNowOn() {
    IdempotencySnapshot s = snapshot(1, inFlight(7, NOW + 1));
    var decision = IdempotencyRules.finish(s, 7, "1..9");
    assertEquals(Finish.STORED, decision.reply());
    assertEquals(done(7, NOW + 5_000), decision.row());
    assertEquals(0, decision.added(s));
  }

  @Test
  void finish_repeated_isStoredAndWritesNothing() {
    assertNothingWritten(
        Finish.STORED, IdempotencyRules.finish(snapshot(1, done(7, NOW + 1)), 7, "1..9"));
  }

  @Test
  void finish_notItsOwn_isLost() {
    for (IdempotencyRow row :
        new IdempotencyRow[] {
          null, inFlight(7, NOW), inFlight(1, NOW + 1), done(1, NOW + 1), done(7, NOW)
        }) {
      assertNothingWritten(Finish.LOST, IdempotencyRules.finish(snapshot(1, row), 7, "1..9"));
    }
    assertNothingWritten(
        Finish.LOST, IdempotencyRules.finish(snapshot(1, done(7, NOW + 1)), 7, "1..8"));
  }

  // ---- abandon

  @Test
  void abandon_ownAttempt_isDeletedExpiredOrNot() {
    for (long expires : new long[] {NOW - 1, NOW + 1}) {
      IdempotencySnapshot s = snapshot(1, inFlight(7, expires));
      var decision = IdempotencyRules.abandon(s, 7);
      assertEquals(true, decision.reply());
      assertTrue(decision.writes());
      assertNull(decision.row());
      assertEquals(-1, decision.added(s));
    }
  }

  @Test
  void abandon_notItsOwnOrDone_changesNothing() {
    for (IdempotencyRow row :
        new IdempotencyRow[] {null, inFlight(1, NOW + 1), done(7, NOW + 1), done(7, NOW)}) {
      assertNothingWritten(false, IdempotencyRules.abandon(snapshot(1, row), 7));
    }
  }

  // ---- values

  @Test
  void entry_whatNoEntryCanHave_isRefused() {
    String name = " (expected: 1 to 64 of A-Z a-z 0-9 . _ -, the first a letter or digit)";
    assertRefused("namespace: a/b" + name, () -> new IdempotencyEntry("a/b", "a", "order", "k"));
    assertRefused("tag: " + name, () -> new IdempotencyEntry("default", "a", "", "k"));
    assertRefused(
        "caller: 0 characters (expected: 1..64)",
        () -> new IdempotencyEntry("default", "", "order", "k"));
    assertRefused(
        "caller: 65 characters (expected: 1..64)",
        () -> new IdempotencyEntry("default", "c".repeat(65), "order", "k"));
    assertRefused(
        "key: 256 characters (expected: 1..255)",
        () -> new IdempotencyEntry("default", "a", "order", "k".repeat(256)));
    for (String key : new String[] {"a b", "a\nb", "a\u00e4", "a\u007f"}) {
      assertRefused(
          "key: no visible character at 1 (expected: those of ASCII, from ! to ~)",
          () -> new IdempotencyEntry("default", "a", "order", key));
    }
  }

  /** Stores hold counts by it. */
  @Test
  void slot_ofAKey_neverChanges() {
    assertEquals(7, ENTRY.slot());
    String uuid = "550e8400-e29b-41d4-a716-446655440000";
    assertEquals(5, new IdempotencyEntry("default", "a", "order", uuid).slot());
    // Its hash is the one number that has no absolute value.
    assertEquals(0, new IdempotencyEntry("other", "b", "x", "polygenelubricants").slot());
    boolean[] seen = new boolean[IdempotencyEntry.SLOTS];
    for (int i = 0; i < 64; i++) {
      seen[new IdempotencyEntry("default", "a", "order", "k" + i).slot()] = true;
    }
    for (boolean slot : seen) {
      assertTrue(slot);
    }
  }

  @Test
  void request_whatMakesNoSense_isRefused() {
    assertRefused(
        "fingerprint: 65 characters (expected: 1..64 visible ones)",
        () -> new IdempotencyRequest(ENTRY, "x".repeat(65), 1, 1, 1, 1));
    assertRefused(
        "fingerprint: 1 characters (expected: 1..64 visible ones)",
        () -> new IdempotencyRequest(ENTRY, " ", 1, 1, 1, 1));
    assertRefused(
        "keepMs: 0 (expected: 1..34560000000)",
        () -> new IdempotencyRequest(ENTRY, "p", 1, 0, 1, 1));
    assertRefused(
        "inFlightMs: 34560000001 (expected: 1..34560000000)",
        () -> new IdempotencyRequest(ENTRY, "p", 1, 1, 34_560_000_001L, 1));
    assertRefused(
        "maxKeys: 0 (expected: 1..2147483647)",
        () -> new IdempotencyRequest(ENTRY, "p", 1, 1, 1, 0));
  }

  @Test
  void row_replyThatNoStoreCanKeep_isRefused() {
    assertRefused(
        "reply: half a character (expected: text that UTF-8 can carry)",
        () -> new IdempotencyRow("p", 1, 1, 1, "a\ud83d"));
    assertRefused(
        "reply: a control character at 1 (expected: a line of text)",
        () -> new IdempotencyRow("p", 1, 1, 1, "a\u0000"));
    assertRefused(
        "reply: 1048577 bytes (expected: at most 1048576)",
        () -> new IdempotencyRow("p", 1, 1, 1, "x".repeat(1_048_577)));
  }

  private static void assertRefused(
      String message, org.junit.jupiter.api.function.Executable made) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, made).getMessage());
  }
}
