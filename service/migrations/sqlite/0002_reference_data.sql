-- What the interface only reads; `service import` writes it.

CREATE TABLE business_types (
    tenant_id   INTEGER NOT NULL REFERENCES tenants,
    id          INTEGER NOT NULL,
    name        TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    is_active   INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE service_types (
    tenant_id   INTEGER NOT NULL REFERENCES tenants,
    id          INTEGER NOT NULL,
    name        TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    is_active   INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE currencies (
    tenant_id   INTEGER NOT NULL REFERENCES tenants,
    id          INTEGER NOT NULL,
    name        TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    is_active   INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE sales_tax_items (
    tenant_id   INTEGER NOT NULL REFERENCES tenants,
    id          INTEGER NOT NULL,
    name        TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    is_active   INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE classes (
    tenant_id   INTEGER NOT NULL REFERENCES tenants,
    id          INTEGER NOT NULL,
    name        TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    is_active   INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE countries (
    tenant_id   INTEGER NOT NULL REFERENCES tenants,
    id          INTEGER NOT NULL,
    name        TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    is_active   INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE address_types (
    tenant_id   INTEGER NOT NULL REFERENCES tenants,
    id          INTEGER NOT NULL,
    name        TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    is_active   INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE email_types (
    tenant_id   INTEGER NOT NULL REFERENCES tenants,
    id          INTEGER NOT NULL,
    name        TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    is_active   INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE phone_types (
    tenant_id   INTEGER NOT NULL REFERENCES tenants,
    id          INTEGER NOT NULL,
    name        TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    is_active   INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE approval_routes (
    tenant_id   INTEGER NOT NULL REFERENCES tenants,
    id          INTEGER NOT NULL,
    name        TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    is_active   INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE account_codes (
    tenant_id   INTEGER NOT NULL REFERENCES tenants,
    id          INTEGER NOT NULL,
    name        TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    is_active   INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX account_codes_by_name ON account_codes (tenant_id, name_folded, id);
CREATE INDEX account_codes_by_active ON account_codes (tenant_id, is_active, id);

CREATE TABLE account_types (
    tenant_id   INTEGER NOT NULL REFERENCES tenants,
    id          INTEGER NOT NULL,
    name        TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    is_active   INTEGER NOT NULL DEFAULT 1,
    is_client   INTEGER NOT NULL DEFAULT 1,
    is_vendor   INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE chart_of_account_types (
    tenant_id   INTEGER NOT NULL REFERENCES tenants,
    id          INTEGER NOT NULL,
    name        TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    description TEXT,
    is_active   INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX chart_of_account_types_by_name ON chart_of_account_types (tenant_id, name_folded, id);
CREATE INDEX chart_of_account_types_by_active ON chart_of_account_types (tenant_id, is_active, id);

CREATE TABLE chart_of_accounts (
    tenant_id   INTEGER NOT NULL,
    id          INTEGER NOT NULL,
    code        TEXT,
    code_folded TEXT,
    name        TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    description TEXT,
    type_id     INTEGER NOT NULL,
    parent_id   INTEGER,
    is_active   INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, type_id) REFERENCES chart_of_account_types (tenant_id, id),
    FOREIGN KEY (tenant_id, parent_id) REFERENCES chart_of_accounts (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX chart_of_accounts_by_code ON chart_of_accounts (tenant_id, code_folded, id);
CREATE INDEX chart_of_accounts_by_name ON chart_of_accounts (tenant_id, name_folded, id);
CREATE INDEX chart_of_accounts_by_type ON chart_of_accounts (tenant_id, type_id, id);
CREATE INDEX chart_of_accounts_by_parent ON chart_of_accounts (tenant_id, parent_id, id);
CREATE INDEX chart_of_accounts_by_active ON chart_of_accounts (tenant_id, is_active, id);

CREATE TABLE colors (
    tenant_id        INTEGER NOT NULL REFERENCES tenants,
    id               INTEGER NOT NULL,
    module_id        INTEGER NOT NULL,
    name             TEXT,
    label            TEXT,
    font_color       TEXT,
    background_color TEXT,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX colors_by_module ON colors (tenant_id, module_id, id);

-- People and queues that work can be assigned to.
CREATE TABLE assignees (
    tenant_id         INTEGER NOT NULL REFERENCES tenants,
    id                INTEGER NOT NULL,
    first_name        TEXT,
    first_name_folded TEXT,
    last_name         TEXT,
    last_name_folded  TEXT,
    name              TEXT NOT NULL,
    name_folded       TEXT NOT NULL,
    user_name         TEXT,
    email             TEXT,
    email_folded      TEXT,
    job_title         TEXT,
    job_title_folded  TEXT,
    url               TEXT,
    picture_name      TEXT,
    picture_url       TEXT,
    is_employee       INTEGER NOT NULL DEFAULT 1,
    is_active         INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX assignees_by_first_name ON assignees (tenant_id, first_name_folded, id);
CREATE INDEX assignees_by_last_name ON assignees (tenant_id, last_name_folded, id);
CREATE INDEX assignees_by_name ON assignees (tenant_id, name_folded, id);
CREATE INDEX assignees_by_email ON assignees (tenant_id, email_folded, id);
CREATE INDEX assignees_by_job_title ON assignees (tenant_id, job_title_folded, id);

CREATE TABLE roles (
    tenant_id   INTEGER NOT NULL REFERENCES tenants,
    id          INTEGER NOT NULL,
    name        TEXT NOT NULL,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE assignee_roles (
    tenant_id   INTEGER NOT NULL,
    assignee_id INTEGER NOT NULL,
    role_id     INTEGER NOT NULL,
    is_default  INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, assignee_id, role_id),
    FOREIGN KEY (tenant_id, assignee_id) REFERENCES assignees (tenant_id, id),
    FOREIGN KEY (tenant_id, role_id) REFERENCES roles (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE agent_procedures (
    tenant_id           INTEGER NOT NULL REFERENCES tenants,
    integration_type_id INTEGER NOT NULL,
    id                  INTEGER NOT NULL,
    name                TEXT NOT NULL,
    name_folded         TEXT NOT NULL,
    PRIMARY KEY (tenant_id, integration_type_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE custom_fields (
    tenant_id INTEGER NOT NULL REFERENCES tenants,
    id        INTEGER NOT NULL,
    name      TEXT NOT NULL,
    type      INTEGER NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE company_settings (
    tenant_id INTEGER NOT NULL REFERENCES tenants,
    key       TEXT NOT NULL,
    module_id INTEGER NOT NULL,
    value     TEXT NOT NULL,  -- JSON
    PRIMARY KEY (tenant_id, key)
) STRICT, WITHOUT ROWID;
