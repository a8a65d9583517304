CREATE TABLE idgen_meta (
  id             INTEGER NOT NULL PRIMARY KEY,
  schema_version INTEGER NOT NULL,
  identity       TEXT    NOT NULL
);

CREATE TABLE things (name TEXT NOT NULL);
