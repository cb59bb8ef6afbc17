-- Why a schedule cannot be run as it is kept: it is passed over until it is put anew, or the service starts anew.
ALTER TABLE scan_schedules ADD COLUMN problem TEXT;

-- So many occurrences right before a run were missed, and it stands for them, too.
ALTER TABLE scan_runs ADD COLUMN missed INTEGER NOT NULL DEFAULT 0;

-- For what is removed when it is old.
CREATE INDEX scan_runs_by_recorded ON scan_runs (tenant_id, recorded_on);
CREATE INDEX jobs_by_end ON jobs (tenant_id, coalesce(finished_on, started_on));

CREATE INDEX agents_by_account ON agents (tenant_id, account_id, id);
