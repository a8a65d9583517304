package dev.idgen.server.service;

/**
 * What a text is that begins with the prefix of a tag and is as that tag writes its ids. A value.
 *
 * @param prefix of the tag
 * @param form how it writes what follows
 * @param id the number
 */
record TagText(String prefix, String form, long id) {}
