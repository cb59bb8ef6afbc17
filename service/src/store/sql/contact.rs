//! What lists of contacts are read from, and which of them are wanted.

use generated_server::{
    models::{Contact, ContactEmail, ContactLookup, ContactPhone, ContactSummary, ContactSummaryInfo, CustomFieldData},
    runtime::json::Maybe,
};

use super::{Beside, Conditions, Index, Reach, Resource, Viewer, column, owned::Owned};
use crate::domain::contact::{ContactFilter, ContactLookupFilter, NewContact};

const BY_ACCOUNT: Index = Index::Named("contacts_by_account");
const BY_ACCOUNT_AND_NAME: Index = Index::Named("contacts_by_account_and_name");
const BY_ACCOUNT_AND_LOCATION: Index = Index::Named("contacts_by_account_and_location");
const BY_FIRST_NAME: Index = Index::Named("contacts_by_first_name");
const BY_LAST_NAME: Index = Index::Named("contacts_by_last_name");
const BY_CREATED: Index = Index::Named("contacts_by_created");
const BY_MODIFIED: Index = Index::Named("contacts_by_modified");
const BY_ACTIVE: Index = Index::Named("contacts_by_active");

/// The positions of `Emails` and `Phones` among the columns.
pub(in crate::store) const EMAILS: usize = 16;
pub(in crate::store) const PHONES: usize = 17;

pub(in crate::store) static SUMMARY: Resource<Contact> = Resource {
    table: "contacts",
    key: Index::Key,
    counters: Some(["contacts", "contacts.active"]),
    narrow: Index::Named("contacts_by_id"),
    columns: &[
        column!("Id", id, "id", key),
        column!("CreatedBy", created_by, "created_by"),
        column!("CreatedOn", created_on, "created_on", by "contacts_by_created"),
        column!("ModifiedBy", modified_by, "modified_by"),
        column!("ModifiedOn", modified_on, "modified_on", by "contacts_by_modified"),
        column!("AccountId", account_id, "account_id", by "contacts_by_account"),
        column!(
            "AccountName",
            account_name,
            "(SELECT name FROM accounts WHERE accounts.tenant_id = contacts.tenant_id AND accounts.id = contacts.account_id)"
        ),
        column!("LocationId", location_id, "location_id", by "contacts_by_location"),
        column!(
            "LocationName",
            location_name,
            "(SELECT name FROM account_locations AS l WHERE l.tenant_id = contacts.tenant_id AND l.account_id = contacts.account_id AND l.id = contacts.location_id)"
        ),
        column!("FirstName", first_name, "first_name", by "contacts_by_first_name" on "first_name_folded"),
        column!("LastName", last_name, "last_name", by "contacts_by_last_name" on "last_name_folded"),
        column!("JobTitle", job_title, "job_title"),
        column!("IsPoc", is_poc, "is_poc"),
        column!("IsActive", is_active, "is_active", by "contacts_by_active"),
        column!("EffectiveDate", effective_date, "effective_date"),
        column!("IsBillable", is_billable, "is_billable"),
        column!("Emails", later),
        column!("Phones", later),
        column!("CanRecieveInvoices", can_recieve_invoices, "can_receive_invoices"),
    ],
};

pub(in crate::store) static LOOKUP: Resource<ContactLookup> = Resource {
    table: "contacts",
    key: BY_ACCOUNT,
    counters: None,
    narrow: BY_ACCOUNT,
    columns: &[
        column!("Id", id, "id", by "contacts_by_account"),
        column!("Name", name, "trim(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))", by "contacts_by_account_and_name" on "name_folded"),
        column!("LocationId", location_id, "location_id", by "contacts_by_account_and_location"),
        column!(
            "LocationName",
            location_name,
            "(SELECT name FROM account_locations AS l WHERE l.tenant_id = contacts.tenant_id AND l.account_id = contacts.account_id AND l.id = contacts.location_id)"
        ),
        column!(
            "Phone",
            phone,
            "(SELECT number FROM contact_phones AS p WHERE p.tenant_id = contacts.tenant_id AND p.contact_id = contacts.id ORDER BY is_default DESC, p.id LIMIT 1)"
        ),
        column!(
            "EmailAddress",
            email_address,
            "(SELECT address FROM contact_emails AS e WHERE e.tenant_id = contacts.tenant_id AND e.contact_id = contacts.id ORDER BY is_default DESC, e.id LIMIT 1)"
        ),
    ],
};

pub(in crate::store) static OWN_EMAILS: Owned<ContactEmail> = Owned {
    table: "contact_emails",
    page: "contact_id",
    owner: "contact_id",
    columns: &[
        column!("Id", id, "id"),
        column!("CreatedBy", created_by, "created_by"),
        column!("CreatedOn", created_on, "created_on"),
        column!("ModifiedBy", modified_by, "modified_by"),
        column!("ModifiedOn", modified_on, "modified_on"),
        column!("EmailAddress", email_address, "address"),
        column!("EmailTypeId", email_type_id, "type_id"),
        column!("EmailType", email_type, "type_id", of EmailTypes),
        column!("IsDefault", is_default, "is_default"),
    ],
};

pub(in crate::store) static OWN_PHONES: Owned<ContactPhone> = Owned {
    table: "contact_phones",
    page: "contact_id",
    owner: "contact_id",
    columns: &[
        column!("Id", id, "id"),
        column!("CreatedBy", created_by, "created_by"),
        column!("CreatedOn", created_on, "created_on"),
        column!("ModifiedBy", modified_by, "modified_by"),
        column!("ModifiedOn", modified_on, "modified_on"),
        column!("Phone", phone, "number"),
        column!("PhoneTypeId", phone_type_id, "type_id"),
        column!("PhoneType", phone_type, "type_id", of PhoneTypes),
        column!("IsDefault", is_default, "is_default"),
    ],
};

pub(in crate::store) static INFO: Resource<ContactSummaryInfo> = Resource {
    table: "contact_infos",
    key: Index::Any,
    counters: None,
    narrow: Index::Any,
    columns: &[
        column!("Id", id, "id"),
        column!("ContactName", contact_name, "name"),
        column!("ContactPhone", contact_phone, "contact_phone"),
        column!("ContactEmailAddress", contact_email_address, "contact_email"),
        column!("ClientName", client_name, "client_name"),
        column!("LocationName", location_name, "location_name"),
        column!("LocationId", location_id, "location_id"),
        column!("AccountType", account_type, "account_type_id", of AccountTypes),
        column!("Website", website, "website"),
        column!("PhoneNumber", phone_number, "phone"),
        column!("FaxNumber", fax_number, "fax"),
        column!("Address1", address1, "address1"),
        column!("Address2", address2, "address2"),
        column!("City", city, "city"),
        column!("State", state, "state"),
        column!("ZipCode", zip_code, "zip_code"),
        column!("Country", country, "country_id", of Countries),
        column!("latitude", latitude, "latitude"),
        column!("longitude", longitude, "longitude"),
        column!("TenantId", tenant_id, "tenant_id"),
        column!("IsActive", is_active, "is_active"),
        column!("AccountId", account_id, "account_id"),
    ],
};

/// The contacts that a filter lets through.
pub(in crate::store) fn summaries(viewer: Viewer<'_>, filter: &ContactFilter) -> Conditions {
    let mut conditions = viewer.conditions();
    conditions.visible("account_id", viewer.visible, BY_ACCOUNT);
    conditions.equal("account_id", filter.account_id, Some((Reach::Few, BY_ACCOUNT)));
    conditions.within("created_on", filter.created, BY_CREATED);
    conditions.within("modified_on", filter.modified, BY_MODIFIED);
    conditions.contains("first_name_folded", filter.first_name.as_deref(), BY_FIRST_NAME);
    conditions.contains("last_name_folded", filter.last_name.as_deref(), BY_LAST_NAME);
    conditions.contains_beside(
        "account_id",
        Beside { table: "accounts", key: "id", folded: "name_folded", index: Index::Named("accounts_by_name") },
        filter.account_name.as_deref(),
        BY_ACCOUNT,
    );
    conditions.contains_beside(
        "id",
        Beside {
            table: "contact_emails",
            key: "contact_id",
            folded: "address_folded",
            index: Index::Named("contact_emails_by_address"),
        },
        filter.email.as_deref(),
        Index::Key,
    );
    conditions.contains_beside(
        "id",
        Beside {
            table: "contact_phones",
            key: "contact_id",
            folded: "number_folded",
            index: Index::Named("contact_phones_by_number"),
        },
        filter.phone.as_deref(),
        Index::Key,
    );
    conditions.active(filter.is_active, BY_ACTIVE);
    conditions
}

/// The contacts of an account that a filter lets through.
pub(in crate::store) fn lookup(viewer: Viewer<'_>, account: i32, filter: &ContactLookupFilter) -> Conditions {
    let mut conditions = viewer.conditions_of(&[("account_id", account.into())]);
    conditions.equal("location_id", filter.location_id, Some((Reach::Few, BY_ACCOUNT_AND_LOCATION)));
    conditions.contains("name_folded", filter.name.as_deref(), BY_ACCOUNT_AND_NAME);
    conditions
}

/// One contact of an account.
pub(in crate::store) fn info(viewer: Viewer<'_>, account: i32, contact: i32) -> Conditions {
    let mut conditions = viewer.conditions_of(&[("account_id", viewer.account(account).into())]);
    conditions.equal("id", Some(contact), None);
    conditions
}

/// First and last name.
pub(in crate::store) fn whole_name(first: Option<&str>, last: Option<&str>) -> String {
    format!("{} {}", first.unwrap_or_default(), last.unwrap_or_default()).trim().to_owned()
}

/// A contact that has just been created.
pub(in crate::store) fn created(
    new: &NewContact,
    id: i32,
    account_name: String,
    location_name: String,
    custom_fields: Vec<CustomFieldData>,
) -> ContactSummary {
    let phone = new.phones.iter().find(|phone| phone.is_default).or_else(|| new.phones.first());
    let email = new.emails.iter().find(|email| email.is_default).or_else(|| new.emails.first());
    ContactSummary {
        id: Some(id),
        first_name: new.first_name.clone().into(),
        last_name: new.last_name.clone().into(),
        account_id: Some(new.account_id),
        account_name: Maybe::Value(account_name),
        location_id: Some(new.location_id),
        location_name: Maybe::Value(location_name),
        phone_number: phone.and_then(|phone| phone.number.clone()).into(),
        email_address: email.and_then(|email| email.address.clone()).into(),
        custom_fields_data: Maybe::Value(custom_fields),
    }
}
