//! Reading locations of accounts, with their addresses.

use generated_server::{
    models::{AccountAddressOutputDto, AccountLocationLookupOutputDto, AccountLocationOutputDto},
    runtime::json::Maybe,
};

use super::{
    account,
    list::{Column, column, records, select},
    names::Names,
    owned::{self, Owned},
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

static LOCATIONS: Owned<AccountLocationOutputDto> =
    Owned { table: "account_locations", page: "account_id", owner: "account_id", columns: LOCATION };

static ADDRESSES: Owned<AccountAddressOutputDto> =
    Owned { table: "account_addresses", page: "account_id", owner: "location_id", columns: ADDRESS };

/// The locations of each of the accounts, in the order of accounts.
pub(super) fn of_accounts(
    view: &View<'_>,
    names: &Names,
    accounts: &[i64],
) -> Result<Vec<(i64, Vec<AccountLocationOutputDto>)>, Error> {
    let mut addresses = owned::grouped(ADDRESSES.read(view, names, accounts)?).into_iter().peekable();
    let mut locations = LOCATIONS.read(view, names, accounts)?;
    // Both stand in the order of accounts and locations, and no address is without its location.
    for (_, location) in &mut locations {
        let own = addresses.next_if(|(owner, _)| location.id.map(i64::from) == Some(*owner));
        location.addresses = Maybe::Value(own.map(|(_, own)| own).unwrap_or_default());
    }
    Ok(owned::grouped(locations))
}

pub(super) fn lookup(view: &View<'_>, account: i32) -> Result<Option<Vec<AccountLocationLookupOutputDto>>, Error> {
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

pub(super) fn one(view: &View<'_>, account: i32, location: i32) -> Result<Option<AccountLocationOutputDto>, Error> {
    let account = view.account(account);
    let mut locations = of_accounts(view, &*view.names()?, &[account.into()])?;
    let locations = owned::take(&mut locations, account.into());
    Ok(locations.into_iter().find(|found| found.id == Some(location)))
}
