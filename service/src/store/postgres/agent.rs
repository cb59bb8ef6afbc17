//! Agents, their notes and their missing patches.

use generated_server::models::{AgentNote, MissingPatch};
use tokio_postgres::Row;

use super::{
    list::values,
    session::{Query, parameters},
    value::datum,
    view::View,
};
use crate::{
    domain::{
        agent::{Agent, AgentQuery},
        list::Listed,
    },
    store::{
        Error,
        sql::{
            self, Conditions, Datum, Dialect,
            agent::{Cells, Kind, NOTE, PATCH, is_visible},
            odata,
        },
    },
};

/// What asks for an agent.
fn wanted(view: &View, id: &str) -> Query {
    let sql = "SELECT id, name, time_zone, account_id, is_online FROM agents WHERE tenant_id = $1 AND id = $2";
    Query::new(sql, parameters![view.tenant.0, id])
}

/// The agent in the answer, if it may be seen.
fn seen(view: &View, rows: &[Row]) -> Result<Option<Agent>, Error> {
    let agent = rows.first().map(|row| read(row, 0)).transpose()?;
    Ok(agent.filter(|agent| is_visible(&view.visible, agent.account)))
}

pub(super) async fn one(view: View, id: &str) -> Result<Option<Agent>, Error> {
    let rows = view.session.rows(wanted(&view, id)).await?;
    seen(&view, &rows)
}

/// The same, once nobody else can change what belongs to it.
pub(super) async fn held(view: &View, id: &str) -> Result<Option<Agent>, Error> {
    let sql = "SELECT 1 FROM agents WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE";
    let [_, rows] = view.session.run([Query::new(sql, parameters![view.tenant.0, id]), wanted(view, id)]).await?;
    seen(view, &rows)
}

/// Of a row with id, name, zone, account and contact from column `first` on.
pub(super) fn read(row: &Row, first: usize) -> Result<Agent, Error> {
    Ok(Agent {
        id: row.try_get(first)?,
        name: row.try_get(first + 1)?,
        time_zone: row.try_get(first + 2)?,
        account: row.try_get(first + 3)?,
        is_online: row.try_get(first + 4)?,
    })
}

pub(super) async fn notes(view: View, query: AgentQuery) -> Result<Listed<AgentNote>, Error> {
    let statements = statements(&NOTE, &sql::agent::notes(view.viewer(), &query), &query);
    let [total, rows] = view.session.run(statements).await?;
    listed(&view, &NOTE, &total, &rows)
}

/// `None` when there is no such agent.
pub(super) async fn missing_patches(
    view: View,
    agent: String,
    hide_denied: bool,
    query: AgentQuery,
) -> Result<Option<Listed<MissingPatch>>, Error> {
    let conditions = sql::agent::missing_patches(view.viewer(), &agent, hide_denied, &query);
    let [count, page] = statements(&PATCH, &conditions, &query);
    let [agent, total, rows] = view.session.run([wanted(&view, &agent), count, page]).await?;
    if seen(&view, &agent)?.is_none() {
        return Ok(None);
    }
    listed(&view, &PATCH, &total, &rows).map(Some)
}

/// What counts and reads what an OData query asks for.
fn statements<T>(kind: &Kind<T>, conditions: &Conditions, query: &AgentQuery) -> [Query; 2] {
    let Kind { table, columns, fields, .. } = kind;
    let filter = conditions.sql();
    let count = Query::new(format!("SELECT count(*) FROM {table} WHERE {filter}"), values(conditions));
    let order = odata::order(Dialect::Postgres, &query.order, fields, "id");
    let next = conditions.parameters().len() + 1;
    let sql =
        format!("SELECT {columns} FROM {table} WHERE {filter} ORDER BY {order} LIMIT ${next} OFFSET ${}", next + 1);
    let mut parameters = values(conditions);
    parameters.extend(parameters![query.top, i64::try_from(query.skip).unwrap_or(i64::MAX)]);
    [count, Query::new(sql, parameters)]
}

fn listed<T>(view: &View, kind: &Kind<T>, total: &[Row], rows: &[Row]) -> Result<Listed<T>, Error> {
    let total: i64 = total.first().map(|row| row.try_get(0)).transpose()?.unwrap_or(0);
    let mut records = Vec::with_capacity(rows.len());
    for row in rows {
        let values = (0..row.len()).map(|column| datum(row, column)).collect::<Result<Vec<_>, _>>()?;
        view.spend(values.iter().map(Datum::len).sum())?;
        records.push((kind.read)(&Cells(&values))?);
    }
    Ok(Listed { records, total: total.cast_unsigned(), last: None, is_cut: false })
}
