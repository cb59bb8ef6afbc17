-- The name of the blob that holds a content. A blob that is being removed is never written anew: a content that comes again has
-- another one. Up to here, the tenants shared one blob under the hash.
ALTER TABLE contents ADD COLUMN blob TEXT NOT NULL DEFAULT '';
UPDATE contents SET blob = lower(hex(hash));

-- Blobs whose content is forgotten: they are removed next.
CREATE TABLE unused_blobs (
    tenant_id INTEGER NOT NULL REFERENCES tenants,
    blob      TEXT NOT NULL,
    PRIMARY KEY (tenant_id, blob)
) STRICT, WITHOUT ROWID;
