//! A write under way.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension};

use super::{names::Cache, view::View};
use crate::{
    domain::{caller::Actor, refusal::Refusal},
    store::{Error, Scope, record::Value, sql::fold},
};

/// What a write is made with: the open transaction, whose data it is, who writes, and when.
pub(super) struct Change<'a> {
    pub(super) view: View<'a>,
    pub(super) actor: &'a Actor,
    pub(super) assignee: Option<i32>,
    pub(super) now: Timestamp,
}

impl<'a> Change<'a> {
    pub(super) fn begin(connection: &'a Connection, scope: &'a Scope, cache: &'a Cache) -> Self {
        let view = View::new(connection, scope.tenant, &scope.visible, cache);
        Self { view, actor: &scope.actor, assignee: scope.actor.assignee, now: Timestamp::now() }
    }

    pub(super) fn connection(&self) -> &'a Connection {
        self.view.connection
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

    /// A number that no other record of that kind has had.
    pub(super) fn next_id(&self, kind: &str) -> Result<i32, Error> {
        let id = self.next_number(kind)?;
        i32::try_from(id).map_err(|_| Error::Damaged(format!("there are no more numbers for {kind}")))
    }

    /// The same, where numbers may be greater.
    pub(super) fn next_number(&self, kind: &str) -> Result<i64, Error> {
        let sql = "SELECT next FROM sequences WHERE tenant_id = ?1 AND name = ?2";
        let mut next = self.connection().prepare_cached(sql)?;
        let number = next.query_row((self.tenant(), kind), |row| row.get(0)).optional()?.unwrap_or(1);
        // `RETURNING` would do it in one statement that takes three times as long.
        self.claim_number(kind, number)?;
        Ok(number)
    }

    /// Keeps numbers up to `id` from being given out.
    pub(super) fn claim_number(&self, kind: &str, id: i64) -> Result<(), Error> {
        let sql = "INSERT INTO sequences (tenant_id, name, next) VALUES (?1, ?2, ?3)
                   ON CONFLICT DO UPDATE SET next = max(next, excluded.next)";
        self.connection().prepare_cached(sql)?.execute((self.tenant(), kind, id.saturating_add(1)))?;
        Ok(())
    }

    /// Whether `table` has a record with that id.
    pub(super) fn exists(&self, table: &str, id: impl Into<Value>) -> Result<bool, Error> {
        let sql = format!("SELECT 1 FROM {table} WHERE tenant_id = ?1 AND id = ?2");
        Ok(self.connection().prepare_cached(&sql)?.exists((self.tenant(), id.into()))?)
    }

    /// Notes a refusal when `id` names no record of `table`.
    pub(super) fn check(
        &self,
        refusals: &mut Vec<Refusal>,
        pointer: String,
        (what, table): (&str, &str),
        id: Option<i32>,
    ) -> Result<(), Error> {
        if let Some(id) = id
            && !self.exists(table, id)?
        {
            refusals.push(Refusal::reference(pointer, what, id));
        }
        Ok(())
    }

    /// The id that goes with `id` and `name`: a record of `table` can be given by either, or by both if they agree.
    pub(super) fn named(
        &self,
        refusals: &mut Vec<Refusal>,
        (id_pointer, name_pointer): (String, String),
        (what, table): (&str, &str),
        id: Option<i32>,
        name: Option<&str>,
    ) -> Result<Option<i32>, Error> {
        let Some(name) = name.filter(|name| !name.is_empty()) else {
            self.check(refusals, id_pointer, (what, table), id)?;
            return Ok(id);
        };
        let sql =
            format!("SELECT id FROM {table} WHERE tenant_id = ?1 AND name_folded = ?2 AND (?3 IS NULL OR id = ?3)");
        let mut statement = self.connection().prepare_cached(&sql)?;
        let folded = fold(name);
        let found: Option<i32> = statement.query_row((self.tenant(), folded, id), |row| row.get(0)).optional()?;
        if found.is_none() {
            match id {
                Some(id) if !self.exists(table, id)? => refusals.push(Refusal::reference(id_pointer, what, id)),
                Some(id) => refusals.push(Refusal::new(
                    name_pointer,
                    "reference",
                    format!("is `{name}`, which is not the name of {what} {id}"),
                )),
                None => refusals.push(Refusal::reference(name_pointer, what, format!("`{name}`"))),
            }
        }
        Ok(found)
    }
}

/// The value, unless something has been refused.
pub(super) fn accepted<T>(refusals: Vec<Refusal>, value: T) -> Result<T, Error> {
    if refusals.is_empty() { Ok(value) } else { Err(Error::Refused(refusals)) }
}
