//! Ids of new records on PostgreSQL: taken from the database in blocks, so that writers of a tenant do not wait for each other.

use std::{
    collections::HashMap,
    ops::Range,
    sync::{Mutex, PoisonError},
};

use super::{
    Error,
    statement::{Statement, first},
    value::{Row, values},
};
use crate::domain::tenant::TenantId;

/// Ids that are taken at once. Those that are left when the process ends are never given out.
const BLOCK: i64 = 16;

/// Ids that are taken and not given out yet, by tenant and kind of record.
#[derive(Debug, Default)]
pub(super) struct Ids(Mutex<HashMap<(TenantId, &'static str), Range<i64>>>);

impl Ids {
    /// As many ids of the block as are left, at most `count`.
    pub(super) fn left(&self, tenant: TenantId, kind: &'static str, count: i64) -> Range<i64> {
        let mut blocks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(block) = blocks.get_mut(&(tenant, kind)) else { return 0..0 };
        let end = block.start.saturating_add(count).min(block.end);
        let taken = block.start..end;
        block.start = end;
        taken
    }

    /// Keeps the rest of a block that was taken.
    pub(super) fn keep(&self, tenant: TenantId, kind: &'static str, rest: Range<i64>) {
        let mut blocks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let block = blocks.entry((tenant, kind)).or_insert(0..0);
        // Another task has taken a block meanwhile: of two, the longer one stays.
        if rest.end - rest.start > block.end - block.start {
            *block = rest;
        }
    }

    /// Forgets the blocks of a tenant: somebody has used ids of them without asking.
    pub(super) fn forget(&self, tenant: TenantId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|(other, _), _| *other != tenant);
    }
}

/// What keeps ids up to this one from being given out.
pub(super) fn claim(tenant: TenantId, kind: &str, id: i64) -> Statement {
    let sql = "INSERT INTO sequences AS s (tenant_id, name, next) VALUES ($1, $2, $3)
               ON CONFLICT (tenant_id, name) DO UPDATE
               SET next = CASE WHEN s.next < excluded.next THEN excluded.next ELSE s.next END";
    Statement::new(sql, values![tenant.0, kind, id.saturating_add(1)])
}

/// What takes `count` ids from the database; the row has the first that is not taken.
pub(super) fn take(tenant: TenantId, kind: &str, count: i64) -> Statement {
    let sql = "INSERT INTO sequences AS s (tenant_id, name, next) VALUES ($1, $2, $3)
               ON CONFLICT (tenant_id, name) DO UPDATE SET next = s.next + $4 RETURNING next";
    Statement::new(sql, values![tenant.0, kind, count.saturating_add(1), count])
}

/// The first of the ids that a statement of [`take`] has taken.
pub(super) fn taken(rows: &[Row], kind: &str, count: i64) -> Result<i64, Error> {
    let next: Option<i64> = first(rows)?;
    next.map(|next| next - count).ok_or_else(|| Error::Damaged(format!("there is no id for {kind}")))
}

/// The number of ids of a block that has room for `count` records.
pub(super) fn block(count: i64) -> i64 {
    if count >= BLOCK { count } else { BLOCK }
}
