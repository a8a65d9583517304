/**
 * The idgen library: ids inside the application, with nothing but {@code java.base} at run time.
 */
module dev.idgen {
  requires static transitive org.jspecify;

  exports dev.idgen;
  exports dev.idgen.entropy;
  exports dev.idgen.inspect;
  exports dev.idgen.layout;
  exports dev.idgen.lock;
  exports dev.idgen.segment;
  exports dev.idgen.sequence;
  exports dev.idgen.snowflake;
  exports dev.idgen.store;
  exports dev.idgen.store.file;
  exports dev.idgen.store.memory;
  exports dev.idgen.text;
  exports dev.idgen.time;
  exports dev.idgen.uuid;
}
