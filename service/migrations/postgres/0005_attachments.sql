-- What the blobs hold; the bytes are kept elsewhere, under the hash.
CREATE TABLE contents (
    tenant_id  integer NOT NULL,
    hash       bytea NOT NULL,
    size       bigint NOT NULL,
    media_type text COLLATE "C" NOT NULL,
    claimed_on bigint NOT NULL,
    PRIMARY KEY (tenant_id, hash)
);

CREATE INDEX contents_by_claim ON contents (tenant_id, claimed_on, hash);

-- The bytes of a tenant's contents, each content once: what its quota counts.
CREATE FUNCTION count_contents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO counters (tenant_id, name, slot, value)
        SELECT tenant_id, 'contents.bytes', pg_backend_pid() % 64, sum(size) FROM added GROUP BY tenant_id
        ON CONFLICT (tenant_id, name, slot) DO UPDATE SET value = counters.value + excluded.value;
    ELSE
        INSERT INTO counters (tenant_id, name, slot, value)
        SELECT tenant_id, 'contents.bytes', pg_backend_pid() % 64, -sum(size) FROM removed GROUP BY tenant_id
        ON CONFLICT (tenant_id, name, slot) DO UPDATE SET value = counters.value + excluded.value;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER contents_are_counted AFTER INSERT ON contents
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_contents();

CREATE TRIGGER contents_are_discounted AFTER DELETE ON contents
REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_contents();

-- By object, which is how they are listed.
CREATE TABLE attachments (
    tenant_id                 integer NOT NULL,
    module_id                 integer NOT NULL,
    object_id                 integer NOT NULL,
    id                        integer NOT NULL,
    original_file_name        text COLLATE "C" NOT NULL,
    original_file_name_folded text COLLATE "C" NOT NULL,
    alias_name                text COLLATE "C" NOT NULL,
    file_type                 text COLLATE "C",
    created_by_id             integer,
    created_by_name           text COLLATE "C",
    created_on                bigint NOT NULL,
    hash                      bytea NOT NULL,
    PRIMARY KEY (tenant_id, module_id, object_id, id),
    FOREIGN KEY (tenant_id, hash) REFERENCES contents (tenant_id, hash)
);

CREATE UNIQUE INDEX attachments_by_id ON attachments (tenant_id, id);
CREATE INDEX attachments_by_name ON attachments (tenant_id, module_id, object_id, original_file_name_folded NULLS FIRST, id);
CREATE INDEX attachments_by_created ON attachments (tenant_id, module_id, object_id, created_on NULLS FIRST, id);
CREATE INDEX attachments_by_hash ON attachments (tenant_id, hash);

CREATE TABLE temporary_uploads (
    tenant_id  integer NOT NULL,
    alias      text COLLATE "C" NOT NULL,
    module_id  integer NOT NULL,
    name       text COLLATE "C" NOT NULL,
    file_type  text COLLATE "C",
    created_on bigint NOT NULL,
    expires_on bigint NOT NULL,
    hash       bytea NOT NULL,
    token_id   integer,  -- who has made it, for only they attach or delete it
    PRIMARY KEY (tenant_id, alias),
    FOREIGN KEY (tenant_id, hash) REFERENCES contents (tenant_id, hash)
);

CREATE INDEX temporary_uploads_by_end ON temporary_uploads (tenant_id, expires_on);
CREATE INDEX temporary_uploads_by_hash ON temporary_uploads (tenant_id, hash);
