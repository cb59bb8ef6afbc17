//! Writing what an import brings.

use std::{
    collections::{BTreeMap, HashMap},
    sync::mpsc::Receiver,
};

use super::{
    Error, account,
    change::Change,
    error::Violation,
    export::{self, key, key_below},
    import::{Count, Outcome, Parcel},
    names::Names,
    record::{
        Kind, Place, Presence, Problem, RESOURCES, Record, Resource, Value,
        audited::{self, Owner, text},
    },
    sql::fold,
    statement::{Dialect, Statement, array, first},
    value::values,
};
use crate::domain::job::LogLine;

/// Problems that are reported; a file with more than that has one kind of problem.
const MOST_PROBLEMS: usize = 100;

/// Loads what comes behind a savepoint, to which it goes back if there are problems; the job and its log stay.
pub(super) async fn run(
    change: Change,
    claims: BTreeMap<&'static str, i64>,
    parcels: Receiver<Parcel>,
    tell: impl FnOnce(&Outcome) -> Vec<LogLine>,
) -> Result<(i64, Outcome), Error> {
    for (table, id) in claims {
        change.claim(table, id).await?;
    }
    let job = change.ids("jobs", 1).await?.first().copied().unwrap_or_default();
    change.rows(Statement::new("SAVEPOINT import", Vec::new())).await?;
    let loader = Loader {
        change: &change,
        tables: HashMap::new(),
        links: Vec::new(),
        updated: Vec::new(),
        problems: Vec::new(),
    };
    let outcome = loader.load(&parcels).await?;
    if !outcome.problems.is_empty() {
        change.forget_notes();
        change.rows(Statement::new("ROLLBACK TO SAVEPOINT import", Vec::new())).await?;
    }
    change.rows(Statement::new("RELEASE SAVEPOINT import", Vec::new())).await?;
    log(&change, job, &tell(&outcome)).await?;
    Ok((job, outcome))
}

/// Writes a batch action that has ended, and its log.
async fn log(change: &Change, job: i64, lines: &[LogLine]) -> Result<(), Error> {
    let now = jiff::Timestamp::now();
    let sql = "INSERT INTO jobs (tenant_id, id, action, started_on, finished_on) VALUES ($1, $2, 'Import', $3, $4)";
    let mut statements = vec![Statement::new(sql, values![change.tenant(), job, change.now, now])];
    for line in lines {
        let sql = "INSERT INTO job_logs (tenant_id, job_id, id, type, action, action_folded, message, date)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        let id = uuid::Uuid::now_v7().into_bytes();
        let (kind, action, message) = (line.severity.number(), &line.action, &line.message);
        let values = values![change.tenant(), job, id, kind, action, fold(action), message, now];
        statements.push(Statement::new(sql, values));
    }
    change.all(statements).await?;
    Ok(())
}

struct Loader<'a> {
    change: &'a Change,
    tables: HashMap<&'static str, Table>,
    /// Records that name a parent of their own kind: it is written when all of them are there.
    links: Vec<Link>,
    /// Records that were there before, as they were, whose parents are still to be written.
    updated: Vec<(&'static Resource, Record, String)>,
    problems: Vec<Problem>,
}

/// How many records a table had before, and how many have been written.
#[derive(Clone, Copy, Default)]
struct Table {
    before: u64,
    written: u64,
}

/// A record and the one of the same kind that it stands below.
struct Link {
    resource: &'static Resource,
    place: Place,
    id: i64,
    parent: i64,
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
        self.complete(resource, &mut records, &[]).await?;
        let before = self.present(resource, &records).await?;
        let mut statements = Vec::new();
        for record in &records {
            let is_new = !before.contains_key(&key(resource, record));
            self.put(resource, record, is_new, &mut statements);
        }
        self.savepoint("records").await?;
        let all = statements.iter().map(|(_, statement)| statement.clone()).collect();
        match self.change.all(all).await {
            Ok(_) => {}
            Err(error) if error.violation().is_some() => {
                self.rollback("records").await?;
                return self.put_apart(statements).await;
            }
            Err(error) => return Err(error),
        }
        self.release("records").await?;
        for (written, _) in statements {
            self.tables.entry(written.resource.name).or_default().written += u64::from(!written.is_removal);
        }
        if self.change.view.session.dialect() == Dialect::Postgres {
            self.change.rows(Statement::new("SELECT analyze_table($1)", values![resource.table])).await?;
        }
        self.note(resource, records, &before).await
    }

    /// Writes records one by one, to tell which of them cannot be written.
    async fn put_apart(&mut self, statements: Vec<(Written, Statement)>) -> Result<(), Error> {
        let mut is_refused = false;
        for (written, statement) in statements {
            if self.problems.len() >= MOST_PROBLEMS {
                return Ok(());
            }
            // What stands inside of a record that is refused is refused with it.
            is_refused &= written.resource.above > 0;
            if is_refused {
                continue;
            }
            self.savepoint("record").await?;
            if let Err(error) = self.change.rows(statement).await {
                let Some(violation) = error.violation() else { return Err(error) };
                self.rollback("record").await?;
                self.refuse(&written, violation);
                is_refused = true;
            }
            self.release("record").await?;
        }
        Ok(())
    }

    fn refuse(&mut self, written: &Written, violation: Violation) {
        let Written { resource, place, id, is_removal } = written;
        let detail = match (violation, id) {
            (Violation::Reference, _) if *is_removal => {
                format!("leaves out a {} that other records belong to", resource.one)
            }
            (Violation::Reference, _) => "refers to a record that is not there, or not any more".to_owned(),
            (Violation::Key, Some(id)) => format!("Id is {id}, and there is such a {} elsewhere", resource.one),
            (Violation::Key, None) => format!("there is such a {} already", resource.one),
        };
        self.problems.push(Problem { place: *place, resource: Some(resource.name), detail });
    }

    /// Notes how many records a resource, and those that stand inside of it, have before anything is written.
    async fn open(&mut self, resource: &'static Resource) -> Result<(), Error> {
        if !self.tables.contains_key(resource.name) {
            if resource.table == "accounts" {
                // A PATCH that moves an account waits: two moves could make a circle together.
                self.change.rows(self.change.hold(account::TREE)).await?;
            }
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
        Ok(first(&self.change.rows(Statement::new(sql, values![self.change.tenant()])).await?)?.unwrap_or(0))
    }

    /// Gives records what they have none of: a number, and the moment of the import.
    async fn complete(
        &self,
        resource: &'static Resource,
        records: &mut [Record],
        above: &[Value],
    ) -> Result<(), Error> {
        let without = |(_, member): &(usize, &super::record::Member)| matches!(member.kind, Kind::Id);
        let id = resource.members.iter().enumerate().find(without).map(|(position, _)| position);
        let missing = records.iter().filter(|record| id.is_some_and(|id| record.values[id] == Value::Null)).count();
        let mut ids =
            if missing > 0 { self.change.ids(resource.table, missing).await? } else { Vec::new() }.into_iter();
        for record in records {
            for (value, above) in record.values.iter_mut().zip(above) {
                value.clone_from(above);
            }
            for (position, (member, value)) in resource.members.iter().zip(&mut record.values).enumerate() {
                if *value == Value::Null {
                    if id == Some(position) {
                        *value = ids.next().into();
                    } else if let Presence::OtherwiseNow = member.presence {
                        *value = self.change.now.into();
                    }
                }
            }
            let key = key_below(resource, record);
            for (below, records) in resource.below.iter().zip(&mut record.below) {
                if let Some(records) = records {
                    Box::pin(self.complete(below.resource, records, &key)).await?;
                }
            }
        }
        Ok(())
    }

    /// The records that are there with the keys of these, as JSON.
    async fn present(&self, resource: &'static Resource, records: &[Record]) -> Result<HashMap<String, String>, Error> {
        if self.tables.get(resource.name).is_none_or(|table| table.before == 0) {
            return Ok(HashMap::new());
        }
        let found = export::present(&self.change.view, resource, records).await?;
        Ok(found.into_iter().map(|(key, record)| (key, text(resource, &record))).collect())
    }

    /// Adds what writes a record, and all that stands inside of it. Of a record that is new, nothing has to be removed.
    fn put(
        &self,
        resource: &'static Resource,
        record: &Record,
        is_new: bool,
        statements: &mut Vec<(Written, Statement)>,
    ) {
        let tenant = self.change.tenant();
        let id = resource.keys().last().and_then(|(position, _)| record.values[position].as_integer());
        let written = Written { resource, place: record.place, id, is_removal: false };
        let mut alone = record.clone();
        if let Some(parent) = resource.parent() {
            alone.values[parent] = Value::Null;
        }
        statements.push((written, resource.put(tenant, &alone)));
        let above = key_below(resource, record);
        for (below, records) in resource.below.iter().zip(&record.below) {
            let Some(records) = records else { continue };
            if !is_new {
                let removal = Written { resource: below.resource, place: record.place, id: None, is_removal: true };
                statements.push((removal, self.remove_others(below.resource, &above, records)));
            }
            for record in records {
                self.put(below.resource, record, is_new, statements);
            }
        }
    }

    /// Removes what stands below the record with the key `above`, except for these records.
    fn remove_others(&self, resource: &Resource, above: &[Value], kept: &[Record]) -> Statement {
        let own = resource.above;
        let kept: Vec<_> = kept.iter().filter_map(|record| record.values[own].as_integer()).collect();
        let mut values = vec![self.change.tenant().into(), array(&kept)];
        let mut condition = String::new();
        for (member, value) in resource.above().iter().zip(above) {
            values.push(value.clone());
            condition.push_str(&format!(" AND {} = ${}", member.column, values.len()));
        }
        let among = self.change.view.session.dialect().among(resource.members[own].column, "$2");
        let sql = format!("DELETE FROM {} WHERE tenant_id = $1 AND NOT ({among}){condition}", resource.table);
        Statement::new(sql, values)
    }

    /// Notes records that were written, and were this before.
    async fn note(
        &mut self,
        resource: &'static Resource,
        records: Vec<Record>,
        before: &HashMap<String, String>,
    ) -> Result<(), Error> {
        let mut left = Vec::new();
        for record in records {
            let parent = resource.parent().and_then(|position| record.values[position].as_integer());
            let id = resource.keys().last().and_then(|(position, _)| record.values[position].as_integer());
            let is_linked = parent.is_some();
            if let Some((parent, id)) = parent.zip(id) {
                self.links.push(Link { resource, place: record.place, id, parent });
            }
            match before.get(&key(resource, &record)) {
                None => self.note_record(resource, &record, None, text(resource, &record)).await?,
                Some(before) if is_linked => self.updated.push((resource, record, before.clone())),
                Some(before) => left.push((record, before.clone())),
            }
        }
        self.note_updated(resource, left).await?;
        self.change.finish().await
    }

    /// Notes records that were there before. What the import leaves out of them stays there.
    async fn note_updated(&self, resource: &'static Resource, records: Vec<(Record, String)>) -> Result<(), Error> {
        let (records, before): (Vec<_>, Vec<_>) = records.into_iter().unzip();
        let after = self.present(resource, &records).await?;
        for (record, before) in records.iter().zip(before) {
            let after = after.get(&key(resource, record)).cloned().unwrap_or_default();
            self.note_record(resource, record, Some(before), after).await?;
        }
        Ok(())
    }

    async fn note_record(
        &self,
        resource: &'static Resource,
        record: &Record,
        before: Option<String>,
        after: String,
    ) -> Result<(), Error> {
        let account = match audited::account(resource, record) {
            Owner::None => None,
            Owner::Account(account) => Some(account),
            Owner::Of(target, key) => {
                let sql = format!("SELECT account_id FROM {} WHERE tenant_id = $1 AND id = $2", target.table);
                let rows = self.change.rows(Statement::new(sql, vec![self.change.tenant().into(), key.clone()]));
                first::<Option<i32>>(&rows.await?)?.flatten()
            }
        };
        let (subject, before, after) = audited::change(resource, record, account, before, after);
        self.change.note(&subject, before, after);
        Ok(())
    }

    /// Writes the parents, and sees to it that nothing stands below itself.
    async fn link(&mut self) -> Result<(), Error> {
        let links = std::mem::take(&mut self.links);
        let tenant = self.change.tenant();
        for links in links.chunks(256) {
            let set = links.iter().map(|Link { resource, id, parent, .. }| {
                let table = resource.table;
                let sql = format!(
                    "UPDATE {table} SET parent_id = $3 WHERE tenant_id = $1 AND id = $2
                     AND EXISTS (SELECT 1 FROM {table} AS p WHERE p.tenant_id = $1 AND p.id = $3) RETURNING id"
                );
                Statement::new(sql, values![tenant, *id, *parent])
            });
            let set = self.change.all(set.collect()).await?;
            for (link, set) in links.iter().zip(set) {
                if set.is_empty() {
                    self.refuse_parent(link, "refers to a record that is not there, or not any more".to_owned());
                }
            }
        }
        for links in links.chunks(256) {
            let above = links.iter().map(|link| account::above(link.resource.table, tenant, link.parent, link.id));
            let above = self.change.all(above.collect()).await?;
            for (link, above) in links.iter().zip(above) {
                let (parent, one) = (link.parent, link.resource.one);
                match first::<Option<i64>>(&above)?.flatten() {
                    Some(1) => self.refuse_parent(
                        link,
                        format!("ParentId is {parent}, which is the {one} itself or stands below it"),
                    ),
                    Some(2) => self.refuse_parent(
                        link,
                        format!("ParentId is {parent}, and more than {} stand above each other", account::DEPTH),
                    ),
                    _ => {}
                }
            }
        }
        let mut updated: BTreeMap<&'static str, (&'static Resource, Vec<(Record, String)>)> = BTreeMap::new();
        for (resource, record, before) in std::mem::take(&mut self.updated) {
            updated.entry(resource.name).or_insert((resource, Vec::new())).1.push((record, before));
        }
        for (resource, records) in updated.into_values() {
            for records in records.chunks(256) {
                self.note_updated(resource, records.to_vec()).await?;
            }
        }
        Ok(())
    }

    fn refuse_parent(&mut self, link: &Link, detail: String) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(Problem { place: link.place, resource: Some(link.resource.name), detail });
        }
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
        self.change.rows(Names::changed(self.change.view.tenant)).await?;
        Ok(Outcome { counts, problems: Vec::new() })
    }

    async fn savepoint(&self, name: &str) -> Result<(), Error> {
        self.change.rows(Statement::new(format!("SAVEPOINT {name}"), Vec::new())).await.map(drop)
    }

    /// Goes back to a savepoint, and leaves it.
    async fn rollback(&self, name: &str) -> Result<(), Error> {
        self.change.rows(Statement::new(format!("ROLLBACK TO SAVEPOINT {name}"), Vec::new())).await.map(drop)
    }

    async fn release(&self, name: &str) -> Result<(), Error> {
        self.change.rows(Statement::new(format!("RELEASE SAVEPOINT {name}"), Vec::new())).await.map(drop)
    }
}

/// What a statement writes.
#[derive(Clone, Copy)]
struct Written {
    resource: &'static Resource,
    place: Place,
    id: Option<i64>,
    /// It removes what a list leaves out.
    is_removal: bool,
}
