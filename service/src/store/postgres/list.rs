//! Lists: filtered, ordered, in part, and counted.

use std::sync::Arc;

use tokio_postgres::Row;

use super::{
    names,
    session::{Query, parameters},
    value::{Parameter, datum},
    view::View,
};
use crate::{
    domain::list::{Exclude, Listed},
    store::{
        Error,
        sql::{Column, Conditions, Datum, Found, Part, Reading, Resource, names::Names, owned::Owned, select},
    },
};

/// So many matches are skipped while whole records are read; more are skipped among keys alone.
const SHALLOW: u64 = 100;

/// The statements of a part of a list.
pub(super) struct Page {
    /// The ids of its records, an array.
    ids: String,
    records: Query,
    total: Query,
}

/// What a part of a list is answered from.
pub(super) struct Answer<const N: usize> {
    pub(super) names: Arc<Names>,
    pub(super) records: Vec<Row>,
    pub(super) total: u64,
    /// The rows of the statements beside the list.
    pub(super) beside: [Vec<Row>; N],
}

impl<T> Resource<T> {
    /// The statements of a part of the records of which conditions hold.
    pub(super) fn paged(&self, conditions: &Conditions, part: Part<'_>) -> Page {
        let (order, _) = self.order(conditions, part.sort);
        let (table, scope, mut filter) = (self.table, conditions.scope(), conditions.sql());
        let (limit, offset) = (conditions.parameters().len() + 1, conditions.parameters().len() + 2);
        let select = select("id", self.columns, part.exclude);
        let behind = part.behind(self, &format!("${}", offset + 1));
        if let Some((behind, _)) = &behind {
            filter.push_str(behind);
        }
        let end = format!("ORDER BY {order} LIMIT ${limit} OFFSET ${offset}");
        // An array: the server takes them once, whatever it believes of tables that it has not looked at yet.
        let ids = format!("ARRAY(SELECT id FROM {table} WHERE {filter} {end})");
        let sql = if part.window.offset <= SHALLOW {
            format!("SELECT {select} FROM {table} WHERE {filter} {end}")
        } else {
            format!("SELECT {select} FROM {table} WHERE {scope} AND id = ANY ({ids}) ORDER BY {order}")
        };
        let mut parameters = values(conditions);
        parameters.push(part.window.limit.into());
        parameters.push(Parameter::Integer(i64::try_from(part.window.offset).unwrap_or(i64::MAX)));
        parameters.extend(behind.map(|(_, after)| Parameter::Integer(after.into())));
        Page { ids, records: Query::new(sql, parameters), total: self.counted(conditions) }
    }

    /// The statement that counts the records of which conditions hold.
    fn counted(&self, conditions: &Conditions) -> Query {
        let counted = |sum: String, names: String| {
            let sql = format!(
                "SELECT coalesce(sum({sum}), 0)::bigint FROM counters WHERE tenant_id = $1 AND name IN ({names})"
            );
            Query::new(sql, values(conditions)[..1].to_vec())
        };
        match (self.counters, conditions.only_active()) {
            (Some([all, _]), _) if conditions.is_empty() => counted("value".into(), format!("'{all}'")),
            (Some([_, active]), Some(true)) => counted("value".into(), format!("'{active}'")),
            (Some([all, active]), Some(false)) => {
                counted(format!("CASE WHEN name = '{all}' THEN value ELSE -value END"), format!("'{all}', '{active}'"))
            }
            _ => {
                let sql = format!("SELECT count(*) FROM {} WHERE {}", self.table, conditions.sql());
                Query::new(sql, values(conditions))
            }
        }
    }

    /// The statement that reads the records of which conditions hold, of which there are few.
    pub(super) fn found(&self, conditions: &Conditions) -> Query {
        let select = select("id", self.columns, Exclude::default());
        Query::new(format!("SELECT {select} FROM {} WHERE {}", self.table, conditions.sql()), values(conditions))
    }

    /// The statement that removes them, and reads them as they were.
    pub(super) fn removed(&self, conditions: &Conditions) -> Query {
        let select = select("id", self.columns, Exclude::default());
        let sql = format!("DELETE FROM {} WHERE {} RETURNING {select}", self.table, conditions.sql());
        Query::new(sql, values(conditions))
    }
}

impl<T: Default> Owned<T> {
    /// The statement that reads what belongs to the records of a page.
    pub(super) fn of_page(&self, page: &Page) -> Query {
        self.of(&page.ids, page.records.parameters().to_vec())
    }

    /// The statement that reads what belongs to the one record that is parameter 2, behind the tenant.
    pub(super) fn of_one(&self, tenant: i32, id: i32) -> Query {
        // The type of a parameter is that of what it stands beside.
        self.of("ARRAY[$2::integer]", parameters![tenant, id])
    }

    fn of(&self, ids: &str, parameters: Vec<Parameter>) -> Query {
        let (table, owner, page) = (self.table, self.owner, self.page);
        let select = select(owner, self.columns, Exclude::default());
        let order = if owner == page { format!("{owner}, id") } else { format!("{page}, {owner}, id") };
        let sql =
            format!("SELECT {select} FROM {table} WHERE tenant_id = $1 AND {page} = ANY ({ids}) ORDER BY {order}");
        Query::new(sql, parameters)
    }
}

impl View {
    /// What a page is answered from, and what statements beside it find, all in one go.
    pub(super) async fn page<const N: usize>(&self, page: Page, beside: [Query; N]) -> Result<Answer<N>, Error> {
        let names = self.names().await?;
        let mut queries = vec![names::version(self.tenant), page.total, page.records];
        queries.extend(beside);
        let mut answers = self.session.all(&queries).await?.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let names = self.current(names, &next()).await?;
        let total: i64 = next().first().map(|row| row.try_get(0)).transpose()?.unwrap_or(0);
        Ok(Answer { names, total: total.cast_unsigned(), records: next(), beside: std::array::from_fn(|_| next()) })
    }

    /// What statements find, all in one go, and the names beside it.
    pub(super) async fn named<const N: usize>(
        &self,
        queries: [Query; N],
    ) -> Result<(Arc<Names>, [Vec<Row>; N]), Error> {
        let names = self.names().await?;
        let mut all = vec![names::version(self.tenant)];
        all.extend(queries);
        let mut answers = self.session.all(&all).await?.into_iter();
        let mut next = || answers.next().unwrap_or_default();
        let names = self.current(names, &next()).await?;
        Ok((names, std::array::from_fn(|_| next())))
    }

    /// The names, read anew when they have another version by now.
    async fn current(&self, names: Arc<Names>, version: &[Row]) -> Result<Arc<Names>, Error> {
        if names.version == names::version_in(version)? {
            return Ok(names);
        }
        self.cache.read(&self.session, self.tenant).await
    }

    /// The records of rows that have been selected so, each with its key.
    pub(super) fn records<T: Default>(
        &self,
        columns: &[Column<T>],
        exclude: Exclude,
        names: &Names,
        rows: &[Row],
    ) -> Result<Vec<(i64, T)>, Error> {
        let reading = Reading::new(columns, exclude, names);
        let mut records = Vec::with_capacity(rows.len());
        for row in rows {
            let (record, bytes) = reading.record(|position| datum(row, position))?;
            self.spend(bytes)?;
            let key = match datum(row, 0)? {
                Datum::Integer(id) => id,
                // The ids of log lines are no numbers, and nothing is looked up by them.
                _ => 0,
            };
            records.push((key, record));
        }
        Ok(records)
    }

    /// A list without anything beside it.
    pub(super) async fn list<T: Default>(
        &self,
        resource: &Resource<T>,
        conditions: &Conditions,
        part: Part<'_>,
    ) -> Result<Listed<T>, Error> {
        let Answer { names, records, total, .. } = self.page(resource.paged(conditions, part), []).await?;
        let records = self.records(resource.columns, part.exclude, &names, &records)?;
        Ok(Found { records, total }.without_ids())
    }
}

/// The values of conditions.
pub(super) fn values(conditions: &Conditions) -> Vec<Parameter> {
    conditions.parameters().iter().map(Parameter::from).collect()
}
