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

/// A contact to create.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewContact {
    /// `FirstName`
    pub first_name: Option<String>,
    /// `LastName`
    pub last_name: Option<String>,
    /// `AccountId`
    pub account_id: i32,
    /// `LocationId`, of a location of that account.
    pub location_id: i32,
    /// `Phones`
    pub phones: Vec<NewPhone>,
    /// `Emails`
    pub emails: Vec<NewEmail>,
    /// `CustomFieldsData`
    pub custom_fields: Vec<NewCustomField>,
}

/// A phone number of a contact to create.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewPhone {
    /// `PhoneNumber`
    pub number: Option<String>,
    /// `PhoneTypeId`
    pub type_id: i32,
    /// `IsDefault`
    pub is_default: bool,
}

/// An email address of a contact to create.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewEmail {
    /// `EmailAddress`
    pub address: Option<String>,
    /// `EmailTypeId`
    pub type_id: i32,
    /// `IsDefault`
    pub is_default: bool,
}

/// The value of a custom field of a contact to create.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewCustomField {
    /// `CustomFieldId`
    pub custom_field_id: i32,
    /// `SettingsId`
    pub settings_id: Option<i32>,
    /// `Data`
    pub data: Option<String>,
}
