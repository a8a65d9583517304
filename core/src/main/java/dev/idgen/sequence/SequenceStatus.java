package dev.idgen.sequence;

/**
 * How a sequence engine does. A value.
 *
 * @param waiting callers that wait for the store
 * @param problem why the last call to the store failed; empty: it did not
 */
public record SequenceStatus(int waiting, String problem) {}
