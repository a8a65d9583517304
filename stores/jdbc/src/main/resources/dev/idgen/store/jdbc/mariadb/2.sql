-- One row for each tag: its high-water mark. Never deleted. Statements here may run again.
CREATE TABLE IF NOT EXISTS id_alloc (
  biz_tag     VARCHAR(129) NOT NULL PRIMARY KEY,        -- <namespace>/<tag>; the tag alone in the namespace default
  max_id      BIGINT       NOT NULL,                    -- no id up to it is given again; only rises
  step        INT          NOT NULL DEFAULT 10000,      -- for readers of such tables: idgen leaves it as it is
  description VARCHAR(128) NOT NULL DEFAULT '',          -- the same: what is set for a tag is in idgen_tag
  update_time TIMESTAMP    NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  floor_id    BIGINT       NOT NULL,                    -- no later id is below; only rises
  identity    VARCHAR(255) NOT NULL,                    -- the server at the last write
  fence       BIGINT       NOT NULL,                    -- the namespace's at the last write
  version     BIGINT       NOT NULL,                    -- counts the writes
  removed     INT          NOT NULL DEFAULT 0,          -- 1: a tombstone
  INDEX id_alloc_update_time (update_time)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

UPDATE idgen_meta SET schema_version = 2;
