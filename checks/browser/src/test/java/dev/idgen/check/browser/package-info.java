/**
 * Drives the console page in a real browser, as a person would: presses, keys, and what then stands
 * on the page. Start reading at {@link dev.idgen.check.browser.ConsoleContract}, which holds
 * against any server; its subclasses say which. Nobody calls in; nothing here is shipped, and
 * nothing downloads a browser or a driver.
 */
@NullMarked
package dev.idgen.check.browser;

import org.jspecify.annotations.NullMarked;
