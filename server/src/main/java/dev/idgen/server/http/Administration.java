package dev.idgen.server.http;

import dev.idgen.server.metrics.MetricsPage;
import dev.idgen.server.service.ServerAdmin;
import dev.idgen.server.service.TagAdmin;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What those who run the server reach beside ids.
 *
 * @param tags manages tags; null: the store keeps none
 * @param server shows the cluster and the audit log
 * @param metrics what is counted
 * @param hosts names beside {@code localhost} and addresses under which {@code /admin} is answered
 */
public record Administration(
    @Nullable TagAdmin tags, ServerAdmin server, MetricsPage metrics, Set<String> hosts) {

  /** Copies the set. */
  public Administration {
    hosts = Set.copyOf(hosts);
  }
}
