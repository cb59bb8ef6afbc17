//! Reading accounts.

use std::sync::Arc;

use generated_server::models::{AccountAlertOutputDto, AccountLookupOutputDto, AccountSummaryOutputDto};
use generated_server::runtime::json::Maybe;
use rusqlite::OptionalExtension;

use super::{
    conditions::{Conditions, Index, Reach},
    list::{Part, Resource, column},
    location,
    names::{Names, Table},
    owned,
    view::View,
};
use crate::{
    domain::{
        account::{AccountFilter, AccountLookupFilter, AlertKind},
        list::{ListQuery, Listed},
    },
    store::Error,
};

const BY_NAME: Index = Index::Named("accounts_by_name");
const BY_CODE: Index = Index::Named("accounts_by_code");
const BY_TYPE: Index = Index::Named("accounts_by_type");
const BY_CREATED: Index = Index::Named("accounts_by_created");
const BY_MODIFIED: Index = Index::Named("accounts_by_modified");
const BY_ACTIVE: Index = Index::Named("accounts_by_active");

const COUNTERS: [&str; 2] = ["accounts", "accounts.active"];

/// The position of `Locations` among the columns.
const LOCATIONS: usize = 30;

pub(super) static SUMMARY: Resource<AccountSummaryOutputDto> = Resource {
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

pub(super) static LOOKUP: Resource<AccountLookupOutputDto> = Resource {
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

pub(super) fn summaries(
    view: &View<'_>,
    query: &ListQuery<AccountFilter>,
) -> Result<Listed<AccountSummaryOutputDto>, Error> {
    let filter = &query.filter;
    let mut conditions = Conditions::of(view.tenant);
    conditions.visible_with("id", "parent_id", view.visible, Index::Key);
    conditions.text("code_folded", filter.code.as_deref(), BY_CODE);
    conditions.equal("account_type_id", filter.type_id, Some((Reach::Value, BY_TYPE)));
    conditions.within("created_on", filter.created, BY_CREATED);
    conditions.within("modified_on", filter.modified, BY_MODIFIED);
    conditions.contains("name_folded", filter.name.as_deref(), BY_NAME);
    if let Some(name) = &filter.type_name {
        let types = view.names()?.ids(Table::AccountTypes, name);
        conditions.among("account_type_id", &types, (Reach::Value, BY_TYPE));
    }
    conditions.active(filter.is_active, BY_ACTIVE);

    let names = view.names()?;
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    let Listed { records, total } = SUMMARY.list(view, &names, &conditions, part)?;
    let records = if query.exclude.contains(LOCATIONS) {
        let shown = records.into_iter().map(|(_, mut account)| {
            hide_parent(view, &mut account);
            account
        });
        shown.collect()
    } else {
        with_locations(view, &names, records)?
    };
    Ok(Listed { records, total })
}

pub(super) fn summary(view: &View<'_>, id: i32) -> Result<Option<AccountSummaryOutputDto>, Error> {
    let names = view.names()?;
    let mut conditions = Conditions::of(view.tenant);
    conditions.equal("id", Some(view.account(id)), None);
    let account = SUMMARY.one(view, &names, &conditions)?;
    Ok(with_locations(view, &names, account.into_iter().collect())?.pop())
}

/// A parent that may not be seen is none.
fn hide_parent(view: &View<'_>, account: &mut AccountSummaryOutputDto) {
    if let Maybe::Value(parent) = account.parent_id
        && !view.visible.includes(parent)
    {
        account.parent_id = Maybe::Null;
    }
}

fn with_locations(
    view: &View<'_>,
    names: &Arc<Names>,
    accounts: Vec<(i64, AccountSummaryOutputDto)>,
) -> Result<Vec<AccountSummaryOutputDto>, Error> {
    let ids: Vec<i64> = accounts.iter().map(|(id, _)| *id).collect();
    let mut locations = location::of_accounts(view, names, &ids)?;
    Ok(accounts
        .into_iter()
        .map(|(id, mut account)| {
            hide_parent(view, &mut account);
            account.locations = Maybe::Value(owned::take(&mut locations, id));
            account
        })
        .collect())
}

pub(super) fn lookup(
    view: &View<'_>,
    query: &ListQuery<AccountLookupFilter>,
) -> Result<Listed<AccountLookupOutputDto>, Error> {
    let filter = &query.filter;
    let mut conditions = Conditions::of(view.tenant);
    conditions.visible("id", view.visible, Index::Key);
    conditions.one_of("id", &filter.ids, Index::Key);
    conditions.contains("name_folded", filter.name.as_deref(), BY_NAME);
    conditions.active((!filter.with_inactive).then_some(true), BY_ACTIVE);
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    Ok(LOOKUP.list(view, &*view.names()?, &conditions, part)?.without_ids())
}

/// Whether there is such an account, and it may be seen.
pub(super) fn exists(view: &View<'_>, id: i32) -> Result<bool, Error> {
    let sql = "SELECT 1 FROM accounts WHERE tenant_id = ?1 AND id = ?2";
    Ok(view.connection.prepare_cached(sql)?.exists((view.tenant.0, view.account(id)))?)
}

pub(super) fn alert(view: &View<'_>, account: i32, kind: AlertKind) -> Result<Option<AccountAlertOutputDto>, Error> {
    if !exists(view, account)? {
        return Ok(None);
    }
    let sql = "SELECT id, details FROM account_alerts WHERE tenant_id = ?1 AND account_id = ?2 AND kind = ?3";
    let mut statement = view.connection.prepare_cached(sql)?;
    let key = (view.tenant.0, account, kind.number());
    let alert: Option<(i32, String)> = statement.query_row(key, |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let Some((id, details)) = alert else {
        return Ok(Some(AccountAlertOutputDto { id: None, details: Maybe::Value(Vec::new()) }));
    };
    let details = super::text::read(&details)?;
    Ok(Some(AccountAlertOutputDto { id: Some(id), details: Maybe::Value(details) }))
}
