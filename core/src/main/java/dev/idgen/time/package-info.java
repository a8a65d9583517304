/**
 * Time as the rest of idgen sees it: a wall clock, a monotonic clock, pausing and timers. Start
 * reading at {@link dev.idgen.time.TimeSource}. This is the only package that reads the real clock;
 * tests and simulations hand in their own. It never interprets what it reads: judging a clock is
 * the engine's work.
 */
@NullMarked
package dev.idgen.time;

import org.jspecify.annotations.NullMarked;
