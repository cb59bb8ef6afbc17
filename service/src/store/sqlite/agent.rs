//! Agents, their notes and their missing patches.

use generated_server::models::{AgentNote, MissingPatch};
use rusqlite::{Row, params_from_iter};

use super::{list::datum, view::View};
use crate::{
    domain::{
        agent::{Agent, AgentQuery},
        list::Listed,
    },
    store::{
        Error,
        record::Value,
        sql::{
            self, Conditions, Datum,
            agent::{Cells, Kind, NOTE, PATCH, is_visible},
            odata,
        },
    },
};

pub(super) fn one(view: &View<'_>, id: &str) -> Result<Option<Agent>, Error> {
    let sql = "SELECT id, name, time_zone, account_id, is_online FROM agents WHERE tenant_id = ?1 AND id = ?2";
    let mut statement = view.connection.prepare_cached(sql)?;
    let mut rows = statement.query((view.tenant.0, id))?;
    let Some(row) = rows.next()? else { return Ok(None) };
    // Nothing else of it is read when it is hidden: that would take longer than finding none.
    Ok(if is_visible(view.visible, row.get(3)?) { Some(read(row, 0)?) } else { None })
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
    list(view, &NOTE, &sql::agent::notes(view.viewer(), query), query)
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
    let conditions = sql::agent::missing_patches(view.viewer(), agent, hide_denied, query);
    list(view, &PATCH, &conditions, query).map(Some)
}

/// Counts and reads what an OData query asks for.
fn list<T>(view: &View<'_>, kind: &Kind<T>, conditions: &Conditions, query: &AgentQuery) -> Result<Listed<T>, Error> {
    let Kind { table, columns, fields, read } = kind;
    let filter = conditions.sql();
    let sql = format!("SELECT count(*) FROM {table} WHERE {filter}");
    let total: i64 =
        view.connection.prepare_cached(&sql)?.query_row(params_from_iter(conditions.parameters()), |row| row.get(0))?;

    let order = odata::order(conditions.dialect(), &query.order, fields, "id");
    let next = conditions.parameters().len() + 1;
    let sql =
        format!("SELECT {columns} FROM {table} WHERE {filter} ORDER BY {order} LIMIT ?{next} OFFSET ?{}", next + 1);
    let skip = i64::try_from(query.skip).unwrap_or(i64::MAX);
    let window = [Value::Integer(query.top.into()), Value::Integer(skip)];
    let mut statement = view.connection.prepare_cached(&sql)?;
    let mut rows = statement.query(params_from_iter(conditions.parameters().iter().cloned().chain(window)))?;
    let mut records = Vec::new();
    while let Some(row) = rows.next()? {
        let columns = 0..row.as_ref().column_count();
        let values = columns.map(|column| datum(row.get_ref(column)?)).collect::<Result<Vec<_>, Error>>()?;
        view.spend(values.iter().map(Datum::len).sum())?;
        records.push(read(&Cells(&values))?);
    }
    Ok(Listed { records, total: total.cast_unsigned(), last: None, is_cut: false })
}
