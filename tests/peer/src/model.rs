//! The records on the wire, and how they are read from rows.

use std::collections::HashMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize, Serializer};
use sqlx::FromRow;

/// The columns of accounts and their references; `{accounts}` is replaced by a selection of accounts.
pub const ACCOUNT: &str = "SELECT a.id, a.created_by, a.created_on, a.modified_by, a.modified_on, a.parent_id, a.code AS account_code,
    a.account_type_id, t.name AS account_type, a.name AS account_name, a.business_type_id, b.name AS business_type,
    a.service_type_id, s.name AS service_type, a.manager_id AS account_manager_id, m.user_name AS account_manager_user_name,
    a.currency_id, c.name AS currency_name, a.credit_limit, a.net_days, a.sales_tax_item_id, x.name AS sales_tax_item_name,
    a.website, a.description, a.class_id, k.name AS class_name, a.is_active, a.is_billing, a.acquired_date,
    n.name AS tenant_name
    FROM (SELECT * FROM accounts WHERE {accounts}) a
    JOIN tenants n ON n.id = a.tenant_id
    JOIN account_types t ON t.tenant_id = a.tenant_id AND t.id = a.account_type_id
    JOIN business_types b ON b.tenant_id = a.tenant_id AND b.id = a.business_type_id
    JOIN assignees m ON m.tenant_id = a.tenant_id AND m.id = a.manager_id
    LEFT JOIN service_types s ON s.tenant_id = a.tenant_id AND s.id = a.service_type_id
    LEFT JOIN currencies c ON c.tenant_id = a.tenant_id AND c.id = a.currency_id
    LEFT JOIN sales_tax_items x ON x.tenant_id = a.tenant_id AND x.id = a.sales_tax_item_id
    LEFT JOIN classes k ON k.tenant_id = a.tenant_id AND k.id = a.class_id
    ORDER BY a.id";

/// The columns of a location.
pub const LOCATION: &str =
    "account_id, id, created_by, created_on, modified_by, modified_on, name AS location_name, is_main,
    is_active, time_zone_id, date_format_id, time_format_id FROM account_locations";

/// The columns of an address with the alias `a`, and of its references.
pub const ADDRESS: &str = "a.location_id, a.id, a.created_by, a.created_on, a.modified_by, a.modified_on, a.address1,
    a.address2, a.city, a.state, a.zip_code, a.country_id, c.name AS country, a.phone, a.fax, a.latitude, a.longitude,
    a.email_address, a.is_main, a.is_billing, a.address_type_id, t.name AS address_type
    FROM account_addresses a
    LEFT JOIN countries c ON c.tenant_id = a.tenant_id AND c.id = a.country_id
    LEFT JOIN address_types t ON t.tenant_id = a.tenant_id AND t.id = a.address_type_id";

/// The envelope of every response.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct Answer<T> {
    pub success: bool,
    pub result: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_records: Option<i64>,
}

#[derive(FromRow, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct Account {
    pub id: i32,
    pub created_by: Option<i32>,
    #[serde(serialize_with = "moment")]
    pub created_on: Option<i64>,
    pub modified_by: Option<i32>,
    #[serde(serialize_with = "moment")]
    pub modified_on: Option<i64>,
    pub parent_id: Option<i32>,
    pub account_code: Option<String>,
    pub account_type_id: i32,
    pub account_type: String,
    pub account_name: String,
    pub business_type_id: i32,
    pub business_type: String,
    pub service_type_id: Option<i32>,
    pub service_type: Option<String>,
    pub account_manager_id: i32,
    pub account_manager_user_name: String,
    pub currency_id: Option<i32>,
    pub currency_name: Option<String>,
    pub credit_limit: Option<f64>,
    pub net_days: Option<f64>,
    pub sales_tax_item_id: Option<i32>,
    pub sales_tax_item_name: Option<String>,
    pub website: Option<String>,
    pub description: Option<String>,
    pub class_id: Option<i32>,
    pub class_name: Option<String>,
    pub is_active: bool,
    pub is_billing: bool,
    #[serde(serialize_with = "moment")]
    pub acquired_date: Option<i64>,
    pub tenant_name: String,
    #[sqlx(skip)]
    pub locations: Vec<Location>,
}

#[derive(FromRow, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct Location {
    #[serde(skip)]
    pub account_id: i32,
    pub id: i32,
    pub created_by: Option<i32>,
    #[serde(serialize_with = "moment")]
    pub created_on: Option<i64>,
    pub modified_by: Option<i32>,
    #[serde(serialize_with = "moment")]
    pub modified_on: Option<i64>,
    pub location_name: String,
    pub is_main: bool,
    pub is_active: bool,
    pub time_zone_id: Option<i32>,
    pub date_format_id: Option<i32>,
    pub time_format_id: Option<i32>,
    #[sqlx(skip)]
    pub addresses: Vec<Address>,
}

#[derive(FromRow, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct Address {
    #[serde(skip)]
    pub location_id: i32,
    pub id: i32,
    pub created_by: Option<i32>,
    #[serde(serialize_with = "moment")]
    pub created_on: Option<i64>,
    pub modified_by: Option<i32>,
    #[serde(serialize_with = "moment")]
    pub modified_on: Option<i64>,
    pub address1: Option<String>,
    pub address2: Option<String>,
    pub city: Option<String>,
    pub state: Option<String>,
    pub zip_code: Option<String>,
    pub country_id: Option<i32>,
    pub country: Option<String>,
    pub phone: Option<String>,
    pub fax: Option<String>,
    pub latitude: Option<f64>,
    pub longitude: Option<f64>,
    pub email_address: Option<String>,
    pub is_main: bool,
    pub is_billing: bool,
    pub address_type_id: Option<i32>,
    pub address_type: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct NewAccount {
    pub account_name: String,
    pub account_type_id: i32,
    pub business_type_id: i32,
    pub account_manager_id: i32,
    pub website: Option<String>,
    pub description: Option<String>,
    #[serde(default)]
    pub locations: Vec<NewLocation>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct NewLocation {
    pub location_name: String,
    #[serde(default)]
    pub is_main: bool,
    #[serde(default)]
    pub addresses: Vec<NewAddress>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct NewAddress {
    pub address1: Option<String>,
    pub city: Option<String>,
    pub state: Option<String>,
    pub zip_code: Option<String>,
    pub phone: Option<String>,
    #[serde(default)]
    pub is_main: bool,
}

/// Assigns addresses to locations, and locations to accounts.
pub fn joined(mut accounts: Vec<Account>, locations: Vec<Location>, addresses: Vec<Address>) -> Vec<Account> {
    let mut of_location: HashMap<i32, Vec<Address>> = HashMap::new();
    for address in addresses {
        of_location.entry(address.location_id).or_default().push(address);
    }
    let mut of_account: HashMap<i32, Vec<Location>> = HashMap::new();
    for mut location in locations {
        location.addresses = of_location.remove(&location.id).unwrap_or_default();
        of_account.entry(location.account_id).or_default().push(location);
    }
    for account in &mut accounts {
        account.locations = of_account.remove(&account.id).unwrap_or_default();
    }
    accounts
}

fn moment<S: Serializer>(microseconds: &Option<i64>, serializer: S) -> Result<S::Ok, S::Error> {
    match microseconds.map(Timestamp::from_microsecond) {
        Some(moment) => moment.map_err(serde::ser::Error::custom)?.serialize(serializer),
        None => serializer.serialize_none(),
    }
}
