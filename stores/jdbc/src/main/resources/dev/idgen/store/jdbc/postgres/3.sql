-- One row for each namespace: the number of its last change of a tag.
CREATE TABLE idgen_revision (
  namespace VARCHAR(64) COLLATE "C" NOT NULL PRIMARY KEY,
  revision  BIGINT                  NOT NULL -- only rises
);

-- One row for each tag: what is set for it. Never deleted. All times are milliseconds since 1970.
CREATE TABLE idgen_tag (
  namespace       VARCHAR(64) COLLATE "C" NOT NULL,
  tag             VARCHAR(64) COLLATE "C" NOT NULL,
  engine          VARCHAR(16)  NOT NULL,
  text_form       VARCHAR(16)  NOT NULL, -- how its ids are written
  prefix          VARCHAR(128) NOT NULL,
  start_id        BIGINT       NOT NULL, -- the first id of a new tag
  maximum_id      BIGINT       NOT NULL, -- no id above
  step            BIGINT       NOT NULL, -- ids of a first fetch
  step_min        BIGINT       NOT NULL,
  step_max        BIGINT       NOT NULL,
  critical        INTEGER      NOT NULL, -- 1: may try a store that has just failed first
  rate_per_second BIGINT       NOT NULL, -- 0: no limit
  burst           BIGINT       NOT NULL,
  owner           VARCHAR(128) NOT NULL,
  description     VARCHAR(128) NOT NULL,
  floor_id        BIGINT       NOT NULL, -- no later id is below; only rises
  version         BIGINT       NOT NULL, -- counts the writes
  revision        BIGINT       NOT NULL, -- of the namespace, at the last write
  removed         INTEGER      NOT NULL, -- 1: a tombstone
  created_ms      BIGINT       NOT NULL,
  updated_ms      BIGINT       NOT NULL,
  PRIMARY KEY (namespace, tag)
);

CREATE INDEX idgen_tag_revision ON idgen_tag (namespace, revision);

-- One row for each namespace: which of how many databases this one is, for ranges. Ids of
-- id_alloc are residue modulo modulus.
CREATE TABLE idgen_residue (
  namespace VARCHAR(64) COLLATE "C" NOT NULL PRIMARY KEY,
  modulus   INTEGER                 NOT NULL,
  residue   INTEGER                 NOT NULL
);

-- One row for each namespace: how often the marks were declared to have lost writes.
CREATE TABLE idgen_fence (
  namespace VARCHAR(64) COLLATE "C" NOT NULL PRIMARY KEY,
  fence     BIGINT                  NOT NULL -- only rises
);

UPDATE idgen_meta SET schema_version = 3;
