-- One row for each namespace: the number of its last change of a tag. Statements here may run again.
CREATE TABLE IF NOT EXISTS idgen_revision (
  namespace VARCHAR(64) NOT NULL PRIMARY KEY,
  revision  BIGINT      NOT NULL -- only rises
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- One row for each tag: what is set for it. Never deleted. All times are milliseconds since 1970.
CREATE TABLE IF NOT EXISTS idgen_tag (
  namespace       VARCHAR(64)  NOT NULL,
  tag             VARCHAR(64)  NOT NULL,
  engine          VARCHAR(16)  NOT NULL,
  text_form       VARCHAR(16)  NOT NULL, -- how its ids are written
  prefix          VARCHAR(128) NOT NULL,
  start_id        BIGINT       NOT NULL, -- the first id of a new tag
  maximum_id      BIGINT       NOT NULL, -- no id above
  step            BIGINT       NOT NULL, -- ids of a first fetch
  step_min        BIGINT       NOT NULL,
  step_max        BIGINT       NOT NULL,
  critical        INT          NOT NULL, -- 1: may try a store that has just failed first
  rate_per_second BIGINT       NOT NULL, -- 0: no limit
  burst           BIGINT       NOT NULL,
  owner           VARCHAR(128) NOT NULL,
  description     VARCHAR(128) NOT NULL,
  floor_id        BIGINT       NOT NULL, -- no later id is below; only rises
  version         BIGINT       NOT NULL, -- counts the writes
  revision        BIGINT       NOT NULL, -- of the namespace, at the last write
  removed         INT          NOT NULL, -- 1: a tombstone
  created_ms      BIGINT       NOT NULL,
  updated_ms      BIGINT       NOT NULL,
  PRIMARY KEY (namespace, tag),
  INDEX idgen_tag_revision (namespace, revision)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- One row for each namespace: which of how many databases this one is, for ranges. Ids of
-- id_alloc are residue modulo modulus.
CREATE TABLE IF NOT EXISTS idgen_residue (
  namespace VARCHAR(64) NOT NULL PRIMARY KEY,
  modulus   INT         NOT NULL,
  residue   INT         NOT NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- One row for each namespace: how often the marks were declared to have lost writes.
CREATE TABLE IF NOT EXISTS idgen_fence (
  namespace VARCHAR(64) NOT NULL PRIMARY KEY,
  fence     BIGINT      NOT NULL -- only rises
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

UPDATE idgen_meta SET schema_version = 3;
