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
        let pairs = self.query.get_or_init(|| {
            let pairs = Pairs::query(self.parts.uri.query().unwrap_or_default());
            if self.any_case { pairs.any_case() } else { pairs }
        });
        Fit::of::<T>(pairs.text(name).as_deref())
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
}

/// How well a request fits an operation: the greatest is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fit {
    /// All values are of their types.
    is_whole: bool,
    /// How many parameters say so.
    parameters: usize,
}

impl Fit {
    /// One parameter; `None` without a text.
    fn of<T: FromText>(text: Option<&str>) -> Option<Self> {
        text.map(|text| Self { is_whole: T::from_text(text).is_ok(), parameters: 1 })
    }
}

impl Add for Fit {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { is_whole: self.is_whole && other.is_whole, parameters: self.parameters + other.parameters }
    }
}
