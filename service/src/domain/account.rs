//! Filters of accounts, and kinds of alerts.

use jiff::Timestamp;

/// The filter of the summary list.
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
    /// Creation time, inclusive.
    pub created: TimeRange,
    /// Time of the last change, inclusive.
    pub modified: TimeRange,
    /// Active ones only, or inactive ones only.
    pub is_active: Option<bool>,
}

/// The filter of the lookup.
#[derive(Clone, Debug, Default)]
pub struct AccountLookupFilter {
    /// Any of these; all if empty.
    pub ids: Vec<i32>,
    /// A part of the name, in any letter case.
    pub name: Option<String>,
    /// Whether inactive ones are included.
    pub with_inactive: bool,
}

/// A time span, inclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeRange {
    /// Not before.
    pub from: Option<Timestamp>,
    /// Not after.
    pub to: Option<Timestamp>,
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
