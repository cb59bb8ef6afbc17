//! Agents, and what is asked of their notes and patches.

use super::odata::{Field, Filter, Kind, Order};

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
    /// Whether it is in contact.
    pub is_online: bool,
}

/// A request for a list of an agent operation; fields are positions in [`NOTE_FIELDS`] or [`PATCH_FIELDS`].
#[derive(Clone, Debug, Default)]
pub struct AgentQuery {
    /// `$filter`
    pub filter: Option<Filter>,
    /// `$orderby`; what it leaves equal is ordered by id.
    pub order: Vec<Order>,
    /// `$skip`
    pub skip: u64,
    /// `$top`
    pub top: u32,
}

/// The fields of agent notes.
pub static NOTE_FIELDS: &[Field] = &[
    Field { name: "ID", kind: Kind::Integer },
    Field { name: "AgentGUID", kind: Kind::Text },
    Field { name: "UserName", kind: Kind::Text },
    Field { name: "Email", kind: Kind::Text },
    Field { name: "CreationDate", kind: Kind::DateTime },
    Field { name: "Description", kind: Kind::Text },
];

/// The fields of missing patches.
pub static PATCH_FIELDS: &[Field] = &[
    Field { name: "PatchDataId", kind: Kind::Integer },
    Field { name: "Description", kind: Kind::Text },
    Field { name: "KBArticle", kind: Kind::Text },
    Field { name: "SecurityBulletinLink", kind: Kind::Text },
    Field { name: "Product", kind: Kind::Text },
    Field { name: "UpdateClassification", kind: Kind::Integer },
    Field { name: "ReleaseDate", kind: Kind::DateTime },
    Field { name: "Status", kind: Kind::Integer },
    Field { name: "UpdateCategory", kind: Kind::Integer },
    Field { name: "LocationPending", kind: Kind::Integer },
    Field { name: "LocationId", kind: Kind::Integer },
    Field { name: "PatchState", kind: Kind::Integer },
    Field { name: "Ignore", kind: Kind::Integer },
    Field { name: "WuaOverrideFlag", kind: Kind::Integer },
    Field { name: "IsSuperseded", kind: Kind::Boolean },
    Field { name: "manualUpdateFlag", kind: Kind::Integer },
    Field { name: "schedTogether", kind: Kind::Integer },
];
