-- Every key and every index begins with the tenant. Moments are microseconds since 1970 in UTC.
-- A column `x_folded` holds `x` in lower case, for comparisons and orders in any letter case.

CREATE TABLE tenants (
    id   INTEGER PRIMARY KEY,
    name TEXT NOT NULL
) STRICT;

-- The next free number of each kind of record.
CREATE TABLE sequences (
    tenant_id INTEGER NOT NULL REFERENCES tenants,
    name      TEXT NOT NULL,
    next      INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, name)
) STRICT, WITHOUT ROWID;

-- Exact sizes of large tables, kept by triggers, and versions of what readers keep in memory.
CREATE TABLE counters (
    tenant_id INTEGER NOT NULL REFERENCES tenants,
    name      TEXT NOT NULL,
    value     INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE tokens (
    tenant_id    INTEGER NOT NULL REFERENCES tenants,
    id           INTEGER NOT NULL,
    name         TEXT NOT NULL,
    secret_hash  BLOB NOT NULL,
    functions    TEXT NOT NULL,  -- JSON: [560206]
    scopes       TEXT NOT NULL,  -- JSON: ["read:crm"]
    accounts     TEXT,           -- JSON: [101, 102]; all when NULL
    assignee_id  INTEGER,
    created_on   INTEGER NOT NULL,
    expires_on   INTEGER,
    last_used_on INTEGER,
    revoked_on   INTEGER,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

-- The one index without a tenant: the secret says whose it is.
CREATE UNIQUE INDEX tokens_by_secret ON tokens (secret_hash);
