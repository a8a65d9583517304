/**
 * Faults planted into a copy of the engines and of the server, one at a time: the other checks must
 * find each of them, or they prove nothing. Start reading at {@code Fault}, which lists them, then
 * {@code FaultsTest}. Nothing that is shipped knows of them.
 *
 * <p>Guards that are not listed, because taking them out alone cannot show:
 *
 * <ul>
 *   <li>The test for a negative place after the fetch-and-add in {@code Lease.reserve}: a closed
 *       state is so far below zero that its tick, read without a sign, lies above every horizon, so
 *       the test of the horizon that follows drops it too, and a negative answer is never taken for
 *       a place. It stays because it says what is meant, and answers CLOSED at once.
 *   <li>The reuse delay alone: a lease begins at the horizon of the one before it, whenever it is
 *       granted. It is there for clocks in ids, not for their uniqueness.
 *   <li>The rounding up of a start, or down of a horizon, to whole ticks: either one keeps two
 *       leases apart. Both taken out are listed.
 *   <li>The horizon in the short take: a tick is below the horizon as a whole or not at all, so
 *       staying in a tick that was below it is enough.
 *   <li>The comparison of clocks in a claim, for the same reason.
 *   <li>The token of a release: the generation before it is compared as well, and only a copy of a
 *       process has the same.
 *   <li>The highest id that a caller of {@code SegmentRules.allocate} knows: where a store tells of
 *       its losses, the gap alone is above it. Where it does not, the engine refuses what is not
 *       above. Both taken out are listed, by the order that is lost.
 *   <li>The gap when only a caller knows of a loss: what others were given above is repeated anyhow
 *       if they are not the next to ask. Such a loss is outside of the promise.
 *   <li>The floor in a row after the first allocation above it: the mark is above as well.
 *   <li>The three tests for the end of numbers in {@code SegmentRules}: a sum that wraps is
 *       negative, and what begins below zero is refused as the end.
 *   <li>The stride of an answer in {@code Fetcher.arrived}: the rules give the one asked for.
 *   <li>Serving those in line before a segment is published, looking at the floor once more when a
 *       take gets in line, and giving up what is ready when a segment engine closes: only threads
 *       that meet in between could tell, or nobody, since who is in line is refused first.
 *   <li>Publishing before the present segment is used up: only ids would be wasted.
 *   <li>Hearing no answer of a question that was given up, in {@code TagWatch}: what it says is
 *       older than what is known by then, and changes nothing; the store would be asked more often.
 *   <li>In {@code LeaseRules}: a floor only from a clock that agrees, the fence in a row, the bound
 *       of a horizon by the store's clock, the longest window, the reuse delay, the token of a
 *       revoked row. Each needs a failover at the worst moment under clocks at their worst. The
 *       random histories of the rules alone find the first four, and tests of their own all.
 *   <li>The second look at a mark when a tag is made again, hearing the refusal of one database
 *       among several, and keeping own writes while all tags are read anew: what they are for
 *       happens in one of many thousand seeds. Tests of their own hold them.
 * </ul>
 */
@NullMarked
package dev.idgen.check.mutants;

import org.jspecify.annotations.NullMarked;
