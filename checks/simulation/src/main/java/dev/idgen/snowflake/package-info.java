/**
 * A look inside an engine, for the checker: {@link dev.idgen.snowflake.LeaseProbe}. It lives in the
 * engine's package because leases are nobody else's business, reads only, and is never shipped.
 */
@NullMarked
package dev.idgen.snowflake;

import org.jspecify.annotations.NullMarked;
