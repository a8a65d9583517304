/**
 * The rules of docs/architecture.md over every shipped class. Start reading at {@code
 * ArchitectureTest}. Nobody calls in.
 */
@NullMarked
package dev.idgen.check.architecture;

import org.jspecify.annotations.NullMarked;
