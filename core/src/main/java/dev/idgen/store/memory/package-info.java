/**
 * A worker store that lives and ends with the process: for tests and simulations, and nowhere else,
 * since it forgets every horizon. Start reading at {@link
 * dev.idgen.store.memory.MemoryWorkerStore}.
 *
 * <p>Tests call in. It never injects faults, and knows no other driver.
 */
@NullMarked
package dev.idgen.store.memory;

import org.jspecify.annotations.NullMarked;
