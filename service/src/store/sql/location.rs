//! What locations and their addresses are read from.

use generated_server::{
    models::{AccountAddress, AccountLocation, AccountLocationLookup},
    runtime::json::Maybe,
};

use super::{
    Column, column,
    owned::{self, Owned},
};

pub(in crate::store) static LOCATION: &[Column<AccountLocation>] = &[
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

pub(in crate::store) static ADDRESS: &[Column<AccountAddress>] = &[
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

pub(in crate::store) static LOOKUP: &[Column<AccountLocationLookup>] = &[
    column!("Id", id, "id"),
    column!("Name", name, "name"),
    column!("AccountId", account_id, "account_id"),
    column!("IsMain", is_main, "is_main"),
];

pub(in crate::store) static LOCATIONS: Owned<AccountLocation> =
    Owned { table: "account_locations", page: "account_id", owner: "account_id", columns: LOCATION };

pub(in crate::store) static ADDRESSES: Owned<AccountAddress> =
    Owned { table: "account_addresses", page: "account_id", owner: "location_id", columns: ADDRESS };

/// The locations of each account, with their addresses; both stand in the order of accounts and locations.
pub(in crate::store) fn of_accounts(
    mut locations: Vec<(i64, AccountLocation)>,
    addresses: Vec<(i64, AccountAddress)>,
) -> Vec<(i64, Vec<AccountLocation>)> {
    let mut addresses = owned::grouped(addresses).into_iter().peekable();
    for (_, location) in &mut locations {
        // No address is without its location.
        let own = addresses.next_if(|(owner, _)| location.id.map(i64::from) == Some(*owner));
        location.addresses = Maybe::Value(own.map(|(_, own)| own).unwrap_or_default());
    }
    owned::grouped(locations)
}
