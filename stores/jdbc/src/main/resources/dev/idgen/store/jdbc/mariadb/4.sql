-- One row for each idempotency key that is in use: deleted some time after its end. All times are
-- milliseconds since 1970. Whoever deletes rows by hand deletes those of idgen_idempotency_use too,
-- of the same namespace and caller. Statements here may run again.
CREATE TABLE IF NOT EXISTS idgen_idempotency (
  namespace   VARCHAR(64)  NOT NULL,
  caller      VARCHAR(64)  NOT NULL, -- whose key it is
  tag         VARCHAR(64)  NOT NULL,
  idem_key    VARCHAR(255) NOT NULL, -- as the caller chose it
  fingerprint VARCHAR(64)  NOT NULL, -- of the request
  attempt     BIGINT       NOT NULL, -- names who works on it, or has done it
  expires_ms  BIGINT       NOT NULL, -- its end: from then on the row counts as absent
  keep_ms     BIGINT       NOT NULL, -- how long the reply is kept from when it was stored
  reply       MEDIUMTEXT,            -- null: in flight
  PRIMARY KEY (namespace, caller, tag, idem_key),
  INDEX idgen_idempotency_expires (expires_ms),
  INDEX idgen_idempotency_caller (namespace, caller, expires_ms)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Eight rows for each caller: how many rows it has above, in parts that are written independently.
CREATE TABLE IF NOT EXISTS idgen_idempotency_use (
  namespace VARCHAR(64) NOT NULL,
  caller    VARCHAR(64) NOT NULL,
  slot      INT         NOT NULL,
  used      BIGINT      NOT NULL,
  PRIMARY KEY (namespace, caller, slot)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

UPDATE idgen_meta SET schema_version = 4;
