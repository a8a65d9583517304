package dev.idgen.server.service;

import dev.idgen.store.TagRow;

/** Rows with a rate. */
final class Limits {
  private Limits() {}

  static TagRow of(TagRow row, long ratePerSecond, long burst) {
    return of(row, ratePerSecond, burst, row.revision());
  }

  static TagRow of(TagRow row, long ratePerSecond, long burst, long revision) {
    return new TagRow(
        row.tag(),
        row.engine(),
        row.text(),
        row.prefix(),
        row.start(),
        row.maximum(),
        row.step(),
        row.stepMin(),
        row.stepMax(),
        row.critical(),
        ratePerSecond,
        burst,
        row.owner(),
        row.description(),
        row.floor(),
        row.version(),
        revision,
        row.removed(),
        row.createdMillis(),
        row.updatedMillis());
  }
}
