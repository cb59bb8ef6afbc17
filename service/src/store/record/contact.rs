//! Contacts and what belongs to them.

use super::reference::*;
use super::{ACCOUNT_LOCATIONS, ACCOUNTS, Below, Derived, Kind, Member, PERSON, Resource, SMALL};

/// People at accounts.
pub static CONTACTS: Resource = Resource {
    name: "Contacts",
    one: "contact",
    table: "contacts",
    members: &[
        Member::id(),
        Member::optional("CreatedBy", "created_by", PERSON),
        Member::moment("CreatedOn", "created_on"),
        Member::optional("ModifiedBy", "modified_by", PERSON),
        Member::moment("ModifiedOn", "modified_on"),
        Member::required("AccountId", "account_id", Kind::Reference(&ACCOUNTS)),
        Member::required("LocationId", "location_id", Kind::Place(&ACCOUNT_LOCATIONS)),
        Member::text("FirstName", "first_name").folded(),
        Member::text("LastName", "last_name").folded(),
        Member::text("JobTitle", "job_title"),
        Member::flag("IsPoc", "is_poc", false),
        Member::flag("IsActive", "is_active", true),
        Member::optional("EffectiveDate", "effective_date", Kind::Moment),
        Member::flag("IsBillable", "is_billable", false),
        Member::flag("CanRecieveInvoices", "can_receive_invoices", false),
    ],
    below: &[
        Below { name: "Emails", resource: &CONTACT_EMAILS },
        Below { name: "Phones", resource: &CONTACT_PHONES },
        Below { name: "CustomFieldsData", resource: &CONTACT_CUSTOM_FIELDS },
    ],
    one_of: &["FirstName", "LastName"],
    derived: Derived::FoldedName,
    ..PLAIN
};

/// The email addresses of contacts.
pub static CONTACT_EMAILS: Resource = Resource {
    name: "ContactEmails",
    one: "email address",
    table: "contact_emails",
    above: 1,
    members: &[
        Member::required("ContactId", "contact_id", Kind::Reference(&CONTACTS)),
        Member::id(),
        Member::optional("CreatedBy", "created_by", PERSON),
        Member::moment("CreatedOn", "created_on"),
        Member::optional("ModifiedBy", "modified_by", PERSON),
        Member::moment("ModifiedOn", "modified_on"),
        Member::text("EmailAddress", "address").folded(),
        Member::required("EmailTypeId", "type_id", Kind::Reference(&EMAIL_TYPES)),
        Member::flag("IsDefault", "is_default", false),
    ],
    ..PLAIN
};

/// The phone numbers of contacts.
pub static CONTACT_PHONES: Resource = Resource {
    name: "ContactPhones",
    one: "phone number",
    table: "contact_phones",
    above: 1,
    members: &[
        Member::required("ContactId", "contact_id", Kind::Reference(&CONTACTS)),
        Member::id(),
        Member::optional("CreatedBy", "created_by", PERSON),
        Member::moment("CreatedOn", "created_on"),
        Member::optional("ModifiedBy", "modified_by", PERSON),
        Member::moment("ModifiedOn", "modified_on"),
        Member::text("Phone", "number").folded(),
        Member::required("PhoneTypeId", "type_id", Kind::Reference(&PHONE_TYPES)),
        Member::flag("IsDefault", "is_default", false),
    ],
    ..PLAIN
};

/// What contacts have in custom fields.
pub static CONTACT_CUSTOM_FIELDS: Resource = Resource {
    name: "ContactCustomFields",
    one: "value of a custom field",
    table: "contact_custom_fields",
    above: 1,
    members: &[
        Member::required("ContactId", "contact_id", Kind::Reference(&CONTACTS)),
        Member::id(),
        Member::required("CustomFieldId", "custom_field_id", Kind::Reference(&CUSTOM_FIELDS)),
        Member::optional("SettingsId", "settings_id", Kind::Integer(0, SMALL)),
        Member::text("Data", "data"),
    ],
    ..PLAIN
};
