//! Ids of new records. On PostgreSQL they are allocated in blocks, so that writers of a tenant do not wait for each
//! other.

use std::{collections::HashMap, ops::Range};

use parking_lot::Mutex;

use super::{statement::Statement, value::values};
use crate::domain::tenant::TenantId;

/// Size of a block. Unused ids are lost when the process ends.
pub(super) const BLOCK: i64 = 64;

/// Allocated, unused ids, by tenant and kind of record.
#[derive(Debug, Default)]
pub(super) struct Ids(Mutex<HashMap<(TenantId, &'static str), Range<i64>>>);

impl Ids {
    /// The next id of the block, if one is left.
    pub(super) fn next(&self, tenant: TenantId, kind: &'static str) -> Option<i64> {
        self.0.lock().get_mut(&(tenant, kind))?.next()
    }

    /// Stores the rest of a new block.
    pub(super) fn keep(&self, tenant: TenantId, kind: &'static str, rest: Range<i64>) {
        let mut blocks = self.0.lock();
        let block = blocks.entry((tenant, kind)).or_insert(0..0);
        // Another task may have allocated a block; keep the longer one.
        if rest.end - rest.start > block.end - block.start {
            *block = rest;
        }
    }

    /// Forgets the blocks of a tenant, because its ids were used elsewhere.
    pub(super) fn forget(&self, tenant: TenantId) {
        self.0.lock().retain(|(other, _), _| *other != tenant);
    }
}

/// Prevents ids up to this one from being allocated.
pub(super) fn claim(tenant: TenantId, kind: &str, id: i64) -> Statement {
    let sql = "INSERT INTO sequences AS s (tenant_id, name, next) VALUES ($1, $2, $3)
               ON CONFLICT (tenant_id, name) DO UPDATE
               SET next = CASE WHEN s.next < excluded.next THEN excluded.next ELSE s.next END";
    Statement::new(sql, values![tenant.0, kind, id.saturating_add(1)])
}

/// Allocates `count` ids; the row has the first id after them.
pub(super) fn take(tenant: TenantId, kind: &str, count: i64) -> Statement {
    let sql = "INSERT INTO sequences AS s (tenant_id, name, next) VALUES ($1, $2, $3)
               ON CONFLICT (tenant_id, name) DO UPDATE SET next = s.next + $4 RETURNING next";
    Statement::new(sql, values![tenant.0, kind, count.saturating_add(1), count])
}
