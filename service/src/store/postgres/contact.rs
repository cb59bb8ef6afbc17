//! Contacts.

use generated_server::{
    models::{Contact, ContactLookup, ContactSummary, ContactSummaryInfo, CustomFieldData},
    runtime::json::Maybe,
};
use serde_json::json;

use super::{
    account,
    change::{Change, References, accepted},
    list::Answer,
    numbers::Numbers,
    session::{Query, parameters},
    view::View,
};
use crate::{
    domain::{
        change::Subject,
        contact::{ContactFilter, ContactLookupFilter, NewContact},
        list::{Exclude, ListQuery, Listed},
        refusal::Refusal,
    },
    store::{
        Error,
        sql::{
            self, Found, Part,
            contact::{EMAILS, INFO, LOOKUP, OWN_EMAILS, OWN_PHONES, PHONES, SUMMARY, whole_name},
            fold, owned, text,
        },
    },
};

pub(super) async fn summaries(view: View, query: ListQuery<ContactFilter>) -> Result<Listed<Contact>, Error> {
    let conditions = sql::contact::summaries(view.viewer(), &query.filter);
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    let page = SUMMARY.paged(&conditions, part);
    let beside = [OWN_EMAILS.of_page(&page), OWN_PHONES.of_page(&page)];
    let Answer { names, records, total, beside: [emails, phones] } = view.page(page, beside).await?;
    let mut records = view.records(SUMMARY.columns, part.exclude, &names, &records)?;
    if !query.exclude.contains(EMAILS) {
        let mut emails = owned::grouped(view.records(OWN_EMAILS.columns, Exclude::default(), &names, &emails)?);
        for (id, contact) in &mut records {
            contact.emails = Maybe::Value(owned::take(&mut emails, *id));
        }
    }
    if !query.exclude.contains(PHONES) {
        let mut phones = owned::grouped(view.records(OWN_PHONES.columns, Exclude::default(), &names, &phones)?);
        for (id, contact) in &mut records {
            contact.phones = Maybe::Value(owned::take(&mut phones, *id));
        }
    }
    Ok(Found { records, total }.without_ids())
}

/// `None` when there is no such account.
pub(super) async fn lookup(
    view: View,
    account: i32,
    query: ListQuery<ContactLookupFilter>,
) -> Result<Option<Listed<ContactLookup>>, Error> {
    let conditions = sql::contact::lookup(view.viewer(), account, &query.filter);
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    let Answer { names, records, total, beside: [account] } =
        view.page(LOOKUP.paged(&conditions, part), [account::exists(&view, account)]).await?;
    if account.is_empty() {
        return Ok(None);
    }
    let records = view.records(LOOKUP.columns, part.exclude, &names, &records)?;
    Ok(Some(Found { records, total }.without_ids()))
}

pub(super) async fn summary_info(view: View, account: i32, contact: i32) -> Result<Option<ContactSummaryInfo>, Error> {
    let conditions = sql::contact::info(view.viewer(), account, contact);
    let (names, [rows]) = view.named([INFO.found(&conditions)]).await?;
    let mut found = view.records(INFO.columns, Exclude::default(), &names, &rows)?;
    Ok(found.pop().map(|(_, info)| info))
}

/// The kinds of numbers that a new contact takes, and how many of each.
pub(super) fn wanted(new: &NewContact) -> [(&'static str, usize); 4] {
    [
        ("contacts", 1),
        ("contact_phones", new.phones.len()),
        ("contact_emails", new.emails.len()),
        ("contact_custom_fields", new.custom_fields.len()),
    ]
}

pub(super) async fn create(
    change: Change,
    mut numbers: Numbers,
    new: std::sync::Arc<NewContact>,
) -> Result<ContactSummary, Error> {
    let mut refusals = Vec::new();
    let place = place(&change, &new, &mut refusals).await?;
    let mut references = References::default();
    for (at, phone) in new.phones.iter().enumerate() {
        references.id(format!("/Phones/{at}/PhoneTypeId"), ("phone type", "phone_types"), Some(phone.type_id));
    }
    for (at, email) in new.emails.iter().enumerate() {
        references.id(format!("/Emails/{at}/EmailTypeId"), ("email type", "email_types"), Some(email.type_id));
    }
    for (at, field) in new.custom_fields.iter().enumerate() {
        let pointer = format!("/CustomFieldsData/{at}/CustomFieldId");
        references.id(pointer, ("custom field", "custom_fields"), Some(field.custom_field_id));
    }
    change.resolve(references, &mut refusals).await?;
    let (account_name, location_name) = accepted(refusals, place)?.unwrap_or_default();

    let id = numbers.id("contacts")?;
    let ids: Vec<_> =
        new.custom_fields.iter().map(|_| numbers.id("contact_custom_fields")).collect::<Result<_, _>>()?;
    let wanted = json!(new.custom_fields.iter().map(|field| field.custom_field_id).collect::<Vec<_>>()).to_string();
    let sql = "SELECT id, name, type FROM custom_fields WHERE tenant_id = $1
               AND id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text($2::text::json)))";
    let mut queries = vec![Query::new(sql, parameters![change.tenant(), wanted]), insert(&change, id, &new)];
    queries.extend(insert_phones(&change, id, &new, &mut numbers)?);
    queries.extend(insert_emails(&change, id, &new, &mut numbers)?);
    queries.extend(insert_custom_fields(&change, id, &new, &ids));
    let answers = change.session().all(&queries).await?;
    let mut custom_fields = Vec::with_capacity(ids.len());
    for (field, id) in new.custom_fields.iter().zip(ids) {
        let rows = answers.first().map(Vec::as_slice).unwrap_or_default();
        let of_field = |row: &&tokio_postgres::Row| row.try_get(0).ok() == Some(field.custom_field_id);
        let row = rows.iter().find(of_field);
        custom_fields.push(CustomFieldData {
            id: Some(id),
            name: row.map(|row| row.try_get::<_, String>(1)).transpose()?.into(),
            data: field.data.clone().into(),
            settings_id: Some(field.settings_id.unwrap_or(0)),
            custom_field_type: row.map(|row| row.try_get(2)).transpose()?,
            custom_field_id: Some(field.custom_field_id),
        });
    }
    let created = sql::contact::created(&new, id, account_name, location_name, custom_fields);
    let subject = Subject::new("Contact", id).of_account(Some(new.account_id));
    change.note(&subject, None, Some(text::json(&created)));
    Ok(created)
}

/// The names of account and location, which have to belong together.
async fn place(
    change: &Change,
    new: &NewContact,
    refusals: &mut Vec<Refusal>,
) -> Result<Option<(String, String)>, Error> {
    let sql = "SELECT a.name, l.name FROM accounts AS a LEFT JOIN account_locations AS l
               ON l.tenant_id = a.tenant_id AND l.account_id = a.id AND l.id = $3
               WHERE a.tenant_id = $1 AND a.id = $2";
    let key = parameters![change.tenant(), change.view.account(new.account_id), new.location_id];
    let rows = change.rows(sql, key).await?;
    let Some(row) = rows.first() else {
        refusals.push(Refusal::reference("/AccountId", "account", new.account_id));
        return Ok(None);
    };
    let location: Option<String> = row.try_get(1)?;
    if location.is_none() {
        let detail = format!("is {}, which is no location of account {}", new.location_id, new.account_id);
        refusals.push(Refusal::new("/LocationId", "reference", detail));
    }
    Ok(Some(row.try_get(0)?).zip(location))
}

fn insert(change: &Change, id: i32, new: &NewContact) -> Query {
    let (first, last) = (new.first_name.as_deref(), new.last_name.as_deref());
    let sql = "INSERT INTO contacts (tenant_id, id, created_by, created_on, modified_by, modified_on, account_id, \
               location_id, first_name, first_name_folded, last_name, last_name_folded, name_folded) \
               VALUES ($1, $2, $3, $4, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    Query::new(
        sql,
        parameters![
            change.tenant(),
            id,
            change.assignee,
            change.now(),
            new.account_id,
            new.location_id,
            first,
            first.map(fold),
            last,
            last.map(fold),
            fold(&whole_name(first, last)),
        ],
    )
}

fn insert_phones(change: &Change, id: i32, new: &NewContact, numbers: &mut Numbers) -> Result<Option<Query>, Error> {
    let columns = "tenant_id, contact_id, id, created_by, created_on, modified_by, modified_on, number, number_folded, \
                   type_id, is_default";
    let mut rows = Vec::with_capacity(new.phones.len());
    for phone in &new.phones {
        rows.push(json!({
            "tenant_id": change.tenant(),
            "contact_id": id,
            "id": numbers.id("contact_phones")?,
            "created_by": change.assignee,
            "created_on": change.now(),
            "modified_by": change.assignee,
            "modified_on": change.now(),
            "number": phone.number,
            "number_folded": phone.number.as_deref().map(fold),
            "type_id": phone.type_id,
            "is_default": phone.is_default,
        }));
    }
    Ok((!rows.is_empty()).then(|| Change::insert("contact_phones", columns, rows)))
}

fn insert_emails(change: &Change, id: i32, new: &NewContact, numbers: &mut Numbers) -> Result<Option<Query>, Error> {
    let columns = "tenant_id, contact_id, id, created_by, created_on, modified_by, modified_on, address, \
                   address_folded, type_id, is_default";
    let mut rows = Vec::with_capacity(new.emails.len());
    for email in &new.emails {
        rows.push(json!({
            "tenant_id": change.tenant(),
            "contact_id": id,
            "id": numbers.id("contact_emails")?,
            "created_by": change.assignee,
            "created_on": change.now(),
            "modified_by": change.assignee,
            "modified_on": change.now(),
            "address": email.address,
            "address_folded": email.address.as_deref().map(fold),
            "type_id": email.type_id,
            "is_default": email.is_default,
        }));
    }
    Ok((!rows.is_empty()).then(|| Change::insert("contact_emails", columns, rows)))
}

fn insert_custom_fields(change: &Change, contact: i32, new: &NewContact, ids: &[i32]) -> Option<Query> {
    let row = |(field, id): (&crate::domain::contact::NewCustomField, &i32)| {
        json!({
            "tenant_id": change.tenant(),
            "contact_id": contact,
            "id": id,
            "custom_field_id": field.custom_field_id,
            "settings_id": field.settings_id,
            "data": field.data,
        })
    };
    let rows: Vec<_> = new.custom_fields.iter().zip(ids).map(row).collect();
    let columns = "tenant_id, contact_id, id, custom_field_id, settings_id, data";
    (!rows.is_empty()).then(|| Change::insert("contact_custom_fields", columns, rows))
}
