-- Batch actions, such as imports, and what they have to tell.
CREATE TABLE jobs (
    tenant_id   integer NOT NULL,
    id          bigint NOT NULL,
    action      text COLLATE "C" NOT NULL,
    started_on  bigint NOT NULL,
    finished_on bigint,
    PRIMARY KEY (tenant_id, id)
);

CREATE INDEX jobs_by_end ON jobs (tenant_id, coalesce(finished_on, started_on));

-- Ids are UUIDs of version 7, so that their order is the order of writing.
CREATE TABLE job_logs (
    tenant_id     integer NOT NULL,
    job_id        bigint NOT NULL,
    id            bytea NOT NULL,
    type          integer NOT NULL,
    action        text COLLATE "C",
    action_folded text COLLATE "C",
    message       text COLLATE "C",
    date          bigint NOT NULL,
    PRIMARY KEY (tenant_id, job_id, id),
    FOREIGN KEY (tenant_id, job_id) REFERENCES jobs (tenant_id, id)
);

CREATE INDEX job_logs_by_type ON job_logs (tenant_id, job_id, type NULLS FIRST, id);
CREATE INDEX job_logs_by_action ON job_logs (tenant_id, job_id, action_folded NULLS FIRST, id);
CREATE INDEX job_logs_by_date ON job_logs (tenant_id, job_id, date NULLS FIRST, id);
