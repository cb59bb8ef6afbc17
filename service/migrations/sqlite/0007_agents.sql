CREATE TABLE agents (
    tenant_id  INTEGER NOT NULL REFERENCES tenants,
    id         TEXT NOT NULL,  -- 1 to 26 digits
    name       TEXT,
    account_id INTEGER,
    time_zone  TEXT,
    is_online  INTEGER NOT NULL DEFAULT 1,
    products   TEXT NOT NULL DEFAULT '[]',  -- JSON: the products it has; patches of others do not concern it
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, account_id) REFERENCES accounts (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE agent_notes (
    tenant_id        INTEGER NOT NULL,
    id               INTEGER NOT NULL,
    agent_id         TEXT NOT NULL,
    user_name        TEXT NOT NULL,
    user_name_folded TEXT NOT NULL,
    email            TEXT,
    email_folded     TEXT,
    created_on       INTEGER NOT NULL,
    description      TEXT NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX agent_notes_by_agent ON agent_notes (tenant_id, agent_id, id);
CREATE INDEX agent_notes_by_user ON agent_notes (tenant_id, user_name_folded, id);
CREATE INDEX agent_notes_by_email ON agent_notes (tenant_id, email_folded, id);
CREATE INDEX agent_notes_by_created ON agent_notes (tenant_id, created_on, id);

-- The patch catalogue.
CREATE TABLE patches (
    tenant_id              INTEGER NOT NULL REFERENCES tenants,
    id                     INTEGER NOT NULL,  -- PatchDataId
    description            TEXT NOT NULL,
    kb_article             TEXT NOT NULL DEFAULT '',
    security_bulletin_link TEXT NOT NULL DEFAULT '',
    product                TEXT NOT NULL DEFAULT '',
    update_classification  INTEGER NOT NULL DEFAULT 210,
    release_date           INTEGER NOT NULL,
    status                 INTEGER NOT NULL DEFAULT 0,
    update_category        INTEGER NOT NULL DEFAULT 1,
    location_pending       INTEGER NOT NULL DEFAULT 0,
    location_id            INTEGER NOT NULL DEFAULT 0,
    is_superseded          INTEGER NOT NULL DEFAULT 0,
    manual_update_flag     INTEGER NOT NULL DEFAULT 0,
    attributes             TEXT,  -- JSON
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE installed_patches (
    tenant_id INTEGER NOT NULL,
    agent_id  TEXT NOT NULL,
    patch_id  INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, agent_id, patch_id),
    FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id),
    FOREIGN KEY (tenant_id, patch_id) REFERENCES patches (tenant_id, id)
) STRICT, WITHOUT ROWID;

-- What scans have found, and how the patch fares on the agent.
CREATE TABLE missing_patches (
    tenant_id         INTEGER NOT NULL,
    agent_id          TEXT NOT NULL,
    patch_id          INTEGER NOT NULL,
    patch_state       INTEGER NOT NULL DEFAULT 0,
    ignored           INTEGER NOT NULL DEFAULT 0,
    wua_override_flag INTEGER NOT NULL DEFAULT 0,
    sched_together    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, agent_id, patch_id),
    FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id),
    FOREIGN KEY (tenant_id, patch_id) REFERENCES patches (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE VIEW missing_patch_infos AS
SELECT m.tenant_id, m.agent_id, p.id, p.description, p.kb_article, p.security_bulletin_link, p.product,
    p.update_classification, p.release_date, p.status, p.update_category, p.location_pending, p.location_id,
    m.patch_state, m.ignored, m.wua_override_flag, p.is_superseded, p.manual_update_flag, m.sched_together, p.attributes
FROM missing_patches AS m JOIN patches AS p ON p.tenant_id = m.tenant_id AND p.id = m.patch_id;

-- At most one schedule an agent; a new one has a new number.
CREATE TABLE scan_schedules (
    tenant_id  INTEGER NOT NULL,
    agent_id   TEXT NOT NULL,
    number     INTEGER NOT NULL,
    body       TEXT NOT NULL,
    zone       TEXT NOT NULL,
    patch_ids  TEXT NOT NULL,  -- JSON
    created_on INTEGER NOT NULL,
    next_index INTEGER,
    next_at    INTEGER,
    is_waiting INTEGER NOT NULL DEFAULT 0,  -- for the agent to be back in contact
    PRIMARY KEY (tenant_id, agent_id),
    FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX scan_schedules_by_next ON scan_schedules (tenant_id, next_at) WHERE next_at IS NOT NULL;

-- The key keeps a run from being recorded twice.
CREATE TABLE scan_runs (
    tenant_id   INTEGER NOT NULL,
    agent_id    TEXT NOT NULL,
    schedule    INTEGER NOT NULL,
    occurrence  INTEGER NOT NULL,
    due         INTEGER NOT NULL,
    recorded_on INTEGER NOT NULL,
    scanned     INTEGER NOT NULL,
    missing     INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, agent_id, schedule, occurrence),
    FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id)
) STRICT, WITHOUT ROWID;
