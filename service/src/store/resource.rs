//! What the records of the interface are made of: a row for each member, from which lists, writes, imports and exports come.

pub(super) mod account;
pub(super) mod contact;
mod input;
mod list;
mod member;
pub(super) mod reference;
mod sql;

pub(super) use list::{List, Owned, attach};

/// The lists of the interface, for what requests say of sorting and leaving out.
pub mod shape {
    pub use super::account::{LOOKUP as ACCOUNT_LOOKUP, SUMMARY as ACCOUNT_SUMMARY};
    pub use super::contact::{LOOKUP as CONTACT_LOOKUP, SUMMARY as CONTACT_SUMMARY};
    pub use super::reference::{ACCOUNT_CODE, ASSIGNEE, ASSIGNEE_LOOKUP, CHART_OF_ACCOUNT, CHART_OF_ACCOUNT_TYPE};
}

use super::record::{Below, Derived, Member, Resource};

/// Declares the members of a record: a row for each, with its name in the interface, the field of the generated model (`-` when
/// the model has none, or another table fills it), and what it is.
macro_rules! members {
    ($model:ty { $($name:literal $field:tt = $member:expr;)* }) => {
        $crate::store::resource::List::<$model> {
            members: &[$($member.named($name)),*],
            fill: &[$($crate::store::resource::members!(@fill $field)),*],
        }
    };
    (@fill -) => { None };
    (@fill $field:ident) => {
        Some(|record, value| {
            record.$field = value.read()?;
            Ok(())
        })
    };
}
pub(super) use members;

/// The members of a list that columns of the table keep.
macro_rules! stored {
    ($list:expr) => {{
        static STORED: $crate::store::resource::Stored = $crate::store::resource::Stored::of($list);
        STORED.all.split_at(STORED.count).0
    }};
}
pub(super) use stored;

/// Members at the beginning of an array. Its length is no constant of its own: resources refer to each other.
struct Stored {
    all: [Member; MOST],
    count: usize,
}

/// Members of a resource.
const MOST: usize = 48;

impl Stored {
    const fn of(all: &[Member]) -> Self {
        let mut stored = Self { all: [all[0]; MOST], count: 0 };
        let mut position = 0;
        while position < all.len() {
            if all[position].is_stored() {
                stored.all[stored.count] = all[position];
                stored.count += 1;
            }
            position += 1;
        }
        stored
    }
}
