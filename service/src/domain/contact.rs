//! Filters of contacts.

use super::account::TimeRange;

/// The filter of the summary list. Texts match parts, in any letter case.
#[derive(Clone, Debug, Default)]
pub struct ContactFilter {
    /// The account it belongs to.
    pub account_id: Option<i32>,
    /// A part of the name of that account.
    pub account_name: Option<String>,
    /// A part of the first name.
    pub first_name: Option<String>,
    /// A part of the last name.
    pub last_name: Option<String>,
    /// A part of any of its phone numbers.
    pub phone: Option<String>,
    /// A part of any of its email addresses.
    pub email: Option<String>,
    /// Creation time, inclusive.
    pub created: TimeRange,
    /// Time of the last change, inclusive.
    pub modified: TimeRange,
    /// Active ones only, or inactive ones only.
    pub is_active: Option<bool>,
}

/// The filter of an account's contact lookup.
#[derive(Clone, Debug, Default)]
pub struct ContactLookupFilter {
    /// A part of the whole name, in any letter case.
    pub name: Option<String>,
    /// The location it belongs to.
    pub location_id: Option<i32>,
}
