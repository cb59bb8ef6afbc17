//! A write under way.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
};

use jiff::Timestamp;
use serde_json::json;
use tokio_postgres::Row;

use super::{
    session::{Query, Session, parameters},
    value::Parameter,
    view::View,
};
use crate::{
    domain::{caller::Actor, change::Subject, refusal::Refusal},
    store::{Error, Scope, sql::fold},
};

/// What a write is made with: the open transaction, whose data it is, who writes, and when. Clones share it.
#[derive(Clone)]
pub(super) struct Change {
    pub(super) view: View,
    pub(super) actor: Actor,
    pub(super) assignee: Option<i32>,
    pub(super) now: Timestamp,
    /// What the audit log is going to say.
    notes: Arc<Mutex<Vec<serde_json::Value>>>,
}

/// Ids and names of other records that an input has, and where.
#[derive(Default)]
pub(super) struct References {
    all: Vec<Reference>,
}

struct Reference {
    id_pointer: String,
    name_pointer: String,
    what: &'static str,
    table: &'static str,
    id: Option<i64>,
    name: Option<String>,
}

impl Change {
    pub(super) fn new(view: View, scope: &Scope) -> Self {
        let (actor, assignee) = (scope.actor.clone(), scope.actor.assignee);
        Self { view, actor, assignee, now: Timestamp::now(), notes: Arc::default() }
    }

    pub(super) fn session(&self) -> &Session {
        &self.view.session
    }

    /// The number of the tenant, as it is stored.
    pub(super) fn tenant(&self) -> i32 {
        self.view.tenant.0
    }

    /// The number of the token that writes; none when no caller has asked for it.
    pub(super) fn token(&self) -> Option<i32> {
        self.actor.token.as_ref().map(|(id, _)| *id)
    }

    /// The moment of the write, as it is stored.
    pub(super) fn now(&self) -> i64 {
        self.now.as_microsecond()
    }

    /// Runs the last statements and writes what was noted; the transaction ends with them.
    pub(super) async fn finish(&self, last: impl IntoIterator<Item = Query>) -> Result<(), Error> {
        let last: Vec<_> = last.into_iter().chain(self.noted()).collect();
        self.session().finish(&last).await?;
        Ok(())
    }

    /// Runs one statement.
    pub(super) async fn rows(
        &self,
        sql: impl Into<Cow<'static, str>>,
        parameters: Vec<Parameter>,
    ) -> Result<Vec<Row>, Error> {
        self.session().rows(Query::new(sql, parameters)).await
    }

    /// Keeps numbers up to `id` from being given out.
    pub(super) fn claim(&self, kind: &str, id: i64) -> Query {
        let sql = "INSERT INTO sequences AS s (tenant_id, name, next) VALUES ($1, $2, $3)
                   ON CONFLICT (tenant_id, name) DO UPDATE SET next = greatest(s.next, excluded.next)";
        Query::new(sql, parameters![self.tenant(), kind, id.saturating_add(1)])
    }

    /// Notes what becomes of a record, unless it stays what it is. It is written by [`Change::noted`].
    pub(super) fn note(&self, subject: &Subject, before: Option<String>, after: Option<String>) {
        if before == after {
            return;
        }
        let token = self.actor.token.as_ref();
        let mut note = json!({
            "tenant_id": self.tenant(),
            "recorded_on": self.now(),
            "kind": &*subject.kind,
            "record_id": subject.record,
            "account_id": subject.account,
            "token_id": token.map(|(id, _)| id),
            "token_name": token.map(|(_, name)| &**name),
            "assignee_id": self.assignee,
            "operation": self.actor.operation,
        });
        note["before"] = before.into();
        note["after"] = after.into();
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).push(note);
    }

    /// What writes the notes that were taken since the last time, if there are any.
    pub(super) fn noted(&self) -> Option<Query> {
        let notes = std::mem::take(&mut *self.notes.lock().unwrap_or_else(PoisonError::into_inner));
        if notes.is_empty() {
            return None;
        }
        let sql = "INSERT INTO audit_log (tenant_id, recorded_on, kind, record_id, account_id, token_id, token_name, \
                   assignee_id, operation, before, after) \
                   SELECT tenant_id, recorded_on, kind, record_id, account_id, token_id, token_name, assignee_id, \
                   operation, before, after FROM json_populate_recordset(NULL::audit_log, $1)";
        Some(Query::new(sql, parameters![serde_json::Value::Array(notes).to_string()]))
    }

    /// What writes rows, whose members are the columns of a table.
    pub(super) fn insert(table: &str, columns: &str, rows: Vec<serde_json::Value>) -> Query {
        let sql =
            format!("INSERT INTO {table} ({columns}) SELECT {columns} FROM json_populate_recordset(NULL::{table}, $1)");
        Query::new(sql, parameters![serde_json::Value::Array(rows).to_string()])
    }

    /// The ids that references stand for, in their order; those that lead nowhere are noted as refusals.
    pub(super) async fn resolve(
        &self,
        references: References,
        refusals: &mut Vec<Refusal>,
    ) -> Result<Vec<Option<i32>>, Error> {
        let mut wanted: BTreeMap<&'static str, (BTreeSet<i64>, BTreeSet<String>)> = BTreeMap::new();
        for reference in &references.all {
            let (ids, names) = wanted.entry(reference.table).or_default();
            ids.extend(reference.id);
            names.extend(reference.name.as_deref().map(fold));
        }
        let queries: Vec<_> = wanted.iter().map(|(table, (ids, names))| self.lookup(table, ids, names)).collect();
        let answers = self.session().all(&queries).await?;
        let mut found: BTreeMap<&'static str, Vec<(i64, Option<String>)>> = BTreeMap::new();
        for (table, rows) in wanted.keys().zip(answers) {
            let rows = rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<Result<_, Error>>()?;
            found.insert(*table, rows);
        }
        let mut ids = Vec::with_capacity(references.all.len());
        for reference in references.all {
            let rows = found.get(reference.table).map(Vec::as_slice).unwrap_or_default();
            ids.push(reference.found_in(rows, refusals).and_then(|id| i32::try_from(id).ok()));
        }
        Ok(ids)
    }

    /// What asks for the ids and folded names of records that have these.
    fn lookup(&self, table: &str, ids: &BTreeSet<i64>, names: &BTreeSet<String>) -> Query {
        let (ids, names_json) = (json!(ids).to_string(), json!(names).to_string());
        let by_id = "id = ANY (ARRAY(SELECT value::bigint FROM json_array_elements_text($2::text::json)))";
        if names.is_empty() {
            let sql = format!("SELECT id::bigint, NULL::text FROM {table} WHERE tenant_id = $1 AND {by_id}");
            return Query::new(sql, parameters![self.tenant(), ids]);
        }
        let by_name = "name_folded = ANY (ARRAY(SELECT value FROM json_array_elements_text($3::text::json)))";
        let sql = format!(
            "SELECT id::bigint, name_folded FROM {table} WHERE tenant_id = $1 AND ({by_id} OR {by_name}) ORDER BY id"
        );
        Query::new(sql, parameters![self.tenant(), ids, names_json])
    }
}

impl References {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Adds the id of `what`, a record of `table`.
    pub(super) fn id(
        &mut self,
        pointer: impl Into<String>,
        (what, table): (&'static str, &'static str),
        id: Option<impl Into<i64>>,
    ) {
        let (id_pointer, name_pointer) = (pointer.into(), String::new());
        self.all.push(Reference { id_pointer, name_pointer, what, table, id: id.map(Into::into), name: None });
    }

    /// Adds a record that is given by its id or by its name, or by both if they agree.
    pub(super) fn named(
        &mut self,
        (id_pointer, name_pointer): (String, String),
        (what, table): (&'static str, &'static str),
        id: Option<i32>,
        name: Option<&str>,
    ) {
        let name = name.filter(|name| !name.is_empty()).map(str::to_owned);
        self.all.push(Reference { id_pointer, name_pointer, what, table, id: id.map(Into::into), name });
    }
}

impl Reference {
    fn found_in(self, rows: &[(i64, Option<String>)], refusals: &mut Vec<Refusal>) -> Option<i64> {
        let Self { id_pointer, name_pointer, what, id, name, .. } = self;
        let is_there = |id: i64| rows.iter().any(|(found, _)| *found == id);
        let Some(name) = name else {
            if let Some(id) = id.filter(|id| !is_there(*id)) {
                refusals.push(Refusal::reference(id_pointer, what, id));
            }
            return id;
        };
        let folded = fold(&name);
        let has_name = |(found, other): &&(i64, Option<String>)| {
            other.as_deref() == Some(folded.as_str()) && id.is_none_or(|id| *found == id)
        };
        let found = rows.iter().find(has_name).map(|(found, _)| *found);
        if found.is_none() {
            refusals.push(match id {
                Some(id) if !is_there(id) => Refusal::reference(id_pointer, what, id),
                Some(id) => {
                    let detail = format!("is `{name}`, which is not the name of {what} {id}");
                    Refusal::new(name_pointer, "reference", detail)
                }
                None => Refusal::reference(name_pointer, what, format!("`{name}`")),
            });
        }
        found
    }
}

/// What waits until no other transaction of the tenant holds `what`, and holds it to the end.
pub(super) fn hold(tenant: i32, what: &str) -> Query {
    let sql = "INSERT INTO sequences (tenant_id, name, next) VALUES ($1, $2, 1)
               ON CONFLICT (tenant_id, name) DO UPDATE SET next = sequences.next";
    Query::new(sql, parameters![tenant, what])
}

/// The value, unless something has been refused.
pub(super) fn accepted<T>(refusals: Vec<Refusal>, value: T) -> Result<T, Error> {
    if refusals.is_empty() { Ok(value) } else { Err(Error::Refused(refusals)) }
}
