//! Reading contacts.

use generated_server::{
    models::{Contact, ContactLookup, ContactSummaryInfo},
    runtime::json::Maybe,
};

use super::{account, view::View};
use crate::{
    domain::{
        contact::{ContactFilter, ContactLookupFilter},
        list::{ListQuery, Listed},
    },
    store::{
        Error,
        sql::{
            self, Found, Part,
            contact::{EMAILS, INFO, LOOKUP, OWN_EMAILS, OWN_PHONES, PHONES, SUMMARY},
            owned,
        },
    },
};

pub(super) fn summaries(view: &View<'_>, query: &ListQuery<ContactFilter>) -> Result<Listed<Contact>, Error> {
    let conditions = sql::contact::summaries(view.viewer(), &query.filter);
    let names = view.names()?;
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    let Found { mut records, total } = SUMMARY.list(view, &names, &conditions, part)?;
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
    Ok(Found { records, total }.without_ids())
}

/// `None` when there is no such account.
pub(super) fn lookup(
    view: &View<'_>,
    account: i32,
    query: &ListQuery<ContactLookupFilter>,
) -> Result<Option<Listed<ContactLookup>>, Error> {
    if !account::exists(view, account)? {
        return Ok(None);
    }
    let conditions = sql::contact::lookup(view.viewer(), account, &query.filter);
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    let contacts = LOOKUP.list(view, &*view.names()?, &conditions, part)?;
    Ok(Some(contacts.without_ids()))
}

pub(super) fn summary_info(view: &View<'_>, account: i32, contact: i32) -> Result<Option<ContactSummaryInfo>, Error> {
    let conditions = sql::contact::info(view.viewer(), account, contact);
    Ok(INFO.one(view, &*view.names()?, &conditions)?.map(|(_, info)| info))
}
