//! What the interface only reads: lookup tables, assignees, settings.

use super::{Below, Derived, Kind, Member, Presence, Resource, SMALL};

/// A lookup table with nothing but names.
const fn lookup(name: &'static str, one: &'static str, table: &'static str) -> Resource {
    Resource { name, one, table, members: LOOKUP, ..PLAIN }
}

pub(in crate::store) const PLAIN: Resource = Resource {
    name: "",
    one: "",
    kind: "",
    table: "",
    is_counted: false,
    above: 0,
    members: &[],
    below: &[],
    one_of: &[],
    derived: Derived::Nothing,
};

const LOOKUP: &[Member] =
    &[Member::id(), Member::required("Name", "name", Kind::Text).folded(), Member::flag("IsActive", "is_active", true)];

/// Account types.
pub static ACCOUNT_TYPES: Resource = Resource {
    name: "AccountTypes",
    one: "account type",
    table: "account_types",
    members: &[
        Member::id(),
        Member::required("Name", "name", Kind::Text).folded(),
        Member::flag("IsActive", "is_active", true),
        Member::flag("IsClient", "is_client", true),
        Member::flag("IsVendor", "is_vendor", false),
    ],
    ..PLAIN
};

/// Business types.
pub static BUSINESS_TYPES: Resource = lookup("BusinessTypes", "business type", "business_types");

/// Service types.
pub static SERVICE_TYPES: Resource = lookup("ServiceTypes", "service type", "service_types");

/// Currencies.
pub static CURRENCIES: Resource = lookup("Currencies", "currency", "currencies");

/// Sales tax items.
pub static SALES_TAX_ITEMS: Resource = lookup("SalesTaxItems", "sales tax item", "sales_tax_items");

/// Classes of accounts.
pub static CLASSES: Resource = lookup("Classes", "class", "classes");

/// Countries.
pub static COUNTRIES: Resource = lookup("Countries", "country", "countries");

/// Types of addresses.
pub static ADDRESS_TYPES: Resource = lookup("AddressTypes", "address type", "address_types");

/// Types of email addresses.
pub static EMAIL_TYPES: Resource = lookup("EmailTypes", "email type", "email_types");

/// Types of phone numbers.
pub static PHONE_TYPES: Resource = lookup("PhoneTypes", "phone type", "phone_types");

/// Approval routes.
pub static APPROVAL_ROUTES: Resource = lookup("ApprovalRoutes", "approval route", "approval_routes");

/// Account codes.
pub static ACCOUNT_CODES: Resource = lookup("AccountCodes", "account code", "account_codes");

/// Types of the entries of the chart of accounts.
pub static CHART_OF_ACCOUNT_TYPES: Resource = Resource {
    name: "ChartOfAccountTypes",
    one: "type of the chart of accounts",
    table: "chart_of_account_types",
    members: &[
        Member::id(),
        Member::required("Name", "name", Kind::Text).folded(),
        Member::text("Description", "description"),
        Member::flag("IsActive", "is_active", true),
    ],
    ..PLAIN
};

/// The chart of accounts.
pub static CHART_OF_ACCOUNTS: Resource = Resource {
    name: "ChartOfAccounts",
    one: "entry of the chart of accounts",
    table: "chart_of_accounts",
    members: &[
        Member::id(),
        Member::text("Code", "code").folded(),
        Member::required("Name", "name", Kind::Text).folded(),
        Member::text("Description", "description"),
        Member::required("TypeId", "type_id", Kind::Reference(&CHART_OF_ACCOUNT_TYPES)),
        Member::optional("ParentId", "parent_id", Kind::Reference(&CHART_OF_ACCOUNTS)),
        Member::flag("IsActive", "is_active", true),
    ],
    ..PLAIN
};

/// Colors.
pub static COLORS: Resource = Resource {
    name: "Colors",
    one: "color",
    table: "colors",
    members: &[
        Member::id(),
        Member::required("ModuleId", "module_id", Kind::Integer(1, SMALL)),
        Member::text("Name", "name"),
        Member::text("Label", "label"),
        Member::text("FontColor", "font_color"),
        Member::text("BackgroundColor", "background_color"),
    ],
    ..PLAIN
};

/// Roles of assignees.
pub static ROLES: Resource = Resource {
    name: "Roles",
    one: "role",
    table: "roles",
    members: &[Member::id(), Member::required("Name", "name", Kind::Text)],
    ..PLAIN
};

/// People and queues that work can be assigned to.
pub static ASSIGNEES: Resource = Resource {
    name: "Assignees",
    one: "assignee",
    table: "assignees",
    members: &[
        Member::id(),
        Member::text("FirstName", "first_name").folded(),
        Member::text("LastName", "last_name").folded(),
        Member::text("Name", "name").folded(),
        Member::text("UserName", "user_name"),
        Member::text("EmailAddress", "email").folded(),
        Member::text("JobTitle", "job_title").folded(),
        Member::text("Url", "url"),
        Member::text("PictureName", "picture_name"),
        Member::text("PictureUrl", "picture_url"),
        Member::flag("IsEmployee", "is_employee", true),
        Member::flag("IsActive", "is_active", true),
    ],
    below: &[Below { name: "Roles", resource: &ASSIGNEE_ROLES }],
    one_of: &["Name", "FirstName", "LastName"],
    derived: Derived::Name,
    ..PLAIN
};

/// Which roles assignees have.
pub static ASSIGNEE_ROLES: Resource = Resource {
    name: "AssigneeRoles",
    one: "role of an assignee",
    table: "assignee_roles",
    above: 1,
    members: &[
        Member::required("AssigneeId", "assignee_id", Kind::Reference(&ASSIGNEES)).key(),
        Member::required("RoleId", "role_id", Kind::Reference(&ROLES)).key(),
        Member::flag("IsDefault", "is_default", false),
    ],
    ..PLAIN
};

/// Procedures that agents of an integration can run.
pub static AGENT_PROCEDURES: Resource = Resource {
    name: "AgentProcedures",
    one: "agent procedure",
    table: "agent_procedures",
    members: &[
        Member::required("IntegrationTypeId", "integration_type_id", Kind::Integer(1, SMALL)).key(),
        Member::id().key(),
        Member::required("Name", "name", Kind::Text).folded(),
    ],
    ..PLAIN
};

/// Fields that contacts have beside those of the interface.
pub static CUSTOM_FIELDS: Resource = Resource {
    name: "CustomFields",
    one: "custom field",
    table: "custom_fields",
    members: &[
        Member::id(),
        Member::required("Name", "name", Kind::Text),
        Member::new("CustomFieldType", "type", Kind::Integer(0, SMALL), Presence::Otherwise(1)),
    ],
    ..PLAIN
};

/// Company settings.
pub static COMPANY_SETTINGS: Resource = Resource {
    name: "CompanySettings",
    one: "setting",
    table: "company_settings",
    members: &[
        Member::required("Key", "key", Kind::Text).key(),
        Member::new("ModuleId", "module_id", Kind::Integer(1, SMALL), Presence::Otherwise(1)),
        Member::new("Value", "value", Kind::Json, Presence::OtherwiseText("null")),
    ],
    ..PLAIN
};
