//! Writes the records of an import.

use std::{
    collections::{BTreeMap, HashMap},
    sync::mpsc::Receiver,
};

use super::{
    Error, account,
    change::Change,
    error::Violation,
    export::{self, among_keys, key, key_below},
    import::{Count, MOST_PROBLEMS, Outcome, Parcel},
    names::Names,
    record::{Origin, Problem, Record, Resource, Value, audited},
    resource::RESOURCES,
    statement::{Dialect, Statement, array},
    text::fold,
    value::values,
};
use crate::domain::job::LogLine;

/// Loads the records after a savepoint and rolls back to it if there are problems. The job and its log
/// remain.
pub(super) async fn run(
    change: Change,
    claims: BTreeMap<&'static str, i64>,
    parcels: Receiver<Parcel>,
    tell: impl FnOnce(&Outcome) -> Vec<LogLine>,
) -> Result<(i64, Outcome), Error> {
    for (table, id) in claims {
        change.claim(table, id).await?;
    }
    let job = change.number("jobs").await?;
    let change = change.in_bulk();
    let session = &change.session;
    session.batch("SAVEPOINT import").await?;
    let loader = Loader { change: &change, tables: HashMap::new(), links: Vec::new(), problems: Vec::new() };
    let outcome = loader.load(&parcels).await?;
    if !outcome.problems.is_empty() {
        drop(change.notes());
        session.batch("ROLLBACK TO SAVEPOINT import").await?;
    }
    session.batch("RELEASE SAVEPOINT import").await?;
    log(&change, job, &tell(&outcome)).await?;
    Ok((job, outcome))
}

/// Writes a finished batch action and its log.
async fn log(change: &Change, job: i64, lines: &[LogLine]) -> Result<(), Error> {
    let now = jiff::Timestamp::now();
    let sql = "INSERT INTO jobs (tenant_id, id, action, started_on, finished_on) VALUES ($1, $2, 'Import', $3, $4)";
    let mut statements = vec![Statement::new(sql, values![change.tenant.0, job, change.now, now])];
    let sql = "INSERT INTO job_logs (tenant_id, job_id, id, type, action, action_folded, message, date)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    statements.extend(lines.iter().map(|LogLine { severity, action, message }| {
        let id = uuid::Uuid::now_v7().into_bytes();
        let values = values![change.tenant.0, job, id, severity.number(), action, fold(action), message, now];
        Statement::new(sql, values)
    }));
    change.session.all(statements).await.map(drop)
}

struct Loader<'a> {
    change: &'a Change,
    tables: HashMap<&'static str, Table>,
    /// Records with a parent of the same kind, which may come later.
    links: Vec<Link>,
    problems: Vec<Problem>,
}

/// The number of records in a table before, the number written, and the number when the table was last analyzed.
struct Table {
    resource: &'static Resource,
    before: u64,
    written: u64,
    analyzed: u64,
}

/// A record and its parent of the same kind.
struct Link {
    resource: &'static Resource,
    origin: Origin,
    id: i64,
    parent: i64,
}

/// Statements that write records, or remove those that a list omits.
struct Step {
    statements: Vec<Statement>,
    resource: &'static Resource,
    /// The number of records that they write; 0 if they remove some.
    records: usize,
    /// The origin and the id of the first record.
    origin: Origin,
    id: Option<i64>,
}

/// The id that distinguishes a record from its siblings.
fn own_id(resource: &Resource, record: &Record) -> Option<i64> {
    resource.keys().last().and_then(|(position, _)| record.values[position].as_integer())
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
            for resource in RESOURCES {
                self.check_parents(resource).await?;
            }
        }
        self.finish().await
    }

    /// Writes records and notes the changes.
    async fn put_all(&mut self, resource: &'static Resource, mut records: Vec<Record>) -> Result<(), Error> {
        let change = self.change;
        let session = &change.session;
        self.open(resource).await?;
        for record in &mut records {
            change.complete(resource, record, &[]).await?;
        }
        let before = self.present(resource, &records).await?;
        let mut steps = Vec::new();
        self.steps(resource, &records.iter().collect::<Vec<_>>(), false, &mut steps);
        for step in &steps {
            if let Some(table) = self.tables.get_mut(step.resource.name) {
                table.written += step.records as u64;
            }
        }
        session.batch("SAVEPOINT records").await?;
        match session.all(steps.into_iter().flat_map(|step| step.statements).collect()).await {
            Ok(_) => session.batch("RELEASE SAVEPOINT records").await?,
            Err(error) if error.violation().is_some() => {
                session.batch("ROLLBACK TO SAVEPOINT records").await?;
                return self.put_apart(resource, &records).await;
            }
            Err(error) => return Err(error),
        }
        if session.dialect() == Dialect::Postgres {
            self.analyze().await?;
        }
        self.note(resource, &records, &before).await
    }

    /// Analyzes tables that have doubled, for the plans of the next statements.
    async fn analyze(&mut self) -> Result<(), Error> {
        for table in self.tables.values_mut() {
            let rows = table.before + table.written;
            if rows > 2 * table.analyzed {
                let sql = "SELECT analyze_table($1)";
                self.change.rows(Statement::new(sql, values![table.resource.table])).await?;
                table.analyzed = rows;
            }
        }
        Ok(())
    }

    /// Writes records one by one, to find those that violate a constraint.
    async fn put_apart(&mut self, resource: &'static Resource, records: &[Record]) -> Result<(), Error> {
        let change = self.change;
        for record in records {
            if self.problems.len() >= MOST_PROBLEMS {
                return Ok(());
            }
            let mut steps = Vec::new();
            self.steps(resource, &[record], true, &mut steps);
            change.session.batch("SAVEPOINT record").await?;
            for Step { statements, resource, records, origin, id } in steps {
                let Err(error) = change.session.all(statements).await else { continue };
                let Some(violation) = error.violation() else { return Err(error) };
                let detail = match (violation, id) {
                    (Violation::Reference, _) if records == 0 => {
                        format!("leaves out a {} that other records belong to", resource.one)
                    }
                    (Violation::Reference, _) => "refers to a record that is not there, or not any more".to_owned(),
                    (Violation::Key, Some(id)) => format!("Id is {id}, and there is such a {} elsewhere", resource.one),
                    (Violation::Key, None) => format!("there is such a {} already", resource.one),
                };
                self.problems.push(Problem { origin, resource: Some(resource.name), detail });
                change.session.batch("ROLLBACK TO SAVEPOINT record").await?;
                break;
            }
            change.session.batch("RELEASE SAVEPOINT record").await?;
        }
        Ok(())
    }

    /// Adds the steps that write records and their nested records; if `is_apart`, one for each record.
    fn steps(&self, resource: &'static Resource, records: &[&Record], is_apart: bool, steps: &mut Vec<Step>) {
        let dialect = self.change.session.dialect();
        for some in records.chunks(if is_apart { 1 } else { records.len().max(1) }) {
            let (origin, id, records) = (some[0].origin, own_id(resource, some[0]), some.len());
            let statements = resource.put(dialect, self.change.tenant.0, some);
            steps.push(Step { statements, resource, records, origin, id });
        }
        for (position, below) in resource.below.iter().enumerate() {
            let (mut owners, mut inside) = (Vec::new(), Vec::new());
            for record in records {
                if let Some(list) = record.below.get(position).and_then(Option::as_deref) {
                    owners.push(key_below(resource, record));
                    inside.extend(list);
                }
            }
            let below = below.resource;
            if self.tables.get(below.name).is_some_and(|table| table.before > 0) && !owners.is_empty() {
                let statements = vec![self.remove_others(below, &owners, &inside)];
                steps.push(Step { statements, resource: below, records: 0, origin: records[0].origin, id: None });
            }
            self.steps(below, &inside, is_apart, steps);
        }
    }

    /// Removes the nested records of owners with these keys, except the new ones.
    fn remove_others(&self, resource: &Resource, owners: &[Vec<Value>], new: &[&Record]) -> Statement {
        let dialect = self.change.session.dialect();
        let (owner, own) = (resource.members[resource.above - 1].column, resource.members[resource.above].column);
        let pair =
            |record: &&Record| format!("{}/{}", record.values[resource.above - 1], record.values[resource.above]);
        let is_kept = dialect.among_texts(&format!("(CAST({owner} AS text) || '/' || CAST({own} AS text))"), "$3");
        // The cast keeps the second list away from the index: the database would look up each pair.
        let outermost: Vec<Value> = owners.iter().filter_map(|key| key.first().cloned()).collect();
        let (of_outermost, outermost) = among_keys(dialect, resource.members[0].column, &outermost);
        let of_owners = dialect.among_texts(&format!("CAST({owner} AS text)"), "$4");
        let owners = array(owners.iter().filter_map(|key| key.last().map(Value::to_string)));
        let sql = format!(
            "DELETE FROM {} WHERE tenant_id = $1 AND {of_outermost} AND {of_owners} AND NOT ({is_kept})",
            resource.table
        );
        Statement::new(sql, values![self.change.tenant.0, outermost, array(new.iter().map(pair)), owners])
    }

    /// Notes the number of records of a resource and its nested resources before the import.
    async fn open(&mut self, resource: &'static Resource) -> Result<(), Error> {
        if !self.tables.contains_key(resource.name) {
            if resource.table == "accounts" {
                // A PATCH that moves an account waits, because two moves together could make a cycle.
                self.change.rows(self.change.hold(account::TREE)).await?;
            }
            let before = self.count(resource).await?;
            self.tables.insert(resource.name, Table { resource, before, written: 0, analyzed: 0 });
        }
        for below in resource.below {
            Box::pin(self.open(below.resource)).await?;
        }
        Ok(())
    }

    async fn count(&self, resource: &Resource) -> Result<u64, Error> {
        let sql = format!("SELECT count(*) FROM {} WHERE tenant_id = $1", resource.table);
        Ok(self.change.session.first(Statement::new(sql, values![self.change.tenant.0])).await?.unwrap_or(0))
    }

    /// The existing records with the same keys.
    async fn present(&self, resource: &'static Resource, records: &[Record]) -> Result<HashMap<String, Record>, Error> {
        if records.is_empty() || self.tables.get(resource.name).is_none_or(|table| table.before == 0) {
            return Ok(HashMap::new());
        }
        export::present(&self.change.view, resource, records).await
    }

    /// Notes the changes of records, with their earlier states, and their parents.
    async fn note(
        &mut self,
        resource: &'static Resource,
        records: &[Record],
        before: &HashMap<String, Record>,
    ) -> Result<(), Error> {
        // Lists that the import omits are kept.
        let after = if before.is_empty() { HashMap::new() } else { self.present(resource, records).await? };
        for record in records {
            let (key, origin, id) = (key(resource, record), record.origin, own_id(resource, record));
            let parent = resource.parent().and_then(|position| record.values[position].as_integer());
            self.links.extend(id.zip(parent).map(|(id, parent)| Link { resource, origin, id, parent }));
            let before = before.get(&key);
            let after = before.and(after.get(&key)).unwrap_or(record);
            self.note_record(resource, before, after).await?;
        }
        self.change.finish().await
    }

    async fn note_record(
        &self,
        resource: &'static Resource,
        before: Option<&Record>,
        after: &Record,
    ) -> Result<(), Error> {
        let owner = audited::owner(resource);
        let account = self.account(owner, after).await?;
        let is_moved = |before: &&Record| {
            resource.above == 0 && owner.is_some_and(|(position, _)| before.values[position] != after.values[position])
        };
        let former = match before.filter(is_moved) {
            Some(before) => self.account(owner, before).await?,
            None => account,
        };
        let subject = audited::subject(resource, after);
        let (before, after) = (audited::text(resource, before), audited::text(resource, Some(after)));
        if former == account {
            self.change.note(&subject.of_account(account), before, after);
        } else {
            // For callers that see only one of the two accounts, the record disappears or appears.
            self.change.note(&subject.clone().of_account(former), before, None);
            self.change.note(&subject.of_account(account), None, after);
        }
        Ok(())
    }

    /// The account of a record: the owner, or that of the owner.
    async fn account(&self, owner: Option<(usize, &Resource)>, record: &Record) -> Result<Option<i32>, Error> {
        let Some((position, target)) = owner else { return Ok(None) };
        let key = record.values[position].clone();
        if target.table == "accounts" {
            return key.read();
        }
        let sql = format!("SELECT account_id FROM {} WHERE tenant_id = $1 AND id = $2", target.table);
        self.change.session.first(Statement::new(sql, values![self.change.tenant.0, key])).await
    }

    /// Notes the records whose parents do not exist, or that are below themselves or too deep.
    async fn check_parents(&mut self, resource: &'static Resource) -> Result<(), Error> {
        let (table, dialect) = (resource.table, self.change.session.dialect());
        let (among, is_given) = (dialect.among("id", "$2"), dialect.among("t.id", "$2"));
        let sql = format!(
            "WITH RECURSIVE above (start, id, depth) AS (
                 SELECT id, parent_id, 1 FROM {table} WHERE tenant_id = $1 AND parent_id IS NOT NULL AND {among}
                 UNION ALL
                 SELECT a.start, t.parent_id, a.depth + 1 FROM above AS a
                 JOIN {table} AS t ON t.tenant_id = $1 AND t.id = a.id
                 WHERE t.parent_id IS NOT NULL AND a.id <> a.start AND a.depth < $3),
             below (start, id, height) AS (
                 SELECT id, id, 1 FROM {table} WHERE tenant_id = $1 AND parent_id IS NOT NULL AND {among}
                 UNION ALL
                 SELECT b.start, t.id, b.height + 1 FROM below AS b
                 JOIN {table} AS t ON t.tenant_id = $1 AND t.parent_id = b.id
                 WHERE NOT ({is_given}) AND b.height < $3)
             SELECT a.start, max(CASE WHEN a.id = a.start THEN 2 WHEN a.depth + b.height > $3 THEN 1 ELSE 0 END)
             FROM above AS a JOIN (SELECT start, max(height) AS height FROM below GROUP BY start) AS b ON b.start = a.start
             LEFT JOIN {table} AS t ON t.tenant_id = $1 AND t.id = a.id
             WHERE a.id = a.start OR a.depth + b.height > $3 OR a.depth = 1 AND t.id IS NULL GROUP BY a.start"
        );
        let links: Vec<_> = self.links.iter().filter(|link| link.resource.name == resource.name).collect();
        for links in links.chunks(256) {
            let ids = array(links.iter().map(|link| link.id));
            let values = values![self.change.tenant.0, ids, account::DEPTH];
            for row in self.change.rows(Statement::new(sql.clone(), values)).await? {
                let (id, problem): (i64, i64) = (row.get(0)?, row.get(1)?);
                let Some(Link { origin, parent, .. }) = links.iter().find(|link| link.id == id) else { continue };
                let one = resource.one;
                let detail = match problem {
                    2 => format!("ParentId is {parent}, which is the {one} itself or stands below it"),
                    1 => format!("ParentId is {parent}, below which it cannot stand: {} deep at most", account::DEPTH),
                    _ => "refers to a record that is not there, or not any more".to_owned(),
                };
                if self.problems.len() < MOST_PROBLEMS {
                    self.problems.push(Problem { origin: *origin, resource: Some(resource.name), detail });
                }
            }
        }
        Ok(())
    }

    async fn finish(mut self) -> Result<Outcome, Error> {
        if !self.problems.is_empty() {
            self.problems.sort_by_key(|problem| problem.origin);
            return Ok(Outcome { counts: Vec::new(), problems: self.problems });
        }
        let mut counts = Vec::new();
        for resource in RESOURCES {
            if let Some(table) = self.tables.get(resource.name).filter(|table| table.written > 0) {
                let new = self.count(resource).await?.saturating_sub(table.before);
                counts.push(Count { resource: resource.name, loaded: table.written, new });
            }
        }
        self.change.rows(Names::changed(self.change.tenant)).await?;
        if self.change.session.dialect() == Dialect::Sqlite {
            // Every table: an import may have filled it for the first time.
            self.change.session.batch("PRAGMA optimize = 0x10002").await?;
        }
        Ok(Outcome { counts, problems: Vec::new() })
    }
}
