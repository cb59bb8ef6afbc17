//! What lists of accounts are read from, and which of them are wanted.

use generated_server::{
    models::{AccountLookup, AccountSummary},
    runtime::json::Maybe,
};

use super::{
    Conditions, Index, Reach, Resource, Viewer, column,
    names::{Names, Table},
};
use crate::domain::{
    account::{AccountFields, AccountFilter, AccountLookupFilter},
    caller::Visibility,
};

const BY_NAME: Index = Index::Named("accounts_by_name");
const BY_CODE: Index = Index::Named("accounts_by_code");
const BY_TYPE: Index = Index::Named("accounts_by_type");
const BY_CREATED: Index = Index::Named("accounts_by_created");
const BY_MODIFIED: Index = Index::Named("accounts_by_modified");
const BY_ACTIVE: Index = Index::Named("accounts_by_active");

const COUNTERS: [&str; 2] = ["accounts", "accounts.active"];

/// The position of `Locations` among the columns.
pub(in crate::store) const LOCATIONS: usize = 30;

/// Accounts stand below each other so deep and no deeper, so that no chain of parents takes long to follow.
pub(in crate::store) const DEPTH: u16 = 100;

/// A reference of an account: its pointer, what it names and in which table, and its id.
type Reference = (&'static str, (&'static str, &'static str), fn(&AccountFields) -> Option<i32>);

/// The other records that an account names, apart from its parent.
pub(in crate::store) const REFERENCES: &[Reference] = &[
    ("/AccountTypeId", ("account type", "account_types"), |fields| Some(fields.type_id)),
    ("/BusinessTypeId", ("business type", "business_types"), |fields| Some(fields.business_type_id)),
    ("/ServiceTypeId", ("service type", "service_types"), |fields| fields.service_type_id),
    ("/CurrencyId", ("currency", "currencies"), |fields| fields.currency_id),
    ("/SalesTaxItemId", ("sales tax item", "sales_tax_items"), |fields| fields.sales_tax_item_id),
    ("/ClassId", ("class", "classes"), |fields| fields.class_id),
    ("/AccountManagerId", ("assignee", "assignees"), |fields| Some(fields.manager_id)),
];

pub(in crate::store) static SUMMARY: Resource<AccountSummary> = Resource {
    table: "accounts",
    key: Index::Key,
    counters: Some(COUNTERS),
    narrow: Index::Named("accounts_by_id"),
    columns: &[
        column!("Id", id, "id", key),
        column!("CreatedBy", created_by, "created_by"),
        column!("CreatedOn", created_on, "created_on", by "accounts_by_created"),
        column!("ModifiedBy", modified_by, "modified_by"),
        column!("ModifiedOn", modified_on, "modified_on", by "accounts_by_modified"),
        column!("ParentId", parent_id, "parent_id", by "accounts_by_parent"),
        column!("AccountCode", account_code, "code", by "accounts_by_code" on "code_folded"),
        column!("AccountTypeId", account_type_id, "account_type_id", by "accounts_by_type"),
        column!("AccountType", account_type, "account_type_id", of AccountTypes),
        column!("AccountName", account_name, "name", by "accounts_by_name" on "name_folded"),
        column!("BusinessTypeId", business_type_id, "business_type_id", by "accounts_by_business_type"),
        column!("BusinessType", business_type, "business_type_id", of BusinessTypes),
        column!("ServiceTypeId", service_type_id, "service_type_id"),
        column!("ServiceType", service_type, "service_type_id", of ServiceTypes),
        column!("AccountManagerId", account_manager_id, "manager_id", by "accounts_by_manager"),
        column!("AccountManagerUserName", account_manager_user_name, "manager_id", of Assignees),
        column!("CurrencyId", currency_id, "currency_id"),
        column!("CurrencyName", currency_name, "currency_id", of Currencies),
        column!("CreditLimit", credit_limit, "credit_limit"),
        column!("NetDays", net_days, "net_days"),
        column!("SalesTaxItemId", sales_tax_item_id, "sales_tax_item_id"),
        column!("SalesTaxItemName", sales_tax_item_name, "sales_tax_item_id", of SalesTaxItems),
        column!("Website", website, "website"),
        column!("Description", description, "description"),
        column!("ClassId", class_id, "class_id"),
        column!("ClassName", class_name, "class_id", of Classes),
        column!("IsActive", is_active, "is_active", by "accounts_by_active"),
        column!("IsBilling", is_billing, "is_billing"),
        column!("AcquiredDate", acquired_date, "acquired_date"),
        column!("TenantName", tenant_name, tenant),
        column!("Locations", later),
    ],
};

pub(in crate::store) static LOOKUP: Resource<AccountLookup> = Resource {
    table: "accounts",
    key: Index::Key,
    counters: Some(COUNTERS),
    narrow: Index::Named("accounts_by_id"),
    columns: &[
        column!("Id", id, "id", key),
        column!("Name", name, "name", by "accounts_by_name" on "name_folded"),
        column!("TenantName", tenant_name, tenant),
        column!("IsActive", is_active, "is_active", by "accounts_by_active"),
    ],
};

/// The accounts that a filter lets through.
pub(in crate::store) fn summaries(viewer: Viewer<'_>, names: &Names, filter: &AccountFilter) -> Conditions {
    let mut conditions = viewer.conditions();
    conditions.visible_with("id", "parent_id", viewer.visible, Index::Key);
    conditions.text("code_folded", filter.code.as_deref(), BY_CODE);
    conditions.equal("account_type_id", filter.type_id, Some((Reach::Value, BY_TYPE)));
    conditions.within("created_on", filter.created, BY_CREATED);
    conditions.within("modified_on", filter.modified, BY_MODIFIED);
    conditions.contains("name_folded", filter.name.as_deref(), BY_NAME);
    if let Some(name) = &filter.type_name {
        let types = names.ids(Table::AccountTypes, name);
        conditions.among("account_type_id", &types, (Reach::Value, BY_TYPE));
    }
    conditions.active(filter.is_active, BY_ACTIVE);
    conditions
}

/// The accounts that a filter lets through.
pub(in crate::store) fn lookup(viewer: Viewer<'_>, filter: &AccountLookupFilter) -> Conditions {
    let mut conditions = viewer.conditions();
    conditions.visible("id", viewer.visible, Index::Key);
    conditions.one_of("id", &filter.ids, Index::Key);
    conditions.contains("name_folded", filter.name.as_deref(), BY_NAME);
    conditions.active((!filter.with_inactive).then_some(true), BY_ACTIVE);
    conditions
}

/// A parent that may not be seen is none.
pub(in crate::store) fn hide_parent(visible: &Visibility, account: &mut AccountSummary) {
    if let Maybe::Value(parent) = account.parent_id
        && !visible.includes(parent)
    {
        account.parent_id = Maybe::Null;
    }
}
