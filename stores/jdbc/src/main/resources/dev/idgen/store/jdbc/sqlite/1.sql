-- One row: which schema this is, and which database. A copy of the file is the same database to
-- idgen, so never run two copies.
CREATE TABLE idgen_meta (
  id             INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  schema_version INTEGER NOT NULL,
  identity       TEXT    NOT NULL
) STRICT;

-- One row for each namespace. Never deleted. All times are milliseconds since 1970.
CREATE TABLE idgen_namespace (
  namespace  TEXT    NOT NULL PRIMARY KEY,
  layout     TEXT    NOT NULL, -- of every id of the namespace; never changes
  identity   TEXT    NOT NULL, -- the database it was last seen on
  fence      INTEGER NOT NULL, -- how often acknowledged writes were declared lost
  floor_ms   INTEGER NOT NULL, -- no lease starts below
  reach_ms   INTEGER NOT NULL, -- furthest that a horizon was written above the clock
  created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One row for each worker id that was ever used. Never deleted.
CREATE TABLE idgen_worker (
  namespace  TEXT    NOT NULL,
  worker_id  INTEGER NOT NULL,
  owner      TEXT,             -- null: released
  generation INTEGER NOT NULL, -- rises with each claim
  token      INTEGER NOT NULL, -- names the holder's last write; 0: nobody may write
  nonce      INTEGER NOT NULL, -- names the claim
  from_ms    INTEGER NOT NULL, -- first timestamp of this generation
  horizon_ms INTEGER NOT NULL, -- first timestamp that it does not cover
  identity   TEXT    NOT NULL, -- the database at the last write
  fence      INTEGER NOT NULL, -- the namespace's at the last write
  updated_ms INTEGER NOT NULL,
  PRIMARY KEY (namespace, worker_id)
) STRICT, WITHOUT ROWID;

INSERT INTO idgen_meta (id, schema_version, identity) VALUES (1, 1, lower(hex(randomblob(16))));
