//! Writes the records of an import.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
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
        Kind, Place, Problem, RESOURCES, Record, Resource, Value,
        audited::{self, Owner, text},
    },
    statement::{Dialect, Statement, array, first},
    text::fold,
    value::values,
};
use crate::domain::job::LogLine;

/// The number of problems that are reported.
const MOST_PROBLEMS: usize = 100;

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
    let job = change.ids("jobs", 1).await?.first().copied().unwrap_or_default();
    change.rows(Statement::new("SAVEPOINT import", Vec::new())).await?;
    let loader = Loader {
        change: &change,
        tables: HashMap::new(),
        links: Vec::new(),
        known: HashMap::new(),
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

/// Writes a finished batch action and its log.
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
    /// Records with a parent of the same kind. Parents are written once all records are.
    links: Vec<Link>,
    /// The ids of existing records that may be parents, by resource.
    known: HashMap<&'static str, HashSet<i64>>,
    /// Records that existed before, in their earlier state, whose parents are not written yet.
    updated: Vec<(&'static Resource, Record, String)>,
    problems: Vec<Problem>,
}

/// The number of records in a table before, and the number written.
#[derive(Clone, Copy, Default)]
struct Table {
    before: u64,
    written: u64,
}

/// A record and its parent of the same kind.
struct Link {
    resource: &'static Resource,
    place: Place,
    id: i64,
    parent: i64,
    /// Whether it is not written yet, because the parent comes later.
    is_pending: bool,
}

/// The index of the key member that distinguishes a record from its siblings.
fn own(resource: &Resource) -> usize {
    resource.keys().last().map_or(0, |(position, _)| position)
}

/// Whether the keys of the parent records are texts.
fn is_text(resource: &Resource) -> bool {
    let owner = resource.above().last().map(|member| &member.kind);
    matches!(owner, Some(Kind::Reference(target)) if matches!(target.keys().last(), Some((_, key)) if matches!(key.kind, Kind::Digits | Kind::Text)))
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

    /// Writes top-level records and notes the changes.
    async fn put_all(&mut self, resource: &'static Resource, mut records: Vec<Record>) -> Result<(), Error> {
        self.open(resource).await?;
        self.change.complete(resource, &mut records).await?;
        let before = self.present(resource, &records).await?;
        let pending = self.pending(resource, &records, &before).await?;
        self.savepoint("records").await?;
        match self.put(resource, &records, &pending).await {
            Ok(()) => {}
            Err(error) if error.violation().is_some() => {
                self.rollback("records").await?;
                return self.put_apart(resource, &records).await;
            }
            Err(error) => return Err(error),
        }
        self.release("records").await?;
        if self.change.view.session.dialect() == Dialect::Postgres {
            self.change.rows(Statement::new("SELECT analyze_table($1)", values![resource.table])).await?;
        }
        self.note(resource, records, &before, &pending).await
    }

    /// The ids of records whose parents do not exist yet.
    async fn pending(
        &mut self,
        resource: &'static Resource,
        records: &[Record],
        before: &HashMap<String, String>,
    ) -> Result<HashSet<i64>, Error> {
        let Some(parent) = resource.parent() else { return Ok(HashSet::new()) };
        let id = own(resource);
        let parents: Vec<_> = records.iter().filter_map(|record| record.values[parent].as_integer()).collect();
        let known = self.known.entry(resource.name).or_default();
        if !before.is_empty() || !parents.is_empty() {
            let among = self.change.view.session.dialect().among("id", "$2");
            let sql = format!("SELECT id FROM {} WHERE tenant_id = $1 AND {among}", resource.table);
            let values = vec![self.change.tenant().into(), array(&parents)];
            for row in self.change.rows(Statement::new(sql, values)).await? {
                known.insert(row.get(0)?);
            }
        }
        let mut pending = HashSet::new();
        for record in records {
            let Some(id) = record.values[id].as_integer() else { continue };
            if record.values[parent].as_integer().is_some_and(|parent| !known.contains(&parent)) {
                pending.insert(id);
            }
            known.insert(id);
        }
        Ok(pending)
    }

    /// Writes records and their nested records.
    async fn put(
        &mut self,
        resource: &'static Resource,
        records: &[Record],
        pending: &HashSet<i64>,
    ) -> Result<(), Error> {
        let (tenant, dialect) = (self.change.tenant(), self.change.view.session.dialect());
        let mut alone = records.to_vec();
        if let Some(parent) = resource.parent() {
            for record in &mut alone {
                if record.values[own(resource)].as_integer().is_some_and(|id| pending.contains(&id)) {
                    record.values[parent] = Value::Null;
                }
            }
        }
        self.change.all(resource.put(dialect, tenant, &alone)).await?;
        let table = self.tables.entry(resource.name).or_default();
        table.written += records.len() as u64;
        for (place, below) in resource.below.iter().enumerate() {
            let lists: Vec<_> =
                records.iter().filter_map(|record| Some((record, record.below.get(place)?.as_ref()?))).collect();
            if lists.is_empty() {
                continue;
            }
            if self.tables.get(below.resource.name).is_some_and(|table| table.before > 0) {
                self.change.rows(self.remove_others(resource, below.resource, &lists)).await?;
            }
            let inside: Vec<Record> = lists.iter().flat_map(|(_, records)| records.iter().cloned()).collect();
            Box::pin(self.put(below.resource, &inside, &HashSet::new())).await?;
        }
        Ok(())
    }

    /// Writes records one by one, to find those that cannot be written.
    async fn put_apart(&mut self, resource: &'static Resource, records: &[Record]) -> Result<(), Error> {
        for record in records {
            if self.problems.len() >= MOST_PROBLEMS {
                return Ok(());
            }
            self.savepoint("record").await?;
            if !Box::pin(self.put_one(resource, record)).await? {
                self.rollback("record").await?;
            }
            self.release("record").await?;
        }
        Ok(())
    }

    /// Writes a record and its nested records one statement at a time. Returns false if one violates a
    /// constraint.
    async fn put_one(&mut self, resource: &'static Resource, record: &Record) -> Result<bool, Error> {
        let (tenant, dialect) = (self.change.tenant(), self.change.view.session.dialect());
        let mut alone = record.clone();
        if let Some(parent) = resource.parent() {
            alone.values[parent] = Value::Null;
        }
        let id = record.values[own(resource)].as_integer();
        for statement in resource.put(dialect, tenant, &[alone]) {
            let written = Written { resource, place: record.place, id, is_removal: false };
            if !self.try_write(statement, &written).await? {
                return Ok(false);
            }
        }
        for (below, records) in resource.below.iter().zip(&record.below) {
            let Some(records) = records else { continue };
            let removal = self.remove_others(resource, below.resource, &[(record, records)]);
            let written = Written { resource: below.resource, place: record.place, id: None, is_removal: true };
            if !self.try_write(removal, &written).await? {
                return Ok(false);
            }
            for record in records {
                if !Box::pin(self.put_one(below.resource, record)).await? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Runs a statement. Returns false, and notes the problem, if it violates a constraint.
    async fn try_write(&mut self, statement: Statement, written: &Written) -> Result<bool, Error> {
        match self.change.rows(statement).await {
            Ok(_) => Ok(true),
            Err(error) => match error.violation() {
                Some(violation) => {
                    self.refuse(written, violation);
                    Ok(false)
                }
                None => Err(error),
            },
        }
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

    /// Notes the number of records of a resource and its nested resources before the import.
    async fn open(&mut self, resource: &'static Resource) -> Result<(), Error> {
        if !self.tables.contains_key(resource.name) {
            if resource.table == "accounts" {
                // A PATCH that moves an account waits, because two moves together could make a cycle.
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

    /// The existing records with the same keys, as JSON.
    async fn present(&self, resource: &'static Resource, records: &[Record]) -> Result<HashMap<String, String>, Error> {
        if self.tables.get(resource.name).is_none_or(|table| table.before == 0) {
            return Ok(HashMap::new());
        }
        let found = export::present(&self.change.view, resource, records).await?;
        Ok(found.into_iter().map(|(key, record)| (key, text(resource, &record))).collect())
    }

    /// Removes nested records that the new lists do not contain.
    fn remove_others(&self, above: &Resource, resource: &Resource, lists: &[(&Record, &Vec<Record>)]) -> Statement {
        let dialect = self.change.view.session.dialect();
        let owner = resource.members[resource.above - 1].column;
        let own = resource.members[resource.above].column;
        let owners: Vec<_> =
            lists.iter().filter_map(|(record, _)| key_below(above, record).pop()).map(|key| key.to_string()).collect();
        let pair = |record: &Record| format!("{}/{}", record.values[resource.above - 1], record.values[resource.above]);
        let kept: Vec<_> = lists.iter().flat_map(|(_, records)| records.iter().map(pair)).collect();
        let numbers = owners.iter().all(|owner| owner.parse::<i32>().is_ok()) && !is_text(resource);
        let (owners, among) = if numbers {
            (array(&owners), dialect.among(owner, "$2"))
        } else {
            (serde_json::json!(owners).to_string().into(), dialect.among_texts(owner, "$2"))
        };
        let is_kept = dialect.among_texts(&format!("(CAST({owner} AS text) || '/' || CAST({own} AS text))"), "$3");
        let sql = format!("DELETE FROM {} WHERE tenant_id = $1 AND {among} AND NOT ({is_kept})", resource.table);
        let kept = serde_json::json!(kept).to_string();
        Statement::new(sql, vec![self.change.tenant().into(), owners, kept.into()])
    }

    /// Notes the changes of records, with their earlier states.
    async fn note(
        &mut self,
        resource: &'static Resource,
        records: Vec<Record>,
        before: &HashMap<String, String>,
        pending: &HashSet<i64>,
    ) -> Result<(), Error> {
        let mut left = Vec::new();
        for record in records {
            let parent = resource.parent().and_then(|position| record.values[position].as_integer());
            let id = record.values[own(resource)].as_integer();
            let is_linked = id.is_some_and(|id| pending.contains(&id));
            if let Some((parent, id)) = parent.zip(id) {
                self.links.push(Link { resource, place: record.place, id, parent, is_pending: is_linked });
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

    /// Notes the changes of records that existed before. Members that the import omits keep their values.
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
        let owner = audited::account(resource, record);
        let account = self.account(owner).await?;
        let earlier = before.as_deref().map(|before| audited::parsed(resource, before));
        let former = match earlier.as_ref().map(|earlier| audited::account(resource, earlier)) {
            Some(former) if resource.above == 0 && former != owner => self.account(former).await?,
            _ => account,
        };
        let (subject, before, after) = audited::change(resource, record, account, before, after);
        if former == account {
            self.change.note(&subject, before, after);
        } else {
            // For callers that see only one of the two accounts, the record disappears or appears.
            self.change.note(&subject.clone().of_account(former), before, None);
            self.change.note(&subject, None, after);
        }
        Ok(())
    }

    async fn account(&self, owner: Owner<'_>) -> Result<Option<i32>, Error> {
        match owner {
            Owner::None => Ok(None),
            Owner::Account(account) => Ok(Some(account)),
            Owner::Of(target, key) => {
                let sql = format!("SELECT account_id FROM {} WHERE tenant_id = $1 AND id = $2", target.table);
                let rows = self.change.rows(Statement::new(sql, vec![self.change.tenant().into(), key.clone()]));
                Ok(first::<Option<i32>>(&rows.await?)?.flatten())
            }
        }
    }

    /// Writes the parents and checks that no record is below itself.
    async fn link(&mut self) -> Result<(), Error> {
        let links = std::mem::take(&mut self.links);
        let tenant = self.change.tenant();
        for Link { resource, id, parent, place, .. } in links.iter().filter(|link| link.is_pending) {
            let table = resource.table;
            let sql = format!(
                "UPDATE {table} SET parent_id = $3 WHERE tenant_id = $1 AND id = $2
                 AND EXISTS (SELECT 1 FROM {table} AS p WHERE p.tenant_id = $1 AND p.id = $3) RETURNING id"
            );
            if self.change.rows(Statement::new(sql, values![tenant, *id, *parent])).await?.is_empty() {
                let detail = "refers to a record that is not there, or not any more".to_owned();
                self.refuse_parent(resource, *place, detail);
            }
        }
        for resource in RESOURCES {
            let links: Vec<_> = links.iter().filter(|link| link.resource.name == resource.name).collect();
            for links in links.chunks(256) {
                self.check_above(resource, links).await?;
            }
        }
        let mut updated = BTreeMap::new();
        for (resource, record, before) in std::mem::take(&mut self.updated) {
            updated.entry(resource.name).or_insert_with(|| (resource, Vec::new())).1.push((record, before));
        }
        for (resource, records) in updated.into_values() {
            for records in records.chunks(256) {
                self.note_updated(resource, records.to_vec()).await?;
            }
        }
        Ok(())
    }

    /// Notes the records that are below themselves or too deep.
    async fn check_above(&mut self, resource: &'static Resource, links: &[&Link]) -> Result<(), Error> {
        let (table, among) = (resource.table, self.change.view.session.dialect().among("id", "$2"));
        let sql = format!(
            "WITH RECURSIVE above (start, id, depth) AS (
                 SELECT id, parent_id, 1 FROM {table} WHERE tenant_id = $1 AND parent_id IS NOT NULL AND {among}
                 UNION ALL
                 SELECT a.start, t.parent_id, a.depth + 1 FROM above AS a
                 JOIN {table} AS t ON t.tenant_id = $1 AND t.id = a.id
                 WHERE t.parent_id IS NOT NULL AND a.id <> a.start AND a.depth < $3)
             SELECT start, max(CASE WHEN id = start THEN 1 ELSE 0 END) FROM above WHERE id = start OR depth >= $3
             GROUP BY start"
        );
        let ids: Vec<_> = links.iter().map(|link| link.id).collect();
        let values = vec![self.change.tenant().into(), array(&ids), account::DEPTH.into()];
        for row in self.change.rows(Statement::new(sql, values)).await? {
            let (id, is_circle): (i64, bool) = (row.get(0)?, row.get(1)?);
            let Some(Link { place, parent, .. }) = links.iter().find(|link| link.id == id) else { continue };
            let one = resource.one;
            let detail = if is_circle {
                format!("ParentId is {parent}, which is the {one} itself or stands below it")
            } else {
                format!("ParentId is {parent}, above which stand more than {} already", account::DEPTH - 1)
            };
            self.refuse_parent(resource, *place, detail);
        }
        Ok(())
    }

    fn refuse_parent(&mut self, resource: &'static Resource, place: Place, detail: String) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(Problem { place, resource: Some(resource.name), detail });
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
        if self.change.view.session.dialect() == Dialect::Sqlite {
            // Every table: an import may have filled it for the first time.
            self.change.view.session.batch("PRAGMA optimize = 0x10002").await?;
        }
        Ok(Outcome { counts, problems: Vec::new() })
    }

    async fn savepoint(&self, name: &str) -> Result<(), Error> {
        self.change.rows(Statement::new(format!("SAVEPOINT {name}"), Vec::new())).await.map(drop)
    }

    /// Rolls back to a savepoint and releases it.
    async fn rollback(&self, name: &str) -> Result<(), Error> {
        self.change.rows(Statement::new(format!("ROLLBACK TO SAVEPOINT {name}"), Vec::new())).await.map(drop)
    }

    async fn release(&self, name: &str) -> Result<(), Error> {
        self.change.rows(Statement::new(format!("RELEASE SAVEPOINT {name}"), Vec::new())).await.map(drop)
    }
}

/// The records that a statement writes.
#[derive(Clone, Copy)]
struct Written {
    resource: &'static Resource,
    place: Place,
    id: Option<i64>,
    /// Whether it removes records that a list omits.
    is_removal: bool,
}
