//! What both kinds of databases are asked in SQL: which tables, columns, filters and orders there are, said once.

pub(super) mod attachment;
mod cell;
mod conditions;
mod dialect;
mod fold;
pub(super) mod names;
pub(super) mod owned;
mod resource;
pub(super) mod setting;
pub(super) mod text;
pub(super) mod token;

pub(super) use cell::{Cell, Datum};
pub(super) use conditions::{Conditions, Index, array};
pub(super) use dialect::Dialect;
pub(super) use fold::fold;

pub(super) use resource::{Column, Found, Part, Reading, Resource, column, select};

use crate::domain::{caller::Visibility, tenant::TenantId};

/// For whom SQL is composed, and for which kind of database.
#[derive(Clone, Copy, Debug)]
pub(super) struct Viewer<'a> {
    /// The kind of database.
    pub(super) dialect: Dialect,
    /// Whose data are read.
    pub(super) tenant: TenantId,
    /// The accounts that there are.
    pub(super) visible: &'a Visibility,
}

impl Viewer<'_> {
    /// Conditions on records of the tenant.
    pub(super) fn conditions(self) -> Conditions {
        Conditions::of(self.dialect, self.tenant)
    }

    /// Conditions on records that belong to another: a column that names it, and its id.
    pub(super) fn conditions_of(self, owner: &[(&'static str, i64)]) -> Conditions {
        Conditions::within_scope(self.dialect, self.tenant, owner)
    }

    /// The id to look an account up by: 0, which no account has, for one that may not be seen. So it takes the same way,
    /// and the same time, as one that is not there.
    pub(super) fn account(self, id: i32) -> i32 {
        if self.visible.includes(id) { id } else { 0 }
    }
}
