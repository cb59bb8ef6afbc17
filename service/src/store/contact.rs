//! Contacts.

use generated_server::{
    models::{Contact, ContactLookup, ContactSummary, ContactSummaryInfo},
    runtime::json::Maybe,
};

use super::{
    operation::*,
    resource::{CONTACT_LOOKUP, CONTACT_SUMMARY, CONTACTS, CREATED, CUSTOM_VALUES, EMAILS, INFO, PHONES, attach},
    text,
};

impl TenantStore {
    /// Contacts with their related records; see [`CONTACT_SUMMARY`].
    pub async fn contact_summaries(&self, query: ListQuery) -> Result<Listed<Contact>, Error> {
        self.page(&CONTACT_SUMMARY, self.seen(&CONTACTS), query, summaries).await
    }

    /// The contacts of an account, see [`CONTACT_LOOKUP`]; `None` if the account does not exist.
    pub async fn account_contacts(
        &self,
        account: i32,
        query: ListQuery,
    ) -> Result<Option<Listed<ContactLookup>>, Error> {
        self.list_below(("accounts", "account_id"), self.scope.visible.sought(account), &CONTACT_LOOKUP, query).await
    }

    /// A contact of an account, with the main address of its location.
    pub async fn contact_summary_info(&self, account: i32, contact: i32) -> Result<Option<ContactSummaryInfo>, Error> {
        self.view(Cost::Short, (account, contact), |view, (account, contact)| async move {
            let conditions = view.conditions().of("account_id", view.visible.sought(account)).of("id", contact);
            view.one(&INFO, &conditions).await
        })
        .await
    }

    /// Creates a contact with its phones, emails and custom fields, once per key.
    pub async fn create_contact(
        &self,
        new: Record,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<ContactSummary>, Error> {
        self.change_once(key, new, create).await
    }
}

async fn summaries(view: View, asked: Asked<Contact>) -> Result<Listed<Contact>, Error> {
    let (list, conditions, query) = &*asked;
    let mut found = view.list(list, conditions, query).await?;
    let ids = found.ids();
    let is_asked = |name| !CONTACT_SUMMARY.excludes(query.exclude, name);
    let emails = is_asked("Emails").then(|| EMAILS.of(&view, &ids));
    let phones = is_asked("Phones").then(|| PHONES.of(&view, &ids));
    found.answers.follow(emails.into_iter().chain(phones).collect()).await?;
    if is_asked("Emails") {
        let emails = found.answers.records(&EMAILS)?;
        attach(&mut found.records, emails, |contact, emails| contact.emails = Maybe::Value(emails));
    }
    if is_asked("Phones") {
        let phones = found.answers.records(&PHONES)?;
        attach(&mut found.records, phones, |contact, phones| contact.phones = Maybe::Value(phones));
    }
    Ok(found.without_ids())
}

async fn create(change: Change, mut record: Record) -> Result<ContactSummary, Error> {
    let mut refusals = Vec::new();
    change.check(&CONTACTS, &mut record, None, &mut refusals).await?;
    accepted(refusals)?;
    let (record, inserts) = change.insert(&CONTACTS, record).await?;
    let id: i32 = record.get(&CONTACTS, "Id")?.clone().read()?;
    let reads = [CREATED.found(&change.conditions().of("id", id)), CUSTOM_VALUES.of(&change, &[id.into()])];
    let (_, mut answers) = change.named_after(inserts, reads).await?;
    let (mut created, custom_values) = (answers.records(&CREATED)?, answers.records(&CUSTOM_VALUES)?);
    attach(&mut created, custom_values, |contact, values| contact.custom_fields_data = Maybe::Value(values));
    let (_, created) =
        created.pop().ok_or_else(|| Error::Damaged(format!("contact {id} is gone while it is written")))?;
    let account = record.get(&CONTACTS, "AccountId")?.clone().read()?;
    let subject = Subject::new(CONTACTS.kind, id).of_account(Some(account));
    change.note(&subject, None, Some(text::json(&created)));
    Ok(created)
}
