/**
 * What a caller of any generator sees: {@link dev.idgen.IdGenerator}, the values that a batch
 * travels in, and the exceptions of a refusal. Start reading at {@code IdGenerator}. Everybody may
 * depend on this package; it depends on nothing and never knows an engine, a store or a transport.
 */
@NullMarked
package dev.idgen;

import org.jspecify.annotations.NullMarked;
