-- Every key and every index begins with the tenant. Moments are microseconds since 1970 in UTC.
-- A column `x_folded` holds `x` in lower case, for comparisons and orders in any letter case; the order is that of the bytes.
-- A record may refer to a parent of the same table that comes later in the same transaction.
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

-- What the interface only reads; `service import` writes it.

CREATE TABLE business_types (
    tenant_id   integer NOT NULL,
    id          integer NOT NULL,
    name        text COLLATE "C" NOT NULL,
    name_folded text COLLATE "C" NOT NULL,
    is_active   boolean NOT NULL DEFAULT true,
    PRIMARY KEY (tenant_id, id)
);

CREATE TABLE service_types (
    tenant_id   integer NOT NULL,
    id          integer NOT NULL,
    name        text COLLATE "C" NOT NULL,
    name_folded text COLLATE "C" NOT NULL,
    is_active   boolean NOT NULL DEFAULT true,
    PRIMARY KEY (tenant_id, id)
);

CREATE TABLE currencies (
    tenant_id   integer NOT NULL,
    id          integer NOT NULL,
    name        text COLLATE "C" NOT NULL,
    name_folded text COLLATE "C" NOT NULL,
    is_active   boolean NOT NULL DEFAULT true,
    PRIMARY KEY (tenant_id, id)
);

CREATE TABLE sales_tax_items (
    tenant_id   integer NOT NULL,
    id          integer NOT NULL,
    name        text COLLATE "C" NOT NULL,
    name_folded text COLLATE "C" NOT NULL,
    is_active   boolean NOT NULL DEFAULT true,
    PRIMARY KEY (tenant_id, id)
);

CREATE TABLE classes (
    tenant_id   integer NOT NULL,
    id          integer NOT NULL,
    name        text COLLATE "C" NOT NULL,
    name_folded text COLLATE "C" NOT NULL,
    is_active   boolean NOT NULL DEFAULT true,
    PRIMARY KEY (tenant_id, id)
);

CREATE TABLE countries (
    tenant_id   integer NOT NULL,
    id          integer NOT NULL,
    name        text COLLATE "C" NOT NULL,
    name_folded text COLLATE "C" NOT NULL,
    is_active   boolean NOT NULL DEFAULT true,
    PRIMARY KEY (tenant_id, id)
);

CREATE TABLE address_types (
    tenant_id   integer NOT NULL,
    id          integer NOT NULL,
    name        text COLLATE "C" NOT NULL,
    name_folded text COLLATE "C" NOT NULL,
    is_active   boolean NOT NULL DEFAULT true,
    PRIMARY KEY (tenant_id, id)
);

CREATE TABLE email_types (
    tenant_id   integer NOT NULL,
    id          integer NOT NULL,
    name        text COLLATE "C" NOT NULL,
    name_folded text COLLATE "C" NOT NULL,
    is_active   boolean NOT NULL DEFAULT true,
    PRIMARY KEY (tenant_id, id)
);

CREATE TABLE phone_types (
    tenant_id   integer NOT NULL,
    id          integer NOT NULL,
    name        text COLLATE "C" NOT NULL,
    name_folded text COLLATE "C" NOT NULL,
    is_active   boolean NOT NULL DEFAULT true,
    PRIMARY KEY (tenant_id, id)
);

CREATE TABLE approval_routes (
    tenant_id   integer NOT NULL,
    id          integer NOT NULL,
    name        text COLLATE "C" NOT NULL,
    name_folded text COLLATE "C" NOT NULL,
    is_active   boolean NOT NULL DEFAULT true,
    PRIMARY KEY (tenant_id, id)
);

CREATE TABLE account_codes (
    tenant_id   integer NOT NULL,
    id          integer NOT NULL,
    name        text COLLATE "C" NOT NULL,
    name_folded text COLLATE "C" NOT NULL,
    is_active   boolean NOT NULL DEFAULT true,
    PRIMARY KEY (tenant_id, id)
);

CREATE INDEX account_codes_by_name ON account_codes (tenant_id, name_folded NULLS FIRST, id);
CREATE INDEX account_codes_by_active ON account_codes (tenant_id, is_active NULLS FIRST, id);

CREATE TABLE account_types (
    tenant_id   integer NOT NULL,
    id          integer NOT NULL,
    name        text COLLATE "C" NOT NULL,
    name_folded text COLLATE "C" NOT NULL,
    is_active   boolean NOT NULL DEFAULT true,
    is_client   boolean NOT NULL DEFAULT true,
    is_vendor   boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tenant_id, id)
);

CREATE TABLE chart_of_account_types (
    tenant_id   integer NOT NULL,
    id          integer NOT NULL,
    name        text COLLATE "C" NOT NULL,
    name_folded text COLLATE "C" NOT NULL,
    description text COLLATE "C",
    is_active   boolean NOT NULL DEFAULT true,
    PRIMARY KEY (tenant_id, id)
);

CREATE INDEX chart_of_account_types_by_name ON chart_of_account_types (tenant_id, name_folded NULLS FIRST, id);
CREATE INDEX chart_of_account_types_by_active ON chart_of_account_types (tenant_id, is_active NULLS FIRST, id);

CREATE TABLE chart_of_accounts (
    tenant_id   integer NOT NULL,
    id          integer NOT NULL,
    code        text COLLATE "C",
    code_folded text COLLATE "C",
    name        text COLLATE "C" NOT NULL,
    name_folded text COLLATE "C" NOT NULL,
    description text COLLATE "C",
    type_id     integer NOT NULL,
    parent_id   integer,
    is_active   boolean NOT NULL DEFAULT true,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, type_id) REFERENCES chart_of_account_types (tenant_id, id),
    FOREIGN KEY (tenant_id, parent_id) REFERENCES chart_of_accounts (tenant_id, id) DEFERRABLE INITIALLY DEFERRED
);

CREATE INDEX chart_of_accounts_by_code ON chart_of_accounts (tenant_id, code_folded NULLS FIRST, id);
CREATE INDEX chart_of_accounts_by_name ON chart_of_accounts (tenant_id, name_folded NULLS FIRST, id);
CREATE INDEX chart_of_accounts_by_type ON chart_of_accounts (tenant_id, type_id NULLS FIRST, id);
CREATE INDEX chart_of_accounts_by_parent ON chart_of_accounts (tenant_id, parent_id NULLS FIRST, id);
CREATE INDEX chart_of_accounts_by_active ON chart_of_accounts (tenant_id, is_active NULLS FIRST, id);

CREATE TABLE colors (
    tenant_id        integer NOT NULL,
    id               integer NOT NULL,
    module_id        integer NOT NULL,
    name             text COLLATE "C",
    label            text COLLATE "C",
    font_color       text COLLATE "C",
    background_color text COLLATE "C",
    PRIMARY KEY (tenant_id, id)
);

CREATE INDEX colors_by_module ON colors (tenant_id, module_id, id);

-- People and queues that work can be assigned to.
CREATE TABLE assignees (
    tenant_id         integer NOT NULL,
    id                integer NOT NULL,
    first_name        text COLLATE "C",
    first_name_folded text COLLATE "C",
    last_name         text COLLATE "C",
    last_name_folded  text COLLATE "C",
    name              text COLLATE "C" NOT NULL,
    name_folded       text COLLATE "C" NOT NULL,
    user_name         text COLLATE "C",
    email             text COLLATE "C",
    email_folded      text COLLATE "C",
    job_title         text COLLATE "C",
    job_title_folded  text COLLATE "C",
    url               text COLLATE "C",
    picture_name      text COLLATE "C",
    picture_url       text COLLATE "C",
    is_employee       boolean NOT NULL DEFAULT true,
    is_active         boolean NOT NULL DEFAULT true,
    PRIMARY KEY (tenant_id, id)
);

CREATE INDEX assignees_by_first_name ON assignees (tenant_id, first_name_folded NULLS FIRST, id);
CREATE INDEX assignees_by_last_name ON assignees (tenant_id, last_name_folded NULLS FIRST, id);
CREATE INDEX assignees_by_name ON assignees (tenant_id, name_folded NULLS FIRST, id);
CREATE INDEX assignees_by_email ON assignees (tenant_id, email_folded NULLS FIRST, id);
CREATE INDEX assignees_by_job_title ON assignees (tenant_id, job_title_folded NULLS FIRST, id);

CREATE TABLE roles (
    tenant_id   integer NOT NULL,
    id          integer NOT NULL,
    name        text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id, id)
);

CREATE TABLE assignee_roles (
    tenant_id   integer NOT NULL,
    assignee_id integer NOT NULL,
    role_id     integer NOT NULL,
    is_default  boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tenant_id, assignee_id, role_id),
    FOREIGN KEY (tenant_id, assignee_id) REFERENCES assignees (tenant_id, id),
    FOREIGN KEY (tenant_id, role_id) REFERENCES roles (tenant_id, id)
);

CREATE TABLE agent_procedures (
    tenant_id           integer NOT NULL,
    integration_type_id integer NOT NULL,
    id                  integer NOT NULL,
    name                text COLLATE "C" NOT NULL,
    name_folded         text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id, integration_type_id, id)
);

CREATE TABLE custom_fields (
    tenant_id integer NOT NULL,
    id        integer NOT NULL,
    name      text COLLATE "C" NOT NULL,
    type      integer NOT NULL DEFAULT 1,
    PRIMARY KEY (tenant_id, id)
);

CREATE TABLE company_settings (
    tenant_id integer NOT NULL,
    key       text COLLATE "C" NOT NULL,
    module_id integer NOT NULL,
    value     text COLLATE "C" NOT NULL,  -- JSON
    PRIMARY KEY (tenant_id, key)
);

CREATE TABLE accounts (
    tenant_id               integer NOT NULL,
    id                      integer NOT NULL,
    created_by              integer,
    created_on              bigint,
    modified_by             integer,
    modified_on             bigint,
    parent_id               integer,
    code                    text COLLATE "C",
    code_folded             text COLLATE "C",
    account_type_id         integer NOT NULL,
    name                    text COLLATE "C" NOT NULL,
    name_folded             text COLLATE "C" NOT NULL,
    business_type_id        integer NOT NULL,
    service_type_id         integer,
    manager_id              integer NOT NULL,
    currency_id             integer,
    credit_limit            double precision,
    net_days                double precision,
    sales_tax_item_id       integer,
    website                 text COLLATE "C",
    description             text COLLATE "C",
    class_id                integer,
    is_active               boolean NOT NULL DEFAULT true,
    is_billing              boolean NOT NULL DEFAULT false,
    acquired_date           bigint,
    route_invoice_to_parent boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, parent_id) REFERENCES accounts (tenant_id, id) DEFERRABLE INITIALLY DEFERRED,
    FOREIGN KEY (tenant_id, account_type_id) REFERENCES account_types (tenant_id, id),
    FOREIGN KEY (tenant_id, business_type_id) REFERENCES business_types (tenant_id, id),
    FOREIGN KEY (tenant_id, service_type_id) REFERENCES service_types (tenant_id, id),
    FOREIGN KEY (tenant_id, manager_id) REFERENCES assignees (tenant_id, id),
    FOREIGN KEY (tenant_id, currency_id) REFERENCES currencies (tenant_id, id),
    FOREIGN KEY (tenant_id, sales_tax_item_id) REFERENCES sales_tax_items (tenant_id, id),
    FOREIGN KEY (tenant_id, class_id) REFERENCES classes (tenant_id, id)
);

-- `is_active` stands in it so that a search for active accounts by a part of the name reads nothing else.
CREATE INDEX accounts_by_name ON accounts (tenant_id, name_folded NULLS FIRST, id, is_active);
CREATE INDEX accounts_by_code ON accounts (tenant_id, code_folded NULLS FIRST, id);
CREATE INDEX accounts_by_type ON accounts (tenant_id, account_type_id NULLS FIRST, id);
CREATE INDEX accounts_by_business_type ON accounts (tenant_id, business_type_id NULLS FIRST, id);
CREATE INDEX accounts_by_manager ON accounts (tenant_id, manager_id NULLS FIRST, id);
CREATE INDEX accounts_by_parent ON accounts (tenant_id, parent_id NULLS FIRST, id);
CREATE INDEX accounts_by_created ON accounts (tenant_id, created_on NULLS FIRST, id);
CREATE INDEX accounts_by_modified ON accounts (tenant_id, modified_on NULLS FIRST, id);
CREATE INDEX accounts_by_active ON accounts (tenant_id, is_active NULLS FIRST, id);

CREATE TRIGGER accounts_are_counted AFTER INSERT ON accounts
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_records();

CREATE TRIGGER accounts_are_discounted AFTER DELETE ON accounts
REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_records();

CREATE TRIGGER changed_accounts_are_counted AFTER UPDATE ON accounts
REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_records();

-- Who works for an account besides its manager.
CREATE TABLE account_team (
    tenant_id   integer NOT NULL,
    account_id  integer NOT NULL,
    assignee_id integer NOT NULL,
    PRIMARY KEY (tenant_id, account_id, assignee_id),
    FOREIGN KEY (tenant_id, account_id) REFERENCES accounts (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, assignee_id) REFERENCES assignees (tenant_id, id)
);

-- By account: the locations of the accounts of a page are read in one go.
CREATE TABLE account_locations (
    tenant_id      integer NOT NULL,
    account_id     integer NOT NULL,
    id             integer NOT NULL,
    created_by     integer,
    created_on     bigint,
    modified_by    integer,
    modified_on    bigint,
    name           text COLLATE "C" NOT NULL,
    is_main        boolean NOT NULL DEFAULT false,
    is_active      boolean NOT NULL DEFAULT true,
    time_zone_id   integer,
    date_format_id integer,
    time_format_id integer,
    PRIMARY KEY (tenant_id, account_id, id),
    FOREIGN KEY (tenant_id, account_id) REFERENCES accounts (tenant_id, id) ON DELETE CASCADE
);

CREATE UNIQUE INDEX account_locations_by_id ON account_locations (tenant_id, id);

CREATE TABLE account_addresses (
    tenant_id       integer NOT NULL,
    account_id      integer NOT NULL,
    location_id     integer NOT NULL,
    id              integer NOT NULL,
    created_by      integer,
    created_on      bigint,
    modified_by     integer,
    modified_on     bigint,
    address1        text COLLATE "C",
    address2        text COLLATE "C",
    city            text COLLATE "C",
    state           text COLLATE "C",
    zip_code        text COLLATE "C",
    country_id      integer,
    phone           text COLLATE "C",
    fax             text COLLATE "C",
    latitude        double precision,
    longitude       double precision,
    email_address   text COLLATE "C",
    is_main         boolean NOT NULL DEFAULT false,
    is_billing      boolean NOT NULL DEFAULT false,
    address_type_id integer,
    PRIMARY KEY (tenant_id, account_id, location_id, id),
    FOREIGN KEY (tenant_id, account_id, location_id)
        REFERENCES account_locations (tenant_id, account_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, country_id) REFERENCES countries (tenant_id, id),
    FOREIGN KEY (tenant_id, address_type_id) REFERENCES address_types (tenant_id, id)
);

CREATE UNIQUE INDEX account_addresses_by_id ON account_addresses (tenant_id, id);

CREATE TABLE account_alerts (
    tenant_id  integer NOT NULL,
    account_id integer NOT NULL,
    kind       integer NOT NULL,
    id         integer NOT NULL,
    details    text COLLATE "C" NOT NULL,  -- JSON: ["Call before visiting"]
    PRIMARY KEY (tenant_id, account_id, kind),
    FOREIGN KEY (tenant_id, account_id) REFERENCES accounts (tenant_id, id) ON DELETE CASCADE
);

CREATE TABLE contacts (
    tenant_id            integer NOT NULL,
    id                   integer NOT NULL,
    created_by           integer,
    created_on           bigint,
    modified_by          integer,
    modified_on          bigint,
    account_id           integer NOT NULL,
    location_id          integer NOT NULL,
    first_name           text COLLATE "C",
    first_name_folded    text COLLATE "C",
    last_name            text COLLATE "C",
    last_name_folded     text COLLATE "C",
    name_folded          text COLLATE "C" NOT NULL,  -- first and last name
    job_title            text COLLATE "C",
    is_poc               boolean NOT NULL DEFAULT false,
    is_active            boolean NOT NULL DEFAULT true,
    effective_date       bigint,
    is_billable          boolean NOT NULL DEFAULT false,
    can_receive_invoices boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, account_id, location_id) REFERENCES account_locations (tenant_id, account_id, id)
);

CREATE INDEX contacts_by_account ON contacts (tenant_id, account_id NULLS FIRST, id);
CREATE INDEX contacts_by_account_and_name ON contacts (tenant_id, account_id NULLS FIRST, name_folded NULLS FIRST, id);
CREATE INDEX contacts_by_account_and_location ON contacts (tenant_id, account_id NULLS FIRST, location_id NULLS FIRST, id);
CREATE INDEX contacts_by_location ON contacts (tenant_id, location_id NULLS FIRST, id);
CREATE INDEX contacts_by_first_name ON contacts (tenant_id, first_name_folded NULLS FIRST, id);
CREATE INDEX contacts_by_last_name ON contacts (tenant_id, last_name_folded NULLS FIRST, id);
CREATE INDEX contacts_by_created ON contacts (tenant_id, created_on NULLS FIRST, id);
CREATE INDEX contacts_by_modified ON contacts (tenant_id, modified_on NULLS FIRST, id);
CREATE INDEX contacts_by_active ON contacts (tenant_id, is_active NULLS FIRST, id);

CREATE TRIGGER contacts_are_counted AFTER INSERT ON contacts
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_records();

CREATE TRIGGER contacts_are_discounted AFTER DELETE ON contacts
REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_records();

CREATE TRIGGER changed_contacts_are_counted AFTER UPDATE ON contacts
REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_records();

CREATE TABLE contact_emails (
    tenant_id      integer NOT NULL,
    contact_id     integer NOT NULL,
    id             integer NOT NULL,
    created_by     integer,
    created_on     bigint,
    modified_by    integer,
    modified_on    bigint,
    address        text COLLATE "C",
    address_folded text COLLATE "C",
    type_id        integer NOT NULL,
    is_default     boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tenant_id, contact_id, id),
    FOREIGN KEY (tenant_id, contact_id) REFERENCES contacts (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, type_id) REFERENCES email_types (tenant_id, id)
);

CREATE UNIQUE INDEX contact_emails_by_id ON contact_emails (tenant_id, id);
CREATE INDEX contact_emails_by_address ON contact_emails (tenant_id, address_folded NULLS FIRST, contact_id NULLS FIRST);

CREATE TABLE contact_phones (
    tenant_id     integer NOT NULL,
    contact_id    integer NOT NULL,
    id            integer NOT NULL,
    created_by    integer,
    created_on    bigint,
    modified_by   integer,
    modified_on   bigint,
    number        text COLLATE "C",
    number_folded text COLLATE "C",
    type_id       integer NOT NULL,
    is_default    boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tenant_id, contact_id, id),
    FOREIGN KEY (tenant_id, contact_id) REFERENCES contacts (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, type_id) REFERENCES phone_types (tenant_id, id)
);

CREATE UNIQUE INDEX contact_phones_by_id ON contact_phones (tenant_id, id);
CREATE INDEX contact_phones_by_number ON contact_phones (tenant_id, number_folded NULLS FIRST, contact_id NULLS FIRST);

CREATE TABLE contact_custom_fields (
    tenant_id       integer NOT NULL,
    contact_id      integer NOT NULL,
    id              integer NOT NULL,
    custom_field_id integer NOT NULL,
    settings_id     integer,
    data            text COLLATE "C",
    PRIMARY KEY (tenant_id, contact_id, id),
    FOREIGN KEY (tenant_id, contact_id) REFERENCES contacts (tenant_id, id) ON DELETE CASCADE,
    FOREIGN KEY (tenant_id, custom_field_id) REFERENCES custom_fields (tenant_id, id)
);

CREATE UNIQUE INDEX contact_custom_fields_by_id ON contact_custom_fields (tenant_id, id);

-- What the blobs hold; the bytes are kept elsewhere, under the hash.
CREATE TABLE contents (
    tenant_id  integer NOT NULL,
    hash       bytea NOT NULL,
    size       bigint NOT NULL,
    media_type text COLLATE "C" NOT NULL,
    claimed_on bigint NOT NULL,
    blob       text COLLATE "C" NOT NULL DEFAULT '',  -- the name of what holds it; one that is being removed is never written anew
    PRIMARY KEY (tenant_id, hash)
);

CREATE INDEX contents_by_claim ON contents (tenant_id, claimed_on, hash);

-- The bytes of a tenant's contents, each content once: what its quota counts.
CREATE FUNCTION count_contents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO counters (tenant_id, name, slot, value)
        SELECT tenant_id, 'contents.bytes', pg_backend_pid() % 64, sum(size) FROM added GROUP BY tenant_id
        ON CONFLICT (tenant_id, name, slot) DO UPDATE SET value = counters.value + excluded.value;
    ELSE
        INSERT INTO counters (tenant_id, name, slot, value)
        SELECT tenant_id, 'contents.bytes', pg_backend_pid() % 64, -sum(size) FROM removed GROUP BY tenant_id
        ON CONFLICT (tenant_id, name, slot) DO UPDATE SET value = counters.value + excluded.value;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER contents_are_counted AFTER INSERT ON contents
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_contents();

CREATE TRIGGER contents_are_discounted AFTER DELETE ON contents
REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_contents();

-- By object, which is how they are listed.
CREATE TABLE attachments (
    tenant_id                 integer NOT NULL,
    module_id                 integer NOT NULL,
    object_id                 integer NOT NULL,
    id                        integer NOT NULL,
    original_file_name        text COLLATE "C" NOT NULL,
    original_file_name_folded text COLLATE "C" NOT NULL,
    alias_name                text COLLATE "C" NOT NULL,
    file_type                 text COLLATE "C",
    created_by_id             integer,
    created_by_name           text COLLATE "C",
    created_on                bigint NOT NULL,
    hash                      bytea NOT NULL,
    PRIMARY KEY (tenant_id, module_id, object_id, id),
    FOREIGN KEY (tenant_id, hash) REFERENCES contents (tenant_id, hash)
);

CREATE UNIQUE INDEX attachments_by_id ON attachments (tenant_id, id);
CREATE INDEX attachments_by_name ON attachments (tenant_id, module_id, object_id, original_file_name_folded NULLS FIRST, id);
CREATE INDEX attachments_by_created ON attachments (tenant_id, module_id, object_id, created_on NULLS FIRST, id);
CREATE INDEX attachments_by_hash ON attachments (tenant_id, hash);

CREATE TABLE temporary_uploads (
    tenant_id  integer NOT NULL,
    alias      text COLLATE "C" NOT NULL,
    module_id  integer NOT NULL,
    name       text COLLATE "C" NOT NULL,
    file_type  text COLLATE "C",
    created_on bigint NOT NULL,
    expires_on bigint NOT NULL,
    hash       bytea NOT NULL,
    token_id   integer,  -- who has made it, for only they attach or delete it
    PRIMARY KEY (tenant_id, alias),
    FOREIGN KEY (tenant_id, hash) REFERENCES contents (tenant_id, hash)
);

CREATE INDEX temporary_uploads_by_end ON temporary_uploads (tenant_id, expires_on);
CREATE INDEX temporary_uploads_by_hash ON temporary_uploads (tenant_id, hash);

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

-- Every change of a record. A change has no number when it is written: whoever reads the log next numbers what has been
-- committed since, so that numbers are in the order in which changes become visible, and writers do not wait for each other.
-- Numbers have no gaps and are never given out again: the last row of a tenant stays when old ones are removed.
CREATE TABLE audit_log (
    tenant_id   integer NOT NULL,
    entry       bigint GENERATED BY DEFAULT AS IDENTITY,
    sequence    bigint,
    recorded_on bigint NOT NULL,
    kind        text COLLATE "C" NOT NULL,  -- of the record: Account
    record_id   text COLLATE "C" NOT NULL,
    account_id  integer,  -- that the record belongs to; NULL when it belongs to none
    token_id    integer,  -- NULL when no caller has asked for it
    token_name  text COLLATE "C",
    assignee_id integer,
    operation   text COLLATE "C" NOT NULL,  -- PutAccount; import
    before      text COLLATE "C",  -- JSON; NULL when the record was not there
    after       text COLLATE "C",  -- JSON; NULL when the record is gone
    PRIMARY KEY (tenant_id, entry)
);

CREATE UNIQUE INDEX audit_log_by_sequence ON audit_log (tenant_id, sequence);
CREATE INDEX audit_log_without_sequence ON audit_log (tenant_id, entry) WHERE sequence IS NULL;

-- Requests that must not be done twice, and what they were answered.
CREATE TABLE idempotency_keys (
    tenant_id  integer NOT NULL,
    token_id   integer NOT NULL,
    operation  text COLLATE "C" NOT NULL,
    key        text COLLATE "C" NOT NULL,
    request    bytea NOT NULL,  -- SHA-256
    answer     text COLLATE "C" NOT NULL,  -- JSON
    created_on bigint NOT NULL,
    PRIMARY KEY (tenant_id, token_id, operation, key)
);

CREATE INDEX idempotency_keys_by_time ON idempotency_keys (tenant_id, created_on);

-- Only who owns a table may have the server look at what is in it.
CREATE FUNCTION analyze_table(name text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
    EXECUTE format('ANALYZE %I', name);
END $$;

-- Blobs whose content is forgotten: they are removed next.
CREATE TABLE unused_blobs (
    tenant_id integer NOT NULL,
    blob      text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id, blob)
);

-- Which tenants have something to be done: a transaction without a tenant learns no more of their rows than that.

CREATE FUNCTION tenants_with_due_scans(until bigint) RETURNS SETOF integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT o.id FROM (
        SELECT t.id, (
            SELECT s.next_at FROM scan_schedules AS s
            JOIN agents AS a ON a.tenant_id = s.tenant_id AND a.id = s.agent_id
            WHERE s.tenant_id = t.id AND s.next_at <= until AND s.problem IS NULL AND (NOT s.is_waiting OR a.is_online)
            ORDER BY s.next_at, s.agent_id LIMIT 1) AS first
        FROM tenants AS t) AS o
    WHERE o.first IS NOT NULL ORDER BY o.first, o.id
$$;

CREATE FUNCTION next_scan() RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT min((
        SELECT s.next_at FROM scan_schedules AS s
        WHERE s.tenant_id = t.id AND s.next_at IS NOT NULL AND NOT s.is_waiting AND s.problem IS NULL
        ORDER BY s.next_at, s.agent_id LIMIT 1))
    FROM tenants AS t
$$;

CREATE FUNCTION tenants_with_scan_problems() RETURNS SETOF integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT DISTINCT tenant_id FROM scan_schedules WHERE problem IS NOT NULL
$$;

CREATE FUNCTION tenants_with_old_records(
    uploads bigint, idempotency_keys bigint, changes bigint, scan_runs bigint, jobs bigint
) RETURNS SETOF integer
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
    SELECT t.id FROM tenants AS t WHERE
        EXISTS (SELECT 1 FROM temporary_uploads AS u WHERE u.tenant_id = t.id AND u.expires_on <= $1)
        OR EXISTS (SELECT 1 FROM unused_blobs AS b WHERE b.tenant_id = t.id)
        OR EXISTS (SELECT 1 FROM idempotency_keys AS k WHERE k.tenant_id = t.id AND k.created_on < $2)
        -- Changes without a number get one before they can be old. The newest change of a tenant stays.
        OR EXISTS (SELECT 1 FROM audit_log AS l WHERE l.tenant_id = t.id AND l.sequence IS NULL)
        OR (SELECT l.recorded_on FROM audit_log AS l
            WHERE l.tenant_id = t.id AND l.sequence < (SELECT max(sequence) FROM audit_log WHERE tenant_id = t.id)
            ORDER BY l.sequence LIMIT 1) < $3
        OR EXISTS (SELECT 1 FROM scan_runs AS r WHERE r.tenant_id = t.id AND r.recorded_on < $4)
        OR EXISTS (SELECT 1 FROM jobs AS j WHERE j.tenant_id = t.id AND coalesce(j.finished_on, j.started_on) < $5)
    ORDER BY t.id
$$;

-- The position of a part of a text, as SQLite calls it.
CREATE FUNCTION instr(text, text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN strpos($1, $2);

-- Whose a token is, only its secret says.
CREATE POLICY of_secret ON tokens FOR SELECT
    USING (secret_hash = (SELECT decode(current_setting('service.secret', true), 'hex')));
