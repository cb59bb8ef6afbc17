//! Writing contacts.

use generated_server::{
    models::{ContactSummary, CustomFieldData},
    runtime::json::Maybe,
};
use rusqlite::{OptionalExtension, params};

use super::change::{Change, accepted};
use crate::{
    domain::{
        change::Subject,
        contact::{NewContact, NewCustomField, NewEmail, NewPhone},
        refusal::Refusal,
    },
    store::{
        Error,
        sql::{
            contact::{created, whole_name},
            fold, text,
        },
    },
};

pub(super) fn create(change: &Change<'_>, new: &NewContact) -> Result<ContactSummary, Error> {
    let mut refusals = Vec::new();
    let location = place(change, new, &mut refusals)?;
    for (at, phone) in new.phones.iter().enumerate() {
        let pointer = format!("/Phones/{at}/PhoneTypeId");
        change.check(&mut refusals, pointer, ("phone type", "phone_types"), Some(phone.type_id))?;
    }
    for (at, email) in new.emails.iter().enumerate() {
        let pointer = format!("/Emails/{at}/EmailTypeId");
        change.check(&mut refusals, pointer, ("email type", "email_types"), Some(email.type_id))?;
    }
    for (at, field) in new.custom_fields.iter().enumerate() {
        let pointer = format!("/CustomFieldsData/{at}/CustomFieldId");
        change.check(&mut refusals, pointer, ("custom field", "custom_fields"), Some(field.custom_field_id))?;
    }
    let (account_name, location_name) = accepted(refusals, location)?.unwrap_or_default();

    let id = insert(change, new)?;
    for phone in &new.phones {
        insert_phone(change, id, phone)?;
    }
    for email in &new.emails {
        insert_email(change, id, email)?;
    }
    let mut custom_fields = Vec::with_capacity(new.custom_fields.len());
    for field in &new.custom_fields {
        custom_fields.push(insert_custom_field(change, id, field)?);
    }
    let created = created(new, id, account_name, location_name, custom_fields);
    let subject = Subject::new("Contact", id).of_account(Some(new.account_id));
    change.note(&subject, None, Some(text::json(&created)))?;
    Ok(created)
}

/// The names of account and location, which have to belong together.
fn place(
    change: &Change<'_>,
    new: &NewContact,
    refusals: &mut Vec<Refusal>,
) -> Result<Option<(String, String)>, Error> {
    let sql = "SELECT a.name, l.name FROM accounts AS a JOIN account_locations AS l
               ON l.tenant_id = a.tenant_id AND l.account_id = a.id AND l.id = ?3
               WHERE a.tenant_id = ?1 AND a.id = ?2";
    let account = change.view.account(new.account_id);
    let key = (change.tenant(), account, new.location_id);
    let place = change.connection().prepare_cached(sql)?;
    let found = { place }.query_row(key, |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    if found.is_none() {
        if change.exists("accounts", account)? {
            let detail = format!("is {}, which is no location of account {}", new.location_id, new.account_id);
            refusals.push(Refusal::new("/LocationId", "reference", detail));
        } else {
            refusals.push(Refusal::reference("/AccountId", "account", new.account_id));
        }
    }
    Ok(found)
}

fn insert(change: &Change<'_>, new: &NewContact) -> Result<i32, Error> {
    let id = change.next_id("contacts")?;
    let (first, last) = (new.first_name.as_deref(), new.last_name.as_deref());
    let sql = "INSERT INTO contacts (tenant_id, id, created_by, created_on, modified_by, modified_on, account_id, \
               location_id, first_name, first_name_folded, last_name, last_name_folded, name_folded) \
               VALUES (?1, ?2, ?3, ?4, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
    change.connection().prepare_cached(sql)?.execute(params![
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
    ])?;
    Ok(id)
}

fn insert_phone(change: &Change<'_>, contact: i32, phone: &NewPhone) -> Result<(), Error> {
    let sql = "INSERT INTO contact_phones (tenant_id, contact_id, id, created_by, created_on, modified_by, \
               modified_on, number, number_folded, type_id, is_default) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?4, ?5, ?6, ?7, ?8, ?9)";
    change.connection().prepare_cached(sql)?.execute(params![
        change.tenant(),
        contact,
        change.next_id("contact_phones")?,
        change.assignee,
        change.now(),
        phone.number,
        phone.number.as_deref().map(fold),
        phone.type_id,
        phone.is_default,
    ])?;
    Ok(())
}

fn insert_email(change: &Change<'_>, contact: i32, email: &NewEmail) -> Result<(), Error> {
    let sql = "INSERT INTO contact_emails (tenant_id, contact_id, id, created_by, created_on, modified_by, \
               modified_on, address, address_folded, type_id, is_default) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?4, ?5, ?6, ?7, ?8, ?9)";
    change.connection().prepare_cached(sql)?.execute(params![
        change.tenant(),
        contact,
        change.next_id("contact_emails")?,
        change.assignee,
        change.now(),
        email.address,
        email.address.as_deref().map(fold),
        email.type_id,
        email.is_default,
    ])?;
    Ok(())
}

fn insert_custom_field(change: &Change<'_>, contact: i32, field: &NewCustomField) -> Result<CustomFieldData, Error> {
    let id = change.next_id("contact_custom_fields")?;
    let sql = "INSERT INTO contact_custom_fields (tenant_id, contact_id, id, custom_field_id, settings_id, data) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let values = (change.tenant(), contact, id, field.custom_field_id, field.settings_id, &field.data);
    change.connection().prepare_cached(sql)?.execute(values)?;
    let sql = "SELECT name, type FROM custom_fields WHERE tenant_id = ?1 AND id = ?2";
    let (name, kind): (String, i32) = change
        .connection()
        .prepare_cached(sql)?
        .query_row((change.tenant(), field.custom_field_id), |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(CustomFieldData {
        id: Some(id),
        name: Maybe::Value(name),
        data: field.data.clone().into(),
        settings_id: Some(field.settings_id.unwrap_or(0)),
        custom_field_type: Some(kind),
        custom_field_id: Some(field.custom_field_id),
    })
}
