//! Contacts and their related records.

use generated_server::models::{
    Contact, ContactEmail, ContactLookup, ContactPhone, ContactSummary, ContactSummaryInfo, CustomFieldData,
};

use super::{Below, Derived, List, Owned, Resource, member::*, members, stored};
use crate::{
    domain::contact::{ContactFilter, ContactLookupFilter},
    store::{record::*, statement::Conditions},
};

/// People of accounts.
pub static CONTACTS: Resource = Resource {
    below: &[
        Below { name: "Emails", resource: &CONTACT_EMAILS },
        Below { name: "Phones", resource: &CONTACT_PHONES },
        Below { name: "CustomFieldsData", resource: &CONTACT_CUSTOM_FIELDS },
    ],
    one_of: &["FirstName", "LastName"],
    derived: Derived::FoldedName,
    is_counted: true,
    ..Resource::new("Contacts", "contact", "Contact", "contacts", stored!(SUMMARY.members))
};

pub static SUMMARY: List<Contact> = members!(Contact {
    "Id"                 id                   = id().sorted();
    "CreatedBy"          created_by           = writer("created_by");
    "CreatedOn"          created_on           = written_on("created_on").sorted();
    "ModifiedBy"         modified_by          = writer("modified_by");
    "ModifiedOn"         modified_on          = written_on("modified_on").sorted();
    "AccountId"          account_id           = reference("account_id", &ACCOUNTS).mandatory().sorted();
    "AccountName"        account_name         = sql(ACCOUNT_NAME);
    "LocationId"         location_id          = place("location_id", &ACCOUNT_LOCATIONS).mandatory().sorted();
    "LocationName"       location_name        = sql(LOCATION_NAME);
    "FirstName"          first_name           = text("first_name").folded().sorted();
    "LastName"           last_name            = text("last_name").folded().sorted();
    "JobTitle"           job_title            = text("job_title");
    "IsPoc"              is_poc               = flag("is_poc", false);
    "IsActive"           is_active            = flag("is_active", true).sorted();
    "EffectiveDate"      effective_date       = moment("effective_date");
    "IsBillable"         is_billable          = flag("is_billable", false);
    "Emails"             -                    = list();
    "Phones"             -                    = list();
    "CanRecieveInvoices" can_recieve_invoices = flag("can_receive_invoices", false);
});

pub static LOOKUP: List<ContactLookup> = members!(ContactLookup {
    "Id"                 id                   = id().sorted();
    "Name"               name                 = sql(WHOLE_NAME).ordered_by("name_folded");
    "LocationId"         location_id          = place("location_id", &ACCOUNT_LOCATIONS).sorted();
    "LocationName"       location_name        = sql(LOCATION_NAME);
    "Phone"              phone                = sql(PHONE);
    "EmailAddress"       email_address        = sql(EMAIL);
});

/// The members in the response to a POST.
pub(in crate::store) static CREATED: List<ContactSummary> = members!(ContactSummary {
    "Id"                 id                   = id();
    "FirstName"          first_name           = text("first_name");
    "LastName"           last_name            = text("last_name");
    "AccountId"          account_id           = reference("account_id", &ACCOUNTS);
    "AccountName"        account_name         = sql(ACCOUNT_NAME);
    "LocationId"         location_id          = place("location_id", &ACCOUNT_LOCATIONS);
    "LocationName"       location_name        = sql(LOCATION_NAME);
    "PhoneNumber"        phone_number         = sql(PHONE);
    "EmailAddress"       email_address        = sql(EMAIL);
    "CustomFieldsData"   -                    = list();
});

/// A contact with the main address of its location: rows of the view `contact_infos`.
pub(in crate::store) static INFO: List<ContactSummaryInfo> = members!(ContactSummaryInfo {
    "Id"                  id                    = id();
    "ContactName"         contact_name          = text("name");
    "ContactPhone"        contact_phone         = text("contact_phone");
    "ContactEmailAddress" contact_email_address = text("contact_email");
    "ClientName"          client_name           = text("client_name");
    "LocationName"        location_name         = text("location_name");
    "LocationId"          location_id           = place("location_id", &ACCOUNT_LOCATIONS);
    "AccountType"         account_type          = name_of("account_type_id", &ACCOUNT_TYPES);
    "Website"             website               = text("website");
    "PhoneNumber"         phone_number          = text("phone");
    "FaxNumber"           fax_number            = text("fax");
    "Address1"            address1              = text("address1");
    "Address2"            address2              = text("address2");
    "City"                city                  = text("city");
    "State"               state                 = text("state");
    "ZipCode"             zip_code              = text("zip_code");
    "Country"             country               = name_of("country_id", &COUNTRIES);
    "latitude"            latitude              = number("latitude");
    "longitude"           longitude             = number("longitude");
    "TenantId"            tenant_id             = sql("tenant_id");
    "IsActive"            is_active             = flag("is_active", true);
    "AccountId"           account_id            = reference("account_id", &ACCOUNTS);
});

/// The email addresses of contacts.
pub static CONTACT_EMAILS: Resource =
    Resource::nested("ContactEmails", "email address", "contact_emails", 1, stored!(EMAILS.members));

pub(in crate::store) static EMAILS: List<ContactEmail> = members!(ContactEmail {
    "ContactId"          -                    = reference("contact_id", &CONTACTS).mandatory();
    "Id"                 id                   = id();
    "CreatedBy"          created_by           = writer("created_by");
    "CreatedOn"          created_on           = written_on("created_on");
    "ModifiedBy"         modified_by          = writer("modified_by");
    "ModifiedOn"         modified_on          = written_on("modified_on");
    "EmailAddress"       email_address        = text("address").folded().mandatory();
    "EmailTypeId"        email_type_id        = reference("type_id", &EMAIL_TYPES).or(1);
    "EmailType"          email_type           = name_of("type_id", &EMAIL_TYPES);
    "IsDefault"          is_default           = flag("is_default", false);
});

/// The phone numbers of contacts.
pub static CONTACT_PHONES: Resource =
    Resource::nested("ContactPhones", "phone number", "contact_phones", 1, stored!(PHONES.members));

pub(in crate::store) static PHONES: List<ContactPhone> = members!(ContactPhone {
    "ContactId"          -                    = reference("contact_id", &CONTACTS).mandatory();
    "Id"                 id                   = id();
    "CreatedBy"          created_by           = writer("created_by");
    "CreatedOn"          created_on           = written_on("created_on");
    "ModifiedBy"         modified_by          = writer("modified_by");
    "ModifiedOn"         modified_on          = written_on("modified_on");
    "Phone"              phone                = text("number").folded().given_as("PhoneNumber").mandatory();
    "PhoneTypeId"        phone_type_id        = reference("type_id", &PHONE_TYPES).or(1);
    "PhoneType"          phone_type           = name_of("type_id", &PHONE_TYPES);
    "IsDefault"          is_default           = flag("is_default", false);
});

/// The custom fields of contacts.
pub static CONTACT_CUSTOM_FIELDS: Resource = Resource::nested(
    "ContactCustomFields",
    "value of a custom field",
    "contact_custom_fields",
    1,
    stored!(CUSTOM_VALUES.members),
);

pub(in crate::store) static CUSTOM_VALUES: List<CustomFieldData> = members!(CustomFieldData {
    "ContactId"          -                    = reference("contact_id", &CONTACTS).mandatory();
    "Id"                 id                   = id();
    "Name"               name                 = sql(FIELD_NAME);
    "CustomFieldId"      custom_field_id      = reference("custom_field_id", &CUSTOM_FIELDS).mandatory();
    "SettingsId"         settings_id          = integer("settings_id", 0).or(0);
    "Data"               data                 = text("data").at_most(4000);
    "CustomFieldType"    custom_field_type    = sql(FIELD_TYPE);
});

pub(in crate::store) static OWN_EMAILS: Owned<ContactEmail> = Owned { resource: &CONTACT_EMAILS, list: &EMAILS };
pub(in crate::store) static OWN_PHONES: Owned<ContactPhone> = Owned { resource: &CONTACT_PHONES, list: &PHONES };
pub(in crate::store) static OWN_CUSTOM_VALUES: Owned<CustomFieldData> =
    Owned { resource: &CONTACT_CUSTOM_FIELDS, list: &CUSTOM_VALUES };

const ACCOUNT_NAME: &str =
    "(SELECT name FROM accounts WHERE accounts.tenant_id = contacts.tenant_id AND accounts.id = contacts.account_id)";
const LOCATION_NAME: &str = "(SELECT name FROM account_locations AS l WHERE l.tenant_id = contacts.tenant_id
    AND l.account_id = contacts.account_id AND l.id = contacts.location_id)";
const WHOLE_NAME: &str = "trim(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))";
const PHONE: &str = "(SELECT number FROM contact_phones AS p WHERE p.tenant_id = contacts.tenant_id
    AND p.contact_id = contacts.id ORDER BY is_default DESC, p.id LIMIT 1)";
const EMAIL: &str = "(SELECT address FROM contact_emails AS e WHERE e.tenant_id = contacts.tenant_id
    AND e.contact_id = contacts.id ORDER BY is_default DESC, e.id LIMIT 1)";
const FIELD_NAME: &str = "(SELECT name FROM custom_fields AS f WHERE f.tenant_id = contact_custom_fields.tenant_id
    AND f.id = contact_custom_fields.custom_field_id)";
const FIELD_TYPE: &str = "(SELECT type FROM custom_fields AS f WHERE f.tenant_id = contact_custom_fields.tenant_id
    AND f.id = contact_custom_fields.custom_field_id)";

/// The conditions of a filter.
pub(in crate::store) fn summaries(conditions: &mut Conditions, filter: &ContactFilter) {
    conditions.equal("account_id", filter.account_id);
    conditions.within("created_on", filter.created);
    conditions.within("modified_on", filter.modified);
    conditions.contains("first_name_folded", filter.first_name.as_deref());
    conditions.contains("last_name_folded", filter.last_name.as_deref());
    conditions.contains_in("account_id", ("accounts", "id", "name_folded"), filter.account_name.as_deref());
    conditions.contains_in("id", ("contact_emails", "contact_id", "address_folded"), filter.email.as_deref());
    conditions.contains_in("id", ("contact_phones", "contact_id", "number_folded"), filter.phone.as_deref());
    conditions.active(filter.is_active);
}

/// The conditions of a filter within an account.
pub(in crate::store) fn lookup(conditions: &mut Conditions, filter: &ContactLookupFilter) {
    conditions.equal("location_id", filter.location_id);
    conditions.contains("name_folded", filter.name.as_deref());
}
