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
    FOREIGN KEY (tenant_id, parent_id) REFERENCES accounts (tenant_id, id),
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
