-- One row for each tag: its high-water mark. Never deleted.
CREATE TABLE id_alloc (
  biz_tag     TEXT    NOT NULL PRIMARY KEY,     -- <namespace>/<tag>; the tag alone in the namespace default
  max_id      INTEGER NOT NULL,                 -- no id up to it is given again; only rises
  step        INTEGER NOT NULL DEFAULT 10000,   -- for readers of such tables: idgen leaves it as it is
  description TEXT    NOT NULL DEFAULT '',      -- the same: what is set for a tag is in idgen_tag
  update_time TEXT    NOT NULL DEFAULT CURRENT_TIMESTAMP,
  floor_id    INTEGER NOT NULL,                 -- no later id is below; only rises
  identity    TEXT    NOT NULL,                 -- the database at the last write
  fence       INTEGER NOT NULL,                 -- the namespace's at the last write
  version     INTEGER NOT NULL,                 -- counts the writes
  removed     INTEGER NOT NULL DEFAULT 0        -- 1: a tombstone
) STRICT, WITHOUT ROWID;

CREATE INDEX id_alloc_update_time ON id_alloc (update_time);

-- Which server the tags began on: another one later means that some may have been forgotten.
ALTER TABLE idgen_meta ADD COLUMN first_server TEXT;

UPDATE idgen_meta SET schema_version = 2;
