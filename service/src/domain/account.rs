//! What is asked of accounts, and what they are made of.

use jiff::Timestamp;

/// What an account in the summary list must satisfy.
#[derive(Clone, Debug, Default)]
pub struct AccountFilter {
    /// A part of the name, in any letter case.
    pub name: Option<String>,
    /// The code, in any letter case.
    pub code: Option<String>,
    /// The account type.
    pub type_id: Option<i32>,
    /// A part of the name of the account type, in any letter case.
    pub type_name: Option<String>,
    /// When it was created; both ends included.
    pub created: TimeRange,
    /// When it was last changed; both ends included.
    pub modified: TimeRange,
    /// Active ones only, or inactive ones only.
    pub is_active: Option<bool>,
}

/// What an account in the lookup must satisfy.
#[derive(Clone, Debug, Default)]
pub struct AccountLookupFilter {
    /// One of these; any when empty.
    pub ids: Vec<i32>,
    /// A part of the name, in any letter case.
    pub name: Option<String>,
    /// Inactive ones too.
    pub with_inactive: bool,
}

/// A span of time, both ends included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeRange {
    /// Not before.
    pub from: Option<Timestamp>,
    /// Not after.
    pub to: Option<Timestamp>,
}

/// The members of an account that PUT replaces and PATCH changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AccountFields {
    /// `ParentId`
    pub parent_id: Option<i32>,
    /// `AccountCode`
    pub code: Option<String>,
    /// `AccountTypeId`
    pub type_id: i32,
    /// `AccountName`
    pub name: String,
    /// `Description`
    pub description: Option<String>,
    /// `Website`
    pub website: Option<String>,
    /// `BusinessTypeId`
    pub business_type_id: i32,
    /// `ServiceTypeId`
    pub service_type_id: Option<i32>,
    /// `CurrencyId`
    pub currency_id: Option<i32>,
    /// `SalesTaxItemId`
    pub sales_tax_item_id: Option<i32>,
    /// `ClassId`
    pub class_id: Option<i32>,
    /// `AccountManagerId`
    pub manager_id: i32,
    /// `IsActive`
    pub is_active: bool,
    /// `AcquiredDate`
    pub acquired_date: Option<Timestamp>,
    /// `CreditLimit`
    pub credit_limit: Option<f64>,
    /// `NetDays`
    pub net_days: Option<f64>,
    /// `RouteInvoiceToParent`
    pub route_invoice_to_parent: bool,
}

/// An account to create.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewAccount {
    /// The account itself.
    pub fields: AccountFields,
    /// Where it is.
    pub locations: Vec<NewLocation>,
}

/// A location to create.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewLocation {
    /// `LocationName`
    pub name: String,
    /// `IsMain`
    pub is_main: bool,
    /// `IsActive`
    pub is_active: bool,
    /// `Addresses`
    pub addresses: Vec<NewAddress>,
}

/// An address to create. A country or type may be given by id, by name, or by both.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewAddress {
    /// `Address1`
    pub address1: Option<String>,
    /// `Address2`
    pub address2: Option<String>,
    /// `City`
    pub city: Option<String>,
    /// `State`
    pub state: Option<String>,
    /// `ZipCode`
    pub zip_code: Option<String>,
    /// `CountryId`
    pub country_id: Option<i32>,
    /// `Country`: its name, for want of its id.
    pub country: Option<String>,
    /// `Phone`
    pub phone: Option<String>,
    /// `Fax`
    pub fax: Option<String>,
    /// `Latitude`
    pub latitude: Option<f64>,
    /// `Longitude`
    pub longitude: Option<f64>,
    /// `EmailAddress`
    pub email_address: Option<String>,
    /// `IsMain`
    pub is_main: bool,
    /// `IsBilling`
    pub is_billing: bool,
    /// `AddressTypeId`
    pub address_type_id: Option<i32>,
    /// `AddressType`: its name, for want of its id.
    pub address_type: Option<String>,
}

/// The kinds of alerts of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlertKind {
    /// 0, shown with the account.
    AccountDetails,
    /// 1, shown while a ticket is written.
    NewTicket,
    /// 2, shown with a ticket.
    TicketDetails,
}

impl AlertKind {
    /// Its number in the interface.
    pub fn number(self) -> i32 {
        match self {
            Self::AccountDetails => 0,
            Self::NewTicket => 1,
            Self::TicketDetails => 2,
        }
    }
}
