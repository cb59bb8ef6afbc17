//! Constructors for rows of resources: the kinds of members.

use crate::store::record::{Kind, Member, Presence, Resource, SMALL, Written};

/// A member in a column; its name is set later.
pub(super) const fn column(column: &'static str, kind: Kind, presence: Presence) -> Member {
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
        input: "",
        most: 0,
        written: Written::Never,
        is_hidden: false,
    }
}

/// The id of a record within its tenant, allocated if omitted.
pub(super) const fn id() -> Member {
    column("id", Kind::Id, Presence::Optional)
}

/// The assignee who wrote the record. Not checked: they may have left.
pub(super) const fn writer(name: &'static str) -> Member {
    column(name, Kind::Integer(1, SMALL), Presence::OtherwiseWriter)
}

/// The time of a write.
pub(super) const fn written_on(name: &'static str) -> Member {
    column(name, Kind::Moment, Presence::OtherwiseNow)
}

/// A timestamp.
pub(super) const fn moment(name: &'static str) -> Member {
    column(name, Kind::Moment, Presence::Optional)
}

/// Text.
pub(super) const fn text(name: &'static str) -> Member {
    column(name, Kind::Text, Presence::Optional)
}

/// A number.
pub(super) const fn number(name: &'static str) -> Member {
    column(name, Kind::Number, Presence::Optional)
}

/// A number, at least 0.
pub(super) const fn amount(name: &'static str) -> Member {
    column(name, Kind::Amount, Presence::Optional)
}

/// One of these numbers, given as number or name.
pub(super) const fn choice(name: &'static str, choices: &'static [(&'static str, i64)]) -> Member {
    column(name, Kind::Choice(choices), Presence::Optional)
}

/// Any JSON value.
pub(super) const fn json(name: &'static str) -> Member {
    column(name, Kind::Json, Presence::OtherwiseText("null"))
}

/// A list of texts.
pub(super) const fn texts(name: &'static str) -> Member {
    column(name, Kind::Texts, Presence::OtherwiseText("[]"))
}

/// An integer, at least `least`.
pub(super) const fn integer(name: &'static str, least: i64) -> Member {
    column(name, Kind::Integer(least, SMALL), Presence::Optional)
}

/// A 64-bit integer, at least `least`.
pub(super) const fn big(name: &'static str, least: i64) -> Member {
    column(name, Kind::Integer(least, i64::MAX), Presence::Optional)
}

/// Text of 1 to 26 digits.
pub(super) const fn digits(name: &'static str) -> Member {
    column(name, Kind::Digits, Presence::Optional)
}

/// The IANA name of a time zone.
pub(super) const fn zone(name: &'static str) -> Member {
    column(name, Kind::Zone, Presence::Optional)
}

/// A JSON object.
pub(super) const fn object(name: &'static str) -> Member {
    column(name, Kind::Object, Presence::Optional)
}

/// A boolean with its default.
pub(super) const fn flag(name: &'static str, otherwise: bool) -> Member {
    column(name, Kind::Boolean, Presence::Otherwise(otherwise as i64))
}

/// The id of a record of another resource.
pub(super) const fn reference(name: &'static str, target: &'static Resource) -> Member {
    column(name, Kind::Reference(target), Presence::Optional)
}

/// The id of a record below the one that the previous reference names.
pub(super) const fn place(name: &'static str, target: &'static Resource) -> Member {
    column(name, Kind::Place(target), Presence::Optional)
}

/// The name of the record that `reference` refers to.
pub(super) const fn name_of(reference: &'static str, target: &'static Resource) -> Member {
    column(reference, Kind::Name(target), Presence::Optional)
}

/// The value of an SQL expression.
pub(super) const fn sql(expression: &'static str) -> Member {
    column(expression, Kind::Sql, Presence::Optional)
}

/// The name of the tenant.
pub(super) const fn tenant_name() -> Member {
    column("", Kind::TenantName, Presence::Optional)
}

/// Nested records.
pub(super) const fn list() -> Member {
    column("", Kind::List, Presence::Optional)
}

impl Member {
    /// Makes it required.
    pub(super) const fn mandatory(mut self) -> Self {
        self.presence = Presence::Required;
        self
    }

    /// Sets the maximum length.
    pub(super) const fn at_most(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    /// Makes it writable: PUT replaces it.
    pub(super) const fn written(mut self) -> Self {
        self.written = Written::Replaced;
        self
    }

    /// Makes it writable: PUT keeps it if omitted.
    pub(super) const fn kept(mut self) -> Self {
        self.written = Written::Kept;
        self
    }

    /// Hides it from the interface.
    pub(super) const fn hidden(mut self) -> Self {
        self.is_hidden = true;
        self
    }

    /// Places it in another table than the other members.
    pub(super) const fn in_table(mut self, table: &'static str) -> Self {
        self.table = table;
        self
    }

    /// Sets its default text.
    pub(super) const fn or_text(mut self, otherwise: &'static str) -> Self {
        self.presence = Presence::OtherwiseText(otherwise);
        self
    }

    /// Sets its default number.
    pub(super) const fn or(mut self, otherwise: i64) -> Self {
        self.presence = Presence::Otherwise(otherwise);
        self
    }
}
