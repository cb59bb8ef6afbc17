-- What the blobs hold; the bytes are kept elsewhere, under the hash.
CREATE TABLE contents (
    tenant_id  INTEGER NOT NULL REFERENCES tenants,
    hash       BLOB NOT NULL,
    size       INTEGER NOT NULL,
    media_type TEXT NOT NULL,
    claimed_on INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX contents_by_claim ON contents (tenant_id, claimed_on, hash);

-- Clustered by object, which is how they are listed.
CREATE TABLE attachments (
    tenant_id                 INTEGER NOT NULL,
    module_id                 INTEGER NOT NULL,
    object_id                 INTEGER NOT NULL,
    id                        INTEGER NOT NULL,
    original_file_name        TEXT NOT NULL,
    original_file_name_folded TEXT NOT NULL,
    alias_name                TEXT NOT NULL,
    file_type                 TEXT,
    created_by_id             INTEGER,
    created_by_name           TEXT,
    created_on                INTEGER NOT NULL,
    hash                      BLOB NOT NULL,
    PRIMARY KEY (tenant_id, module_id, object_id, id),
    FOREIGN KEY (tenant_id, hash) REFERENCES contents (tenant_id, hash)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX attachments_by_id ON attachments (tenant_id, id);
CREATE INDEX attachments_by_name ON attachments (tenant_id, module_id, object_id, original_file_name_folded, id);
CREATE INDEX attachments_by_created ON attachments (tenant_id, module_id, object_id, created_on, id);
CREATE INDEX attachments_by_hash ON attachments (tenant_id, hash);

CREATE TABLE temporary_uploads (
    tenant_id  INTEGER NOT NULL,
    alias      TEXT NOT NULL,
    module_id  INTEGER NOT NULL,
    name       TEXT NOT NULL,
    file_type  TEXT,
    created_on INTEGER NOT NULL,
    expires_on INTEGER NOT NULL,
    hash       BLOB NOT NULL,
    PRIMARY KEY (tenant_id, alias),
    FOREIGN KEY (tenant_id, hash) REFERENCES contents (tenant_id, hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX temporary_uploads_by_end ON temporary_uploads (tenant_id, expires_on);
CREATE INDEX temporary_uploads_by_hash ON temporary_uploads (tenant_id, hash);
