//! Agents, and queries of their notes and patches.

use super::{list::SortKey, odata::Filter};

/// A machine with an agent on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// 1 to 26 digits.
    pub id: String,
    /// The name of the machine.
    pub name: Option<String>,
    /// The IANA name of its time zone.
    pub time_zone: Option<String>,
    /// The account it belongs to.
    pub account: Option<i32>,
    /// Whether it is online.
    pub is_online: bool,
}

/// A query of an agent operation's list; fields are indices into those of the list.
#[derive(Clone, Debug, Default)]
pub struct AgentQuery {
    /// `$filter`
    pub filter: Option<Filter>,
    /// `$orderby`; ties are ordered by id.
    pub order: Vec<SortKey>,
    /// `$skip`
    pub skip: u64,
    /// `$top`
    pub top: u32,
}
