//! Reading accounts and their locations.

use generated_server::{
    models::{AccountAlert, AccountLocation, AccountLocationLookup, AccountLookup, AccountSummary},
    runtime::json::Maybe,
};
use tokio_postgres::Row;

use super::{
    list::Answer,
    session::{Query, parameters},
    view::View,
};
use crate::{
    domain::{
        account::{AccountFilter, AccountLookupFilter, AlertKind},
        list::{Exclude, ListQuery, Listed},
    },
    store::{
        Error,
        sql::{
            self, Part,
            account::{LOCATIONS, LOOKUP, SUMMARY, hide_parent},
            last,
            location::{self, ADDRESSES},
            names::Names,
            owned, select, text,
        },
    },
};

pub(super) async fn summaries(view: View, query: ListQuery<AccountFilter>) -> Result<Listed<AccountSummary>, Error> {
    // Names that are looked for have to be those of the state that is read.
    let names = if query.filter.type_name.is_some() {
        view.cache.read(&view.session, view.tenant).await?
    } else {
        view.names().await?
    };
    let conditions = sql::account::summaries(view.viewer(), &names, &query.filter);
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    let page = SUMMARY.paged(&conditions, part);
    if query.exclude.contains(LOCATIONS) {
        let Answer { names, records, total, .. } = view.page(page, []).await?;
        let records = view.records(SUMMARY.columns, part.exclude, &names, &records)?;
        let last = last(&records);
        let shown = records.into_iter().map(|(_, mut account)| {
            hide_parent(&view.visible, &mut account);
            account
        });
        return Ok(Listed { records: shown.collect(), total, last });
    }
    let beside = [location::LOCATIONS.of_page(&page), ADDRESSES.of_page(&page)];
    let Answer { names, records, total, beside } = view.page(page, beside).await?;
    let records = view.records(SUMMARY.columns, part.exclude, &names, &records)?;
    let last = last(&records);
    Ok(Listed { records: with_locations(&view, &names, records, &beside)?, total, last })
}

pub(super) async fn summary(view: View, id: i32) -> Result<Option<AccountSummary>, Error> {
    let id = view.account(id);
    let mut conditions = view.viewer().conditions();
    conditions.equal("id", Some(id), None);
    let locations = location::LOCATIONS.of_one(view.tenant.0, id);
    let addresses = ADDRESSES.of_one(view.tenant.0, id);
    let (names, [account, locations, addresses]) =
        view.named([SUMMARY.found(&conditions), locations, addresses]).await?;
    let account = view.records(SUMMARY.columns, Exclude::default(), &names, &account)?;
    Ok(with_locations(&view, &names, account, &[locations, addresses])?.pop())
}

/// Accounts with the rows of their locations and of the addresses of these.
fn with_locations(
    view: &View,
    names: &Names,
    accounts: Vec<(i64, AccountSummary)>,
    [locations, addresses]: &[Vec<Row>; 2],
) -> Result<Vec<AccountSummary>, Error> {
    let mut locations = read_locations(view, names, locations, addresses)?;
    let whole = accounts.into_iter().map(|(id, mut account)| {
        hide_parent(&view.visible, &mut account);
        account.locations = Maybe::Value(owned::take(&mut locations, id));
        account
    });
    Ok(whole.collect())
}

fn read_locations(
    view: &View,
    names: &Names,
    locations: &[Row],
    addresses: &[Row],
) -> Result<Vec<(i64, Vec<AccountLocation>)>, Error> {
    let locations = view.records(location::LOCATIONS.columns, Exclude::default(), names, locations)?;
    let addresses = view.records(ADDRESSES.columns, Exclude::default(), names, addresses)?;
    Ok(location::of_accounts(locations, addresses))
}

pub(super) async fn lookup(view: View, query: ListQuery<AccountLookupFilter>) -> Result<Listed<AccountLookup>, Error> {
    let conditions = sql::account::lookup(view.viewer(), &query.filter);
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    view.list(&LOOKUP, &conditions, part).await
}

/// What asks whether there is such an account, and it may be seen: then there is a row.
pub(super) fn exists(view: &View, id: i32) -> Query {
    Query::new("SELECT 1 FROM accounts WHERE tenant_id = $1 AND id = $2", parameters![view.tenant.0, view.account(id)])
}

pub(super) async fn locations(view: View, account: i32) -> Result<Option<Vec<AccountLocationLookup>>, Error> {
    let sql = format!(
        "SELECT {} FROM account_locations WHERE tenant_id = $1 AND account_id = $2 ORDER BY id",
        select("id", location::LOOKUP, Exclude::default())
    );
    let locations = Query::new(sql, parameters![view.tenant.0, account]);
    let (names, [account, locations]) = view.named([exists(&view, account), locations]).await?;
    if account.is_empty() {
        return Ok(None);
    }
    let locations = view.records(location::LOOKUP, Exclude::default(), &names, &locations)?;
    Ok(Some(locations.into_iter().map(|(_, location)| location).collect()))
}

pub(super) async fn location(view: View, account: i32, location: i32) -> Result<Option<AccountLocation>, Error> {
    let account = view.account(account);
    let queries = [location::LOCATIONS.of_one(view.tenant.0, account), ADDRESSES.of_one(view.tenant.0, account)];
    let (names, [locations, addresses]) = view.named(queries).await?;
    let mut locations = read_locations(&view, &names, &locations, &addresses)?;
    let locations = owned::take(&mut locations, account.into());
    Ok(locations.into_iter().find(|found| found.id == Some(location)))
}

pub(super) async fn alert(view: View, account: i32, kind: AlertKind) -> Result<Option<AccountAlert>, Error> {
    let sql = "SELECT id, details FROM account_alerts WHERE tenant_id = $1 AND account_id = $2 AND kind = $3";
    let alert = Query::new(sql, parameters![view.tenant.0, account, kind.number()]);
    let [account, alert] = view.session.run([exists(&view, account), alert]).await?;
    if account.is_empty() {
        return Ok(None);
    }
    let Some(alert) = alert.first() else {
        return Ok(Some(AccountAlert { id: None, details: Maybe::Value(Vec::new()) }));
    };
    let details = text::read(alert.try_get(1)?)?;
    Ok(Some(AccountAlert { id: Some(alert.try_get(0)?), details: Maybe::Value(details) }))
}
