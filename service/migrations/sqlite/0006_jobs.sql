-- Batch actions, such as imports, and what they have to tell.
CREATE TABLE jobs (
    tenant_id   INTEGER NOT NULL REFERENCES tenants,
    id          INTEGER NOT NULL,
    action      TEXT NOT NULL,
    started_on  INTEGER NOT NULL,
    finished_on INTEGER,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

-- Ids are UUIDs of version 7, so that their order is the order of writing.
CREATE TABLE job_logs (
    tenant_id     INTEGER NOT NULL,
    job_id        INTEGER NOT NULL,
    id            BLOB NOT NULL,
    type          INTEGER NOT NULL,
    action        TEXT,
    action_folded TEXT,
    message       TEXT,
    date          INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, job_id, id),
    FOREIGN KEY (tenant_id, job_id) REFERENCES jobs (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX job_logs_by_type ON job_logs (tenant_id, job_id, type, id);
CREATE INDEX job_logs_by_action ON job_logs (tenant_id, job_id, action_folded, id);
CREATE INDEX job_logs_by_date ON job_logs (tenant_id, job_id, date, id);
