package dev.idgen.store.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.idgen.store.NamespaceRow;
import dev.idgen.store.StoreOperation;
import dev.idgen.store.WorkerRow;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class StateTextTest {

  @Test
  void write_rows_areReadable() throws Exception {
    assertEquals(
        """
        idgen leases, version 1
        identity A
        namespace orders layout=41/10/12%20ms identity=A fence=0 floor=-1 reach=63000 created=5
        worker orders 0 owner= generation=1 token=0 nonce=-1 from=0 horizon=9223372036854775807\
         identity=A fence=0 updated=6
        worker orders 7 owner=h%C3%B6st%25%0A- generation=2 token=-9223372036854775808 nonce=3\
         from=4 horizon=5 identity=B fence=1 updated=7
        """,
        text(state()).replaceAll("checksum .*\n", ""));
  }

  @Test
  void read_whatWasWritten_isTheSame() throws Exception {
    State read = StateText.read(StateText.write(state()));
    assertEquals("A", read.identity());
    assertEquals(state().namespace("orders"), read.namespace("orders"));
    assertEquals(rows(state()), rows(read));
    assertNull(rows(read).get(0).owner());
    assertArrayEquals(StateText.write(state()), StateText.write(read));
  }

  private static List<WorkerRow> rows(State state) {
    return state.workers("orders", StoreOperation.ALL_ROWS);
  }

  @Test
  void read_somethingElse_isRefused() {
    assertRefused(
        "no state file (expected: one that begins with idgen leases, version 1)", "hello");
    assertRefused("no state file (expected: one that begins with idgen leases, version 1)", "");
    assertRefused(
        "version 2 (expected: 1; a newer idgen wrote it)", "idgen leases, version 2\nfuture\n");
    assertRefused(
        "torn or changed (expected: a checksum that fits, in a last line)",
        "idgen leases, version 1\n");
    assertRefused(
        "torn or changed (expected: a checksum that fits, in a last line)",
        text(state()).replace("horizon=5", "horizon=4"));
    assertRefused(
        "torn or changed (expected: a checksum that fits, in a last line)", text(state()) + "\n");
  }

  @Test
  void read_checksumFitsButLinesDoNot_isRefused() {
    assertLineRefused("idgen leases, version 1\nidentity A\nsomething\n", 3, "something");
    assertLineRefused(
        "idgen leases, version 1\nidentity A\nworker orders x\n", 3, "worker orders x");
    assertLineRefused("idgen leases, version 1\nidentity %4\n", 2, "identity %4");
    assertLineRefused("idgen leases, version 1\nidentity %FF\n", 2, "identity %FF");
    String row = "namespace a layout=b";
    assertLineRefused("idgen leases, version 1\n" + row + "\nidentity A\n", 2, row);
    assertRefused(
        "no identity (expected: one in the second line)", summed("idgen leases, version 1\n"));
  }

  private static void assertLineRefused(String body, int number, String line) {
    assertRefused(
        "line " + number + " is " + line + " (expected: a line that idgen writes)", summed(body));
  }

  private static void assertRefused(String message, String text) {
    assertEquals(
        message,
        assertThrows(
                StateText.DamagedException.class,
                () -> StateText.read(text.getBytes(StandardCharsets.ISO_8859_1)))
            .getMessage());
  }

  private static String summed(String body) {
    CRC32C sum = new CRC32C();
    sum.update(body.getBytes(StandardCharsets.US_ASCII));
    return body + "checksum " + HexFormat.of().toHexDigits((int) sum.getValue()) + "\n";
  }

  private static String text(State state) {
    return new String(StateText.write(state), StandardCharsets.US_ASCII);
  }

  private static State state() {
    State state = new State("A");
    state.put("orders", new NamespaceRow("41/10/12 ms", "A", 0, -1, 63_000, 5));
    state.put("orders", new WorkerRow(7, "h\u00f6st%\n-", 2, Long.MIN_VALUE, 3, 4, 5, "B", 1, 7));
    state.put("orders", new WorkerRow(0, null, 1, 0, -1, 0, Long.MAX_VALUE, "A", 0, 6));
    return state;
  }
}
