//! The records that imports load and exports write: what their members are called, and which columns keep them.

pub use super::{
    resource::reference::{
        ACCOUNT_CODES, ACCOUNT_TYPES, ADDRESS_TYPES, AGENT_PROCEDURES, APPROVAL_ROUTES, ASSIGNEE_ROLES, ASSIGNEES,
        BUSINESS_TYPES, CHART_OF_ACCOUNT_TYPES, CHART_OF_ACCOUNTS, CLASSES, COLORS, COMPANY_SETTINGS, COUNTRIES,
        CURRENCIES, CUSTOM_FIELDS, EMAIL_TYPES, PHONE_TYPES, ROLES, SALES_TAX_ITEMS, SERVICE_TYPES,
    },
    value::Value,
};

pub mod audited;
pub mod json;

pub use super::resource::account::{ACCOUNT_ADDRESSES, ACCOUNT_ALERTS, ACCOUNT_LOCATIONS, ACCOUNT_TEAM, ACCOUNTS};
pub use super::resource::agent::{AGENT_NOTES, AGENTS, INSTALLED_PATCHES, MISSING_PATCHES, PATCHES};
pub use super::resource::contact::{CONTACT_CUSTOM_FIELDS, CONTACT_EMAILS, CONTACT_PHONES, CONTACTS};

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

/// A kind of record.
#[derive(Debug)]
pub struct Resource {
    /// What a file calls its records: `Accounts`.
    pub name: &'static str,
    /// What a message calls one of them: `account`.
    pub one: &'static str,
    /// What the audit log calls one of them: `Account`.
    pub kind: &'static str,
    /// The table that keeps them.
    pub table: &'static str,
    /// Whether the table `counters` has their number, and that of the active ones.
    pub is_counted: bool,
    /// The first so many members name the record it stands below, and are left out where it is written inside of it.
    pub above: usize,
    /// What a record is made of: the members that columns keep.
    pub members: &'static [Member],
    /// The members that the interface shows, where names in bodies stand for ids.
    pub shown: &'static [Member],
    /// The lists of records that stand inside of it.
    pub below: &'static [Below],
    /// One of these members, at least, has to be there.
    pub one_of: &'static [&'static str],
    /// What is worked out from the members.
    pub derived: Derived,
}

/// A kind of record with nothing, for others to say what they have.
pub(super) const PLAIN: Resource = Resource {
    name: "",
    one: "",
    kind: "",
    table: "",
    is_counted: false,
    above: 0,
    members: &[],
    shown: &[],
    below: &[],
    one_of: &[],
    derived: Derived::Nothing,
};

/// A member of a record.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// As files call it.
    pub name: &'static str,
    /// The table of the column, if it is not that of the other members.
    pub table: &'static str,
    /// The column that keeps it.
    pub column: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// What it is when it is left out.
    pub presence: Presence,
    /// Whether it is a part of what tells the record from others; where no member is, `Id` does.
    pub is_key: bool,
    /// Whether a second column keeps it for comparisons in any letter case.
    pub is_folded: bool,
    /// Whether lists can be ordered by it: an index stands behind the order.
    pub is_sorted: bool,
    /// What lists are ordered by then, when it is neither the column nor its twin.
    pub order: &'static str,
    /// What bodies of requests call it.
    pub input: &'static str,
    /// The most characters of a text; 255 when it is 0.
    pub most: usize,
    /// Whether a PUT replaces it and a PATCH changes it.
    pub written: Written,
    /// Whether the interface never shows it.
    pub is_hidden: bool,
}

/// What a PUT does to a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// Nothing: it is not a member of the body.
    Never,
    /// It replaces it; what the body does not have becomes what it is by default.
    Replaced,
    /// It replaces it; what the body does not have stays.
    Kept,
}

/// A list of records inside a record.
#[derive(Debug)]
pub struct Below {
    /// As files call it.
    pub name: &'static str,
    /// What it lists.
    pub resource: &'static Resource,
}

/// What a member holds.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// The name of the record that the id in the same column names; nothing is stored for it.
    Name(&'static Resource),
    /// The name of the tenant; nothing is stored for it.
    TenantName,
    /// What the SQL in place of the column gives; nothing is stored for it.
    Sql,
    /// Records that stand inside of it, in a table of their own.
    List,
    /// A number from 1 that the store gives when it is left out.
    Id,
    /// The id of a record.
    Reference(&'static Resource),
    /// The id of a record that stands below the one that the member before names.
    Place(&'static Resource),
    /// A whole number within these bounds.
    Integer(i64, i64),
    /// A number.
    Number,
    /// A number from 0 on.
    Amount,
    /// Yes or no.
    Boolean,
    /// Text.
    Text,
    /// A moment.
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
    /// One of these numbers, by itself or by its name.
    Choice(&'static [(&'static str, i64)]),
}

/// What a member is when it is left out.
#[derive(Clone, Copy, Debug)]
pub enum Presence {
    /// It must not be left out.
    Required,
    /// Nothing.
    Optional,
    /// This number.
    Otherwise(i64),
    /// This text.
    OtherwiseText(&'static str),
    /// The moment of the write.
    OtherwiseNow,
    /// The assignee who writes.
    OtherwiseWriter,
}

/// What is worked out from the members of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derived {
    /// Nothing.
    Nothing,
    /// `Name` is made of first and last name when it is left out.
    Name,
    /// The column `name_folded` keeps first and last name.
    FoldedName,
}

/// A record.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Where it has been read.
    pub place: Place,
    /// One value for each member of the resource.
    pub values: Vec<Value>,
    /// For each list of the resource what stands in it, if it is there.
    pub below: Vec<Option<Vec<Record>>>,
}

/// A place in the files of an import.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The position of the file among the files.
    pub file: u32,
    /// The line, from 1.
    pub line: u32,
}

/// What is wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where the record begins.
    pub place: Place,
    /// What kind of record it is, if that is known.
    pub resource: Option<&'static str>,
    /// What is wrong, beginning with the member.
    pub detail: String,
}

impl Resource {
    /// The members that name the record it stands below.
    pub fn above(&self) -> &'static [Member] {
        &self.members[..self.above]
    }

    /// The names in bodies of the members that a write may set.
    pub fn written(&self) -> impl Iterator<Item = &'static str> {
        self.members.iter().filter(|member| member.written != Written::Never).map(|member| member.input)
    }

    /// The member with that name, and its position.
    pub fn member(&self, name: &str) -> Option<(usize, &'static Member)> {
        self.members.iter().enumerate().find(|(_, member)| member.name == name)
    }

    /// The members that tell a record from others, in the order of their columns in the key.
    pub fn keys(&self) -> impl Iterator<Item = (usize, &'static Member)> {
        let has_keys = self.members.iter().any(|member| member.is_key);
        let is_key = move |member: &Member| if has_keys { member.is_key } else { matches!(member.kind, Kind::Id) };
        self.members.iter().enumerate().filter(move |(_, member)| is_key(member))
    }

    /// The position of the member that refers to a record of the same kind.
    pub fn parent(&self) -> Option<usize> {
        let is_parent = |member: &Member| matches!(member.kind, Kind::Reference(target) if target.name == self.name);
        self.members.iter().position(is_parent)
    }
}

impl Member {
    /// The most characters that its text may have.
    pub fn longest(&self) -> usize {
        if self.most > 0 { self.most } else { 255 }
    }

    /// The same, under the name that the interface has for it.
    pub(super) const fn named(mut self, name: &'static str) -> Self {
        self.name = name;
        if self.input.is_empty() {
            self.input = name;
        }
        self
    }

    /// The same, with another name in the bodies of requests.
    pub(super) const fn given_as(mut self, input: &'static str) -> Self {
        self.input = input;
        self
    }

    /// The same, for lists to be ordered by.
    pub(super) const fn sorted(mut self) -> Self {
        self.is_sorted = true;
        self
    }

    /// The same, for lists to be ordered by another column in its place.
    pub(super) const fn ordered_by(mut self, column: &'static str) -> Self {
        self.order = column;
        self.sorted()
    }

    /// Whether it is the name of the record that another member refers to.
    pub(super) fn is_name_of(&self, reference: &Self) -> bool {
        matches!(self.kind, Kind::Name(_)) && self.column == reference.column
    }

    /// Whether a column of the table keeps it.
    pub(super) const fn is_stored(&self) -> bool {
        !matches!(self.kind, Kind::Name(_) | Kind::TenantName | Kind::Sql | Kind::List)
    }

    /// With a twin column for comparisons.
    pub(super) const fn folded(mut self) -> Self {
        self.is_folded = true;
        self
    }

    /// A part of the key.
    pub(super) const fn key(mut self) -> Self {
        self.is_key = true;
        self
    }
}

/// The greatest number of the interface's `int32`.
pub(super) const SMALL: i64 = i32::MAX as i64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_resource_refers_to_a_later_one() {
        for (position, resource) in RESOURCES.iter().enumerate() {
            for member in resource.members {
                if let Kind::Reference(target) | Kind::Place(target) = member.kind {
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
        }
    }
}
