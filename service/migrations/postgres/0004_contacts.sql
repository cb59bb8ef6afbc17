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

-- A contact beside its account and the main address of its location.
CREATE VIEW contact_infos AS
SELECT c.tenant_id, c.id, c.account_id, c.location_id, c.is_active,
    trim(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, '')) AS name,
    (SELECT p.number FROM contact_phones AS p
        WHERE p.tenant_id = c.tenant_id AND p.contact_id = c.id ORDER BY p.is_default DESC, p.id LIMIT 1) AS contact_phone,
    (SELECT e.address FROM contact_emails AS e
        WHERE e.tenant_id = c.tenant_id AND e.contact_id = c.id ORDER BY e.is_default DESC, e.id LIMIT 1) AS contact_email,
    a.name AS client_name, a.account_type_id, a.website, l.name AS location_name,
    d.phone, d.fax, d.address1, d.address2, d.city, d.state, d.zip_code, d.country_id, d.latitude, d.longitude
FROM contacts AS c
JOIN accounts AS a ON a.tenant_id = c.tenant_id AND a.id = c.account_id
JOIN account_locations AS l ON l.tenant_id = c.tenant_id AND l.account_id = c.account_id AND l.id = c.location_id
LEFT JOIN account_addresses AS d ON d.tenant_id = c.tenant_id AND d.account_id = c.account_id
    AND d.location_id = c.location_id AND d.id = (
        SELECT m.id FROM account_addresses AS m
        WHERE m.tenant_id = c.tenant_id AND m.account_id = c.account_id AND m.location_id = c.location_id
        ORDER BY m.is_main DESC, m.id LIMIT 1);
