/**
 * What every store must pass, and what stands in for bad networks and clocks. Start reading at
 * {@link dev.idgen.check.contract.WorkerStoreContract}: the author of a store extends it in its
 * tests.
 *
 * <p>Tests call in, and nothing of it is ever shipped.
 */
@NullMarked
package dev.idgen.check.contract;

import org.jspecify.annotations.NullMarked;
