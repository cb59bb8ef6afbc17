//! Declarations of the interface's records: a row for each member, used by lists, writes, imports and
//! exports.

mod account;
mod agent;
mod attachment;
mod contact;
mod input;
mod job;
mod list;
mod member;
mod reference;
mod sql;

pub use account::*;
pub use agent::*;
pub use attachment::*;
pub use contact::*;
pub use job::*;
pub use reference::*;

pub(super) use list::{List, attach, by_owner, directed};

use super::record::{Below, Derived, Member, Resource};

/// Every resource; none refers to a later one.
pub static RESOURCES: &[&Resource] = &[
    &ACCOUNT_TYPES,
    &BUSINESS_TYPES,
    &SERVICE_TYPES,
    &CURRENCIES,
    &SALES_TAX_ITEMS,
    &CLASSES,
    &COUNTRIES,
    &ADDRESS_TYPES,
    &EMAIL_TYPES,
    &PHONE_TYPES,
    &APPROVAL_ROUTES,
    &ACCOUNT_CODES,
    &CHART_OF_ACCOUNT_TYPES,
    &CHART_OF_ACCOUNTS,
    &COLORS,
    &ROLES,
    &ASSIGNEES,
    &ASSIGNEE_ROLES,
    &AGENT_PROCEDURES,
    &CUSTOM_FIELDS,
    &COMPANY_SETTINGS,
    &ACCOUNTS,
    &ACCOUNT_TEAM,
    &ACCOUNT_LOCATIONS,
    &ACCOUNT_ADDRESSES,
    &ACCOUNT_ALERTS,
    &CONTACTS,
    &CONTACT_PHONES,
    &CONTACT_EMAILS,
    &CONTACT_CUSTOM_FIELDS,
    &PATCHES,
    &AGENTS,
    &INSTALLED_PATCHES,
    &MISSING_PATCHES,
    &AGENT_NOTES,
];

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
            all: std::sync::OnceLock::new(),
        }
    };
    ($resource:ident $(from $view:literal)?, $model:ty { $($name:literal $field:tt = $member:expr;)* }) => {
        $crate::store::resource::List::<$model> {
            resource: &$resource,
            view: $crate::store::resource::members!(@view $($view)?),
            members: &[$($member.named($name)),*],
            blank: <$model>::default,
            fill: &[$($crate::store::resource::members!(@fill $field)),*],
            all: std::sync::OnceLock::new(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{domain::token::AREAS, store::record::Kind};

    #[test]
    fn no_resource_refers_to_a_later_one() {
        for (position, resource) in RESOURCES.iter().enumerate() {
            for member in resource.members.iter() {
                if let Kind::Reference(target) | Kind::ReferenceWithin(target) = member.kind {
                    let found = RESOURCES[..=position].iter().any(|earlier| earlier.name == target.name);
                    assert!(found, "{}.{}", resource.name, member.name);
                }
            }
            for below in resource.below {
                let found = RESOURCES[position + 1..].iter().any(|later| later.name == below.resource.name);
                assert!(found && below.resource.above > 0, "{}.{}", resource.name, below.name);
            }
            assert!(resource.keys().count() > 0, "{}", resource.name);
            assert!(resource.above > 0 || !resource.kind.is_empty(), "{}", resource.name);
            assert!(resource.kind.is_empty() || AREAS.contains(&resource.area), "{}", resource.name);
        }
    }
}
