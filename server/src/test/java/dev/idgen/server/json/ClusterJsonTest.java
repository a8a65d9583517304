package dev.idgen.server.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.idgen.server.service.ServerAdmin.AuditPage;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterJsonTest {

  /** A process was killed while it wrote, and another one went on behind that. */
  @Test
  void audit_linesThatAreNoJson_areShownAndHarmNoOther() {
    List<String> lines =
        List.of("{\"event\":\"stop\"}", "{\"event\":{\"event\":\"start\"}", "", "[1]", "{} {}");
    JsonArray entries =
        new JsonObject(ClusterJson.audit(new AuditPage(lines, -1)).toString())
            .getJsonArray("entries");
    assertEquals("stop", entries.getJsonObject(0).getString("event"));
    for (int i = 1; i < lines.size(); i++) {
      assertEquals(lines.get(i), entries.getJsonObject(i).getString("unreadable"));
    }
  }
}
