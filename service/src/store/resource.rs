//! Declarations of the interface's records: a row for each member, used by lists, writes, imports and
//! exports.

pub(super) mod account;
pub(super) mod agent;
pub(super) mod attachment;
pub(super) mod contact;
mod input;
pub(super) mod job;
mod list;
mod member;
pub(super) mod reference;
mod sql;

pub(super) use list::{List, attach, by_owner};

/// The lists of the interface, for sorting and excluding.
pub mod shape {
    pub use super::account::{LOOKUP as ACCOUNT_LOOKUP, SUMMARY as ACCOUNT_SUMMARY};
    pub use super::agent::{MISSING_PATCH, NOTE as AGENT_NOTE};
    pub use super::attachment::ATTACHMENT;
    pub use super::contact::{LOOKUP as CONTACT_LOOKUP, SUMMARY as CONTACT_SUMMARY};
    pub use super::job::JOB_LOG;
    pub use super::reference::{
        ACCOUNT_CODE, ACCOUNT_TYPE, AGENT_PROCEDURE, APPROVAL_ROUTE, ASSIGNEE, ASSIGNEE_LOOKUP, CHART_OF_ACCOUNT,
        CHART_OF_ACCOUNT_TYPE, CHART_OF_ACCOUNT_TYPE_LOOKUP, COLOR,
    };
}

use super::record::{Below, Derived, Member, Resource};

/// Declares the members of a record of a resource, a row each: the name in the interface, the field of the generated model
/// (`-` if there is none, or if another table fills it), and the kind. `struct` marks a model without
/// `Default`, all of whose fields have a row. `from` names a view that the records are read from in place of the table.
macro_rules! members {
    ($resource:ident $(from $view:literal)?, struct $model:ident { $($name:literal $field:ident = $member:expr;)* }) => {
        $crate::store::resource::List::<$model> {
            resource: &$resource,
            view: $crate::store::resource::members!(@view $($view)?),
            members: &[$($member.named($name)),*],
            blank: || $model { $($field: Default::default()),* },
            fill: &[$($crate::store::resource::members!(@fill $field)),*],
        }
    };
    ($resource:ident $(from $view:literal)?, $model:ty { $($name:literal $field:tt = $member:expr;)* }) => {
        $crate::store::resource::List::<$model> {
            resource: &$resource,
            view: $crate::store::resource::members!(@view $($view)?),
            members: &[$($member.named($name)),*],
            blank: <$model>::default,
            fill: &[$($crate::store::resource::members!(@fill $field)),*],
        }
    };
    (@view) => { None };
    (@view $view:literal) => { Some($view) };
    (@fill -) => { None };
    (@fill $field:ident) => {
        Some(|record, value| {
            record.$field = value.read()?;
            Ok(())
        })
    };
}
pub(super) use members;

/// The stored members of a list, in the table that is named or in that of the resource; `head` precedes them.
macro_rules! stored {
    ($list:expr) => {
        $crate::store::resource::stored!(&[], $list, "")
    };
    ($head:expr, $list:expr, $table:literal) => {{
        static STORED: std::sync::LazyLock<Vec<$crate::store::record::Member>> =
            std::sync::LazyLock::new(|| $crate::store::resource::of_table($head, $list, $table));
        &STORED
    }};
}
pub(super) use stored;

/// The stored members of a table, after those at its head.
fn of_table(head: &[Member], all: &[Member], table: &str) -> Vec<Member> {
    let own = all.iter().filter(|member| member.is_stored() && member.table == table);
    head.iter().chain(own).copied().collect()
}
