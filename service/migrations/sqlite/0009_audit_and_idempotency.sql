-- Every change of a record, in the order of the commits. Numbers have no gaps and are never given out again: the last row
-- of a tenant stays when old ones are removed.
CREATE TABLE audit_log (
    tenant_id   INTEGER NOT NULL REFERENCES tenants,
    sequence    INTEGER NOT NULL,
    recorded_on INTEGER NOT NULL,
    kind        TEXT NOT NULL,     -- of the record: Account
    record_id   TEXT NOT NULL,
    account_id  INTEGER,           -- that the record belongs to; NULL when it belongs to none
    token_id    INTEGER,           -- NULL when no caller has asked for it
    token_name  TEXT,
    assignee_id INTEGER,
    operation   TEXT NOT NULL,     -- PutAccount; import
    before      TEXT,              -- JSON; NULL when the record was not there
    after       TEXT,              -- JSON; NULL when the record is gone
    PRIMARY KEY (tenant_id, sequence)
) STRICT, WITHOUT ROWID;

-- Requests that must not be done twice, and what they were answered.
CREATE TABLE idempotency_keys (
    tenant_id  INTEGER NOT NULL REFERENCES tenants,
    token_id   INTEGER NOT NULL,
    operation  TEXT NOT NULL,
    key        TEXT NOT NULL,
    request    BLOB NOT NULL,      -- SHA-256
    answer     TEXT NOT NULL,      -- JSON
    created_on INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, token_id, operation, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_keys_by_time ON idempotency_keys (tenant_id, created_on);
