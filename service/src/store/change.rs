//! A write in progress.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
};

use generated_server::runtime::json::{self, Read, Write};
use jiff::Timestamp;

use super::{
    Error, Scope,
    export::key_below,
    ids, postgres,
    record::{Kind, Presence, Record, Resource},
    statement::{Dialect, Statement},
    text::{self, fold},
    value::{Row, Value, values},
    view::View,
};
use crate::domain::{
    caller::Actor,
    change::Subject,
    idempotency::{Done, IdempotencyKey},
    refusal::Refusal,
};

/// The columns of the audit log that a write sets.
const NOTED: [&str; 11] = [
    "tenant_id",
    "recorded_on",
    "kind",
    "record_id",
    "account_id",
    "token_id",
    "token_name",
    "assignee_id",
    "operation",
    "before",
    "after",
];

/// The context of a write: the open transaction, the tenant, the author and the time. Clones share it.
#[derive(Clone)]
pub(super) struct Change {
    pub(super) view: View,
    pub(super) actor: Actor,
    pub(super) now: Timestamp,
    /// Assigns ids on PostgreSQL.
    database: Option<postgres::Database>,
    /// The pending rows of the audit log.
    notes: Arc<Mutex<Vec<Vec<Value>>>>,
}

/// A reference by id or name in an input, which is replaced by the id that is found.
struct Reference<'r> {
    value: &'r mut Value,
    id_pointer: String,
    name_pointer: String,
    target: &'static Resource,
    id: Option<i64>,
    /// The id that is looked up: 0, which no record has, for an account that the caller may not see.
    sought: Option<i64>,
    name: Option<String>,
}

/// A reference to a record below another one, whose id is `owner`.
struct Place {
    pointer: String,
    target: &'static Resource,
    owner: i64,
    id: i64,
}

impl Change {
    pub(super) fn new(view: View, scope: &Scope, database: Option<postgres::Database>) -> Self {
        Self { view, actor: scope.actor.clone(), now: Timestamp::now(), database, notes: Arc::default() }
    }

    /// The number of the tenant, as it is stored.
    pub(super) fn tenant(&self) -> i32 {
        self.view.tenant.0
    }

    /// The number of the token that writes; `None` for commands and background work.
    pub(super) fn token(&self) -> Option<i32> {
        self.actor.token.as_ref().map(|(id, _)| *id)
    }

    /// Runs a statement.
    pub(super) async fn rows(&self, statement: Statement) -> Result<Vec<Row>, Error> {
        self.view.session.rows(statement).await
    }

    /// Runs statements.
    pub(super) async fn all(&self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, Error> {
        self.view.session.all(statements).await
    }

    /// Returns ids that no other record of the kind has had.
    pub(super) async fn ids(&self, kind: &'static str, count: usize) -> Result<Vec<i64>, Error> {
        let (tenant, count) = (self.view.tenant, i64::try_from(count).unwrap_or(i64::MAX));
        let Some(database) = &self.database else {
            let rows = self.rows(ids::take(tenant, kind, count)).await?;
            let first = ids::taken(&rows, kind, count)?;
            return Ok((first..first + count).collect());
        };
        let known = &self.view.shared.ids;
        let mut ids: Vec<i64> = known.left(tenant, kind, count).collect();
        let missing = count - i64::try_from(ids.len()).unwrap_or(0);
        if missing > 0 {
            let block = ids::block(missing);
            // A separate short transaction takes the ids, so that the row of the sequence is not locked until the write ends.
            let rows = database.apart_from_writes(tenant, ids::take(tenant, kind, block)).await?;
            let first = ids::taken(&rows, kind, block)?;
            ids.extend(first..first + missing);
            known.keep(tenant, kind, first + missing..first + block);
        }
        Ok(ids)
    }

    /// Returns one such id, for records with 32-bit ids.
    pub(super) async fn id(&self, kind: &'static str) -> Result<i32, Error> {
        let ids = self.ids(kind, 1).await?;
        let id = ids.first().and_then(|id| i32::try_from(*id).ok());
        id.ok_or_else(|| Error::Damaged(format!("there are no more numbers for {kind}")))
    }

    /// Reserves all ids up to this one.
    pub(super) async fn claim(&self, kind: &'static str, id: i64) -> Result<(), Error> {
        let claim = ids::claim(self.view.tenant, kind, id);
        match &self.database {
            None => self.rows(claim).await.map(drop),
            Some(database) => database.apart_from_writes(self.view.tenant, claim).await.map(drop),
        }
    }

    /// The statement that locks `what` for the tenant until the end of the write.
    pub(super) fn hold(&self, what: &str) -> Statement {
        let sql = "INSERT INTO sequences (tenant_id, name, next) VALUES ($1, $2, 1)
                   ON CONFLICT (tenant_id, name) DO UPDATE SET next = sequences.next";
        Statement::new(sql, values![self.tenant(), what])
    }

    /// Notes a change of a record for the audit log, unless the record is unchanged. It is written when the
    /// write ends.
    pub(super) fn note(&self, subject: &Subject, before: Option<String>, after: Option<String>) {
        if before == after {
            return;
        }
        let token = self.actor.token.as_ref();
        let values = values![
            self.tenant(),
            self.now,
            &*subject.kind,
            &*subject.record,
            subject.account,
            token.map(|(id, _)| *id),
            token.map(|(_, name)| &**name),
            self.actor.assignee,
            self.actor.operation,
            before,
            after,
        ];
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(values);
    }

    /// Discards the pending rows of the audit log.
    pub(super) fn forget_notes(&self) {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The statements that write the pending rows of the audit log.
    pub(super) fn notes(&self) -> Vec<Statement> {
        let notes = std::mem::take(&mut *self.notes.lock().unwrap_or_else(PoisonError::into_inner));
        if notes.is_empty() {
            return Vec::new();
        }
        // On PostgreSQL readers of the log number the committed changes, so that writers do not wait for each other.
        if self.view.session.dialect() == Dialect::Postgres {
            return Statement::insert(Dialect::Postgres, "audit_log", &NOTED, notes.iter().map(Vec::as_slice), "");
        }
        let places: Vec<_> = (1..=NOTED.len()).map(|position| format!("${position}")).collect();
        let sql = format!(
            "INSERT INTO audit_log ({}, sequence) VALUES ({}, 1 + coalesce((SELECT sequence FROM audit_log \
             WHERE tenant_id = $1 ORDER BY sequence DESC LIMIT 1), 0))",
            NOTED.join(", "),
            places.join(", ")
        );
        notes.into_iter().map(|values| Statement::new(sql.clone(), values)).collect()
    }

    /// Writes the pending rows of the audit log.
    pub(super) async fn finish(&self) -> Result<(), Error> {
        let notes = self.notes();
        if !notes.is_empty() {
            self.all(notes).await?;
        }
        Ok(())
    }

    /// Runs the work once per key: a repeated call returns the first result. Without a key, the work always
    /// runs.
    pub(super) async fn once<T: Read + Write, F: Future<Output = Result<T, Error>>>(
        self,
        key: Option<&IdempotencyKey>,
        work: impl FnOnce(Self) -> F,
    ) -> Result<Done<T>, Error> {
        let Some((key, token)) = key.zip(self.token()) else {
            return Ok(Done { value: work(self).await?, is_replayed: false });
        };
        // The row is inserted first: a request with the same key waits for it and finds the answer in it.
        let claim =
            "INSERT INTO idempotency_keys AS k (tenant_id, token_id, operation, key, request, answer, created_on)
                     VALUES ($1, $2, $3, $4, $5, '', $6)
                     ON CONFLICT (tenant_id, token_id, operation, key) DO UPDATE
                     SET request = excluded.request, answer = '', created_on = excluded.created_on
                     WHERE k.created_on < $7 RETURNING 1";
        let place = values![self.tenant(), token, self.actor.operation, &key.key];
        let claimed = [place.clone(), values![key.request.0, self.now, key.kept_since]].concat();
        let of_key = "tenant_id = $1 AND token_id = $2 AND operation = $3 AND key = $4";
        let known = format!("SELECT request, answer FROM idempotency_keys WHERE {of_key}");
        let statements = [Statement::new(claim, claimed), Statement::new(known, place.clone())];
        let [claimed, known] = self.view.session.run(statements).await?;
        if claimed.is_empty()
            && let Some(known) = known.first()
        {
            if known.get::<[u8; 32]>(0)? != key.request.0 {
                return Err(Error::KeyReused);
            }
            let value = json::from_slice(known.get::<String>(1)?.as_bytes())
                .map_err(|_| Error::Damaged("the store holds no proper JSON as the answer to a key".into()))?;
            return Ok(Done { value, is_replayed: true });
        }
        let value = work(self.clone()).await?;
        let sql = format!("UPDATE idempotency_keys SET answer = $5 WHERE {of_key}");
        self.rows(Statement::new(sql, [place, values![text::json(&value)]].concat())).await?;
        Ok(Done { value, is_replayed: false })
    }

    /// Writes a new record with its nested records, and assigns their ids.
    pub(super) async fn create(&self, resource: &'static Resource, record: Record) -> Result<Record, Error> {
        let mut records = [record];
        self.complete(resource, &mut records).await?;
        let [record] = records;
        let mut tables = Vec::new();
        by_table(resource, &record, &mut tables);
        let dialect = self.view.session.dialect();
        let statements = tables.iter().flat_map(|(table, records)| table.insert(dialect, self.tenant(), records));
        self.all(statements.collect()).await?;
        Ok(record)
    }

    /// Completes records and their nested records: missing ids, time and author.
    pub(super) async fn complete(&self, resource: &'static Resource, records: &mut [Record]) -> Result<(), Error> {
        let mut tables = Vec::new();
        for record in &*records {
            by_table(resource, record, &mut tables);
        }
        let mut wanted = Vec::new();
        for (resource, records) in tables {
            let own = resource.members.iter().position(|member| matches!(member.kind, Kind::Id));
            let is_missing = |record: &&&Record| own.is_some_and(|own| record.values[own] == Value::Null);
            wanted.push((resource.table, records.iter().filter(is_missing).count()));
        }
        let mut ids = BTreeMap::new();
        for (table, count) in wanted.into_iter().filter(|(_, count)| *count > 0) {
            ids.insert(table, self.ids(table, count).await?.into_iter());
        }
        records.iter_mut().try_for_each(|record| self.fill(resource, record, &[], &mut ids))
    }

    /// Checks all references of a record and adds a refusal for each that does not exist. Names are replaced
    /// by ids.
    pub(super) async fn check(
        &self,
        resource: &'static Resource,
        record: &mut Record,
        refusals: &mut Vec<Refusal>,
    ) -> Result<(), Error> {
        let (mut references, mut places) = (Vec::new(), Vec::new());
        self::references(&self.view, resource, record, "", (&mut references, &mut places));
        self.resolve(references, refusals).await?;
        for Place { pointer, target, owner, id } in places {
            let above = target.above().first().map_or("id", |member| member.column);
            let sql = format!("SELECT 1 FROM {} WHERE tenant_id = $1 AND {above} = $2 AND id = $3", target.table);
            if self.rows(Statement::new(sql, values![self.tenant(), owner, id])).await?.is_empty()
                && !refusals.iter().any(|refusal| refusal.code == "reference" && refusal.pointer == "/AccountId")
            {
                let detail = format!("is {id}, which is no {} of account {owner}", target.one);
                refusals.push(Refusal::new(pointer, "reference", detail));
            }
        }
        Ok(())
    }

    fn fill(
        &self,
        resource: &'static Resource,
        record: &mut Record,
        above: &[Value],
        ids: &mut BTreeMap<&'static str, std::vec::IntoIter<i64>>,
    ) -> Result<(), Error> {
        for (value, above) in record.values.iter_mut().zip(above) {
            value.clone_from(above);
        }
        for (member, value) in resource.members.iter().zip(&mut record.values) {
            if *value == Value::Null {
                *value = match (&member.kind, &member.presence) {
                    (Kind::Id, _) => {
                        let id = ids.get_mut(resource.table).and_then(Iterator::next);
                        let id = id.filter(|id| i32::try_from(*id).is_ok());
                        id.ok_or_else(|| Error::Damaged(format!("there are no more numbers for {}", resource.name)))?
                            .into()
                    }
                    (_, Presence::OtherwiseNow) => self.now.into(),
                    (_, Presence::OtherwiseWriter) => self.actor.assignee.into(),
                    _ => continue,
                };
            }
        }
        let key = key_below(resource, record);
        for (below, records) in resource.below.iter().zip(&mut record.below) {
            for record in records.iter_mut().flatten() {
                self.fill(below.resource, record, &key, ids)?;
            }
        }
        Ok(())
    }

    /// Replaces references by the ids that are found. Those that do not exist are added to the refusals.
    async fn resolve(&self, references: Vec<Reference<'_>>, refusals: &mut Vec<Refusal>) -> Result<(), Error> {
        let mut wanted: BTreeMap<&'static str, (BTreeSet<i64>, BTreeSet<String>)> = BTreeMap::new();
        for reference in references.iter().filter(|reference| reference.id.is_some() || reference.name.is_some()) {
            let (ids, names) = wanted.entry(reference.target.table).or_default();
            ids.extend(reference.sought);
            names.extend(reference.name.as_deref().map(fold));
        }
        let statements = wanted.iter().map(|(table, (ids, names))| self.lookup(table, ids, names)).collect();
        let mut found: BTreeMap<&'static str, Vec<(i64, Option<String>)>> = BTreeMap::new();
        for (table, rows) in wanted.keys().zip(self.all(statements).await?) {
            let rows = rows.iter().map(|row| Ok((row.get(0)?, row.get(1)?))).collect::<Result<_, Error>>()?;
            found.insert(table, rows);
        }
        for reference in references {
            let rows = found.get(reference.target.table).map(Vec::as_slice).unwrap_or_default();
            *reference.value = reference.found_in(rows, refusals).into();
        }
        Ok(())
    }

    /// The statement that selects records by their ids and folded names.
    fn lookup(&self, table: &str, ids: &BTreeSet<i64>, names: &BTreeSet<String>) -> Statement {
        let dialect = self.view.session.dialect();
        let by_id = dialect.among("id", "$2");
        let mut values = values![self.tenant(), serde_json::json!(ids).to_string()];
        if names.is_empty() {
            let sql = format!("SELECT id, NULL FROM {table} WHERE tenant_id = $1 AND {by_id}");
            return Statement::new(sql, values);
        }
        values.push(serde_json::json!(names).to_string().into());
        let by_name = dialect.among_texts("name_folded", "$3");
        let sql =
            format!("SELECT id, name_folded FROM {table} WHERE tenant_id = $1 AND ({by_id} OR {by_name}) ORDER BY id");
        Statement::new(sql, values)
    }
}

/// Adds a record and its nested records to the records of their tables.
fn by_table<'r>(
    resource: &'static Resource,
    record: &'r Record,
    tables: &mut Vec<(&'static Resource, Vec<&'r Record>)>,
) {
    match tables.iter_mut().find(|(table, _)| table.name == resource.name) {
        Some((_, records)) => records.push(record),
        None => tables.push((resource, vec![record])),
    }
    for (below, records) in resource.below.iter().zip(&record.below) {
        for record in records.iter().flatten() {
            by_table(below.resource, record, tables);
        }
    }
}

/// The id and the name of a reference; both may be given.
fn given(value: &Value) -> (Option<i64>, Option<&str>) {
    match value {
        Value::Integer(id) => (Some(*id), None),
        Value::Text(text) => match text.split_once('\0') {
            Some((id, name)) => (id.parse().ok(), Some(name)),
            None => (None, Some(text)),
        },
        _ => (None, None),
    }
}

/// Adds all references of a record and of its nested records.
fn references<'r>(
    view: &View,
    resource: &'static Resource,
    record: &'r mut Record,
    path: &str,
    found: (&mut Vec<Reference<'r>>, &mut Vec<Place>),
) {
    let (references, places) = found;
    let skipped = if path.is_empty() { 0 } else { resource.above };
    let mut before = None;
    for (member, value) in resource.members.iter().zip(&mut record.values).skip(skipped) {
        let (number, id_pointer) = (value.as_integer(), format!("{path}/{}", member.input));
        match member.kind {
            // A name takes the place of the id, after the id if both are given.
            Kind::Reference(target) => {
                let (id, name) = given(value);
                let name = name.map(str::to_owned);
                let named = resource.shown.iter().find(|shown| shown.is_name_of(member));
                let name_pointer = format!("{path}/{}", named.map_or(member.input, |named| named.name));
                // An account that the caller may not see does not exist for it.
                let is_seen = |id| i32::try_from(id).is_ok_and(|id| view.visible.includes(id));
                let sought = id.map(|id| if target.table == "accounts" && !is_seen(id) { 0 } else { id });
                references.push(Reference { value, id_pointer, name_pointer, target, id, sought, name });
            }
            Kind::Place(target) => {
                places.extend(number.zip(before).map(|(id, owner)| Place { pointer: id_pointer, target, owner, id }));
            }
            _ => {}
        }
        before = number;
    }
    for (below, records) in resource.below.iter().zip(&mut record.below) {
        for (at, record) in records.iter_mut().flatten().enumerate() {
            let path = format!("{path}/{}/{at}", below.name);
            self::references(view, below.resource, record, &path, (&mut *references, &mut *places));
        }
    }
}

impl Reference<'_> {
    /// Its id among the rows with ids and folded names.
    fn found_in(&self, rows: &[(i64, Option<String>)], refusals: &mut Vec<Refusal>) -> Option<i64> {
        let (id, what, is_there) =
            (self.id, self.target.one, |id: Option<i64>| rows.iter().any(|(found, _)| Some(*found) == id));
        let Some(name) = &self.name else {
            if let Some(id) = id.filter(|_| !is_there(self.sought)) {
                refusals.push(Refusal::reference(&self.id_pointer, what, id));
            }
            return id;
        };
        let folded = fold(name);
        let has_name = |(found, other): &&(i64, Option<String>)| {
            other.as_deref() == Some(folded.as_str()) && id.is_none_or(|id| *found == id)
        };
        let found = rows.iter().find(has_name).map(|(found, _)| *found);
        if found.is_none() {
            refusals.push(match id {
                Some(id) if !is_there(self.sought) => Refusal::reference(&self.id_pointer, what, id),
                Some(id) => {
                    let detail = format!("is `{name}`, which is not the name of {what} {id}");
                    Refusal::new(&self.name_pointer, "reference", detail)
                }
                None => Refusal::reference(&self.name_pointer, what, format!("`{name}`")),
            });
        }
        found
    }
}

/// Fails if there are refusals.
pub(super) fn accepted(refusals: Vec<Refusal>) -> Result<(), Error> {
    if refusals.is_empty() { Ok(()) } else { Err(Error::Refused(refusals)) }
}
