package dev.idgen.store.jdbc;

import static dev.idgen.store.jdbc.Holder.answered;
import static dev.idgen.store.jdbc.Holder.granted;
import static dev.idgen.store.jdbc.Holder.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.check.contract.SettableWall;
import dev.idgen.check.servers.PostgresReplica;
import dev.idgen.check.servers.PostgresServer;
import dev.idgen.entropy.Entropy;
import dev.idgen.store.LeaseReply;
import dev.idgen.store.Refusal;
import dev.idgen.store.SegmentReply;
import dev.idgen.store.SegmentRequest;
import dev.idgen.store.SegmentTerms;
import java.sql.Connection;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A server's files are put back as they were some writes ago, which keeps its identity: nothing but
 * a fence tells. One restored server for all tests, which differ by namespace.
 */
class PostgresRestoreTest {
  private static final long START = 1_800_000_000_000L;
  private static final long GAP = 1_000;

  private static final SettableWall time = new SettableWall(START);
  private static final GrantedCells cells = new GrantedCells();
  private static final Deque<AutoCloseable> open = new ArrayDeque<>();
  private static final Map<String, Holder> holders = new HashMap<>();

  private static JdbcWorkerStore store;
  private static JdbcSegmentStore tags;
  private static String formerIdentity = "";

  @BeforeAll
  static void putABackupInPlace() {
    PostgresServer server = opened(PostgresServer.start());
    String url = server.schemaUrl(server.freshSchema());
    PostgresReplica backup;
    try (JdbcWorkerStore before = openStore(url);
        JdbcSegmentStore tagsBefore = JdbcSegmentStore.open(url)) {
      for (String namespace : new String[] {"open", "fenced"}) {
        holder(namespace, "old").begins(before, 0);
        holder(namespace, "recent").claims(before, 1);
        allocate(tagsBefore, namespace);
      }
      backup = opened(PostgresReplica.copyOf(server));
      for (String namespace : new String[] {"open", "fenced"}) {
        for (int renewals = 0; renewals < 3; renewals++) {
          granted(holder(namespace + "/old").extend(before));
        }
        granted(holder(namespace + "/recent").extend(before));
        holder(namespace, "lost").claims(before, 2);
        for (int i = 0; i < 5; i++) {
          allocate(tagsBefore, namespace);
        }
      }
      formerIdentity = answered(() -> before.list("open")).identity();
    }
    server.kill();
    backup.restore();
    String restored = url.replace(":" + server.port() + "/", ":" + backup.port() + "/");
    store = opened(openStore(restored));
    tags = opened(JdbcSegmentStore.open(restored));
  }

  @AfterAll
  static void endAll() throws Exception {
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }

  @BeforeEach
  void beginAtTheRestore() {
    time.set(START);
  }

  private static <T extends AutoCloseable> T opened(T resource) {
    open.push(resource);
    return resource;
  }

  private static JdbcWorkerStore openStore(String url) {
    Dialect dialect =
        new PostgresDialect(DatabaseUrl.parse(url), new Patience(2_000)) {
          @Override
          public long nowMillis(Connection connection) {
            return time.wallMillis();
          }
        };
    return JdbcWorkerStore.open(dialect, Entropy.operatingSystem());
  }

  private static Holder holder(String namespace, String name) {
    Holder holder = new Holder(namespace, time, cells);
    holders.put(namespace + "/" + name, holder);
    return holder;
  }

  private static Holder holder(String name) {
    return Objects.requireNonNull(holders.get(name), name);
  }

  private static SegmentReply.Granted allocate(JdbcSegmentStore from, String namespace) {
    var request = new SegmentRequest(SegmentTerms.of(namespace, "order", GAP), 100, -1);
    SegmentReply reply = answered(() -> from.allocate(request));
    return assertInstanceOf(SegmentReply.Granted.class, reply, reply.toString());
  }

  // ---- why a fence is needed

  @Test
  void list_restored_isTheSameIdentity() {
    assertEquals(formerIdentity, answered(() -> store.list("open")).identity());
  }

  @Test
  void claim_withoutAFence_givesCellsASecondTime() {
    Holder later = new Holder("open", time, new GrantedCells()).claims(store, 2);
    assertTrue(GrantedCells.overlap(holder("open/lost").row(), later.row()));
  }

  @Test
  void allocate_withoutAFence_givesIdsASecondTime() {
    SegmentReply.Granted again = allocate(tags, "open");
    assertFalse(again.skipped());
    assertEquals(101, again.first());
  }

  // ---- what a fence does

  @Test
  void fence_restored_keepsCellsAndIdsApart() {
    LeaseReply reply = answered(() -> store.fence(Holder.terms("fenced"), time.wallMillis()));
    long floor = assertInstanceOf(LeaseReply.Fenced.class, reply).namespace().floorMillis();
    assertEquals(START + Holder.TERMS.floorDelayMs(), floor);

    granted(holder("fenced/recent").extend(store)); // the last renewal alone is gone
    refused(Refusal.FENCED, holder("fenced/old").extend(store));
    refused(Refusal.LOST, holder("fenced/lost").extend(store));

    Holder later = new Holder("fenced", time, cells);
    refused(Refusal.FLOOR, later.claim(store, 2, false));
    time.set(floor - Holder.MAX_WAIT_MS);
    later.claims(store, 2);
    assertTrue(later.row().fromMillis() >= floor);
    cells.assertDisjoint("fenced");

    SegmentReply.Granted first = allocate(tags, "fenced");
    assertTrue(first.skipped());
    assertEquals(100 + GAP + 1, first.first());
    assertTrue(first.first() > 600); // six times a hundred were given
    assertFalse(allocate(tags, "fenced").skipped());
  }
}
