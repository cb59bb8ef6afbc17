//! Contacts.

use generated_server::models::{
    ContactLookupOutputDto, ContactSummaryInfoOutputDto, ContactSummaryOutputDto, ContactsSummaryOutputDto,
};

use super::{
    Error, TenantStore,
    sqlite::{contact, contact_change},
};
use crate::domain::{
    contact::{ContactFilter, ContactLookupFilter, NewContact},
    idempotency::{Done, IdempotencyKey},
    list::{ListQuery, Listed},
};

impl TenantStore {
    /// Contacts with all that belongs to them; see `shape::CONTACT_SUMMARY`.
    pub async fn contact_summaries(
        &self,
        query: ListQuery<ContactFilter>,
    ) -> Result<Listed<ContactsSummaryOutputDto>, Error> {
        self.read(move |view| contact::summaries(view, &query)).await
    }

    /// The contacts of an account, see `shape::CONTACT_LOOKUP`; `None` when there is no such account.
    pub async fn account_contacts(
        &self,
        account: i32,
        query: ListQuery<ContactLookupFilter>,
    ) -> Result<Option<Listed<ContactLookupOutputDto>>, Error> {
        self.read(move |view| contact::lookup(view, account, &query)).await
    }

    /// A contact of an account, beside the main address of its location.
    pub async fn contact_summary_info(
        &self,
        account: i32,
        contact: i32,
    ) -> Result<Option<ContactSummaryInfoOutputDto>, Error> {
        self.read(move |view| contact::summary_info(view, account, contact)).await
    }

    /// Creates a contact with its phones, emails and custom fields, once for each key.
    pub async fn create_contact(
        &self,
        new: NewContact,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<ContactSummaryOutputDto>, Error> {
        self.write_once(key, move |change| contact_change::create(change, &new)).await
    }
}
