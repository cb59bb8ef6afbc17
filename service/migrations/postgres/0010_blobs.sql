-- The name of the blob that holds a content. A blob that is being removed is never written anew: a content that comes again has
-- another one. Up to here, the tenants shared one blob under the hash.
ALTER TABLE contents ADD COLUMN blob text COLLATE "C" NOT NULL DEFAULT '';
UPDATE contents SET blob = encode(hash, 'hex');

-- Blobs whose content is forgotten: they are removed next.
CREATE TABLE unused_blobs (
    tenant_id integer NOT NULL,
    blob      text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id, blob)
);

ALTER TABLE unused_blobs ENABLE ROW LEVEL SECURITY;
CREATE POLICY of_tenant ON unused_blobs
    USING (tenant_id = (SELECT nullif(current_setting('service.tenant', true), '')::integer));
