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
