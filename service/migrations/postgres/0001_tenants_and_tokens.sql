-- Every key and every index begins with the tenant. Moments are microseconds since 1970 in UTC.
-- A column `x_folded` holds `x` in lower case, for comparisons and orders in any letter case; the order is that of the bytes.
-- No row refers to its tenant: a key of all rows of a tenant would be locked by every write.

CREATE TABLE tenants (
    id   integer PRIMARY KEY,
    name text COLLATE "C" NOT NULL
);

-- The next free number of each kind of record.
CREATE TABLE sequences (
    tenant_id integer NOT NULL,
    name      text COLLATE "C" NOT NULL,
    next      bigint NOT NULL,
    PRIMARY KEY (tenant_id, name)
);

-- Exact sizes of large tables, kept by triggers, and versions of what readers keep in memory. A size is the sum of its slots:
-- each connection adds to one, so that writers do not wait for each other.
CREATE TABLE counters (
    tenant_id integer NOT NULL,
    name      text COLLATE "C" NOT NULL,
    slot      integer NOT NULL DEFAULT 0,
    value     bigint NOT NULL,
    PRIMARY KEY (tenant_id, name, slot)
);

-- Counts what a statement has done to a table with the column `is_active`.
CREATE FUNCTION count_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP IN ('INSERT', 'UPDATE') THEN
        INSERT INTO counters (tenant_id, name, slot, value)
        SELECT c.tenant_id, TG_TABLE_NAME || v.suffix, pg_backend_pid() % 64, v.number
        FROM (SELECT tenant_id, count(*) AS number, count(*) FILTER (WHERE is_active) AS active
              FROM added GROUP BY tenant_id) AS c
        CROSS JOIN LATERAL (VALUES ('', c.number), ('.active', c.active)) AS v (suffix, number)
        WHERE v.number <> 0 ORDER BY 1, 2
        ON CONFLICT (tenant_id, name, slot) DO UPDATE SET value = counters.value + excluded.value;
    END IF;
    IF TG_OP IN ('DELETE', 'UPDATE') THEN
        INSERT INTO counters (tenant_id, name, slot, value)
        SELECT c.tenant_id, TG_TABLE_NAME || v.suffix, pg_backend_pid() % 64, -v.number
        FROM (SELECT tenant_id, count(*) AS number, count(*) FILTER (WHERE is_active) AS active
              FROM removed GROUP BY tenant_id) AS c
        CROSS JOIN LATERAL (VALUES ('', c.number), ('.active', c.active)) AS v (suffix, number)
        WHERE v.number <> 0 ORDER BY 1, 2
        ON CONFLICT (tenant_id, name, slot) DO UPDATE SET value = counters.value + excluded.value;
    END IF;
    RETURN NULL;
END $$;

CREATE TABLE tokens (
    tenant_id    integer NOT NULL,
    id           integer NOT NULL,
    name         text COLLATE "C" NOT NULL,
    secret_hash  bytea NOT NULL,
    functions    text COLLATE "C" NOT NULL,  -- JSON: [560206]
    scopes       text COLLATE "C" NOT NULL,  -- JSON: ["read:crm"]
    accounts     text COLLATE "C",  -- JSON: [101, 102]; all when NULL
    assignee_id  integer,
    created_on   bigint NOT NULL,
    expires_on   bigint,
    last_used_on bigint,
    revoked_on   bigint,
    PRIMARY KEY (tenant_id, id)
);

-- The one index without a tenant: the secret says whose it is.
CREATE UNIQUE INDEX tokens_by_secret ON tokens (secret_hash);
