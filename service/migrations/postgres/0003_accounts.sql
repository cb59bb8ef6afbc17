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
    FOREIGN KEY (tenant_id, parent_id) REFERENCES accounts (tenant_id, id),
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
