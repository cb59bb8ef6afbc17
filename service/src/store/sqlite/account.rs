//! Reading accounts.

use std::sync::Arc;

use generated_server::models::{AccountAlert, AccountLookup, AccountSummary};
use generated_server::runtime::json::Maybe;
use rusqlite::OptionalExtension;

use super::{location, view::View};
use crate::{
    domain::{
        account::{AccountFilter, AccountLookupFilter, AlertKind},
        list::{ListQuery, Listed},
    },
    store::{
        Error,
        sql::{
            self, Found, Part,
            account::{LOCATIONS, LOOKUP, SUMMARY, hide_parent},
            last,
            names::Names,
            owned,
        },
    },
};

pub(super) fn summaries(view: &View<'_>, query: &ListQuery<AccountFilter>) -> Result<Listed<AccountSummary>, Error> {
    let names = view.names()?;
    let conditions = sql::account::summaries(view.viewer(), &names, &query.filter);
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    let Found { records, total } = SUMMARY.list(view, &names, &conditions, part)?;
    let last = last(&records);
    let records = if query.exclude.contains(LOCATIONS) {
        let shown = records.into_iter().map(|(_, mut account)| {
            hide_parent(view.visible, &mut account);
            account
        });
        shown.collect()
    } else {
        with_locations(view, &names, records)?
    };
    Ok(Listed { records, total, last })
}

pub(super) fn summary(view: &View<'_>, id: i32) -> Result<Option<AccountSummary>, Error> {
    let names = view.names()?;
    let mut conditions = view.viewer().conditions();
    conditions.equal("id", Some(view.account(id)), None);
    let account = SUMMARY.one(view, &names, &conditions)?;
    Ok(with_locations(view, &names, account.into_iter().collect())?.pop())
}

fn with_locations(
    view: &View<'_>,
    names: &Arc<Names>,
    accounts: Vec<(i64, AccountSummary)>,
) -> Result<Vec<AccountSummary>, Error> {
    let ids: Vec<i64> = accounts.iter().map(|(id, _)| *id).collect();
    let mut locations = location::of_accounts(view, names, &ids)?;
    Ok(accounts
        .into_iter()
        .map(|(id, mut account)| {
            hide_parent(view.visible, &mut account);
            account.locations = Maybe::Value(owned::take(&mut locations, id));
            account
        })
        .collect())
}

pub(super) fn lookup(view: &View<'_>, query: &ListQuery<AccountLookupFilter>) -> Result<Listed<AccountLookup>, Error> {
    let conditions = sql::account::lookup(view.viewer(), &query.filter);
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    Ok(LOOKUP.list(view, &*view.names()?, &conditions, part)?.without_ids())
}

/// Whether there is such an account, and it may be seen.
pub(super) fn exists(view: &View<'_>, id: i32) -> Result<bool, Error> {
    let sql = "SELECT 1 FROM accounts WHERE tenant_id = ?1 AND id = ?2";
    Ok(view.connection.prepare_cached(sql)?.exists((view.tenant.0, view.account(id)))?)
}

pub(super) fn alert(view: &View<'_>, account: i32, kind: AlertKind) -> Result<Option<AccountAlert>, Error> {
    if !exists(view, account)? {
        return Ok(None);
    }
    let sql = "SELECT id, details FROM account_alerts WHERE tenant_id = ?1 AND account_id = ?2 AND kind = ?3";
    let mut statement = view.connection.prepare_cached(sql)?;
    let key = (view.tenant.0, account, kind.number());
    let alert: Option<(i32, String)> = statement.query_row(key, |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let Some((id, details)) = alert else {
        return Ok(Some(AccountAlert { id: None, details: Maybe::Value(Vec::new()) }));
    };
    let details = sql::text::read(&details)?;
    Ok(Some(AccountAlert { id: Some(id), details: Maybe::Value(details) }))
}
