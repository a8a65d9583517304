-- One row for each namespace: the number of its last change of a tag.
CREATE TABLE idgen_revision (
  namespace TEXT    NOT NULL PRIMARY KEY,
  revision  INTEGER NOT NULL -- only rises
) STRICT, WITHOUT ROWID;

-- One row for each tag: what is set for it. Never deleted. All times are milliseconds since 1970.
CREATE TABLE idgen_tag (
  namespace       TEXT    NOT NULL,
  tag             TEXT    NOT NULL,
  engine          TEXT    NOT NULL,
  text_form       TEXT    NOT NULL, -- how its ids are written
  prefix          TEXT    NOT NULL,
  start_id        INTEGER NOT NULL, -- the first id of a new tag
  maximum_id      INTEGER NOT NULL, -- no id above
  step            INTEGER NOT NULL, -- ids of a first fetch
  step_min        INTEGER NOT NULL,
  step_max        INTEGER NOT NULL,
  critical        INTEGER NOT NULL, -- 1: may try a store that has just failed first
  rate_per_second INTEGER NOT NULL, -- 0: no limit
  burst           INTEGER NOT NULL,
  owner           TEXT    NOT NULL,
  description     TEXT    NOT NULL,
  floor_id        INTEGER NOT NULL, -- no later id is below; only rises
  version         INTEGER NOT NULL, -- counts the writes
  revision        INTEGER NOT NULL, -- of the namespace, at the last write
  removed         INTEGER NOT NULL, -- 1: a tombstone
  created_ms      INTEGER NOT NULL,
  updated_ms      INTEGER NOT NULL,
  PRIMARY KEY (namespace, tag)
) STRICT, WITHOUT ROWID;

CREATE INDEX idgen_tag_revision ON idgen_tag (namespace, revision);

-- One row for each namespace: which of how many databases this one is, for ranges. Ids of
-- id_alloc are residue modulo modulus.
CREATE TABLE idgen_residue (
  namespace TEXT    NOT NULL PRIMARY KEY,
  modulus   INTEGER NOT NULL,
  residue   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One row for each namespace: how often the marks were declared to have lost writes.
CREATE TABLE idgen_fence (
  namespace TEXT    NOT NULL PRIMARY KEY,
  fence     INTEGER NOT NULL -- only rises
) STRICT, WITHOUT ROWID;

UPDATE idgen_meta SET schema_version = 3;
