//! A write in progress.

mod reference;

use std::{ops::Deref, sync::Arc};

use futures_util::{FutureExt as _, future::BoxFuture};
use generated_server::runtime::json::{self, Read, Write};
use jiff::Timestamp;
use parking_lot::Mutex;

use super::{
    Error, Scope,
    export::key_below,
    ids::{self, Ids},
    postgres,
    record::{Kind, Presence, Record, Resource},
    statement::{Dialect, Statement, first, placeholders},
    text,
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
const NOTED: &str = "tenant_id, recorded_on, kind, record_id, account_id, token_id, token_name, assignee_id, operation, \
                     before, after";

/// The context of a write: the open transaction, the tenant, the author and the time. Clones share it.
#[derive(Clone)]
pub(super) struct Change {
    pub(super) view: View,
    pub(super) actor: Actor,
    pub(super) now: Timestamp,
    /// Allocates ids on PostgreSQL.
    database: Option<postgres::Database>,
    /// Allocated, unused ids: those of the process on PostgreSQL, those of the write on SQLite.
    ids: Arc<Ids>,
    /// Number of ids allocated at once.
    block: i64,
    /// The pending rows of the audit log.
    notes: Arc<Mutex<Vec<Vec<Value>>>>,
}

impl Deref for Change {
    type Target = View;

    fn deref(&self) -> &View {
        &self.view
    }
}

impl Change {
    pub(super) fn new(view: View, scope: &Scope, database: Option<postgres::Database>) -> Self {
        let (ids, block) = match &database {
            Some(_) => (Arc::clone(&scope.caches.ids), ids::BLOCK),
            None => (Arc::default(), 1),
        };
        let (actor, now) = (scope.actor.clone(), Timestamp::now());
        Self { view, actor, now, database, ids, block, notes: Arc::default() }
    }

    /// The same for many records: allocates ids in blocks. The unused ones are lost.
    pub(super) fn in_bulk(self) -> Self {
        Self { block: ids::BLOCK, ..self }
    }

    /// The number of the token that writes; `None` for commands and background work.
    pub(super) fn token(&self) -> Option<i32> {
        self.actor.token.as_ref().map(|(id, _)| *id)
    }

    /// Returns a number that no other record of the kind has had.
    pub(super) async fn number(&self, kind: &'static str) -> Result<i64, Error> {
        if let Some(number) = self.ids.next(self.tenant, kind) {
            return Ok(number);
        }
        let next: Option<i64> = first(&self.apart(ids::take(self.tenant, kind, self.block)).await?)?;
        let next = next.ok_or_else(|| Error::Damaged(format!("there is no id for {kind}")))?;
        self.ids.keep(self.tenant, kind, next - self.block + 1..next);
        Ok(next - self.block)
    }

    /// Returns such a number for records with 32-bit ids.
    pub(super) async fn id(&self, kind: &'static str) -> Result<i32, Error> {
        let id = i32::try_from(self.number(kind).await?);
        id.map_err(|_| Error::Damaged(format!("there are no more numbers for {kind}")))
    }

    /// Reserves all ids up to this one.
    pub(super) async fn claim(&self, kind: &'static str, id: i64) -> Result<(), Error> {
        self.apart(ids::claim(self.tenant, kind, id)).await.map(drop)
    }

    /// Runs a statement on the sequences. On PostgreSQL it has a short transaction of its own, so that the row of the sequence
    /// is not locked until the write ends.
    async fn apart(&self, statement: Statement) -> Result<Vec<Row>, Error> {
        match &self.database {
            None => self.rows(statement).await,
            Some(database) => database.apart_from_writes(self.tenant, statement).await,
        }
    }

    /// The statement that locks `what` for the tenant until the end of the write.
    pub(super) fn hold(&self, what: &str) -> Statement {
        let sql = "INSERT INTO sequences (tenant_id, name, next) VALUES ($1, $2, 1)
                   ON CONFLICT (tenant_id, name) DO UPDATE SET next = sequences.next";
        Statement::new(sql, values![self.tenant.0, what])
    }

    /// Notes a change of a record for the audit log, unless the record is unchanged. It is written when the
    /// write ends.
    pub(super) fn note(&self, subject: &Subject, before: Option<String>, after: Option<String>) {
        if before == after {
            return;
        }
        let token = self.actor.token.as_ref();
        let values = values![
            self.tenant.0,
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
        self.notes.lock().push(values);
    }

    /// Takes the pending rows of the audit log, as the statements that write them.
    pub(super) fn notes(&self) -> Vec<Statement> {
        let notes = std::mem::take(&mut *self.notes.lock());
        if notes.is_empty() {
            return Vec::new();
        }
        let columns: Vec<_> = NOTED.split(", ").collect();
        // On PostgreSQL readers of the log number the committed changes, so that writers do not wait for each other.
        if self.session.dialect() == Dialect::Postgres {
            return Statement::insert(Dialect::Postgres, "audit_log", &columns, notes.into_iter(), "");
        }
        let sql = format!(
            "INSERT INTO audit_log ({NOTED}, sequence) VALUES ({}, 1 + coalesce((SELECT sequence FROM audit_log \
             WHERE tenant_id = $1 ORDER BY sequence DESC LIMIT 1), 0))",
            placeholders(1..=columns.len())
        );
        notes.into_iter().map(|values| Statement::new(sql.clone(), values)).collect()
    }

    /// Writes the pending rows of the audit log.
    pub(super) async fn finish(&self) -> Result<(), Error> {
        self.session.all(self.notes()).await.map(drop)
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
        let primary_key = values![self.tenant.0, token, self.actor.operation, &key.key];
        let claimed = [primary_key.clone(), values![key.request.0, self.now, key.kept_since]].concat();
        let of_key = "tenant_id = $1 AND token_id = $2 AND operation = $3 AND key = $4";
        let known = format!("SELECT request, answer FROM idempotency_keys WHERE {of_key}");
        let statements = [Statement::new(claim, claimed), Statement::new(known, primary_key.clone())];
        let [claimed, known] = self.session.run(statements).await?;
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
        self.rows(Statement::new(sql, [primary_key, values![text::json(&value)]].concat())).await?;
        Ok(Done { value, is_replayed: false })
    }

    /// A new record with its ids, and the statements that write it with its nested records.
    pub(super) async fn insert(
        &self,
        resource: &'static Resource,
        mut record: Record,
    ) -> Result<(Record, Vec<Statement>), Error> {
        self.complete(resource, &mut record, &[]).await?;
        let mut tables = Vec::new();
        by_table(resource, &record, &mut tables);
        let dialect = self.session.dialect();
        let inserts =
            tables.iter().flat_map(|(table, records)| table.insert(dialect, self.tenant.0, records)).collect();
        Ok((record, inserts))
    }

    /// Completes a record and its nested records: the key of the record above, missing ids, time and author.
    pub(super) fn complete<'a>(
        &'a self,
        resource: &'static Resource,
        record: &'a mut Record,
        above: &'a [Value],
    ) -> BoxFuture<'a, Result<(), Error>> {
        async move {
            for (value, above) in record.values.iter_mut().zip(above) {
                value.clone_from(above);
            }
            for (member, value) in resource.members.iter().zip(&mut record.values) {
                if *value == Value::Null {
                    *value = match (&member.kind, &member.presence) {
                        (Kind::Id, _) => self.id(resource.table).await?.into(),
                        (_, Presence::OtherwiseNow) => self.now.into(),
                        (_, Presence::OtherwiseWriter) => self.actor.assignee.into(),
                        _ => continue,
                    };
                }
            }
            let key = key_below(resource, record);
            for (below, records) in resource.below.iter().zip(&mut record.below) {
                for record in records.iter_mut().flatten() {
                    self.complete(below.resource, record, &key).await?;
                }
            }
            Ok(())
        }
        .boxed()
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

/// Fails if there are refusals.
pub(super) fn accepted(refusals: Vec<Refusal>) -> Result<(), Error> {
    if refusals.is_empty() { Ok(()) } else { Err(Error::Refused(refusals)) }
}
