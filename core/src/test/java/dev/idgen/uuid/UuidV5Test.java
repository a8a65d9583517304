package dev.idgen.uuid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class UuidV5Test {

  /** RFC 9562, appendix A.4. */
  @Test
  void of_theStandardsExample_givesItsId() {
    assertEquals(
        "2ed6657d-e927-568b-95e1-2665a8aea6a2",
        UuidV5.of(UuidV5.DNS, "www.example.com").toString());
  }

  @Test
  void of_otherNamespaces_givesWhatOthersCompute() {
    assertEquals(
        "afdef7ba-7312-5e42-ac2d-ed60cef58139",
        UuidV5.of(UuidV5.URL, "https://example.com/ä").toString());
    assertEquals(
        "1447fa61-5277-5fef-a9b3-fbc6e44f4af3", UuidV5.of(UuidV5.OID, "1.3.6.1").toString());
    assertEquals(
        "3ecc4f45-80bb-593a-be98-00e146377827", UuidV5.of(UuidV5.X500, "cn=example").toString());
    assertEquals("e129f27c-5103-5c5c-844b-cdf0a15e160d", UuidV5.of(Uuids.NIL, "").toString());
  }

  /** As bytes they are all the same mark: other names would have the same id. */
  @Test
  void of_nameThatUtf8CannotHold_isRefused() {
    for (String name : List.of("\ud800", "a\udc00", "\ud83d\ud83d\ude00")) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> UuidV5.of(UuidV5.DNS, name));
      assertEquals("name: half a surrogate pair (expected: what UTF-8 can hold)", e.getMessage());
    }
    assertEquals(5, Uuids.versionOf(UuidV5.of(UuidV5.DNS, "\ud83d\ude00")));
  }

  @Test
  void of_bytesOfTheName_isTheSame() {
    byte[] name = "naïve".getBytes(StandardCharsets.UTF_8);
    assertEquals(UuidV5.of(UuidV5.DNS, "naïve"), UuidV5.of(UuidV5.DNS, name));
    assertEquals(5, Uuids.versionOf(UuidV5.of(UuidV5.DNS, name)));
  }
}
