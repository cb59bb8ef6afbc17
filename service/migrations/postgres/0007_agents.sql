CREATE TABLE agents (
    tenant_id  integer NOT NULL,
    id         text COLLATE "C" NOT NULL,  -- 1 to 26 digits
    name       text COLLATE "C",
    account_id integer,
    time_zone  text COLLATE "C",
    is_online  boolean NOT NULL DEFAULT true,
    products   text COLLATE "C" NOT NULL DEFAULT '[]',  -- JSON: the products it has; patches of others do not concern it
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, account_id) REFERENCES accounts (tenant_id, id)
);

CREATE INDEX agents_by_account ON agents (tenant_id, account_id, id);

CREATE TABLE agent_notes (
    tenant_id        integer NOT NULL,
    id               bigint NOT NULL,
    agent_id         text COLLATE "C" NOT NULL,
    user_name        text COLLATE "C" NOT NULL,
    user_name_folded text COLLATE "C" NOT NULL,
    email            text COLLATE "C",
    email_folded     text COLLATE "C",
    created_on       bigint NOT NULL,
    description      text COLLATE "C" NOT NULL,
    description_folded text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id)
);

CREATE INDEX agent_notes_by_agent ON agent_notes (tenant_id, agent_id NULLS FIRST, id);
CREATE INDEX agent_notes_by_user ON agent_notes (tenant_id, user_name_folded NULLS FIRST, id);
CREATE INDEX agent_notes_by_email ON agent_notes (tenant_id, email_folded NULLS FIRST, id);
CREATE INDEX agent_notes_by_created ON agent_notes (tenant_id, created_on NULLS FIRST, id);

-- The patch catalogue.
CREATE TABLE patches (
    tenant_id              integer NOT NULL,
    id                     bigint NOT NULL,  -- PatchDataId
    description            text COLLATE "C" NOT NULL,
    kb_article             text COLLATE "C" NOT NULL DEFAULT '',
    security_bulletin_link text COLLATE "C" NOT NULL DEFAULT '',
    product                text COLLATE "C" NOT NULL DEFAULT '',
    update_classification  bigint NOT NULL DEFAULT 210,
    release_date           bigint NOT NULL,
    status                 bigint NOT NULL DEFAULT 0,
    update_category        bigint NOT NULL DEFAULT 1,
    location_pending       bigint NOT NULL DEFAULT 0,
    location_id            bigint NOT NULL DEFAULT 0,
    is_superseded          boolean NOT NULL DEFAULT false,
    manual_update_flag     bigint NOT NULL DEFAULT 0,
    attributes             text COLLATE "C",  -- JSON
    description_folded            text COLLATE "C" NOT NULL,
    kb_article_folded             text COLLATE "C" NOT NULL DEFAULT '',
    security_bulletin_link_folded text COLLATE "C" NOT NULL DEFAULT '',
    product_folded                text COLLATE "C" NOT NULL DEFAULT '',
    PRIMARY KEY (tenant_id, id)
);

CREATE TABLE installed_patches (
    tenant_id integer NOT NULL,
    agent_id  text COLLATE "C" NOT NULL,
    patch_id  bigint NOT NULL,
    PRIMARY KEY (tenant_id, agent_id, patch_id),
    FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id),
    FOREIGN KEY (tenant_id, patch_id) REFERENCES patches (tenant_id, id)
);

-- What scans have found, and how the patch fares on the agent.
CREATE TABLE missing_patches (
    tenant_id         integer NOT NULL,
    agent_id          text COLLATE "C" NOT NULL,
    patch_id          bigint NOT NULL,
    patch_state       bigint NOT NULL DEFAULT 0,
    ignored           bigint NOT NULL DEFAULT 0,
    wua_override_flag bigint NOT NULL DEFAULT 0,
    sched_together    bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, agent_id, patch_id),
    FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id),
    FOREIGN KEY (tenant_id, patch_id) REFERENCES patches (tenant_id, id)
);

CREATE VIEW missing_patch_infos AS
SELECT m.tenant_id, m.agent_id, p.id, p.description, p.kb_article, p.security_bulletin_link, p.product,
    p.update_classification, p.release_date, p.status, p.update_category, p.location_pending, p.location_id,
    m.patch_state, m.ignored, m.wua_override_flag, p.is_superseded, p.manual_update_flag, m.sched_together, p.attributes,
    p.description_folded, p.kb_article_folded, p.security_bulletin_link_folded, p.product_folded
FROM missing_patches AS m JOIN patches AS p ON p.tenant_id = m.tenant_id AND p.id = m.patch_id;

-- At most one schedule an agent; a new one has a new number.
CREATE TABLE scan_schedules (
    tenant_id  integer NOT NULL,
    agent_id   text COLLATE "C" NOT NULL,
    number     bigint NOT NULL,
    body       text COLLATE "C" NOT NULL,
    zone       text COLLATE "C" NOT NULL,
    patch_ids  text COLLATE "C" NOT NULL,  -- JSON
    created_on bigint NOT NULL,
    next_index bigint,
    next_at    bigint,
    is_waiting boolean NOT NULL DEFAULT false,  -- for the agent to be back in contact
    problem    text COLLATE "C",  -- why it cannot be run as it is kept: it is passed over until it is put anew
    PRIMARY KEY (tenant_id, agent_id),
    FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id)
);

CREATE INDEX scan_schedules_by_next ON scan_schedules (tenant_id, next_at, agent_id) WHERE next_at IS NOT NULL;

-- The key keeps a run from being recorded twice.
CREATE TABLE scan_runs (
    tenant_id   integer NOT NULL,
    agent_id    text COLLATE "C" NOT NULL,
    schedule    bigint NOT NULL,
    occurrence  bigint NOT NULL,
    due         bigint NOT NULL,
    recorded_on bigint NOT NULL,
    scanned     boolean NOT NULL,
    missing     bigint NOT NULL,
    missed      bigint NOT NULL DEFAULT 0,  -- occurrences right before it, which it stands for, too
    PRIMARY KEY (tenant_id, agent_id, schedule, occurrence),
    FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id)
);

CREATE INDEX scan_runs_by_recorded ON scan_runs (tenant_id, recorded_on);
