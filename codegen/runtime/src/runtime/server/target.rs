//! A request of which it is not known yet which operation of its route it is for.

use std::cell::OnceCell;

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
    pub fn has_in_path<T: FromText>(&self, template: &str, name: &str) -> bool {
        let segment = path::parameter(template, self.parts.uri.path(), name);
        let text = segment.and_then(|segment| percent_decode_str(segment).decode_utf8().ok());
        text.is_some_and(|text| T::from_text(&text).is_ok())
    }

    /// Whether the parameter of the query is there, and a value of its type.
    pub fn has_in_query<T: FromText>(&self, name: &str) -> bool {
        let pairs = self.query.get_or_init(|| {
            let pairs = Pairs::query(self.parts.uri.query().unwrap_or_default());
            if self.any_case { pairs.any_case() } else { pairs }
        });
        pairs.text(name).is_some_and(|text| T::from_text(&text).is_ok())
    }

    /// Whether the header is there, and a value of its type.
    pub fn has_in_header<T: FromText>(&self, name: &str) -> bool {
        let text = self.parts.headers.get(name).and_then(|value| std::str::from_utf8(value.as_bytes()).ok());
        text.is_some_and(|text| T::from_text(text.trim()).is_ok())
    }
}
