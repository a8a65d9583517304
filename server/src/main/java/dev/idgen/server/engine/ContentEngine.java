package dev.idgen.server.engine;

import dev.idgen.server.service.EngineKind;
import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import dev.idgen.server.service.TextEngine;
import dev.idgen.text.TextException;
import dev.idgen.uuid.UuidV5;
import dev.idgen.uuid.Uuids;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Ids of contents: the same content in the same namespace has the same id, on every server and for
 * ever. Where a caller names no namespace, it is that of the tag, so that tags do not share ids.
 * Immutable.
 */
final class ContentEngine implements TextEngine {
  private static final int SHOWN = 40;

  private final UUID ofTag;

  ContentEngine(String tag) {
    this.ofTag = UuidV5.of(Uuids.NIL, tag);
  }

  @Override
  public EngineKind kind() {
    return EngineKind.CONTENT;
  }

  @Override
  public int mostAtOnce() {
    return 1;
  }

  @Override
  public void requireContent(@Nullable Content content) {
    if (content == null) {
      throw invalid("content: absent (expected: what the id is of)");
    }
    var unused = namespaceOf(content);
  }

  @Override
  public String next(@Nullable Content content) {
    requireContent(content);
    Content of = Objects.requireNonNull(content);
    return Uuids.print(UuidV5.of(namespaceOf(of), of.text()));
  }

  private UUID namespaceOf(Content content) {
    String namespace = content.namespace();
    return namespace == null ? ofTag : namespace(namespace);
  }

  private static UUID namespace(String sent) {
    return switch (sent) {
      case "dns" -> UuidV5.DNS;
      case "url" -> UuidV5.URL;
      case "oid" -> UuidV5.OID;
      case "x500" -> UuidV5.X500;
      default -> parsed(sent);
    };
  }

  private static UUID parsed(String sent) {
    try {
      return Uuids.parse(sent);
    } catch (TextException e) {
      String shown = sent.length() > SHOWN ? sent.substring(0, SHOWN) + "..." : sent;
      throw invalid("namespace: " + shown + " (expected: a UUID, dns, url, oid, x500)");
    }
  }

  private static ServiceException invalid(String detail) {
    return new ServiceException(ServiceReason.INVALID_BODY, detail);
  }
}
