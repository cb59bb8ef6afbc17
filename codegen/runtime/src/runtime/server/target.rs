//! A request of which it is not known yet which operation of its route it is for.

use std::cell::OnceCell;
use std::ops::Add;

use http::request::Parts;
use percent_encoding::percent_decode_str;

use super::path;
use crate::runtime::parameter::Pairs;
use crate::runtime::text::FromText;

/// What operations of one route are told apart by.
#[derive(Debug)]
pub struct Target<'r> {
    parts: &'r Parts,
    any_case: bool,
    query: OnceCell<Pairs<'r>>,
}

impl<'r> Target<'r> {
    pub(super) fn new(parts: &'r Parts, any_case: bool) -> Self {
        Self { parts, any_case, query: OnceCell::new() }
    }

    /// Whether the text that stands for `{name}` in the template is a value of its type.
    pub fn has_in_path<T: FromText>(&self, template: &str, name: &str) -> Option<Fit> {
        let segment = path::parameter(template, self.parts.uri.path(), name);
        let text = segment.and_then(|segment| percent_decode_str(segment).decode_utf8().ok());
        Fit::of::<T>(text.as_deref()).filter(|fit| fit.is_whole)
    }

    /// Whether the parameter of the query is there, and a value of its type.
    pub fn has_in_query<T: FromText>(&self, name: &str) -> Option<Fit> {
        self.chooses_in_query::<T>(name).filter(|fit| fit.is_whole)
    }

    /// Whether the parameter of the query is there; no operation takes other values than those of its type.
    pub fn chooses_in_query<T: FromText>(&self, name: &str) -> Option<Fit> {
        Fit::of::<T>(self.query().text(name).as_deref())
    }

    /// Whether the parameter of the query is there, without which the request is for another operation that may have it.
    pub fn needs_in_query(&self, name: &str) -> Option<Fit> {
        Some(Fit::needing(self.query().text(name).is_some()))
    }

    /// Whether the header is there, and a value of its type.
    pub fn has_in_header<T: FromText>(&self, name: &str) -> Option<Fit> {
        self.chooses_in_header::<T>(name).filter(|fit| fit.is_whole)
    }

    /// Whether the header is there; no operation takes other values than those of its type.
    pub fn chooses_in_header<T: FromText>(&self, name: &str) -> Option<Fit> {
        let value = self.parts.headers.get(name)?;
        Fit::of::<T>(std::str::from_utf8(value.as_bytes()).ok().map(str::trim))
    }

    /// Whether the header is there, without which the request is for another operation that may have it.
    pub fn needs_in_header(&self, name: &str) -> Option<Fit> {
        Some(Fit::needing(self.parts.headers.contains_key(name)))
    }

    fn query(&self) -> &Pairs<'r> {
        self.query.get_or_init(|| {
            let pairs = Pairs::query(self.parts.uri.query().unwrap_or_default());
            if self.any_case { pairs.any_case() } else { pairs }
        })
    }
}

/// How well a request fits an operation.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    /// All values are of their types.
    is_whole: bool,
    /// How many parameters say that it is for this operation and no other.
    parameters: usize,
    /// How many it has that others may have, too; `None`: not all that the operation needs.
    needs: Option<usize>,
}

impl Fit {
    /// Of an operation that is not told from others.
    pub(super) const ANY: Self = Self { is_whole: true, parameters: 0, needs: Some(0) };

    /// One parameter; `None` without a text.
    fn of<T: FromText>(text: Option<&str>) -> Option<Self> {
        text.map(|text| Self { is_whole: T::from_text(text).is_ok(), parameters: 1, ..Self::ANY })
    }

    fn needing(is_there: bool) -> Self {
        Self { needs: is_there.then_some(1), ..Self::ANY }
    }

    /// The greatest is meant. Where nothing has to fit, anything does; what fits none is refused by one that says why.
    pub(super) fn certainty(self) -> impl Ord {
        (self.parameters > 0, self.is_whole, self.parameters)
    }

    /// The greatest is meant where nothing else says which.
    pub(super) fn needs(self) -> impl Ord {
        self.needs
    }
}

impl Add for Fit {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            is_whole: self.is_whole && other.is_whole,
            parameters: self.parameters + other.parameters,
            needs: self.needs.zip(other.needs).map(|(own, needs)| own + needs),
        }
    }
}
