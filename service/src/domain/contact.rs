//! What is asked of contacts, and what they are made of.

use super::account::TimeRange;

/// What a contact in the summary list must satisfy. Texts are parts of the member, in any letter case.
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
    /// When it was created; both ends included.
    pub created: TimeRange,
    /// When it was last changed; both ends included.
    pub modified: TimeRange,
    /// Active ones only, or inactive ones only.
    pub is_active: Option<bool>,
}

/// What a contact in the lookup of an account must satisfy.
#[derive(Clone, Debug, Default)]
pub struct ContactLookupFilter {
    /// A part of the whole name, in any letter case.
    pub name: Option<String>,
    /// The location it belongs to.
    pub location_id: Option<i32>,
}
