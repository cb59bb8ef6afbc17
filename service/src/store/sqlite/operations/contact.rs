//! Contacts.

use generated_server::models::{Contact, ContactLookup, ContactSummary, ContactSummaryInfo};

use crate::{
    domain::{
        contact::{ContactFilter, ContactLookupFilter, NewContact},
        idempotency::{Done, IdempotencyKey},
        list::{ListQuery, Listed},
    },
    store::{
        Error, Scope,
        sqlite::{Database, contact, contact_change},
    },
};

impl Database {
    pub(in crate::store) async fn contact_summaries(
        &self,
        scope: &Scope,
        query: ListQuery<ContactFilter>,
    ) -> Result<Listed<Contact>, Error> {
        self.view(scope, move |view| contact::summaries(view, &query)).await
    }

    pub(in crate::store) async fn account_contacts(
        &self,
        scope: &Scope,
        account: i32,
        query: ListQuery<ContactLookupFilter>,
    ) -> Result<Option<Listed<ContactLookup>>, Error> {
        self.view(scope, move |view| contact::lookup(view, account, &query)).await
    }

    pub(in crate::store) async fn contact_summary_info(
        &self,
        scope: &Scope,
        account: i32,
        contact: i32,
    ) -> Result<Option<ContactSummaryInfo>, Error> {
        self.view(scope, move |view| contact::summary_info(view, account, contact)).await
    }

    pub(in crate::store) async fn create_contact(
        &self,
        scope: &Scope,
        new: NewContact,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<ContactSummary>, Error> {
        self.change_once(scope, key, move |change| contact_change::create(change, &new)).await
    }
}
