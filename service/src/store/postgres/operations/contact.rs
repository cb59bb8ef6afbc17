//! Contacts.

use std::sync::Arc;

use generated_server::models::{Contact, ContactLookup, ContactSummary, ContactSummaryInfo};

use crate::{
    domain::{
        contact::{ContactFilter, ContactLookupFilter, NewContact},
        idempotency::{Done, IdempotencyKey},
        list::{ListQuery, Listed},
    },
    store::{
        Error, Scope,
        postgres::{Database, contact, idempotency},
    },
};

impl Database {
    pub(in crate::store) async fn contact_summaries(
        &self,
        scope: &Scope,
        query: ListQuery<ContactFilter>,
    ) -> Result<Listed<Contact>, Error> {
        self.view(scope, |view| contact::summaries(view, query.clone())).await
    }

    pub(in crate::store) async fn account_contacts(
        &self,
        scope: &Scope,
        account: i32,
        query: ListQuery<ContactLookupFilter>,
    ) -> Result<Option<Listed<ContactLookup>>, Error> {
        self.view(scope, |view| contact::lookup(view, account, query.clone())).await
    }

    pub(in crate::store) async fn contact_summary_info(
        &self,
        scope: &Scope,
        account: i32,
        contact: i32,
    ) -> Result<Option<ContactSummaryInfo>, Error> {
        self.view(scope, |view| contact::summary_info(view, account, contact)).await
    }

    pub(in crate::store) async fn create_contact(
        &self,
        scope: &Scope,
        new: NewContact,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<ContactSummary>, Error> {
        let (wanted, new) = (contact::wanted(&new), Arc::new(new));
        self.change_numbered(scope, &wanted, move |change, numbers| {
            let new = Arc::clone(&new);
            idempotency::once(change, key.clone(), move |change| contact::create(change, numbers, new))
        })
        .await
    }
}
