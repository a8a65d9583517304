-- One row for each tag: its high-water mark. Never deleted.
CREATE TABLE id_alloc (
  biz_tag     VARCHAR(129) COLLATE "C" NOT NULL PRIMARY KEY,  -- <namespace>/<tag>; the tag alone in the namespace default
  max_id      BIGINT       NOT NULL,                    -- no id up to it is given again; only rises
  step        INTEGER      NOT NULL DEFAULT 10000,      -- ids of a first fetch
  description VARCHAR(128) NOT NULL DEFAULT '',
  update_time TIMESTAMP    NOT NULL DEFAULT CURRENT_TIMESTAMP,
  floor_id    BIGINT       NOT NULL,                    -- no later id is below; only rises
  identity    VARCHAR(255) NOT NULL,                    -- the server at the last write
  fence       BIGINT       NOT NULL,                    -- the namespace's at the last write
  version     BIGINT       NOT NULL,                    -- counts the writes
  removed     INTEGER      NOT NULL DEFAULT 0           -- 1: a tombstone
);

CREATE INDEX id_alloc_update_time ON id_alloc (update_time);

UPDATE idgen_meta SET schema_version = 2;
