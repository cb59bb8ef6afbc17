//! `style`, `explode` and `allowReserved`.

use super::{Raw, Shape};

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
