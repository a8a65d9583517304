/**
 * What the server shows to Prometheus. Start reading at {@link
 * dev.idgen.server.metrics.MetricsPage}: it gathers what the parts have counted when it is asked,
 * and counts nothing itself. Called by transports and wired by {@code main}; never writes anywhere.
 */
@NullMarked
package dev.idgen.server.metrics;

import org.jspecify.annotations.NullMarked;
