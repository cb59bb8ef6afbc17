//! Constructors for rows of resources: the kinds of members, and what else a row says of one.

use crate::store::record::{
    Kind, Member,
    Presence::{self, Optional, Otherwise, OtherwiseNow, OtherwiseText, OtherwiseWriter, Required},
    Resource, SMALL, Written,
};

/// A member in a column; its name is set later.
const fn column(column: &'static str, kind: Kind, presence: Presence) -> Member {
    Member {
        name: "",
        table: "",
        column,
        kind,
        presence,
        is_key: false,
        is_folded: false,
        is_sorted: false,
        order: "",
        found_by: "",
        input: "",
        most: 255,
        written: Written::Never,
    }
}

/// Functions that make a member of a column: its kind says what its values are, and its presence what it is if omitted.
macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $ty:ty),*) = $kind:expr, $presence:expr;)+) => {
        $($(#[$doc])*
        pub(super) const fn $name(name: &'static str, $($argument: $ty),*) -> Member {
            column(name, $kind, $presence)
        })+
    };
}

columns! {
    /// The assignee who wrote the record. Not checked: they may have left.
    writer() = Kind::Integer(1, SMALL), OtherwiseWriter;
    /// The time of a write.
    written_on() = Kind::Moment, OtherwiseNow;
    moment() = Kind::Moment, Optional;
    text() = Kind::Text, Optional;
    number() = Kind::Number, Optional;
    amount() = Kind::Amount, Optional;
    choice(choices: &'static [(&'static str, i64)]) = Kind::Choice(choices), Optional;
    json() = Kind::Json, OtherwiseText("null");
    texts() = Kind::Texts, OtherwiseText("[]");
    object() = Kind::Object, Optional;
    /// An integer, at least `least`.
    integer(least: i64) = Kind::Integer(least, SMALL), Optional;
    /// A 64-bit integer, at least `least`.
    big(least: i64) = Kind::Integer(least, i64::MAX), Optional;
    /// 0 or 1.
    bit() = Kind::Integer(0, 1), Otherwise(0);
    digits() = Kind::Digits, Optional;
    zone() = Kind::Zone, Optional;
    flag(otherwise: bool) = Kind::Boolean, Otherwise(otherwise as i64);
    /// The id of a record of another resource.
    reference(target: &'static Resource) = Kind::Reference(target), Optional;
    /// The id of a record below the one that the previous reference names.
    reference_within(target: &'static Resource) = Kind::ReferenceWithin(target), Optional;
    /// The name of the record that a reference in this column refers to.
    name_of(target: &'static Resource) = Kind::Name(target), Optional;
    sql() = Kind::Sql, Optional;
}

/// The id of a record within its tenant, allocated if omitted.
pub(super) const fn id() -> Member {
    column("id", Kind::Id, Optional)
}

/// The name of the tenant.
pub(super) const fn tenant_name() -> Member {
    column("", Kind::TenantName, Optional)
}

/// Nested records.
pub(super) const fn list() -> Member {
    column("", Kind::List, Optional)
}

/// Functions that set something of a member.
macro_rules! with {
    ($($(#[$doc:meta])+ $name:ident($($argument:ident: $ty:ty)?) $($field:ident = $value:expr),+;)+) => {
        impl Member {
            $($(#[$doc])+
            pub(in crate::store) const fn $name(mut self, $($argument: $ty)?) -> Self {
                $(self.$field = $value;)+
                self
            })+
        }
    };
}

with! {
    /// Makes it required.
    mandatory() presence = Required;
    /// Sets its default text.
    or_text(otherwise: &'static str) presence = OtherwiseText(otherwise);
    /// Sets its default number.
    or(otherwise: i64) presence = Otherwise(otherwise);
    /// Sets the maximum length.
    at_most(most: usize) most = most;
    /// Makes it writable: PUT replaces it.
    written() written = Written::Replaced;
    /// Makes it writable: PUT keeps it if omitted.
    kept() written = Written::Kept;
    /// Sets its name in request bodies.
    given_as(input: &'static str) input = input;
    /// Places it in another table than the other members.
    in_table(table: &'static str) table = table;
    /// Adds it to the key.
    key() is_key = true;
    /// Adds a folded column.
    folded() is_folded = true;
    /// Allows lists to be ordered by it.
    sorted() is_sorted = true;
    /// Allows lists to be ordered by another column in its place.
    ordered_by(column: &'static str) is_sorted = true, order = column;
    /// Sets the condition that a text is found in it.
    found_by(condition: &'static str) found_by = condition;
}
