package dev.idgen.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseUrlTest {

  @Test
  void parse_whole_isTakenApart() {
    DatabaseUrl url =
        DatabaseUrl.parse("postgres://me%40x:p%3A+@%2F@h1:1,h2:2/db%20x?sslmode=require&a=b%26");

    assertEquals("postgres", url.scheme());
    assertEquals("h1:1,h2:2", url.hosts());
    assertEquals("db x", url.database());
    assertEquals("me@x", url.user());
    assertEquals("p:+@/", url.password());
    assertEquals(Map.of("sslmode", "require", "a", "b&"), url.options());
  }

  @Test
  void parse_withoutAccountAndOptions_isTakenApart() {
    DatabaseUrl url = DatabaseUrl.parse("mysql://localhost/db");

    assertEquals("", url.user());
    assertEquals("", url.password());
    assertEquals(Map.of("a", "1"), url.properties(Map.of("a", "1")));
  }

  @Test
  void properties_optionsOfTheAddress_winOverLimits() {
    DatabaseUrl url = DatabaseUrl.parse("mysql://u:p@h/db?socketTimeout=9");
    Properties properties = url.properties(Map.of("socketTimeout", "2", "connectTimeout", "2"));

    assertEquals("9", properties.getProperty("socketTimeout"));
    assertEquals("2", properties.getProperty("connectTimeout"));
    assertEquals("u", properties.getProperty("user"));
    assertEquals("p", properties.getProperty("password"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nothing",
        "://h/d",
        "postgres://h",
        "postgres://h/",
        "postgres:///d",
        "postgres://u:secret@h",
        "postgres://u:secret@/d",
        "postgres://u:secret@h/d/e",
        "postgres://u:secret@h/d?x",
        "postgres://u:secret@h:/d",
        "postgres://u:secret@h:1,/d",
        "postgres://u:secret@h:1,,i:2/d",
        "postgres://u:secret@h:65536/d",
        "postgres://u:secret@h:0/d",
        "postgres://u:secret@h:p/d",
        "postgres://u:%secret@h/d"
      })
  void parse_notWhole_throwsWithoutThePassword(String text) {
    var refused = assertThrows(IllegalArgumentException.class, () -> DatabaseUrl.parse(text));
    assertFalse(String.valueOf(refused.getMessage()).contains("secret"), refused.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"[::1]:5432", "[fe80::1%eth0]", "h-1.example:65535", "10.0.0.1,10.0.0.2"})
  void parse_hosts_areKeptAsGiven(String hosts) {
    assertEquals(hosts, DatabaseUrl.parse("postgres://u:p@" + hosts + "/d").hosts());
  }

  @Test
  void toString_any_hidesTheAccount() {
    assertEquals("postgres://h:1/d", DatabaseUrl.parse("postgres://u:secret@h:1/d?a=b").toString());
  }
}
