//! Accounts, their locations and addresses, and other related records.

use generated_server::models::{
    AccountAddress, AccountAlertType, AccountLocation, AccountLocationLookup, AccountLookup, AccountSummary,
};

use super::{member::*, *};

/// Accounts.
pub static ACCOUNTS: Resource = Resource {
    below: &[
        Below { name: "Locations", resource: &ACCOUNT_LOCATIONS },
        Below { name: "Team", resource: &ACCOUNT_TEAM },
    ],
    is_counted: true,
    ..Resource::new("Accounts", "account", "Account", "crm", "accounts", stored!(ACCOUNT_SUMMARY.members))
};

pub static ACCOUNT_SUMMARY: List<AccountSummary> = members!(ACCOUNTS, AccountSummary {
    "Id"                     id                        = id().sorted();
    "CreatedBy"              created_by                = writer("created_by");
    "CreatedOn"              created_on                = written_on("created_on").sorted();
    "ModifiedBy"             modified_by               = writer("modified_by");
    "ModifiedOn"             modified_on               = written_on("modified_on").sorted();
    "ParentId"               parent_id                 = reference("parent_id", &ACCOUNTS).sorted().written();
    "AccountCode"            account_code              = text("code").folded().sorted().written();
    "AccountTypeId"          account_type_id           = reference("account_type_id", &ACCOUNT_TYPES).mandatory().sorted().written();
    "AccountType"            account_type              = name_of("account_type_id", &ACCOUNT_TYPES);
    "AccountName"            account_name              = text("name").mandatory().folded().sorted().written();
    "BusinessTypeId"         business_type_id          = reference("business_type_id", &BUSINESS_TYPES).mandatory().sorted().written();
    "BusinessType"           business_type             = name_of("business_type_id", &BUSINESS_TYPES);
    "ServiceTypeId"          service_type_id           = reference("service_type_id", &SERVICE_TYPES).written();
    "ServiceType"            service_type              = name_of("service_type_id", &SERVICE_TYPES);
    "AccountManagerId"       account_manager_id        = reference("manager_id", &ASSIGNEES).mandatory().sorted().written();
    "AccountManagerUserName" account_manager_user_name = name_of("manager_id", &ASSIGNEES);
    "CurrencyId"             currency_id               = reference("currency_id", &CURRENCIES).written();
    "CurrencyName"           currency_name             = name_of("currency_id", &CURRENCIES);
    "CreditLimit"            credit_limit              = amount("credit_limit").written();
    "NetDays"                net_days                  = amount("net_days").written();
    "SalesTaxItemId"         sales_tax_item_id         = reference("sales_tax_item_id", &SALES_TAX_ITEMS).written();
    "SalesTaxItemName"       sales_tax_item_name       = name_of("sales_tax_item_id", &SALES_TAX_ITEMS);
    "Website"                website                   = text("website").at_most(2048).written();
    "Description"            description               = text("description").at_most(4000).written();
    "ClassId"                class_id                  = reference("class_id", &CLASSES).written();
    "ClassName"              class_name                = name_of("class_id", &CLASSES);
    "IsActive"               is_active                 = flag("is_active", true).sorted().kept();
    "IsBilling"              is_billing                = flag("is_billing", false);
    "AcquiredDate"           acquired_date             = moment("acquired_date").written();
    "TenantName"             tenant_name               = tenant_name();
    "Locations"              -                         = list();
    "RouteInvoiceToParent"   -                         = flag("route_invoice_to_parent", false).written();
});

pub static ACCOUNT_LOOKUP: List<AccountLookup> = members!(ACCOUNTS, AccountLookup {
    "Id"                     id                        = id().sorted();
    "Name"                   name                      = text("name").folded().sorted();
    "TenantName"             tenant_name               = tenant_name();
    "IsActive"               is_active                 = flag("is_active", true).sorted();
});

/// The team of an account, in addition to its manager.
pub static ACCOUNT_TEAM: Resource =
    Resource::nested("AccountTeam", "member of the team of an account", "account_team", 1, stored!(TEAM.members));

static TEAM: List<()> = members!(ACCOUNT_TEAM, () {
    "AccountId"              -                         = reference("account_id", &ACCOUNTS).mandatory().key();
    "AssigneeId"             -                         = reference("assignee_id", &ASSIGNEES).mandatory().key();
});

/// The locations of accounts.
pub static ACCOUNT_LOCATIONS: Resource = Resource {
    below: &[Below { name: "Addresses", resource: &ACCOUNT_ADDRESSES }],
    ..Resource::nested("AccountLocations", "location", "account_locations", 1, stored!(LOCATION.members))
};

pub(in crate::store) static LOCATION: List<AccountLocation> = members!(ACCOUNT_LOCATIONS, AccountLocation {
    "AccountId"              -                         = reference("account_id", &ACCOUNTS).mandatory();
    "Id"                     id                        = id();
    "CreatedBy"              created_by                = writer("created_by");
    "CreatedOn"              created_on                = written_on("created_on");
    "ModifiedBy"             modified_by               = writer("modified_by");
    "ModifiedOn"             modified_on               = written_on("modified_on");
    "LocationName"           location_name             = text("name").mandatory();
    "IsMain"                 is_main                   = flag("is_main", false);
    "IsActive"               is_active                 = flag("is_active", true);
    "TimeZoneId"             time_zone_id              = integer("time_zone_id", 0);
    "DateFormatId"           date_format_id            = integer("date_format_id", 0);
    "TimeFormatId"           time_format_id            = integer("time_format_id", 0);
    "Addresses"              -                         = list();
});

pub(in crate::store) static LOCATION_LOOKUP: List<AccountLocationLookup> = members!(ACCOUNT_LOCATIONS, AccountLocationLookup {
    "Id"                     id                        = id();
    "Name"                   name                      = text("name");
    "AccountId"              account_id                = reference("account_id", &ACCOUNTS);
    "IsMain"                 is_main                   = flag("is_main", false);
});

/// The addresses of locations.
pub static ACCOUNT_ADDRESSES: Resource = Resource {
    shown: ADDRESS.members,
    ..Resource::nested("AccountAddresses", "address", "account_addresses", 2, stored!(ADDRESS.members))
};

pub(in crate::store) static ADDRESS: List<AccountAddress> = members!(ACCOUNT_ADDRESSES, AccountAddress {
    "AccountId"              -                         = reference("account_id", &ACCOUNTS).mandatory();
    "LocationId"             -                         = reference_within("location_id", &ACCOUNT_LOCATIONS).mandatory();
    "Id"                     id                        = id();
    "CreatedBy"              created_by                = writer("created_by");
    "CreatedOn"              created_on                = written_on("created_on");
    "ModifiedBy"             modified_by               = writer("modified_by");
    "ModifiedOn"             modified_on               = written_on("modified_on");
    "Address1"               address1                  = text("address1");
    "Address2"               address2                  = text("address2");
    "City"                   city                      = text("city");
    "State"                  state                     = text("state");
    "ZipCode"                zip_code                  = text("zip_code");
    "CountryId"              country_id                = reference("country_id", &COUNTRIES);
    "Country"                country                   = name_of("country_id", &COUNTRIES);
    "Phone"                  phone                     = text("phone");
    "Fax"                    fax                       = text("fax");
    "Latitude"               latitude                  = number("latitude");
    "Longitude"              longitude                 = number("longitude");
    "EmailAddress"           email_address             = text("email_address");
    "IsMain"                 is_main                   = flag("is_main", false);
    "IsBilling"              is_billing                = flag("is_billing", false);
    "AddressTypeId"          address_type_id           = reference("address_type_id", &ADDRESS_TYPES);
    "AddressType"            address_type              = name_of("address_type_id", &ADDRESS_TYPES);
});

/// Notes shown when working with an account.
pub static ACCOUNT_ALERTS: Resource =
    Resource::new("AccountAlerts", "alert", "AccountAlert", "crm", "account_alerts", stored!(ALERT.members));

const ALERT_KINDS: &[(&str, i64)] = &[
    ("AccountDetails", AccountAlertType::AccountDetails as i64),
    ("NewTicket", AccountAlertType::NewTicket as i64),
    ("TicketDetails", AccountAlertType::TicketDetails as i64),
];

static ALERT: List<()> = members!(ACCOUNT_ALERTS, () {
    "Id"                     -                         = id();
    "AccountId"              -                         = reference("account_id", &ACCOUNTS).mandatory().key();
    "AccountAlertType"       -                         = choice("kind", ALERT_KINDS).mandatory().key();
    "Details"                -                         = texts("details");
});
