//! Contacts.

use generated_server::models::{Contact, ContactLookup, ContactSummary, ContactSummaryInfo};

use super::{Error, TenantStore, delegate};
use crate::domain::{
    contact::{ContactFilter, ContactLookupFilter, NewContact},
    idempotency::{Done, IdempotencyKey},
    list::{ListQuery, Listed},
};

impl TenantStore {
    /// Contacts with all that belongs to them; see `shape::CONTACT_SUMMARY`.
    pub async fn contact_summaries(&self, query: ListQuery<ContactFilter>) -> Result<Listed<Contact>, Error> {
        delegate!(self.contact_summaries(query))
    }

    /// The contacts of an account, see `shape::CONTACT_LOOKUP`; `None` when there is no such account.
    pub async fn account_contacts(
        &self,
        account: i32,
        query: ListQuery<ContactLookupFilter>,
    ) -> Result<Option<Listed<ContactLookup>>, Error> {
        delegate!(self.account_contacts(account, query))
    }

    /// A contact of an account, beside the main address of its location.
    pub async fn contact_summary_info(&self, account: i32, contact: i32) -> Result<Option<ContactSummaryInfo>, Error> {
        delegate!(self.contact_summary_info(account, contact))
    }

    /// Creates a contact with its phones, emails and custom fields, once for each key.
    pub async fn create_contact(
        &self,
        new: NewContact,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<ContactSummary>, Error> {
        delegate!(self.create_contact(new, key))
    }
}
