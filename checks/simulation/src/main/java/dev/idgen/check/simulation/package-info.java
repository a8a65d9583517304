/**
 * Whole clusters in one thread and in simulated time, from a seed: real engines and keepers, over a
 * network that delays, loses and repeats, to a store in memory, by clocks that do what clocks do.
 * Start reading at {@link dev.idgen.check.simulation.Campaign}, then {@link
 * dev.idgen.check.simulation.Cluster} and {@link dev.idgen.check.simulation.Ledger}, which judges.
 *
 * <p>Ids of tags have clusters of their own: {@link dev.idgen.check.simulation.SegmentCampaign},
 * {@link dev.idgen.check.simulation.SegmentCluster} and {@link
 * dev.idgen.check.simulation.TagLedger}. Another engine over the same marks is one more {@link
 * dev.idgen.check.simulation.Issuer}.
 *
 * <p>Servers with tags that administrators change, and marks over several databases, are a third
 * kind: {@link dev.idgen.check.simulation.TagCampaign}, {@link
 * dev.idgen.check.simulation.TagCluster} and {@link dev.idgen.check.simulation.TagJudge}.
 *
 * <p>Tests call in, and the check of planted faults. Nothing here reads a real clock, starts a
 * thread or waits, and nothing of it is ever shipped.
 */
@NullMarked
package dev.idgen.check.simulation;

import org.jspecify.annotations.NullMarked;
