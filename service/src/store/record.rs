//! The declaration types of records: resources and members.

use std::{collections::BTreeMap, sync::LazyLock};

pub use super::value::Value;

pub mod audited;
pub mod json;

/// A kind of records.
#[derive(Debug)]
pub struct Resource {
    /// The name of its records in files: `Accounts`.
    pub name: &'static str,
    /// The noun in messages: `account`.
    pub one: &'static str,
    /// The kind in the audit log: `Account`.
    pub kind: &'static str,
    /// The area of the scope that reads them: `crm`.
    pub area: &'static str,
    /// Its table.
    pub table: &'static str,
    /// Whether `counters` has the number of its records, and of active ones.
    pub is_counted: bool,
    /// The first `above` members identify the parent record, and are omitted when nested in it.
    pub above: usize,
    /// The stored members.
    pub members: &'static LazyLock<Vec<Member>>,
    /// The members shown in the interface; in bodies, names may be given for ids.
    pub shown: &'static [Member],
    /// The nested lists.
    pub below: &'static [Below],
    /// At least one of these members is required.
    pub one_of: &'static [&'static str],
    /// Values computed from members.
    pub derived: Derived,
}

/// A member of a record.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// The name in files.
    pub name: &'static str,
    /// The table of the column, if it differs from the other members'.
    pub table: &'static str,
    /// The column.
    pub column: &'static str,
    /// The type of its values.
    pub kind: Kind,
    /// What an omitted member means.
    pub presence: Presence,
    /// Whether it is part of the key; without key members, `Id` is the key.
    pub is_key: bool,
    /// Whether a second column holds it folded, for comparison in any letter case.
    pub is_folded: bool,
    /// Whether lists can be ordered by it, with an index.
    pub is_sorted: bool,
    /// The column that it is compared and ordered by, if it is neither its own nor the folded one.
    pub order: &'static str,
    /// The condition that a text is found in it, if not in the column that it is compared by; `?` is the folded text.
    pub found_by: &'static str,
    /// The name in request bodies.
    pub input: &'static str,
    /// Maximum length of a text.
    pub most: usize,
    /// Whether PUT and PATCH write it.
    pub written: Written,
}

/// The effect of a PUT on a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// None: it is not in the body.
    Never,
    /// It is replaced; if omitted, it gets its default.
    Replaced,
    /// It is replaced; if omitted, it is kept.
    Kept,
}

/// A nested list of records.
#[derive(Debug)]
pub struct Below {
    /// The name in files.
    pub name: &'static str,
    /// The resource of its records.
    pub resource: &'static Resource,
}

/// The type of a member.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// The name of the referenced record in the same column; not stored.
    Name(&'static Resource),
    /// The name of the tenant; not stored.
    TenantName,
    /// The SQL expression in place of a column; not stored.
    Sql,
    /// Nested records in their own table.
    List,
    /// A number starting at 1, allocated by the store if omitted.
    Id,
    /// The id of a record.
    Reference(&'static Resource),
    /// The id of a record below the one that the previous member names.
    ReferenceWithin(&'static Resource),
    /// An integer within these bounds.
    Integer(i64, i64),
    /// A number.
    Number,
    /// A number, at least 0.
    Amount,
    /// A boolean.
    Boolean,
    /// Text.
    Text,
    /// A timestamp.
    Moment,
    /// The IANA name of a time zone.
    Zone,
    /// Text of 1 to 26 digits.
    Digits,
    /// A list of texts.
    Texts,
    /// Any JSON value.
    Json,
    /// A JSON object.
    Object,
    /// One of these numbers, given as number or name.
    Choice(&'static [(&'static str, i64)]),
}

/// The meaning of an omitted member.
#[derive(Clone, Copy, Debug)]
pub enum Presence {
    /// It is required.
    Required,
    /// NULL.
    Optional,
    /// This number.
    Otherwise(i64),
    /// This text.
    OtherwiseText(&'static str),
    /// The time of the write.
    OtherwiseNow,
    /// The assignee of the writer.
    OtherwiseWriter,
}

/// Values computed from the members of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derived {
    /// Nothing.
    Nothing,
    /// `Name` is first and last name if omitted.
    Name,
    /// The column `name_folded` holds first and last name.
    FoldedName,
}

/// A record.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Where it was read.
    pub origin: Origin,
    /// One value for each member of the resource.
    pub values: Vec<Value>,
    /// Names of referenced records in a body, by the index of the member. A write replaces them by ids.
    pub names: BTreeMap<usize, String>,
    /// The records of each nested list, if given.
    pub below: Vec<Option<Vec<Record>>>,
}

/// A location in the files of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// The index of the file.
    pub file: u32,
    /// The line, starting at 1.
    pub line: u32,
}

/// A problem of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The location of the record.
    pub origin: Origin,
    /// The kind of the record, if known.
    pub resource: Option<&'static str>,
    /// The message, starting with the member.
    pub detail: String,
}

impl Resource {
    /// Records of a table, the base of declarations. Nested records have no kind.
    pub(super) const fn new(
        name: &'static str,
        one: &'static str,
        kind: &'static str,
        area: &'static str,
        table: &'static str,
        members: &'static LazyLock<Vec<Member>>,
    ) -> Self {
        let (shown, below, one_of, derived) = (&[], &[], &[], Derived::Nothing);
        Self { name, one, kind, area, table, is_counted: false, above: 0, members, shown, below, one_of, derived }
    }

    /// Records nested in others, which their first `above` members identify.
    pub(super) const fn nested(
        name: &'static str,
        one: &'static str,
        table: &'static str,
        above: usize,
        members: &'static LazyLock<Vec<Member>>,
    ) -> Self {
        Self { above, ..Self::new(name, one, "", "", table, members) }
    }

    /// The members that identify the parent record.
    pub fn above(&self) -> &'static [Member] {
        &self.members[..self.above]
    }

    /// The body names of the members that a write may set.
    pub fn written(&self) -> impl Iterator<Item = &'static str> {
        self.members.iter().filter(|member| member.written != Written::Never).map(|member| member.input)
    }

    /// The member with this name, and its index.
    pub fn member(&self, name: &str) -> Option<(usize, &'static Member)> {
        self.members.iter().enumerate().find(|(_, member)| member.name == name)
    }

    /// The key members, in the order of the key's columns.
    pub fn keys(&self) -> impl Iterator<Item = (usize, &'static Member)> {
        let has_keys = self.members.iter().any(|member| member.is_key);
        let is_key = move |member: &Member| if has_keys { member.is_key } else { matches!(member.kind, Kind::Id) };
        self.members.iter().enumerate().filter(move |(_, member)| is_key(member))
    }

    /// The column that distinguishes records with the same parent.
    pub(super) fn own_key(&self) -> &'static str {
        self.keys().last().map_or("id", |(_, member)| member.column)
    }

    /// The index of the member that refers to a parent of the same kind.
    pub fn parent(&self) -> Option<usize> {
        let is_parent = |member: &Member| matches!(member.kind, Kind::Reference(target) if target.name == self.name);
        self.members.iter().position(is_parent)
    }
}

impl Member {
    /// The column that it is compared and ordered by.
    pub(super) fn compared(&self) -> String {
        match (self.order, self.is_folded) {
            ("", true) => format!("{}_folded", self.column),
            ("", false) => self.column.to_owned(),
            (column, _) => column.to_owned(),
        }
    }

    /// The condition that a text is found in it; `?` is the folded text.
    pub(super) fn search(&self) -> String {
        match (self.kind, self.found_by) {
            (Kind::Name(target), _) => {
                let ids = format!("SELECT id FROM {} WHERE tenant_id = $1 AND instr(name_folded, ?) > 0", target.table);
                format!("{} IN ({ids})", self.column)
            }
            (_, "") => format!("instr({}, ?) > 0", self.compared()),
            (_, condition) => condition.to_owned(),
        }
    }

    /// Sets its name in the interface.
    pub(super) const fn named(mut self, name: &'static str) -> Self {
        self.name = name;
        if self.input.is_empty() {
            self.input = name;
        }
        self
    }

    /// Whether it is the name of the record that another member refers to.
    pub(super) fn is_name_of(&self, reference: &Self) -> bool {
        matches!(self.kind, Kind::Name(_)) && self.column == reference.column
    }

    /// Whether it is stored in a column.
    pub(super) const fn is_stored(&self) -> bool {
        !matches!(self.kind, Kind::Name(_) | Kind::TenantName | Kind::Sql | Kind::List)
    }
}

/// The maximum of the interface's `int32`.
pub(super) const SMALL: i64 = i32::MAX as i64;
