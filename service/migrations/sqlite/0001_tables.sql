-- Every key and every index begins with the tenant. Moments are microseconds since 1970 in UTC.
-- A column `x_folded` holds `x` in lower case, for comparisons and orders in any letter case.
-- A record may refer to a parent of the same table that comes later in the same transaction.

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
    slot      INTEGER NOT NULL DEFAULT 0,  -- PostgreSQL has several, for writers that do not wait for each other
    value     INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, name, slot)
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
    FOREIGN KEY (tenant_id, parent_id) REFERENCES chart_of_accounts (tenant_id, id) DEFERRABLE INITIALLY DEFERRED
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

CREATE TABLE accounts (
    tenant_id               INTEGER NOT NULL,
    id                      INTEGER NOT NULL,
    created_by              INTEGER,
    created_on              INTEGER,
    modified_by             INTEGER,
    modified_on             INTEGER,
    parent_id               INTEGER,
    code                    TEXT,
    code_folded             TEXT,
    account_type_id         INTEGER NOT NULL,
    name                    TEXT NOT NULL,
    name_folded             TEXT NOT NULL,
    business_type_id        INTEGER NOT NULL,
    service_type_id         INTEGER,
    manager_id              INTEGER NOT NULL,
    currency_id             INTEGER,
    credit_limit            REAL,
    net_days                REAL,
    sales_tax_item_id       INTEGER,
    website                 TEXT,
    description             TEXT,
    class_id                INTEGER,
    is_active               INTEGER NOT NULL DEFAULT 1,
    is_billing              INTEGER NOT NULL DEFAULT 0,
    acquired_date           INTEGER,
    route_invoice_to_parent INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, parent_id) REFERENCES accounts (tenant_id, id) DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (tenant_id, account_type_id) REFERENCES account_types (tenant_id, id),
    FOREIGN KEY (tenant_id, business_type_id) REFERENCES business_types (tenant_id, id),
    FOREIGN KEY (tenant_id, service_type_id) REFERENCES service_types (tenant_id, id),
    FOREIGN KEY (tenant_id, manager_id) REFERENCES assignees (tenant_id, id),
    FOREIGN KEY (tenant_id, currency_id) REFERENCES currencies (tenant_id, id),
    FOREIGN KEY (tenant_id, sales_tax_item_id) REFERENCES sales_tax_items (tenant_id, id),
    FOREIGN KEY (tenant_id, class_id) REFERENCES classes (tenant_id, id)
) STRICT, WITHOUT ROWID;

-- The key again, without the records: pages far down the list are found in it.
CREATE INDEX accounts_by_id ON accounts (tenant_id, id);
-- `is_active` stands in it so that a search for active accounts by a part of the name reads nothing else.
CREATE INDEX accounts_by_name ON accounts (tenant_id, name_folded, id, is_active);
CREATE INDEX accounts_by_code ON accounts (tenant_id, code_folded, id);
CREATE INDEX accounts_by_type ON accounts (tenant_id, account_type_id, id);
CREATE INDEX accounts_by_business_type ON accounts (tenant_id, business_type_id, id);
CREATE INDEX accounts_by_manager ON accounts (tenant_id, manager_id, id);
CREATE INDEX accounts_by_parent ON accounts (tenant_id, parent_id, id);
CREATE INDEX accounts_by_created ON accounts (tenant_id, created_on, id);
CREATE INDEX accounts_by_modified ON accounts (tenant_id, modified_on, id);
CREATE INDEX accounts_by_active ON accounts (tenant_id, is_active, id);

CREATE TRIGGER accounts_are_counted AFTER INSERT ON accounts BEGIN
    INSERT INTO counters (tenant_id, name, value)
    VALUES (new.tenant_id, 'accounts', 1), (new.tenant_id, 'accounts.active', new.is_active)
    ON CONFLICT DO UPDATE SET value = value + excluded.value;
END;

CREATE TRIGGER accounts_are_discounted AFTER DELETE ON accounts BEGIN
    UPDATE counters SET value = value - 1 WHERE tenant_id = old.tenant_id AND name = 'accounts';
    UPDATE counters SET value = value - old.is_active WHERE tenant_id = old.tenant_id AND name = 'accounts.active';
END;

CREATE TRIGGER active_accounts_are_counted AFTER UPDATE OF is_active ON accounts
WHEN old.is_active <> new.is_active BEGIN
    UPDATE counters SET value = value + new.is_active - old.is_active
    WHERE tenant_id = new.tenant_id AND name = 'accounts.active';
END;

-- Who works for an account besides its manager.
CREATE TABLE account_team (
    tenant_id   INTEGER NOT NULL,
    account_id  INTEGER NOT NULL,
    assignee_id INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, account_id, assignee_id),
    FOREIGN KEY (tenant_id, account_id) REFERENCES accounts (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, assignee_id) REFERENCES assignees (tenant_id, id)
) STRICT, WITHOUT ROWID;

-- Clustered by account: the locations of the accounts of a page are read in one go.
CREATE TABLE account_locations (
    tenant_id      INTEGER NOT NULL,
    account_id     INTEGER NOT NULL,
    id             INTEGER NOT NULL,
    created_by     INTEGER,
    created_on     INTEGER,
    modified_by    INTEGER,
    modified_on    INTEGER,
    name           TEXT NOT NULL,
    is_main        INTEGER NOT NULL DEFAULT 0,
    is_active      INTEGER NOT NULL DEFAULT 1,
    time_zone_id   INTEGER,
    date_format_id INTEGER,
    time_format_id INTEGER,
    PRIMARY KEY (tenant_id, account_id, id),
    FOREIGN KEY (tenant_id, account_id) REFERENCES accounts (tenant_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX account_locations_by_id ON account_locations (tenant_id, id);

CREATE TABLE account_addresses (
    tenant_id       INTEGER NOT NULL,
    account_id      INTEGER NOT NULL,
    location_id     INTEGER NOT NULL,
    id              INTEGER NOT NULL,
    created_by      INTEGER,
    created_on      INTEGER,
    modified_by     INTEGER,
    modified_on     INTEGER,
    address1        TEXT,
    address2        TEXT,
    city            TEXT,
    state           TEXT,
    zip_code        TEXT,
    country_id      INTEGER,
    phone           TEXT,
    fax             TEXT,
    latitude        REAL,
    longitude       REAL,
    email_address   TEXT,
    is_main         INTEGER NOT NULL DEFAULT 0,
    is_billing      INTEGER NOT NULL DEFAULT 0,
    address_type_id INTEGER,
    PRIMARY KEY (tenant_id, account_id, location_id, id),
    FOREIGN KEY (tenant_id, account_id, location_id)
        REFERENCES account_locations (tenant_id, account_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, country_id) REFERENCES countries (tenant_id, id),
    FOREIGN KEY (tenant_id, address_type_id) REFERENCES address_types (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX account_addresses_by_id ON account_addresses (tenant_id, id);

CREATE TABLE account_alerts (
    tenant_id  INTEGER NOT NULL,
    account_id INTEGER NOT NULL,
    kind       INTEGER NOT NULL,
    id         INTEGER NOT NULL,
    details    TEXT NOT NULL,  -- JSON: ["Call before visiting"]
    PRIMARY KEY (tenant_id, account_id, kind),
    FOREIGN KEY (tenant_id, account_id) REFERENCES accounts (tenant_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE contacts (
    tenant_id            INTEGER NOT NULL,
    id                   INTEGER NOT NULL,
    created_by           INTEGER,
    created_on           INTEGER,
    modified_by          INTEGER,
    modified_on          INTEGER,
    account_id           INTEGER NOT NULL,
    location_id          INTEGER NOT NULL,
    first_name           TEXT,
    first_name_folded    TEXT,
    last_name            TEXT,
    last_name_folded     TEXT,
    name_folded          TEXT NOT NULL,  -- first and last name
    job_title            TEXT,
    is_poc               INTEGER NOT NULL DEFAULT 0,
    is_active            INTEGER NOT NULL DEFAULT 1,
    effective_date       INTEGER,
    is_billable          INTEGER NOT NULL DEFAULT 0,
    can_receive_invoices INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, account_id, location_id) REFERENCES account_locations (tenant_id, account_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX contacts_by_id ON contacts (tenant_id, id);
CREATE INDEX contacts_by_account ON contacts (tenant_id, account_id, id);
CREATE INDEX contacts_by_account_and_name ON contacts (tenant_id, account_id, name_folded, id);
CREATE INDEX contacts_by_account_and_location ON contacts (tenant_id, account_id, location_id, id);
CREATE INDEX contacts_by_location ON contacts (tenant_id, location_id, id);
CREATE INDEX contacts_by_first_name ON contacts (tenant_id, first_name_folded, id);
CREATE INDEX contacts_by_last_name ON contacts (tenant_id, last_name_folded, id);
CREATE INDEX contacts_by_created ON contacts (tenant_id, created_on, id);
CREATE INDEX contacts_by_modified ON contacts (tenant_id, modified_on, id);
CREATE INDEX contacts_by_active ON contacts (tenant_id, is_active, id);

CREATE TRIGGER contacts_are_counted AFTER INSERT ON contacts BEGIN
    INSERT INTO counters (tenant_id, name, value)
    VALUES (new.tenant_id, 'contacts', 1), (new.tenant_id, 'contacts.active', new.is_active)
    ON CONFLICT DO UPDATE SET value = value + excluded.value;
END;

CREATE TRIGGER contacts_are_discounted AFTER DELETE ON contacts BEGIN
    UPDATE counters SET value = value - 1 WHERE tenant_id = old.tenant_id AND name = 'contacts';
    UPDATE counters SET value = value - old.is_active WHERE tenant_id = old.tenant_id AND name = 'contacts.active';
END;

CREATE TRIGGER active_contacts_are_counted AFTER UPDATE OF is_active ON contacts
WHEN old.is_active <> new.is_active BEGIN
    UPDATE counters SET value = value + new.is_active - old.is_active
    WHERE tenant_id = new.tenant_id AND name = 'contacts.active';
END;

CREATE TABLE contact_emails (
    tenant_id      INTEGER NOT NULL,
    contact_id     INTEGER NOT NULL,
    id             INTEGER NOT NULL,
    created_by     INTEGER,
    created_on     INTEGER,
    modified_by    INTEGER,
    modified_on    INTEGER,
    address        TEXT,
    address_folded TEXT,
    type_id        INTEGER NOT NULL,
    is_default     INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, contact_id, id),
    FOREIGN KEY (tenant_id, contact_id) REFERENCES contacts (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, type_id) REFERENCES email_types (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX contact_emails_by_id ON contact_emails (tenant_id, id);
CREATE INDEX contact_emails_by_address ON contact_emails (tenant_id, address_folded, contact_id);

CREATE TABLE contact_phones (
    tenant_id     INTEGER NOT NULL,
    contact_id    INTEGER NOT NULL,
    id            INTEGER NOT NULL,
    created_by    INTEGER,
    created_on    INTEGER,
    modified_by   INTEGER,
    modified_on   INTEGER,
    number        TEXT,
    number_folded TEXT,
    type_id       INTEGER NOT NULL,
    is_default    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, contact_id, id),
    FOREIGN KEY (tenant_id, contact_id) REFERENCES contacts (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, type_id) REFERENCES phone_types (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX contact_phones_by_id ON contact_phones (tenant_id, id);
CREATE INDEX contact_phones_by_number ON contact_phones (tenant_id, number_folded, contact_id);

CREATE TABLE contact_custom_fields (
    tenant_id       INTEGER NOT NULL,
    contact_id      INTEGER NOT NULL,
    id              INTEGER NOT NULL,
    custom_field_id INTEGER NOT NULL,
    settings_id     INTEGER,
    data            TEXT,
    PRIMARY KEY (tenant_id, contact_id, id),
    FOREIGN KEY (tenant_id, contact_id) REFERENCES contacts (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, custom_field_id) REFERENCES custom_fields (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX contact_custom_fields_by_id ON contact_custom_fields (tenant_id, id);

-- What the blobs hold; the bytes are kept elsewhere, under the hash.
CREATE TABLE contents (
    tenant_id  INTEGER NOT NULL REFERENCES tenants,
    hash       BLOB NOT NULL,
    size       INTEGER NOT NULL,
    media_type TEXT NOT NULL,
    claimed_on INTEGER NOT NULL,
    blob       TEXT NOT NULL DEFAULT '',  -- the name of what holds it; one that is being removed is never written anew
    PRIMARY KEY (tenant_id, hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX contents_by_claim ON contents (tenant_id, claimed_on, hash);

-- Clustered by object, which is how they are listed.
CREATE TABLE attachments (
    tenant_id                 INTEGER NOT NULL,
    module_id                 INTEGER NOT NULL,
    object_id                 INTEGER NOT NULL,
    id                        INTEGER NOT NULL,
    original_file_name        TEXT NOT NULL,
    original_file_name_folded TEXT NOT NULL,
    alias_name                TEXT NOT NULL,
    file_type                 TEXT,
    created_by_id             INTEGER,
    created_by_name           TEXT,
    created_on                INTEGER NOT NULL,
    hash                      BLOB NOT NULL,
    PRIMARY KEY (tenant_id, module_id, object_id, id),
    FOREIGN KEY (tenant_id, hash) REFERENCES contents (tenant_id, hash)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX attachments_by_id ON attachments (tenant_id, id);
CREATE INDEX attachments_by_name ON attachments (tenant_id, module_id, object_id, original_file_name_folded, id);
CREATE INDEX attachments_by_created ON attachments (tenant_id, module_id, object_id, created_on, id);
CREATE INDEX attachments_by_hash ON attachments (tenant_id, hash);

CREATE TABLE temporary_uploads (
    tenant_id  INTEGER NOT NULL,
    alias      TEXT NOT NULL,
    module_id  INTEGER NOT NULL,
    name       TEXT NOT NULL,
    file_type  TEXT,
    created_on INTEGER NOT NULL,
    expires_on INTEGER NOT NULL,
    hash       BLOB NOT NULL,
    token_id   INTEGER,  -- that made it: only its bearer attaches or deletes it
    PRIMARY KEY (tenant_id, alias),
    FOREIGN KEY (tenant_id, hash) REFERENCES contents (tenant_id, hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX temporary_uploads_by_end ON temporary_uploads (tenant_id, expires_on);
CREATE INDEX temporary_uploads_by_hash ON temporary_uploads (tenant_id, hash);

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
    description_folded TEXT NOT NULL,
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
    description_folded            TEXT NOT NULL,
    kb_article_folded             TEXT NOT NULL DEFAULT '',
    security_bulletin_link_folded TEXT NOT NULL DEFAULT '',
    product_folded                TEXT NOT NULL DEFAULT '',
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
    problem    TEXT,  -- why it cannot be run: it is passed over until it is put anew, or the service starts anew
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
    missed      INTEGER NOT NULL DEFAULT 0,  -- occurrences right before it, which it stands for, too
    PRIMARY KEY (tenant_id, agent_id, schedule, occurrence),
    FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id)
) STRICT, WITHOUT ROWID;

-- For what is removed when it is old.
CREATE INDEX scan_runs_by_recorded ON scan_runs (tenant_id, recorded_on);
CREATE INDEX jobs_by_end ON jobs (tenant_id, coalesce(finished_on, started_on));

CREATE INDEX agents_by_account ON agents (tenant_id, account_id, id);

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

-- The bytes of a tenant's contents, each content once: what its quota counts.
CREATE TRIGGER contents_are_counted AFTER INSERT ON contents BEGIN
    INSERT INTO counters (tenant_id, name, value) VALUES (new.tenant_id, 'contents.bytes', new.size)
    ON CONFLICT DO UPDATE SET value = value + excluded.value;
END;

CREATE TRIGGER contents_are_discounted AFTER DELETE ON contents BEGIN
    UPDATE counters SET value = value - old.size WHERE tenant_id = old.tenant_id AND name = 'contents.bytes';
END;

-- Blobs whose content is forgotten: they are removed next.
CREATE TABLE unused_blobs (
    tenant_id INTEGER NOT NULL REFERENCES tenants,
    blob      TEXT NOT NULL,
    PRIMARY KEY (tenant_id, blob)
) STRICT, WITHOUT ROWID;
