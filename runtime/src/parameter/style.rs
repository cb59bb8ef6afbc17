//! `style`, `explode` and `allowReserved`.

use super::nested::inner;
use super::{Pairs, Raw, Shape};

/// How the texts of a value are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    pub(super) kind: Kind,
    pub(super) explode: bool,
    pub(super) allow_reserved: bool,
}

/// `style`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Matrix,
    Label,
    Simple,
    Form,
    SpaceDelimited,
    PipeDelimited,
    TabDelimited,
    DeepObject,
    Cookie,
}

/// How a member of a form is written, if not as every form does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormStyle {
    /// A text, or a list.
    Pairs(Style),
    /// An object in one text.
    Object(Style),
    /// An object whose members, with these names, are members of the form.
    Spread(Style, &'static [&'static str]),
    /// A JSON value.
    Json,
    /// A list of JSON values.
    JsonItems,
}

impl FormStyle {
    /// Whether the pair named `found` is a member of the object.
    pub(super) fn is_spread_to(self, pairs: &Pairs<'_>, found: &str) -> bool {
        let Self::Spread(_, names) = self else { return false };
        let outer = inner(found).map_or(found, |(outer, _)| outer);
        names.iter().any(|name| pairs.is_name(outer, name))
    }
}

impl Style {
    /// `;name=value`
    pub const MATRIX: Self = Self::new(Kind::Matrix, false);
    /// `.value`
    pub const LABEL: Self = Self::new(Kind::Label, false);
    /// `value`
    pub const SIMPLE: Self = Self::new(Kind::Simple, false);
    /// `name=value`, exploded
    pub const FORM: Self = Self::new(Kind::Form, true);
    /// `name=a%20b`
    pub const SPACE_DELIMITED: Self = Self::new(Kind::SpaceDelimited, false);
    /// `name=a%7Cb`
    pub const PIPE_DELIMITED: Self = Self::new(Kind::PipeDelimited, false);
    /// `name=a%09b`
    pub const TAB_DELIMITED: Self = Self::new(Kind::TabDelimited, false);
    /// `name[member]=value`
    pub const DEEP_OBJECT: Self = Self::new(Kind::DeepObject, true);
    /// `name=value` unencoded, in a cookie, exploded
    pub const COOKIE: Self = Self::new(Kind::Cookie, true);

    const fn new(kind: Kind, explode: bool) -> Self {
        Self { kind, explode, allow_reserved: false }
    }

    /// Sets `explode`.
    #[must_use]
    pub const fn explode(self, explode: bool) -> Self {
        Self { explode, ..self }
    }

    /// Sets `allowReserved: true`.
    #[must_use]
    pub const fn allow_reserved(self) -> Self {
        Self { allow_reserved: true, ..self }
    }

    /// The style of a text or a list in a form.
    pub const fn pairs(self) -> FormStyle {
        FormStyle::Pairs(self)
    }

    /// The style of an object that is one text of a form.
    pub const fn object(self) -> FormStyle {
        FormStyle::Object(self)
    }

    /// The style of an object whose members, with these names, are members of the form.
    pub const fn spread(self, names: &'static [&'static str]) -> FormStyle {
        FormStyle::Spread(self, names)
    }

    /// The style of a member of a form that is JSON, and is not read from brackets.
    pub const fn json() -> FormStyle {
        FormStyle::Json
    }

    /// The style of a list in a form whose items are JSON, and are not read from brackets.
    pub const fn json_items() -> FormStyle {
        FormStyle::JsonItems
    }

    /// The style of one text in a form.
    pub(super) const fn of_text(self) -> Self {
        Self { allow_reserved: self.allow_reserved, ..Self::FORM }
    }

    /// The value of an absent parameter of this shape: an exploded list or object without items is serialized
    /// as nothing.
    pub fn nothing(self, shape: Shape) -> Option<Raw<'static>> {
        match shape {
            Shape::Array if self.explode => Some(Raw::List(Vec::new())),
            Shape::Object if self.explode => Some(Raw::Fields(Vec::new())),
            Shape::Primitive | Shape::Array | Shape::Object | Shape::Several => None,
        }
    }

    /// The separator of list items where nothing is encoded.
    pub(super) const fn separator(self) -> &'static str {
        match self.kind {
            Kind::SpaceDelimited => " ",
            Kind::PipeDelimited => "|",
            Kind::TabDelimited => "\t",
            Kind::Matrix | Kind::Label | Kind::Simple | Kind::Form | Kind::DeepObject | Kind::Cookie => ",",
        }
    }
}
