/**
 * Digests of texts, as tokens and requests are told apart by them. One class; called by settings
 * and by the service.
 */
@NullMarked
package dev.idgen.server.digest;

import org.jspecify.annotations.NullMarked;
