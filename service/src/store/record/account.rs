//! Accounts and what belongs to them.

use super::reference::*;
use super::{Below, Kind, Member, PERSON, Presence, Resource, SMALL};

/// Accounts.
pub static ACCOUNTS: Resource = Resource {
    name: "Accounts",
    one: "account",
    table: "accounts",
    members: &[
        Member::id(),
        Member::optional("CreatedBy", "created_by", PERSON),
        Member::moment("CreatedOn", "created_on"),
        Member::optional("ModifiedBy", "modified_by", PERSON),
        Member::moment("ModifiedOn", "modified_on"),
        Member::optional("ParentId", "parent_id", Kind::Reference(&ACCOUNTS)),
        Member::text("AccountCode", "code").folded(),
        Member::required("AccountTypeId", "account_type_id", Kind::Reference(&ACCOUNT_TYPES)),
        Member::required("AccountName", "name", Kind::Text).folded(),
        Member::required("BusinessTypeId", "business_type_id", Kind::Reference(&BUSINESS_TYPES)),
        Member::optional("ServiceTypeId", "service_type_id", Kind::Reference(&SERVICE_TYPES)),
        Member::required("AccountManagerId", "manager_id", Kind::Reference(&ASSIGNEES)),
        Member::optional("CurrencyId", "currency_id", Kind::Reference(&CURRENCIES)),
        Member::optional("CreditLimit", "credit_limit", Kind::Number),
        Member::optional("NetDays", "net_days", Kind::Number),
        Member::optional("SalesTaxItemId", "sales_tax_item_id", Kind::Reference(&SALES_TAX_ITEMS)),
        Member::text("Website", "website"),
        Member::text("Description", "description"),
        Member::optional("ClassId", "class_id", Kind::Reference(&CLASSES)),
        Member::flag("IsActive", "is_active", true),
        Member::flag("IsBilling", "is_billing", false),
        Member::optional("AcquiredDate", "acquired_date", Kind::Moment),
        Member::flag("RouteInvoiceToParent", "route_invoice_to_parent", false),
    ],
    below: &[
        Below { name: "Locations", resource: &ACCOUNT_LOCATIONS },
        Below { name: "Team", resource: &ACCOUNT_TEAM },
    ],
    ..PLAIN
};

/// Who works for an account besides its manager.
pub static ACCOUNT_TEAM: Resource = Resource {
    name: "AccountTeam",
    one: "member of the team of an account",
    table: "account_team",
    above: 1,
    members: &[
        Member::required("AccountId", "account_id", Kind::Reference(&ACCOUNTS)).key(),
        Member::required("AssigneeId", "assignee_id", Kind::Reference(&ASSIGNEES)).key(),
    ],
    ..PLAIN
};

/// Where accounts are.
pub static ACCOUNT_LOCATIONS: Resource = Resource {
    name: "AccountLocations",
    one: "location",
    table: "account_locations",
    above: 1,
    members: &[
        Member::required("AccountId", "account_id", Kind::Reference(&ACCOUNTS)),
        Member::id(),
        Member::optional("CreatedBy", "created_by", PERSON),
        Member::moment("CreatedOn", "created_on"),
        Member::optional("ModifiedBy", "modified_by", PERSON),
        Member::moment("ModifiedOn", "modified_on"),
        Member::required("LocationName", "name", Kind::Text),
        Member::flag("IsMain", "is_main", false),
        Member::flag("IsActive", "is_active", true),
        Member::optional("TimeZoneId", "time_zone_id", Kind::Integer(0, SMALL)),
        Member::optional("DateFormatId", "date_format_id", Kind::Integer(0, SMALL)),
        Member::optional("TimeFormatId", "time_format_id", Kind::Integer(0, SMALL)),
    ],
    below: &[Below { name: "Addresses", resource: &ACCOUNT_ADDRESSES }],
    ..PLAIN
};

/// The addresses of locations.
pub static ACCOUNT_ADDRESSES: Resource = Resource {
    name: "AccountAddresses",
    one: "address",
    table: "account_addresses",
    above: 2,
    members: &[
        Member::required("AccountId", "account_id", Kind::Reference(&ACCOUNTS)),
        Member::required("LocationId", "location_id", Kind::Place(&ACCOUNT_LOCATIONS)),
        Member::id(),
        Member::optional("CreatedBy", "created_by", PERSON),
        Member::moment("CreatedOn", "created_on"),
        Member::optional("ModifiedBy", "modified_by", PERSON),
        Member::moment("ModifiedOn", "modified_on"),
        Member::text("Address1", "address1"),
        Member::text("Address2", "address2"),
        Member::text("City", "city"),
        Member::text("State", "state"),
        Member::text("ZipCode", "zip_code"),
        Member::optional("CountryId", "country_id", Kind::Reference(&COUNTRIES)),
        Member::text("Phone", "phone"),
        Member::text("Fax", "fax"),
        Member::optional("Latitude", "latitude", Kind::Number),
        Member::optional("Longitude", "longitude", Kind::Number),
        Member::text("EmailAddress", "email_address"),
        Member::flag("IsMain", "is_main", false),
        Member::flag("IsBilling", "is_billing", false),
        Member::optional("AddressTypeId", "address_type_id", Kind::Reference(&ADDRESS_TYPES)),
    ],
    ..PLAIN
};

/// What is to be told whoever deals with an account.
pub static ACCOUNT_ALERTS: Resource = Resource {
    name: "AccountAlerts",
    one: "alert",
    table: "account_alerts",
    members: &[
        Member::id(),
        Member::required("AccountId", "account_id", Kind::Reference(&ACCOUNTS)).key(),
        Member::required(
            "AccountAlertType",
            "kind",
            Kind::Choice(&[("AccountDetails", 0), ("NewTicket", 1), ("TicketDetails", 2)]),
        )
        .key(),
        Member::new("Details", "details", Kind::Texts, Presence::OtherwiseText("[]")),
    ],
    ..PLAIN
};
