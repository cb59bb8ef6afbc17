//! Reading locations of accounts, with their addresses.

use std::collections::HashMap;

use generated_server::{
    models::{AccountAddressOutputDto, AccountLocationLookupOutputDto, AccountLocationOutputDto},
    runtime::json::Maybe,
};

use super::{
    account,
    conditions::array,
    list::{Column, column, records, select},
    names::Names,
    view::View,
};
use crate::{domain::list::Exclude, store::Error};

static LOCATION: &[Column<AccountLocationOutputDto>] = &[
    column!("Id", id, "id"),
    column!("CreatedBy", created_by, "created_by"),
    column!("CreatedOn", created_on, "created_on"),
    column!("ModifiedBy", modified_by, "modified_by"),
    column!("ModifiedOn", modified_on, "modified_on"),
    column!("LocationName", location_name, "name"),
    column!("IsMain", is_main, "is_main"),
    column!("IsActive", is_active, "is_active"),
    column!("TimeZoneId", time_zone_id, "time_zone_id"),
    column!("DateFormatId", date_format_id, "date_format_id"),
    column!("TimeFormatId", time_format_id, "time_format_id"),
    column!("Addresses", later),
];

static ADDRESS: &[Column<AccountAddressOutputDto>] = &[
    column!("Id", id, "id"),
    column!("CreatedBy", created_by, "created_by"),
    column!("CreatedOn", created_on, "created_on"),
    column!("ModifiedBy", modified_by, "modified_by"),
    column!("ModifiedOn", modified_on, "modified_on"),
    column!("Address1", address1, "address1"),
    column!("Address2", address2, "address2"),
    column!("City", city, "city"),
    column!("State", state, "state"),
    column!("ZipCode", zip_code, "zip_code"),
    column!("CountryId", country_id, "country_id"),
    column!("Country", country, "country_id", of Countries),
    column!("Phone", phone, "phone"),
    column!("Fax", fax, "fax"),
    column!("Latitude", latitude, "latitude"),
    column!("Longitude", longitude, "longitude"),
    column!("EmailAddress", email_address, "email_address"),
    column!("IsMain", is_main, "is_main"),
    column!("IsBilling", is_billing, "is_billing"),
    column!("AddressTypeId", address_type_id, "address_type_id"),
    column!("AddressType", address_type, "address_type_id", of AddressTypes),
];

static LOOKUP: &[Column<AccountLocationLookupOutputDto>] = &[
    column!("Id", id, "id"),
    column!("Name", name, "name"),
    column!("AccountId", account_id, "account_id"),
    column!("IsMain", is_main, "is_main"),
];

/// The locations of each of the accounts.
pub(super) fn of_accounts(
    view: &View<'_>,
    names: &Names,
    accounts: &[i64],
) -> Result<HashMap<i64, Vec<AccountLocationOutputDto>>, Error> {
    let owners = array(accounts);
    let owned = "tenant_id = ?1 AND account_id IN (SELECT value FROM json_each(?2))";
    let sql =
        format!("SELECT {} FROM account_addresses WHERE {owned}", select("location_id", ADDRESS, Exclude::default()));
    let mut statement = view.connection.prepare_cached(&sql)?;
    let rows = statement.query((view.tenant.0, &owners))?;
    let mut addresses = grouped(records(ADDRESS, Exclude::default(), names, rows)?, |address| address.id);

    let sql =
        format!("SELECT {} FROM account_locations WHERE {owned}", select("account_id", LOCATION, Exclude::default()));
    let mut statement = view.connection.prepare_cached(&sql)?;
    let rows = statement.query((view.tenant.0, &owners))?;
    let mut locations = records(LOCATION, Exclude::default(), names, rows)?;
    for (_, location) in &mut locations {
        let own = location.id.and_then(|id| addresses.remove(&i64::from(id)));
        location.addresses = Maybe::Value(own.unwrap_or_default());
    }
    Ok(grouped(locations, |location| location.id))
}

/// Records by the record that they belong to, in the order of their ids.
fn grouped<T>(records: Vec<(i64, T)>, id: impl Fn(&T) -> Option<i32>) -> HashMap<i64, Vec<T>> {
    let mut groups: HashMap<i64, Vec<T>> = HashMap::with_capacity(records.len());
    for (owner, record) in records {
        groups.entry(owner).or_default().push(record);
    }
    for group in groups.values_mut() {
        if !group.is_sorted_by_key(&id) {
            group.sort_by_key(&id);
        }
    }
    groups
}

pub(in crate::store) fn lookup(
    view: &View<'_>,
    account: i32,
) -> Result<Option<Vec<AccountLocationLookupOutputDto>>, Error> {
    if !account::exists(view, account)? {
        return Ok(None);
    }
    let sql = format!(
        "SELECT {} FROM account_locations WHERE tenant_id = ?1 AND account_id = ?2 ORDER BY id",
        select("id", LOOKUP, Exclude::default())
    );
    let mut statement = view.connection.prepare_cached(&sql)?;
    let rows = statement.query((view.tenant.0, account))?;
    let locations = records(LOOKUP, Exclude::default(), &*view.names()?, rows)?;
    Ok(Some(locations.into_iter().map(|(_, location)| location).collect()))
}

pub(in crate::store) fn one(
    view: &View<'_>,
    account: i32,
    location: i32,
) -> Result<Option<AccountLocationOutputDto>, Error> {
    let locations = of_accounts(view, &*view.names()?, &[account.into()])?.remove(&account.into());
    Ok(locations.unwrap_or_default().into_iter().find(|found| found.id == Some(location)))
}
