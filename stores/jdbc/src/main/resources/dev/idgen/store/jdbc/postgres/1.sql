-- One row: which schema this is.
CREATE TABLE idgen_meta (
  id             INTEGER      NOT NULL PRIMARY KEY CHECK (id = 1),
  schema_version INTEGER      NOT NULL,
  identity       VARCHAR(255) NOT NULL, -- made with the tables; the server's own comes behind it
  first_server   VARCHAR(255)           -- which server the tags began on: set once
);

-- One row for each namespace. Never deleted. All times are milliseconds since 1970.
CREATE TABLE idgen_namespace (
  namespace  VARCHAR(64) COLLATE "C" NOT NULL PRIMARY KEY,
  layout     VARCHAR(255)            NOT NULL, -- of every id of the namespace; never changes
  identity   VARCHAR(255)            NOT NULL, -- the server it was last seen on
  fence      BIGINT                  NOT NULL, -- how often acknowledged writes were declared lost
  floor_ms   BIGINT                  NOT NULL, -- no lease starts below
  reach_ms   BIGINT                  NOT NULL, -- furthest that a horizon was written above the clock
  created_ms BIGINT                  NOT NULL
);

-- One row for each worker id that was ever used. Never deleted.
CREATE TABLE idgen_worker (
  namespace  VARCHAR(64) COLLATE "C" NOT NULL,
  worker_id  INTEGER                 NOT NULL,
  owner      VARCHAR(255),                     -- null: released
  generation BIGINT                  NOT NULL, -- rises with each claim
  token      BIGINT                  NOT NULL, -- names the holder's last write; 0: nobody may write
  nonce      BIGINT                  NOT NULL, -- names the claim
  from_ms    BIGINT                  NOT NULL, -- first timestamp of this generation
  horizon_ms BIGINT                  NOT NULL, -- first timestamp that it does not cover
  identity   VARCHAR(255)            NOT NULL, -- the server at the last write
  fence      BIGINT                  NOT NULL, -- the namespace's at the last write
  updated_ms BIGINT                  NOT NULL,
  PRIMARY KEY (namespace, worker_id)
);

INSERT INTO idgen_meta (id, schema_version, identity) VALUES (1, 1, replace(gen_random_uuid()::text, '-', ''));
