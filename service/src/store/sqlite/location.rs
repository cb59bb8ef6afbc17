//! Reading locations of accounts, with their addresses.

use generated_server::models::{AccountLocation, AccountLocationLookup};

use super::{account, list::records, view::View};
use crate::{
    domain::list::Exclude,
    store::{
        Error,
        sql::{
            self,
            location::{ADDRESSES, LOCATIONS, LOOKUP},
            names::Names,
            owned, select,
        },
    },
};

/// The locations of each of the accounts, in the order of accounts.
pub(super) fn of_accounts(
    view: &View<'_>,
    names: &Names,
    accounts: &[i64],
) -> Result<Vec<(i64, Vec<AccountLocation>)>, Error> {
    let addresses = ADDRESSES.read(view, names, accounts)?;
    let locations = LOCATIONS.read(view, names, accounts)?;
    Ok(sql::location::of_accounts(locations, addresses))
}

pub(super) fn lookup(view: &View<'_>, account: i32) -> Result<Option<Vec<AccountLocationLookup>>, Error> {
    if !account::exists(view, account)? {
        return Ok(None);
    }
    let sql = format!(
        "SELECT {} FROM account_locations WHERE tenant_id = ?1 AND account_id = ?2 ORDER BY id",
        select("id", LOOKUP, Exclude::default())
    );
    let mut statement = view.connection.prepare_cached(&sql)?;
    let rows = statement.query((view.tenant.0, account))?;
    let mut locations = Vec::new();
    records(view, LOOKUP, Exclude::default(), &*view.names()?, rows, &mut locations)?;
    Ok(Some(locations.into_iter().map(|(_, location)| location).collect()))
}

pub(super) fn one(view: &View<'_>, account: i32, location: i32) -> Result<Option<AccountLocation>, Error> {
    let account = view.account(account);
    let mut locations = of_accounts(view, &*view.names()?, &[account.into()])?;
    let locations = owned::take(&mut locations, account.into());
    Ok(locations.into_iter().find(|found| found.id == Some(location)))
}
