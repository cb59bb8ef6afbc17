//! Names and values of a query, a form, or the `Cookie` header.

use std::borrow::Cow;

use super::nested::inside;
use super::percent::{decode, decode_form};
use crate::text::Refusal;

/// The pairs of a query, a form or a `Cookie` header; values are still encoded.
#[derive(Clone, Debug)]
pub struct Pairs<'a> {
    all: Vec<(Cow<'a, str>, &'a str)>,
    any_case: bool,
    skips_empty: bool,
    coding: Coding,
}

/// The encoding of the values.
#[derive(Clone, Copy, Debug)]
enum Coding {
    Form,
    Percent,
    Plain,
}

impl<'a> Pairs<'a> {
    /// Parses a query or a form.
    pub fn query(text: &'a str) -> Self {
        let pairs = text.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode_form(name).unwrap_or(Cow::Borrowed(name)), value)
        });
        Self { all: pairs.collect(), any_case: false, skips_empty: false, coding: Coding::Form }
    }

    /// Parses a `Cookie` header.
    pub fn cookies(text: &'a str) -> Self {
        let pairs = text.split(';').map(str::trim).filter(|pair| !pair.is_empty()).map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value);
            (decode(name).unwrap_or(Cow::Borrowed(name)), value)
        });
        Self { all: pairs.collect(), any_case: false, skips_empty: false, coding: Coding::Percent }
    }

    /// Reads values without decoding.
    pub(super) fn plain(self) -> Self {
        Self { coding: Coding::Plain, ..self }
    }

    /// Matches names case-insensitively (ASCII).
    #[must_use]
    pub fn any_case(self) -> Self {
        Self { any_case: true, ..self }
    }

    /// Leaves out pairs with an empty value, except from [`Pairs::names`].
    #[cfg(feature = "server")]
    #[must_use]
    pub(crate) fn without_empty(self) -> Self {
        Self { skips_empty: true, ..self }
    }

    /// The pairs that belong neither to `names` nor to their members: `name[a]`.
    #[must_use]
    pub fn without(&self, names: &[&str]) -> Self {
        let belongs = |found: &str, name: &str| self.is_name(found, name) || self.member_of(found, name).is_some();
        let own = self.all.iter().filter(|(found, _)| !names.iter().any(|name| belongs(found, name)));
        Self { all: own.cloned().collect(), ..*self }
    }

    /// The names as sent.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|(name, _)| name.as_ref())
    }

    /// All pairs that are not left out.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Cow<'a, str>, &'a str)> {
        let counts = |(_, value): &&(_, &str)| !(self.skips_empty && value.is_empty());
        self.all.iter().filter(counts).map(|(name, value)| (name, *value))
    }

    /// The values of `name` as sent.
    pub(super) fn values(&self, name: &str) -> impl Iterator<Item = &'a str> {
        self.iter().filter(move |(found, _)| self.is_name(found, name)).map(|(_, value)| value)
    }

    /// Whether `name` occurs.
    pub fn has(&self, name: &str) -> bool {
        self.values(name).next().is_some()
    }

    /// The decoded value of `name`, if present.
    pub fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        let mut values = self.values(name);
        let (value, None) = (values.next()?, values.next()) else { return None };
        self.decode(value).ok()
    }

    pub(super) fn is_name(&self, found: &str, name: &str) -> bool {
        if self.any_case { found.eq_ignore_ascii_case(name) } else { found == name }
    }

    /// The member of `name` that `found` refers to: `a` for `name[a]`, `a[b]` for `name[a][b]`.
    pub(super) fn member_of(&self, found: &str, name: &str) -> Option<String> {
        let (object, rest) = found.split_at_checked(name.len())?;
        inside(rest).filter(|_| self.is_name(object, name))
    }

    pub(super) fn decode(&self, value: &'a str) -> Result<Cow<'a, str>, Refusal> {
        match self.coding {
            Coding::Form => decode_form(value),
            Coding::Percent => decode(value),
            Coding::Plain => Ok(Cow::Borrowed(value)),
        }
    }
}
