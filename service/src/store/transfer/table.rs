//! The tables of a store, as they are copied.

/// A table whose rows are of tenants.
#[derive(Clone, Copy, Debug)]
pub(in crate::store) struct Table {
    pub(in crate::store) name: &'static str,
    /// The columns that tell the rows of a tenant apart.
    pub(in crate::store) key: &'static [&'static str],
    /// The column that refers to another row of the same table.
    pub(in crate::store) parent: Option<&'static str>,
}

/// The tables that the store fills by itself: sizes and versions, and what it knows of its own tables.
#[cfg(test)]
pub(super) const KEPT_BY_THE_STORE: &[&str] = &["counters", "kept_contents", "schema_migrations"];

/// Every other table but that of the tenants; rows refer to rows of tables before theirs.
pub(in crate::store) const TABLES: &[Table] = &[
    table("sequences", &["name"]),
    table("tokens", &["id"]),
    table("business_types", &["id"]),
    table("service_types", &["id"]),
    table("currencies", &["id"]),
    table("sales_tax_items", &["id"]),
    table("classes", &["id"]),
    table("countries", &["id"]),
    table("address_types", &["id"]),
    table("email_types", &["id"]),
    table("phone_types", &["id"]),
    table("approval_routes", &["id"]),
    table("account_codes", &["id"]),
    table("account_types", &["id"]),
    table("chart_of_account_types", &["id"]),
    tree("chart_of_accounts", &["id"], "parent_id"),
    table("colors", &["id"]),
    table("assignees", &["id"]),
    table("roles", &["id"]),
    table("assignee_roles", &["assignee_id", "role_id"]),
    table("agent_procedures", &["integration_type_id", "id"]),
    table("custom_fields", &["id"]),
    table("company_settings", &["key"]),
    tree("accounts", &["id"], "parent_id"),
    table("account_team", &["account_id", "assignee_id"]),
    table("account_locations", &["account_id", "id"]),
    table("account_addresses", &["account_id", "location_id", "id"]),
    table("account_alerts", &["account_id", "kind"]),
    table("contacts", &["id"]),
    table("contact_emails", &["contact_id", "id"]),
    table("contact_phones", &["contact_id", "id"]),
    table("contact_custom_fields", &["contact_id", "id"]),
    table("contents", &["hash"]),
    table("unused_blobs", &["blob"]),
    table("attachments", &["module_id", "object_id", "id"]),
    table("temporary_uploads", &["alias"]),
    table("jobs", &["id"]),
    table("job_logs", &["job_id", "id"]),
    table("agents", &["id"]),
    table("agent_notes", &["id"]),
    table("patches", &["id"]),
    table("installed_patches", &["agent_id", "patch_id"]),
    table("missing_patches", &["agent_id", "patch_id"]),
    table("scan_schedules", &["agent_id"]),
    table("scan_runs", &["agent_id", "schedule", "occurrence"]),
    table("audit_log", &["sequence"]),
    table("idempotency_keys", &["token_id", "operation", "key"]),
];

const fn table(name: &'static str, key: &'static [&'static str]) -> Table {
    Table { name, key, parent: None }
}

const fn tree(name: &'static str, key: &'static [&'static str], parent: &'static str) -> Table {
    Table { name, key, parent: Some(parent) }
}
