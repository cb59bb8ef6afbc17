//! Bodies of account operations, as the domain knows accounts.

use generated_server::{
    models::{AccountLocationAddressInput, AccountLocationInput, AccountPost, AccountPut},
    runtime::json::{self, Value},
};

use jiff::Timestamp;

use crate::domain::{
    account::{AccountFields, NewAccount, NewAddress, NewLocation},
    refusal::Refusal,
    text::refuse_name,
};

/// Addresses of an account in all, and bytes of text in them and the names of its locations: a default page of a hundred accounts
/// has to fit into an answer.
const MOST_ADDRESSES: usize = 50;
const MOST_TEXT: usize = 8 << 10;

/// What the bodies of POST and PUT, two types with the same members, say of the account itself. Where they do not say
/// whether it is active, it is what `$is_active` says.
macro_rules! fields {
    ($body:expr, $is_active:expr) => {
        AccountFields {
            parent_id: $body.parent_id.into_option(),
            code: $body.account_code.into_option(),
            type_id: $body.account_type_id,
            name: $body.account_name,
            description: $body.description.into_option(),
            website: $body.website.into_option(),
            business_type_id: $body.business_type_id,
            service_type_id: $body.service_type_id.into_option(),
            currency_id: $body.currency_id.into_option(),
            sales_tax_item_id: $body.sales_tax_item_id.into_option(),
            class_id: $body.class_id.into_option(),
            manager_id: $body.account_manager_id,
            is_active: $body.is_active.into_option().unwrap_or($is_active),
            acquired_date: $body.acquired_date.into_option().map(stored),
            credit_limit: $body.credit_limit.into_option(),
            net_days: $body.net_days.into_option(),
            route_invoice_to_parent: $body.route_invoice_to_parent.unwrap_or(false),
        }
    };
}

/// The account of a POST, or every rule that it breaks.
pub(super) fn new_account(body: AccountPost) -> Result<NewAccount, Vec<Refusal>> {
    let fields = fields!(body, true);
    let text = body.locations.iter().map(text_bytes).sum();
    let account = NewAccount { fields, locations: body.locations.into_iter().map(location).collect() };
    let mut refusals = check(&account.fields).err().unwrap_or_default();
    refusals.extend(check_size(&account.locations, text));
    refusals.extend(check_locations(&account.locations));
    if refusals.is_empty() { Ok(account) } else { Err(refusals) }
}

/// The account of a PUT, in the place of one that is active or not.
pub(super) fn fields(body: AccountPut, is_active: bool) -> AccountFields {
    fields!(body, is_active)
}

/// A moment as the store keeps it: to the microsecond.
fn stored(moment: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(moment.as_microsecond()).unwrap_or(moment)
}

/// Rules that hold for every account and need no store.
pub(super) fn check(fields: &AccountFields) -> Result<(), Vec<Refusal>> {
    let mut refusals = Vec::new();
    refusals.extend(refuse_name("/AccountName", &fields.name));
    for (member, value) in [("/CreditLimit", fields.credit_limit), ("/NetDays", fields.net_days)] {
        if value.is_some_and(|value| value < 0.0) {
            refusals.push(Refusal::new(member, "minimum", "is negative"));
        }
    }
    if refusals.is_empty() { Ok(()) } else { Err(refusals) }
}

/// At least one location, each with an address, exactly one of them the main one.
fn check_locations(locations: &[NewLocation]) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    if locations.is_empty() {
        refusals.push(Refusal::new("/Locations", "minItems", "is empty; an account has at least one location"));
    }
    for (index, location) in locations.iter().enumerate() {
        if location.addresses.is_empty() {
            let detail = "is empty; a location has at least one address";
            refusals.push(Refusal::new(format!("/Locations/{index}/Addresses"), "minItems", detail));
        }
        refusals.extend(refuse_name(format!("/Locations/{index}/LocationName"), &location.name));
    }
    let main = locations.iter().filter(|location| location.is_main).count();
    if main != 1 && !locations.is_empty() {
        let detail = format!("has {main} locations with `IsMain`; there is exactly one");
        refusals.push(Refusal::new("/Locations", "contains", detail));
    }
    refusals
}

/// No more addresses and text than a page has room for.
fn check_size(locations: &[NewLocation], text: usize) -> Vec<Refusal> {
    let addresses: usize = locations.iter().map(|location| location.addresses.len()).sum();
    let mut refusals = Vec::new();
    if addresses > MOST_ADDRESSES {
        let detail = format!("has {addresses} addresses in all, at most {MOST_ADDRESSES}");
        refusals.push(Refusal::new("/Locations", "maxItems", detail));
    }
    if text > MOST_TEXT {
        let detail = format!("has {text} bytes of text in all, at most {MOST_TEXT}");
        refusals.push(Refusal::new("/Locations", "maxLength", detail));
    }
    refusals
}

/// Bytes of text that are kept of a location and its addresses. Names of countries and types are not: they become ids.
fn text_bytes(location: &AccountLocationInput) -> usize {
    let of_address = |address: &AccountLocationAddressInput| -> usize {
        let texts = [
            &address.address1,
            &address.address2,
            &address.city,
            &address.state,
            &address.zip_code,
            &address.phone,
            &address.fax,
            &address.email_address,
        ];
        texts.into_iter().filter_map(|text| text.value()).map(String::len).sum()
    };
    location.location_name.len() + location.addresses.iter().map(of_address).sum::<usize>()
}

fn location(location: AccountLocationInput) -> NewLocation {
    NewLocation {
        name: location.location_name,
        is_main: location.is_main.unwrap_or(false),
        is_active: location.is_active.unwrap_or(true),
        addresses: location.addresses.into_iter().map(address).collect(),
    }
}

fn address(address: AccountLocationAddressInput) -> NewAddress {
    NewAddress {
        address1: address.address1.into_option(),
        address2: address.address2.into_option(),
        city: address.city.into_option(),
        state: address.state.into_option(),
        zip_code: address.zip_code.into_option(),
        country_id: address.country_id.into_option(),
        country: address.country.into_option(),
        phone: address.phone.into_option(),
        fax: address.fax.into_option(),
        latitude: address.latitude.into_option(),
        longitude: address.longitude.into_option(),
        email_address: address.email_address.into_option(),
        is_main: address.is_main.unwrap_or(false),
        is_billing: address.is_billing.unwrap_or(false),
        address_type_id: address.address_type_id.into_option(),
        address_type: address.address_type.into_option(),
    }
}

/// The members that a patch may change, as JSON.
pub(super) fn members(fields: &AccountFields) -> Vec<(&'static str, Value)> {
    vec![
        ("ParentId", fields.parent_id.into()),
        ("AccountCode", fields.code.clone().into()),
        ("AccountTypeId", fields.type_id.into()),
        ("AccountName", fields.name.clone().into()),
        ("Description", fields.description.clone().into()),
        ("Website", fields.website.clone().into()),
        ("BusinessTypeId", fields.business_type_id.into()),
        ("ServiceTypeId", fields.service_type_id.into()),
        ("CurrencyId", fields.currency_id.into()),
        ("SalesTaxItemId", fields.sales_tax_item_id.into()),
        ("ClassId", fields.class_id.into()),
        ("AccountManagerId", fields.manager_id.into()),
        ("IsActive", fields.is_active.into()),
        ("AcquiredDate", fields.acquired_date.map(|date| date.to_string()).into()),
        ("CreditLimit", fields.credit_limit.into()),
        ("NetDays", fields.net_days.into()),
        ("RouteInvoiceToParent", fields.route_invoice_to_parent.into()),
    ]
}

/// The fields that patched members stand for, read like the body of a PUT to an account that is active or not.
pub(super) fn from_members<'a>(
    members: impl Iterator<Item = (&'a str, Value)>,
    is_active: bool,
) -> Result<AccountFields, Vec<Refusal>> {
    let object = Value::Object(members.map(|(name, value)| (name.to_owned(), value)).collect());
    let read = json::from_slice_strict::<AccountPut>(&json::to_vec(&object));
    read.map(|body| fields(body, is_active)).map_err(|violations| {
        violations
            .into_iter()
            .map(|violation| Refusal::new(violation.pointer, violation.code, violation.detail))
            .collect()
    })
}
