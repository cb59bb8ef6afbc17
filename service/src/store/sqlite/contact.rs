//! Reading contacts.

use generated_server::{
    models::{
        ContactEmailOutputDto, ContactLookupOutputDto, ContactPhoneOutputDto, ContactSummaryInfoOutputDto,
        ContactsSummaryOutputDto,
    },
    runtime::json::Maybe,
};

use super::{
    account,
    conditions::{Conditions, Index, Reach},
    list::{Part, Resource, column},
    owned::{self, Owned},
    view::View,
};
use crate::{
    domain::{
        contact::{ContactFilter, ContactLookupFilter},
        list::{ListQuery, Listed},
    },
    store::Error,
};

const BY_ACCOUNT: Index = Index::Named("contacts_by_account");
const BY_ACCOUNT_AND_NAME: Index = Index::Named("contacts_by_account_and_name");
const BY_ACCOUNT_AND_LOCATION: Index = Index::Named("contacts_by_account_and_location");
const BY_FIRST_NAME: Index = Index::Named("contacts_by_first_name");
const BY_LAST_NAME: Index = Index::Named("contacts_by_last_name");
const BY_CREATED: Index = Index::Named("contacts_by_created");
const BY_MODIFIED: Index = Index::Named("contacts_by_modified");
const BY_ACTIVE: Index = Index::Named("contacts_by_active");

/// The positions of `Emails` and `Phones` among the columns.
const EMAILS: usize = 16;
const PHONES: usize = 17;

pub(super) static SUMMARY: Resource<ContactsSummaryOutputDto> = Resource {
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

pub(super) static LOOKUP: Resource<ContactLookupOutputDto> = Resource {
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

static OWN_EMAILS: Owned<ContactEmailOutputDto> = Owned {
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

static OWN_PHONES: Owned<ContactPhoneOutputDto> = Owned {
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

static INFO: Resource<ContactSummaryInfoOutputDto> = Resource {
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

pub(super) fn summaries(
    view: &View<'_>,
    query: &ListQuery<ContactFilter>,
) -> Result<Listed<ContactsSummaryOutputDto>, Error> {
    let filter = &query.filter;
    let mut conditions = Conditions::of(view.tenant);
    conditions.visible("account_id", view.visible, BY_ACCOUNT);
    conditions.equal("account_id", filter.account_id, Some((Reach::Few, BY_ACCOUNT)));
    conditions.within("created_on", filter.created, BY_CREATED);
    conditions.within("modified_on", filter.modified, BY_MODIFIED);
    conditions.contains("first_name_folded", filter.first_name.as_deref(), BY_FIRST_NAME);
    conditions.contains("last_name_folded", filter.last_name.as_deref(), BY_LAST_NAME);
    conditions.contains_beside(
        "account_id IN (SELECT id FROM accounts INDEXED BY accounts_by_name WHERE tenant_id = ?1 AND instr(name_folded, ?) > 0)",
        filter.account_name.as_deref(),
        BY_ACCOUNT,
    );
    conditions.contains_beside(
        "id IN (SELECT contact_id FROM contact_emails INDEXED BY contact_emails_by_address WHERE tenant_id = ?1 AND instr(address_folded, ?) > 0)",
        filter.email.as_deref(),
        Index::Key,
    );
    conditions.contains_beside(
        "id IN (SELECT contact_id FROM contact_phones INDEXED BY contact_phones_by_number WHERE tenant_id = ?1 AND instr(number_folded, ?) > 0)",
        filter.phone.as_deref(),
        Index::Key,
    );
    conditions.active(filter.is_active, BY_ACTIVE);

    let names = view.names()?;
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    let Listed { mut records, total } = SUMMARY.list(view, &names, &conditions, part)?;
    let ids: Vec<i64> = records.iter().map(|(id, _)| *id).collect();
    if !query.exclude.contains(EMAILS) {
        let mut emails = owned::grouped(OWN_EMAILS.read(view, &names, &ids)?);
        for (id, contact) in &mut records {
            contact.emails = Maybe::Value(owned::take(&mut emails, *id));
        }
    }
    if !query.exclude.contains(PHONES) {
        let mut phones = owned::grouped(OWN_PHONES.read(view, &names, &ids)?);
        for (id, contact) in &mut records {
            contact.phones = Maybe::Value(owned::take(&mut phones, *id));
        }
    }
    Ok(Listed { records, total }.without_ids())
}

/// `None` when there is no such account.
pub(super) fn lookup(
    view: &View<'_>,
    account: i32,
    query: &ListQuery<ContactLookupFilter>,
) -> Result<Option<Listed<ContactLookupOutputDto>>, Error> {
    if !account::exists(view, account)? {
        return Ok(None);
    }
    let mut conditions = Conditions::within_scope(view.tenant, &[("account_id", account.into())]);
    conditions.equal("location_id", query.filter.location_id, Some((Reach::Few, BY_ACCOUNT_AND_LOCATION)));
    conditions.contains("name_folded", query.filter.name.as_deref(), BY_ACCOUNT_AND_NAME);
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    let contacts = LOOKUP.list(view, &*view.names()?, &conditions, part)?;
    Ok(Some(contacts.without_ids()))
}

pub(super) fn summary_info(
    view: &View<'_>,
    account: i32,
    contact: i32,
) -> Result<Option<ContactSummaryInfoOutputDto>, Error> {
    let mut conditions = Conditions::within_scope(view.tenant, &[("account_id", view.account(account).into())]);
    conditions.equal("id", Some(contact), None);
    Ok(INFO.one(view, &*view.names()?, &conditions)?.map(|(_, info)| info))
}
