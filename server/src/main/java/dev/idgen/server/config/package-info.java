/**
 * What can be set, and what was set. Start reading at {@link dev.idgen.server.config.Settings}, the
 * one table of all settings, then {@link dev.idgen.server.config.ConfigLoader}, which merges file,
 * environment and flags. The command line and the wiring call in; the package never starts anything
 * and never repairs a value.
 */
@NullMarked
package dev.idgen.server.config;

import org.jspecify.annotations.NullMarked;
