package dev.idgen.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class LayoutsTest {

  @Test
  void named_everyName_givesItsLayout() {
    Layouts.all().forEach((name, layout) -> assertSame(layout, Layouts.named(name)));
    assertEquals("idgen", Layouts.all().keySet().iterator().next());
    assertThrows(UnsupportedOperationException.class, () -> Layouts.all().clear());
  }

  @Test
  void named_unknown_listsTheNames() {
    var e = assertThrows(IllegalArgumentException.class, () -> Layouts.named("nosuch"));
    assertTrue(
        String.valueOf(e.getMessage())
            .startsWith("layout: nosuch (expected: one of idgen, idgen-javascript, "),
        e::getMessage);
  }

  /** The example of Discord's reference. */
  @Test
  void discord_documentedId_hasTheDocumentedFields() {
    IdFields fields = Layouts.DISCORD.decode(175928847299117063L);
    assertEquals(Instant.parse("2016-04-30T11:18:25.796Z"), fields.time());
    assertEquals(1, fields.region());
    assertEquals(0, fields.localWorker());
    assertEquals(7, fields.sequence());
  }

  /** The example of the encyclopedia article on snowflake ids. */
  @Test
  void twitter_publicId_hasItsPublicTime() {
    assertEquals(
        Instant.parse("2022-06-28T16:07:40.105Z"), Layouts.TWITTER.timeOf(1541815603606036480L));
  }

  @Test
  void epochs_areTheDocumentedDates() {
    assertEquals(0, Layouts.AGRONA.epochMillis());
    assertEquals(Instant.parse("2039-09-07T15:47:35.552Z"), Layouts.AGRONA.end());
    assertEquals("2016-05-19T16:00:00Z", epoch(Layouts.BAIDU));
    assertEquals("2014-09-01T00:00:00Z", epoch(Layouts.SONYFLAKE_V1));
    assertEquals("2025-01-01T00:00:00Z", epoch(Layouts.SONYFLAKE_V2));
    assertEquals("2020-01-01T00:00:00Z", epoch(Layouts.TSID));
    assertEquals("2018-01-01T00:00:00Z", epoch(Layouts.HAZELCAST));
    assertEquals("2016-11-01T00:00:00Z", epoch(Layouts.SHARDINGSPHERE));
    assertEquals("2016-10-31T16:00:00Z", epoch(Layouts.SHARDINGSPHERE_CHINA));
    assertEquals("2019-12-31T16:00:00Z", epoch(Layouts.DATACENTER));
    assertEquals("2020-05-02T16:00:00Z", epoch(Layouts.SEATA));
  }

  private static String epoch(Layout layout) {
    return Instant.ofEpochMilli(layout.epochMillis()).toString();
  }
}
