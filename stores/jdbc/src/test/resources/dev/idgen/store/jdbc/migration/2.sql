ALTER TABLE things ADD COLUMN size INTEGER NOT NULL DEFAULT 5;


UPDATE idgen_meta SET schema_version = 2;
