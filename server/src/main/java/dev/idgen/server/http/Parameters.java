package dev.idgen.server.http;

import dev.idgen.server.service.ServiceException;
import dev.idgen.server.service.ServiceReason;
import org.jspecify.annotations.Nullable;

/** The parameters of a call, with refusals as callers get them. */
final class Parameters {
  private Parameters() {}

  /**
   * Refuses parameters that a call does not have.
   *
   * @throws ServiceException with {@link ServiceReason#INVALID_BODY}
   */
  static void requireOnly(Query query, String... names) {
    if (query.query().isEmpty()) {
      return;
    }
    try {
      query.requireOnly(names);
    } catch (IllegalArgumentException e) {
      throw new ServiceException(ServiceReason.INVALID_BODY, e.getMessage() + "");
    }
  }

  /**
   * The value of a parameter.
   *
   * @param reason of the refusal if it is spelt wrongly
   * @return null: not given
   */
  static @Nullable String value(Query query, String name, ServiceReason reason) {
    try {
      return query.only(name);
    } catch (IllegalArgumentException e) {
      throw new ServiceException(reason, e.getMessage() + "");
    }
  }
}
