//! Contacts and their related records.

use generated_server::models::{
    Contact, ContactEmail, ContactLookup, ContactPhone, ContactSummary, ContactSummaryInfo, CustomFieldData,
};

use super::{member::*, *};

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
    ..Resource::new("Contacts", "contact", "Contact", "crm", "contacts", stored!(CONTACT_SUMMARY.members))
};

pub static CONTACT_SUMMARY: List<Contact> = members!(CONTACTS, Contact {
    "Id"                 id                   = id().sorted();
    "CreatedBy"          created_by           = writer("created_by");
    "CreatedOn"          created_on           = written_on("created_on").sorted();
    "ModifiedBy"         modified_by          = writer("modified_by");
    "ModifiedOn"         modified_on          = written_on("modified_on").sorted();
    "AccountId"          account_id           = reference("account_id", &ACCOUNTS).mandatory().sorted();
    "AccountName"        account_name         = sql(ACCOUNT_NAME).found_by(OF_ACCOUNT);
    "LocationId"         location_id          = reference_within("location_id", &ACCOUNT_LOCATIONS).mandatory().sorted();
    "LocationName"       location_name        = sql(LOCATION_NAME);
    "FirstName"          first_name           = text("first_name").folded().sorted();
    "LastName"           last_name            = text("last_name").folded().sorted();
    "JobTitle"           job_title            = text("job_title");
    "IsPoc"              is_poc               = flag("is_poc", false);
    "IsActive"           is_active            = flag("is_active", true).sorted();
    "EffectiveDate"      effective_date       = moment("effective_date");
    "IsBillable"         is_billable          = flag("is_billable", false);
    "Emails"             -                    = list().found_by(WITH_EMAIL);
    "Phones"             -                    = list().found_by(WITH_PHONE);
    "CanRecieveInvoices" can_recieve_invoices = flag("can_receive_invoices", false);
});

pub static CONTACT_LOOKUP: List<ContactLookup> = members!(CONTACTS, ContactLookup {
    "Id"                 id                   = id().sorted();
    "Name"               name                 = sql(WHOLE_NAME).ordered_by("name_folded");
    "LocationId"         location_id          = reference_within("location_id", &ACCOUNT_LOCATIONS).sorted();
    "LocationName"       location_name        = sql(LOCATION_NAME);
    "Phone"              phone                = sql(PHONE);
    "EmailAddress"       email_address        = sql(EMAIL);
});

/// The members in the response to a POST.
pub(in crate::store) static CREATED: List<ContactSummary> = members!(CONTACTS, ContactSummary {
    "Id"                 id                   = id();
    "FirstName"          first_name           = text("first_name");
    "LastName"           last_name            = text("last_name");
    "AccountId"          account_id           = reference("account_id", &ACCOUNTS);
    "AccountName"        account_name         = sql(ACCOUNT_NAME);
    "LocationId"         location_id          = reference_within("location_id", &ACCOUNT_LOCATIONS);
    "LocationName"       location_name        = sql(LOCATION_NAME);
    "PhoneNumber"        phone_number         = sql(PHONE);
    "EmailAddress"       email_address        = sql(EMAIL);
    "CustomFieldsData"   -                    = list();
});

/// A contact with the main address of its location.
pub(in crate::store) static INFO: List<ContactSummaryInfo> = members!(CONTACTS from "contact_infos", ContactSummaryInfo {
    "Id"                  id                    = id();
    "ContactName"         contact_name          = text("name");
    "ContactPhone"        contact_phone         = text("contact_phone");
    "ContactEmailAddress" contact_email_address = text("contact_email");
    "ClientName"          client_name           = text("client_name");
    "LocationName"        location_name         = text("location_name");
    "LocationId"          location_id           = reference_within("location_id", &ACCOUNT_LOCATIONS);
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

pub(in crate::store) static EMAILS: List<ContactEmail> = members!(CONTACT_EMAILS, ContactEmail {
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

pub(in crate::store) static PHONES: List<ContactPhone> = members!(CONTACT_PHONES, ContactPhone {
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

pub(in crate::store) static CUSTOM_VALUES: List<CustomFieldData> = members!(CONTACT_CUSTOM_FIELDS, CustomFieldData {
    "ContactId"          -                    = reference("contact_id", &CONTACTS).mandatory();
    "Id"                 id                   = id();
    "Name"               name                 = name_of("custom_field_id", &CUSTOM_FIELDS);
    "CustomFieldId"      custom_field_id      = reference("custom_field_id", &CUSTOM_FIELDS).mandatory();
    "SettingsId"         settings_id          = integer("settings_id", 0).or(0);
    "Data"               data                 = text("data").at_most(4000);
    "CustomFieldType"    custom_field_type    = sql(FIELD_TYPE);
});

const ACCOUNT_NAME: &str =
    "(SELECT name FROM accounts WHERE accounts.tenant_id = contacts.tenant_id AND accounts.id = contacts.account_id)";
const LOCATION_NAME: &str = "(SELECT name FROM account_locations AS l WHERE l.tenant_id = contacts.tenant_id
    AND l.account_id = contacts.account_id AND l.id = contacts.location_id)";
const WHOLE_NAME: &str = "trim(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))";
const PHONE: &str = "(SELECT number FROM contact_phones AS p WHERE p.tenant_id = contacts.tenant_id
    AND p.contact_id = contacts.id ORDER BY is_default DESC, p.id LIMIT 1)";
const EMAIL: &str = "(SELECT address FROM contact_emails AS e WHERE e.tenant_id = contacts.tenant_id
    AND e.contact_id = contacts.id ORDER BY is_default DESC, e.id LIMIT 1)";
const FIELD_TYPE: &str = "(SELECT type FROM custom_fields AS f WHERE f.tenant_id = contact_custom_fields.tenant_id
    AND f.id = contact_custom_fields.custom_field_id)";
const OF_ACCOUNT: &str = "account_id IN (SELECT id FROM accounts WHERE tenant_id = $1 AND instr(name_folded, ?) > 0)";
const WITH_EMAIL: &str =
    "id IN (SELECT contact_id FROM contact_emails WHERE tenant_id = $1 AND instr(address_folded, ?) > 0)";
const WITH_PHONE: &str =
    "id IN (SELECT contact_id FROM contact_phones WHERE tenant_id = $1 AND instr(number_folded, ?) > 0)";
