//! Agents, their notes and their missing patches.

use std::collections::BTreeMap;

use generated_server::{
    models::{AgentNote, MissingPatch},
    runtime::json::{self, Value},
};
use jiff::{Timestamp, civil::DateTime, tz::TimeZone};
use rusqlite::{OptionalExtension, Row, params_from_iter, types};

use super::{
    conditions::{Conditions, array},
    odata::{self, Source},
    view::View,
};
use crate::{
    domain::{
        agent::{Agent, AgentQuery},
        caller::Visibility,
        list::Listed,
    },
    store::Error,
};

/// What the fields of notes are read from, in the order of `NOTE_FIELDS`.
pub(super) static NOTES: &[Source] = &[
    Source::Plain("id"),
    Source::Folded("agent_id"),
    Source::Folded("user_name_folded"),
    Source::Folded("email_folded"),
    Source::Plain("created_on"),
    Source::Text("description"),
];

/// What the fields of missing patches are read from, in the order of `PATCH_FIELDS`.
pub(super) static PATCHES: &[Source] = &[
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

pub(super) fn one(view: &View<'_>, id: &str) -> Result<Option<Agent>, Error> {
    let sql = "SELECT id, name, time_zone, account_id, is_online FROM agents WHERE tenant_id = ?1 AND id = ?2";
    let agent = view.connection.prepare_cached(sql)?.query_row((view.tenant.0, id), |row| read(row, 0)).optional()?;
    let is_visible = |agent: &Agent| match agent.account {
        Some(account) => view.visible.includes(account),
        None => !view.visible.is_limited(),
    };
    Ok(agent.filter(is_visible))
}

/// The accounts that may be seen, as JSON; none for all.
fn accounts(view: &View<'_>) -> Option<types::Value> {
    match view.visible {
        Visibility::All => None,
        Visibility::Accounts(accounts) => Some(array(accounts)),
    }
}

/// Of a row with id, name, zone, account and contact from column `first` on.
pub(super) fn read(row: &Row<'_>, first: usize) -> rusqlite::Result<Agent> {
    Ok(Agent {
        id: row.get(first)?,
        name: row.get(first + 1)?,
        time_zone: row.get(first + 2)?,
        account: row.get(first + 3)?,
        is_online: row.get(first + 4)?,
    })
}

pub(super) fn notes(view: &View<'_>, query: &AgentQuery) -> Result<Listed<AgentNote>, Error> {
    let select = "SELECT id, agent_id, user_name, email, created_on, description FROM agent_notes";
    let mut conditions = Conditions::of(view.tenant);
    if let Some(accounts) = accounts(view) {
        let sql = "agent_id IN (SELECT id FROM agents WHERE tenant_id = ?1
                   AND account_id IN (SELECT value FROM json_each(?)))";
        conditions.add(sql, [accounts], None);
    }
    list(view, conditions, query, (select, "agent_notes", NOTES), |row| {
        Ok(AgentNote {
            id: row.get(0)?,
            agent_guid: row.get(1)?,
            user_name: row.get(2)?,
            email: row.get(3)?,
            creation_date: local(moment(row, 4)?),
            description: row.get(5)?,
        })
    })
}

/// `None` when there is no such agent.
pub(super) fn missing_patches(
    view: &View<'_>,
    agent: &str,
    hide_denied: bool,
    query: &AgentQuery,
) -> Result<Option<Listed<MissingPatch>>, Error> {
    if one(view, agent)?.is_none() {
        return Ok(None);
    }
    let mut conditions = Conditions::of(view.tenant);
    conditions.equal("agent_id", Some(agent.to_owned()), None);
    if hide_denied {
        conditions.add("status <> 1", [], None);
    }
    let select = "SELECT id, description, kb_article, security_bulletin_link, product, update_classification, \
                  release_date, status, update_category, location_pending, location_id, patch_state, ignored, \
                  wua_override_flag, is_superseded, manual_update_flag, sched_together, attributes \
                  FROM missing_patch_infos";
    list(view, conditions, query, (select, "missing_patch_infos", PATCHES), |row| {
        Ok(MissingPatch {
            patch_data_id: row.get(0)?,
            description: row.get(1)?,
            kb_article: row.get(2)?,
            security_bulletin_link: row.get(3)?,
            product: row.get(4)?,
            update_classification: row.get(5)?,
            release_date: moment(row, 6)?,
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
    })
    .map(Some)
}

/// Counts and reads what an OData query asks for.
fn list<T>(
    view: &View<'_>,
    mut conditions: Conditions,
    query: &AgentQuery,
    (select, table, fields): (&str, &str, &[Source]),
    read: impl Fn(&Row<'_>) -> Result<T, Error>,
) -> Result<Listed<T>, Error> {
    if let Some(filter) = &query.filter {
        odata::add(&mut conditions, filter, fields);
    }
    let filter = conditions.sql();
    let sql = format!("SELECT count(*) FROM {table} WHERE {filter}");
    let total: i64 =
        view.connection.prepare_cached(&sql)?.query_row(params_from_iter(conditions.parameters()), |row| row.get(0))?;

    let order = odata::order(&query.order, fields, "id");
    let next = conditions.parameters().len() + 1;
    let sql = format!("{select} WHERE {filter} ORDER BY {order} LIMIT ?{next} OFFSET ?{}", next + 1);
    let skip = i64::try_from(query.skip).unwrap_or(i64::MAX);
    let window = [types::Value::Integer(query.top.into()), types::Value::Integer(skip)];
    let mut statement = view.connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(conditions.parameters().iter().cloned().chain(window)))?;
    let mut records = Vec::new();
    while let Some(row) = rows.next()? {
        let texts =
            (0..row.as_ref().column_count()).map(|column| Ok(row.get_ref(column)?.as_bytes().map_or(0, <[u8]>::len)));
        view.spend(texts.sum::<Result<usize, Error>>()?)?;
        records.push(read(row)?);
    }
    Ok(Listed { records, total: total.cast_unsigned() })
}

fn moment(row: &Row<'_>, column: usize) -> Result<Timestamp, Error> {
    Timestamp::from_microsecond(row.get(column)?).map_err(Error::database)
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
