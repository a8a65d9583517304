CREATE TABLE idgen_meta (
  id             INTEGER NOT NULL PRIMARY KEY,
  schema_version INTEGER NOT NULL,
  identity       TEXT    NOT NULL
);

CREATE TABLE things (name TEXT NOT NULL);


INSERT INTO idgen_meta (id, schema_version, identity) VALUES (1, 1, 'first');
