//! Read-only records: lookup tables, assignees, the chart of accounts, settings.

use generated_server::models::{
    AccountCodeLookup, AccountTypeLookup, AgentProcedure, ApprovalRouteLookup, Assignee, AssigneeLookup,
    ChartOfAccount, ChartOfAccountLookup, ChartOfAccountType, ChartOfAccountTypeLookup, ColorLookup, RoleLookup,
};

use super::{member::*, *};

/// A table of names, such as countries.
const fn lookup(
    name: &'static str,
    one: &'static str,
    kind: &'static str,
    area: &'static str,
    table: &'static str,
) -> Resource {
    Resource::new(name, one, kind, area, table, stored!(ACCOUNT_CODE.members))
}

pub static BUSINESS_TYPES: Resource = lookup("BusinessTypes", "business type", "BusinessType", "crm", "business_types");
pub static SERVICE_TYPES: Resource = lookup("ServiceTypes", "service type", "ServiceType", "crm", "service_types");
pub static CURRENCIES: Resource = lookup("Currencies", "currency", "Currency", "crm", "currencies");
pub static SALES_TAX_ITEMS: Resource =
    lookup("SalesTaxItems", "sales tax item", "SalesTaxItem", "crm", "sales_tax_items");
pub static CLASSES: Resource = lookup("Classes", "class", "Class", "crm", "classes");
pub static COUNTRIES: Resource = lookup("Countries", "country", "Country", "crm", "countries");
pub static ADDRESS_TYPES: Resource = lookup("AddressTypes", "address type", "AddressType", "crm", "address_types");
pub static EMAIL_TYPES: Resource = lookup("EmailTypes", "email type", "EmailType", "crm", "email_types");
pub static PHONE_TYPES: Resource = lookup("PhoneTypes", "phone type", "PhoneType", "crm", "phone_types");
pub static APPROVAL_ROUTES: Resource =
    lookup("ApprovalRoutes", "approval route", "ApprovalRoute", "system", "approval_routes");
pub static ACCOUNT_CODES: Resource = lookup("AccountCodes", "account code", "AccountCode", "finance", "account_codes");

pub static ACCOUNT_CODE: List<AccountCodeLookup> = members!(ACCOUNT_CODES, AccountCodeLookup {
    "Id"              id               = id().sorted();
    "Name"            name             = text("name").mandatory().folded().sorted();
    "IsActive"        is_active        = flag("is_active", true).sorted();
});

pub static APPROVAL_ROUTE: List<ApprovalRouteLookup> = members!(APPROVAL_ROUTES, ApprovalRouteLookup {
    "Id"              id               = id();
    "Name"            name             = text("name");
    "IsActive"        is_active        = flag("is_active", true);
});

/// Kinds of business relations.
pub static ACCOUNT_TYPES: Resource = Resource::new(
    "AccountTypes",
    "account type",
    "AccountType",
    "system",
    "account_types",
    stored!(ACCOUNT_TYPE.members),
);

pub static ACCOUNT_TYPE: List<AccountTypeLookup> = members!(ACCOUNT_TYPES, AccountTypeLookup {
    "Id"              id               = id();
    "Name"            name             = text("name").mandatory().folded();
    "IsActive"        is_active        = flag("is_active", true);
    "IsClient"        is_client        = flag("is_client", true);
    "IsVendor"        is_vendor        = flag("is_vendor", false);
});

/// Types of the entries of the chart of accounts.
pub static CHART_OF_ACCOUNT_TYPES: Resource = Resource::new(
    "ChartOfAccountTypes",
    "type of the chart of accounts",
    "ChartOfAccountType",
    "finance",
    "chart_of_account_types",
    stored!(CHART_OF_ACCOUNT_TYPE.members),
);

pub static CHART_OF_ACCOUNT_TYPE: List<ChartOfAccountType> = members!(CHART_OF_ACCOUNT_TYPES, ChartOfAccountType {
    "Id"              id               = id().sorted();
    "Name"            name             = text("name").mandatory().folded().sorted();
    "Description"     description      = text("description").at_most(4000);
    "IsActive"        is_active        = flag("is_active", true).sorted();
});

pub static CHART_OF_ACCOUNT_TYPE_LOOKUP: List<ChartOfAccountTypeLookup> = members!(CHART_OF_ACCOUNT_TYPES, ChartOfAccountTypeLookup {
    "Id"              id               = id();
    "Name"            name             = text("name");
    "Description"     description      = text("description");
    "IsActive"        is_active        = flag("is_active", true);
});

/// The chart of accounts.
pub static CHART_OF_ACCOUNTS: Resource = Resource::new(
    "ChartOfAccounts",
    "entry of the chart of accounts",
    "ChartOfAccount",
    "finance",
    "chart_of_accounts",
    stored!(CHART_OF_ACCOUNT.members),
);

pub static CHART_OF_ACCOUNT: List<ChartOfAccount> = members!(CHART_OF_ACCOUNTS, ChartOfAccount {
    "Id"              id               = id().sorted();
    "Code"            code             = text("code").folded().sorted();
    "Name"            name             = text("name").mandatory().folded().sorted();
    "Description"     description      = text("description").at_most(4000);
    "TypeId"          type_id          = reference("type_id", &CHART_OF_ACCOUNT_TYPES).mandatory().sorted();
    "TypeName"        type_name        = name_of("type_id", &CHART_OF_ACCOUNT_TYPES);
    "ParentId"        parent_id        = reference("parent_id", &CHART_OF_ACCOUNTS).sorted();
    "ParentName"      parent_name      = sql(PARENT_NAME);
    "IsActive"        is_active        = flag("is_active", true).sorted();
});

const PARENT_NAME: &str = "(SELECT name FROM chart_of_accounts AS p
    WHERE p.tenant_id = chart_of_accounts.tenant_id AND p.id = chart_of_accounts.parent_id)";

pub(in crate::store) static CHART_OF_ACCOUNT_LOOKUP: List<ChartOfAccountLookup> = members!(CHART_OF_ACCOUNTS, ChartOfAccountLookup {
    "Id"              id               = id();
    "Code"            code             = text("code");
    "Name"            name             = text("name");
    "TypeId"          type_id          = reference("type_id", &CHART_OF_ACCOUNT_TYPES);
    "TypeName"        type_name        = name_of("type_id", &CHART_OF_ACCOUNT_TYPES);
    "IsActive"        is_active        = flag("is_active", true);
});

/// Colors of modules' items.
pub static COLORS: Resource = Resource::new("Colors", "color", "Color", "system", "colors", stored!(COLOR.members));

pub static COLOR: List<ColorLookup> = members!(COLORS, ColorLookup {
    "Id"              id               = id();
    "ModuleId"        module_id        = integer("module_id", 1).mandatory();
    "Name"            name             = text("name");
    "Label"           label            = text("label");
    "FontColor"       font_color       = text("font_color");
    "BackgroundColor" background_color = text("background_color");
});

/// Roles of assignees.
pub static ROLES: Resource = Resource::new("Roles", "role", "Role", "hr", "roles", stored!(ROLE.members));

static ROLE: List<()> = members!(ROLES, () {
    "Id"              -                = id();
    "Name"            -                = text("name").mandatory();
});

/// People and queues for assignments.
pub static ASSIGNEES: Resource = Resource {
    below: &[Below { name: "Roles", resource: &ASSIGNEE_ROLES }],
    one_of: &["Name", "FirstName", "LastName"],
    derived: Derived::Name,
    ..Resource::new("Assignees", "assignee", "Assignee", "hr", "assignees", stored!(ASSIGNEE.members))
};

pub static ASSIGNEE: List<Assignee> = members!(ASSIGNEES, Assignee {
    "Id"              id               = id().sorted();
    "FirstName"       first_name       = text("first_name").folded().sorted();
    "LastName"        last_name        = text("last_name").folded().sorted();
    "Name"            name             = text("name").folded().sorted();
    "EmailAddress"    email_address    = text("email").folded().sorted();
    "PictureName"     picture_name     = text("picture_name");
    "PictureUrl"      picture_url      = text("picture_url").at_most(2048);
    "UserName"        -                = text("user_name");
    "JobTitle"        -                = text("job_title").folded();
    "Url"             -                = text("url").at_most(2048);
    "IsEmployee"      -                = flag("is_employee", true);
    "IsActive"        -                = flag("is_active", true);
});

pub static ASSIGNEE_LOOKUP: List<AssigneeLookup> = members!(ASSIGNEES, AssigneeLookup {
    "Id"              id               = id().sorted();
    "Name"            name             = text("name").folded().sorted();
    "Url"             url              = text("url");
    "EmailAddress"    email_address    = text("email").folded().sorted();
    "JobTitle"        job_title        = text("job_title").folded().sorted();
    "PictureName"     picture_name     = text("picture_name");
    "PictureURL"      picture_url      = text("picture_url");
    "IsActive"        -                = flag("is_active", true);
});

/// The roles of assignees.
pub static ASSIGNEE_ROLES: Resource =
    Resource::nested("AssigneeRoles", "role of an assignee", "assignee_roles", 1, stored!(ASSIGNEE_ROLE.members));

static ASSIGNEE_ROLE: List<()> = members!(ASSIGNEE_ROLES, () {
    "AssigneeId"      -                = reference("assignee_id", &ASSIGNEES).mandatory().key();
    "RoleId"          -                = reference("role_id", &ROLES).mandatory().key();
    "IsDefault"       -                = flag("is_default", false);
});

/// Roles as listed for an assignee.
pub(in crate::store) static ROLE_LOOKUP: List<RoleLookup> = members!(ASSIGNEE_ROLES, RoleLookup {
    "Id"              id               = reference("role_id", &ROLES);
    "Name"            name             = name_of("role_id", &ROLES);
    "IsDefault"       is_default       = flag("is_default", false);
});

/// Procedures for agents of an integration.
pub static AGENT_PROCEDURES: Resource = Resource::new(
    "AgentProcedures",
    "agent procedure",
    "AgentProcedure",
    "agents",
    "agent_procedures",
    stored!(AGENT_PROCEDURE.members),
);

pub static AGENT_PROCEDURE: List<AgentProcedure> = members!(AGENT_PROCEDURES, AgentProcedure {
    "IntegrationTypeId" -              = integer("integration_type_id", 1).mandatory().key();
    "Id"              id               = id().key();
    "Name"            name             = text("name").mandatory().folded();
});

/// Custom fields of contacts.
pub static CUSTOM_FIELDS: Resource =
    Resource::new("CustomFields", "custom field", "CustomField", "crm", "custom_fields", stored!(CUSTOM_FIELD.members));

static CUSTOM_FIELD: List<()> = members!(CUSTOM_FIELDS, () {
    "Id"              -                = id();
    "Name"            -                = text("name").mandatory();
    "CustomFieldType" -                = integer("type", 0).or(1);
});

/// Settings of the company.
pub static COMPANY_SETTINGS: Resource = Resource::new(
    "CompanySettings",
    "setting",
    "CompanySetting",
    "settings",
    "company_settings",
    stored!(SETTING.members),
);

static SETTING: List<()> = members!(COMPANY_SETTINGS, () {
    "Key"             -                = text("key").mandatory().key();
    "ModuleId"        -                = integer("module_id", 1).or(1);
    "Value"           -                = json("value");
});
