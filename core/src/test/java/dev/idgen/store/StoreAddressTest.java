package dev.idgen.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.idgen.store.StoreAddress.Server;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreAddressTest {

  @Test
  void parse_whole_isTakenApart() {
    StoreAddress address =
        StoreAddress.parse("etcd://me%40x:p%3A+@%2F@h1:1,[::1]:2,h3/a/b-1", 9, "/idgen");

    assertEquals("etcd", address.scheme());
    assertEquals(
        List.of(new Server("h1", 1), new Server("[::1]", 2), new Server("h3", 9)),
        address.servers());
    assertEquals("me@x", address.user());
    assertEquals("p:+@/", address.password());
    assertEquals("/a/b-1", address.path());
    assertEquals("etcd://h1:1,[::1]:2,h3:9/a/b-1", address.toString());
  }

  @Test
  void parse_serverAlone_hasDefaults() {
    StoreAddress address = StoreAddress.parse("zookeeper://[fe80::1]", 2181, "/idgen");

    assertEquals("zookeeper://[fe80::1]:2181/idgen", address.toString());
    assertEquals("", address.user());
  }

  @Test
  void parse_withTls_hasItsAuthorities() {
    StoreAddress address = StoreAddress.parse("etcds://u:p@h/a?ca=/etc/my%20ca.pem", 1, "/idgen");

    assertTrue(address.encrypted());
    assertEquals("/etc/my ca.pem", address.ca());
    assertEquals("etcds://h:1/a", address.toString());
    assertEquals("", StoreAddress.parse("etcds://h", 1, "/idgen").ca());
    assertFalse(StoreAddress.parse("etcd://h", 1, "/idgen").encrypted());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nothing",
        "://h",
        "etcd://",
        "etcd:///path",
        "etcd://u:secret@",
        "etcd://u:secret@h,",
        "etcd://u:secret@h:0",
        "etcd://u:secret@h:65536",
        "etcd://u:secret@h:x",
        "etcd://u:secret@h/",
        "etcd://u:secret@h/a/",
        "etcd://u:secret@h/a//b",
        "etcd://u:secret@h/../b",
        "etcd://u:secret@h o/b",
        "etcd://u:secret@h/b?ca=/ca.pem",
        "etcds://u:secret@h/b?ca=",
        "etcds://u:secret@h/b?cert=/ca.pem",
        "etcds://u:secret@h/b?ca=/ca.pem&x=1",
        "etcd://u:secret@h/1/2/3/4/5/6/7/8/9"
      })
  void parse_notWhole_throwsWithoutThePassword(String text) {
    var refused =
        assertThrows(IllegalArgumentException.class, () -> StoreAddress.parse(text, 1, "/idgen"));
    assertFalse(String.valueOf(refused.getMessage()).contains("secret"), refused.getMessage());
  }
}
