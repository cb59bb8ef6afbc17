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
    FOREIGN KEY (tenant_id, parent_id) REFERENCES chart_of_accounts (tenant_id, id)
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
