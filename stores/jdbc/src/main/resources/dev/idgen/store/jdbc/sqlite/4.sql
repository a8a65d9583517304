-- One row for each idempotency key that is in use: deleted some time after its end. All times are
-- milliseconds since 1970. Whoever deletes rows by hand deletes those of idgen_idempotency_use too,
-- of the same namespace and caller.
CREATE TABLE idgen_idempotency (
  namespace   TEXT    NOT NULL,
  caller      TEXT    NOT NULL, -- whose key it is
  tag         TEXT    NOT NULL,
  idem_key    TEXT    NOT NULL, -- as the caller chose it
  fingerprint TEXT    NOT NULL, -- of the request
  attempt     INTEGER NOT NULL, -- names who works on it, or has done it
  expires_ms  INTEGER NOT NULL, -- its end: from then on the row counts as absent
  keep_ms     INTEGER NOT NULL, -- how long the reply is kept from when it was stored
  reply       TEXT,             -- null: in flight
  PRIMARY KEY (namespace, caller, tag, idem_key)
) STRICT;

CREATE INDEX idgen_idempotency_expires ON idgen_idempotency (expires_ms);

CREATE INDEX idgen_idempotency_caller ON idgen_idempotency (namespace, caller, expires_ms);

-- Eight rows for each caller: how many rows it has above, in parts that are written independently.
CREATE TABLE idgen_idempotency_use (
  namespace TEXT    NOT NULL,
  caller    TEXT    NOT NULL,
  slot      INTEGER NOT NULL,
  used      INTEGER NOT NULL,
  PRIMARY KEY (namespace, caller, slot)
) STRICT, WITHOUT ROWID;

UPDATE idgen_meta SET schema_version = 4;
