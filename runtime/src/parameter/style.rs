//! `style`, `explode` and `allowReserved`.

use super::{Raw, Shape};

/// How the texts of a value are put together.
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
    /// `name=value` as it is, in a cookie, exploded
    pub const COOKIE: Self = Self::new(Kind::Cookie, true);

    const fn new(kind: Kind, explode: bool) -> Self {
        Self { kind, explode, allow_reserved: false }
    }

    /// With `explode`.
    #[must_use]
    pub const fn explode(self, explode: bool) -> Self {
        Self { explode, ..self }
    }

    /// With `allowReserved: true`.
    #[must_use]
    pub const fn allow_reserved(self) -> Self {
        Self { allow_reserved: true, ..self }
    }

    /// The value of a parameter of this shape of which nothing is there: an exploded list or object without items is written
    /// as nothing.
    pub fn nothing(self, shape: Shape) -> Option<Raw<'static>> {
        match shape {
            Shape::Array if self.explode => Some(Raw::List(Vec::new())),
            Shape::Object if self.explode => Some(Raw::Fields(Vec::new())),
            Shape::Primitive | Shape::Array | Shape::Object | Shape::Several => None,
        }
    }

    /// What stands between the items of a list where nothing is encoded.
    pub(super) const fn separator(self) -> &'static str {
        match self.kind {
            Kind::SpaceDelimited => " ",
            Kind::PipeDelimited => "|",
            Kind::TabDelimited => "\t",
            Kind::Matrix | Kind::Label | Kind::Simple | Kind::Form | Kind::DeepObject | Kind::Cookie => ",",
        }
    }
}
