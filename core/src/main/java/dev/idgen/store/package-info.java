/**
 * The whole contract of a coordination store. Start reading at {@link dev.idgen.store.WorkerStore};
 * {@link dev.idgen.store.LeaseRules} decides every operation on worker leases as a pure function,
 * so that a driver only reads rows, asks the rules, and writes conditionally.
 *
 * <p>Engines and keepers call in. Drivers are the child packages and other modules; they never know
 * each other, and nothing here ever reads a clock or draws a random number.
 */
@NullMarked
package dev.idgen.store;

import org.jspecify.annotations.NullMarked;
