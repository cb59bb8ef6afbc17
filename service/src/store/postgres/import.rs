//! Writing what an import brings.

mod complete;
mod link;
mod note;
mod row;

use std::{
    collections::{BTreeMap, HashMap},
    sync::mpsc::Receiver,
};

use serde_json::{Map, Value as Json};

use super::{
    Database,
    change::Change,
    error::is_violation,
    export::{self, key_below, plain},
    job, names,
    session::{Query, parameters},
};
use crate::{
    domain::job::LogLine,
    store::{
        Error,
        import::{Count, Outcome, Parcel},
        record::{Place, Problem, RESOURCES, Record, Resource, Value, audited::text},
    },
};
use link::Link;
use row::{key, own, row, upsert};

/// Problems that are reported; whoever has more than that has one kind of problem.
const MOST_PROBLEMS: usize = 100;

/// Loads what comes behind a savepoint, to which it goes back if there are problems; the job and its log stay.
pub(super) async fn run(
    database: &Database,
    change: Change,
    claims: &BTreeMap<&'static str, i64>,
    parcels: Receiver<Parcel>,
    tell: impl FnOnce(&Outcome) -> Vec<LogLine>,
) -> Result<(i64, Outcome), Error> {
    // Numbers are taken beside the import, or every other writer would wait for its end.
    let claims: Vec<_> = claims.iter().map(|(table, id)| change.claim(table, *id)).collect();
    database.beside(change.view.tenant, &claims).await?;
    let job = database.numbers(change.view.tenant, &[("jobs", 1)]).await?.next("jobs")?;
    change.rows("SAVEPOINT import", Vec::new()).await?;
    let loader = Loader {
        database,
        change: &change,
        tables: HashMap::new(),
        links: Vec::new(),
        updated: Vec::new(),
        problems: Vec::new(),
    };
    let outcome = loader.load(&parcels).await?;
    if !outcome.problems.is_empty() {
        change.noted();
        change.rows("ROLLBACK TO SAVEPOINT import", Vec::new()).await?;
    }
    change.finish(job::done(&change, job, "Import", &tell(&outcome))).await?;
    Ok((job, outcome))
}

struct Loader<'a> {
    database: &'a Database,
    change: &'a Change,
    tables: HashMap<&'static str, Table>,
    /// Records that name a parent of their own kind.
    links: Vec<Link>,
    /// Records that were there before, as they were, which name a parent.
    updated: Vec<(&'static Resource, Record, String)>,
    problems: Vec<Problem>,
}

/// How many records a table had before, and how many have been written.
#[derive(Clone, Copy, Default)]
struct Table {
    before: u64,
    written: u64,
}

impl Table {
    /// Counts records; answers whether there are so many more by now that the server is to look at the table again: it plans
    /// by what it knows of it, and does not look by itself before the import has ended.
    fn add(&mut self, records: usize) -> bool {
        let doubled = |written: u64| (written / 1024).checked_ilog2();
        let before = doubled(self.written);
        self.written += records as u64;
        before != doubled(self.written)
    }
}

impl Loader<'_> {
    async fn load(mut self, parcels: &Receiver<Parcel>) -> Result<Outcome, Error> {
        loop {
            match parcels.recv() {
                Ok(Parcel::Records(resource, records)) => {
                    if self.problems.len() < MOST_PROBLEMS {
                        self.put_all(resource, records).await?;
                    }
                }
                Ok(Parcel::Problems(problems)) => self.problems.extend(problems),
                Ok(Parcel::End) => break,
                Err(_) => return Err(Error::Damaged("the import broke off".into())),
            }
        }
        if self.problems.is_empty() {
            self.link().await?;
        }
        self.finish().await
    }

    /// Writes records that stand inside of no others, and notes what has become of them.
    async fn put_all(&mut self, resource: &'static Resource, mut records: Vec<Record>) -> Result<(), Error> {
        self.open(resource).await?;
        self.complete(resource, &mut records).await?;
        let before = self.present(resource, &records).await?;
        self.change.rows("SAVEPOINT records", Vec::new()).await?;
        match self.put(resource, &records).await {
            Ok(()) => {}
            Err(error) if is_violation(&error).is_some() => {
                self.change.rows("ROLLBACK TO SAVEPOINT records", Vec::new()).await?;
                return self.put_apart(resource, records).await;
            }
            Err(error) => return Err(error),
        }
        self.change.rows("RELEASE SAVEPOINT records", Vec::new()).await?;
        self.note(resource, records, before).await
    }

    /// Writes records one by one, to tell which of them cannot be written.
    async fn put_apart(&mut self, resource: &'static Resource, records: Vec<Record>) -> Result<(), Error> {
        for record in records {
            if self.problems.len() >= MOST_PROBLEMS {
                return Ok(());
            }
            self.change.rows("SAVEPOINT record", Vec::new()).await?;
            let result = self.put(resource, std::slice::from_ref(&record)).await;
            if let Err(error) = result {
                let Some((is_reference, table)) = is_violation(&error) else { return Err(error) };
                self.change.rows("ROLLBACK TO SAVEPOINT record", Vec::new()).await?;
                self.refuse(resource, &record, is_reference, &table);
            }
            self.change.rows("RELEASE SAVEPOINT record", Vec::new()).await?;
        }
        Ok(())
    }

    fn refuse(&mut self, resource: &'static Resource, record: &Record, is_reference: bool, table: &str) {
        let (found, place, id) = blamed(resource, record, table);
        let detail = match id {
            _ if is_reference && found.name != resource.name && found.above > 0 => {
                format!("leaves out a {} that other records belong to", found.one)
            }
            _ if is_reference => "refers to a record that is not there, or not any more".to_owned(),
            Some(id) => format!("Id is {id}, and there is such a {} elsewhere", found.one),
            None => format!("there is such a {} already", found.one),
        };
        self.problems.push(Problem { place, resource: Some(found.name), detail });
    }

    /// Notes how many records a resource, and those that stand inside of it, have before anything is written.
    async fn open(&mut self, resource: &'static Resource) -> Result<(), Error> {
        if !self.tables.contains_key(resource.name) {
            let before = self.count(resource).await?;
            self.tables.insert(resource.name, Table { before, written: 0 });
        }
        for below in resource.below {
            Box::pin(self.open(below.resource)).await?;
        }
        Ok(())
    }

    async fn count(&self, resource: &Resource) -> Result<u64, Error> {
        let sql = format!("SELECT count(*) FROM {} WHERE tenant_id = $1", resource.table);
        let rows = self.change.rows(sql, parameters![self.change.tenant()]).await?;
        let count: i64 = rows.first().map(|row| row.try_get(0)).transpose()?.unwrap_or(0);
        Ok(count.cast_unsigned())
    }

    /// The records that are there with the keys of these, as JSON.
    async fn present(&self, resource: &'static Resource, records: &[Record]) -> Result<HashMap<String, String>, Error> {
        if self.tables.get(resource.name).is_none_or(|table| table.before == 0) {
            return Ok(HashMap::new());
        }
        let values = records.iter().map(|record| record.values.as_slice());
        let found = export::present(self.change.session(), self.change.tenant(), resource, values).await?;
        Ok(found.iter().map(|record| (key(resource, record), text(resource, record))).collect())
    }

    /// Writes records, and all that stands inside of them.
    async fn put(&mut self, resource: &'static Resource, records: &[Record]) -> Result<(), Error> {
        if records.is_empty() {
            return Ok(());
        }
        let rows = records.iter().map(|record| row(self.change.tenant(), resource, record)).collect();
        let write = Query::new(upsert(resource), parameters![Json::Array(rows).to_string()]);
        self.change.session().rows(write).await?;
        if self.tables.entry(resource.name).or_default().add(records.len()) {
            self.change.rows("SELECT analyze_table($1)", parameters![resource.table]).await?;
        }
        for (position, below) in resource.below.iter().enumerate() {
            let lists = records.iter().filter_map(|record| Some((record, record.below.get(position)?.as_ref()?)));
            let lists: Vec<_> = lists.collect();
            self.remove_others(resource, below.resource, &lists).await?;
            let inside: Vec<Record> = lists.iter().flat_map(|(_, records)| records.iter().cloned()).collect();
            Box::pin(self.put(below.resource, &inside)).await?;
        }
        Ok(())
    }

    /// Removes what stands below these records, except for what is in their lists.
    async fn remove_others(
        &self,
        above: &'static Resource,
        resource: &'static Resource,
        lists: &[(&Record, &Vec<Record>)],
    ) -> Result<(), Error> {
        // Where nothing was, nothing has to be removed.
        if lists.is_empty() || self.tables.get(resource.name).is_none_or(|table| table.before == 0) {
            return Ok(());
        }
        let columns: Vec<_> = resource.above().iter().map(|member| member.column).collect();
        let own = resource.members[resource.above].column;
        let object = |values: &[Value], columns: &[&str]| {
            let values = values.iter().map(plain);
            Json::Object(columns.iter().map(|column| (*column).to_owned()).zip(values).collect::<Map<_, _>>())
        };
        let owners = lists.iter().map(|(record, _)| object(&key_below(above, record), &columns)).collect();
        let own_columns: Vec<_> = columns.iter().copied().chain([own]).collect();
        let kept = lists.iter().flat_map(|(_, records)| records.iter());
        let kept = kept.map(|record| object(&record.values[..=resource.above], &own_columns)).collect();
        let same = |other: &str, columns: &[&str]| {
            let pairs: Vec<_> = columns.iter().map(|column| format!("{other}.{column} = t.{column}")).collect();
            pairs.join(" AND ")
        };
        let table = resource.table;
        let sql = format!(
            "DELETE FROM {table} AS t USING json_populate_recordset(NULL::{table}, $2) AS o
             WHERE t.tenant_id = $1 AND {} AND NOT EXISTS (
                 SELECT 1 FROM json_populate_recordset(NULL::{table}, $3) AS k WHERE {})",
            same("o", &columns),
            same("k", &own_columns),
        );
        let values = parameters![self.change.tenant(), Json::Array(owners).to_string(), Json::Array(kept).to_string()];
        self.change.rows(sql, values).await?;
        Ok(())
    }

    async fn finish(mut self) -> Result<Outcome, Error> {
        if !self.problems.is_empty() {
            self.problems.sort_by_key(|problem| problem.place);
            return Ok(Outcome { counts: Vec::new(), problems: self.problems });
        }
        let mut counts = Vec::new();
        for resource in RESOURCES {
            if let Some(table) = self.tables.get(resource.name).filter(|table| table.written > 0) {
                let new = self.count(resource).await?.saturating_sub(table.before);
                counts.push(Count { resource: resource.name, loaded: table.written, new });
            }
        }
        self.change.session().rows(names::changed(self.change.view.tenant)).await?;
        Ok(Outcome { counts, problems: Vec::new() })
    }
}

/// The record in that table that is to blame, among a record and what stands inside of it: its kind, place and number.
fn blamed(resource: &'static Resource, record: &Record, table: &str) -> (&'static Resource, Place, Option<i64>) {
    if resource.table != table {
        for (below, list) in resource.below.iter().zip(&record.below) {
            let found = below.resource.table == table || below.resource.below.iter().any(|b| b.resource.table == table);
            if let Some(first) = list.as_deref().unwrap_or_default().first().filter(|_| found) {
                return blamed(below.resource, first, table);
            }
        }
    }
    let id = match &record.values[own(resource)] {
        Value::Integer(id) => Some(*id),
        _ => None,
    };
    (resource, record.place, id)
}
