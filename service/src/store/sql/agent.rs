//! What lists of notes and missing patches are read from, and which of them are wanted.

use std::collections::BTreeMap;

use generated_server::{
    models::{AgentNote, MissingPatch},
    runtime::json::{self, Value},
};
use jiff::{Timestamp, civil::DateTime, tz::TimeZone};

use super::{
    Cell, Conditions, Datum, Viewer, array,
    cell::FromCell,
    names::Names,
    odata::{self, Source},
};
use crate::{
    domain::{agent::AgentQuery, caller::Visibility},
    store::Error,
};

/// What the fields of notes are read from, in the order of `NOTE_FIELDS`.
pub(in crate::store) static NOTES: &[Source] = &[
    Source::Plain("id"),
    Source::Folded("agent_id"),
    Source::Folded("user_name_folded"),
    Source::Folded("email_folded"),
    Source::Plain("created_on"),
    Source::Text("description"),
];

/// What the fields of missing patches are read from, in the order of `PATCH_FIELDS`.
pub(in crate::store) static PATCHES: &[Source] = &[
    Source::Plain("id"),
    Source::Text("description"),
    Source::Text("kb_article"),
    Source::Text("security_bulletin_link"),
    Source::Text("product"),
    Source::Plain("update_classification"),
    Source::Plain("release_date"),
    Source::Plain("status"),
    Source::Plain("update_category"),
    Source::Plain("location_pending"),
    Source::Plain("location_id"),
    Source::Plain("patch_state"),
    Source::Plain("ignored"),
    Source::Plain("wua_override_flag"),
    Source::Plain("is_superseded"),
    Source::Plain("manual_update_flag"),
    Source::Plain("sched_together"),
];

/// A kind of record that OData queries ask for.
pub(in crate::store) struct Kind<T> {
    /// The table.
    pub(in crate::store) table: &'static str,
    /// What records are read from.
    pub(in crate::store) columns: &'static str,
    /// What the fields of queries are read from.
    pub(in crate::store) fields: &'static [Source],
    /// Reads a record of a row with these columns.
    pub(in crate::store) read: fn(&Cells<'_>) -> Result<T, Error>,
}

/// The values of a row.
pub(in crate::store) struct Cells<'a>(pub(in crate::store) &'a [Datum<'a>]);

impl Cells<'_> {
    fn get<T: FromCell>(&self, position: usize) -> Result<T, Error> {
        let value = self.0.get(position).copied().unwrap_or(Datum::Null);
        Cell { value, names: &Names::default() }.read()
    }
}

pub(in crate::store) static NOTE: Kind<AgentNote> = Kind {
    table: "agent_notes",
    columns: "id, agent_id, user_name, email, created_on, description",
    fields: NOTES,
    read: |row| {
        Ok(AgentNote {
            id: row.get(0)?,
            agent_guid: row.get(1)?,
            user_name: row.get(2)?,
            email: row.get(3)?,
            creation_date: local(row.get(4)?),
            description: row.get(5)?,
        })
    },
};

pub(in crate::store) static PATCH: Kind<MissingPatch> = Kind {
    table: "missing_patch_infos",
    columns: "id, description, kb_article, security_bulletin_link, product, update_classification, release_date, status, \
              update_category, location_pending, location_id, patch_state, ignored, wua_override_flag, is_superseded, \
              manual_update_flag, sched_together, attributes",
    fields: PATCHES,
    read: |row| {
        Ok(MissingPatch {
            patch_data_id: row.get(0)?,
            description: row.get(1)?,
            kb_article: row.get(2)?,
            security_bulletin_link: row.get(3)?,
            product: row.get(4)?,
            update_classification: row.get(5)?,
            release_date: row.get(6)?,
            status: row.get(7)?,
            update_category: row.get(8)?,
            location_pending: row.get(9)?,
            location_id: row.get(10)?,
            patch_state: row.get(11)?,
            ignore: row.get(12)?,
            wua_override_flag: row.get(13)?,
            is_superseded: row.get(14)?,
            manual_update_flag: row.get(15)?,
            sched_together: row.get(16)?,
            attributes: attributes(row.get(17)?)?,
        })
    },
};

/// Whether an agent of that account may be seen: one that belongs to none only by those who may see all of them.
pub(in crate::store) fn is_visible(visible: &Visibility, account: Option<i32>) -> bool {
    match account {
        Some(account) => visible.includes(account),
        None => !visible.is_limited(),
    }
}

/// The notes that a query asks for.
pub(in crate::store) fn notes(viewer: Viewer<'_>, query: &AgentQuery) -> Conditions {
    let mut conditions = viewer.conditions();
    if let Visibility::Accounts(accounts) = viewer.visible {
        let is_seen = viewer.dialect.among("account_id", "?");
        let sql = format!("agent_id IN (SELECT id FROM agents WHERE tenant_id = ?1 AND {is_seen})");
        conditions.add(&sql, [array(accounts)], None);
    }
    asked(conditions, query, NOTES)
}

/// The missing patches of an agent that a query asks for.
pub(in crate::store) fn missing_patches(
    viewer: Viewer<'_>,
    agent: &str,
    hide_denied: bool,
    query: &AgentQuery,
) -> Conditions {
    let mut conditions = viewer.conditions();
    conditions.equal("agent_id", Some(agent.to_owned()), None);
    if hide_denied {
        conditions.add("status <> 1", [], None);
    }
    asked(conditions, query, PATCHES)
}

fn asked(mut conditions: Conditions, query: &AgentQuery, fields: &[Source]) -> Conditions {
    if let Some(filter) = &query.filter {
        odata::add(&mut conditions, filter, fields);
    }
    conditions
}

/// The wall time in UTC.
fn local(moment: Timestamp) -> DateTime {
    TimeZone::UTC.to_datetime(moment)
}

fn attributes(text: Option<String>) -> Result<BTreeMap<String, Value>, Error> {
    let Some(text) = text else { return Ok(BTreeMap::new()) };
    json::from_slice(text.as_bytes())
        .map_err(|_| Error::Damaged("the store holds no proper JSON in the attributes of a patch".into()))
}
