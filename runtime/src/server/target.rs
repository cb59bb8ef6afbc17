//! A request that may belong to several operations of its route.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Add;

use http::header::{CONTENT_TYPE, HeaderMap};
use http::request::Parts;
use percent_encoding::percent_decode_str;

use super::path;
use crate::json::{Read, Reader, Value};
use crate::media_type;
use crate::parameter::Pairs;
use crate::rule::{Check, Rule, text_checked};
use crate::text::FromText;

const FORM: &str = "application/x-www-form-urlencoded";

/// The parts of a request that tell operations of one route apart.
#[derive(Debug)]
pub struct Target<'r> {
    parts: &'r Parts,
    body: &'r [u8],
    any_case: bool,
    query: OnceCell<Pairs<'r>>,
    members: OnceCell<Members<'r>>,
}

impl<'r> Target<'r> {
    pub(super) fn new(parts: &'r Parts, body: &'r [u8], any_case: bool) -> Self {
        Self { parts, body, any_case, query: OnceCell::new(), members: OnceCell::new() }
    }

    /// Whether the text of `{name}` in the template is a value of the parameter's type.
    pub fn has_in_path<T: FromText>(&self, template: &str, name: &str) -> Option<Fit> {
        Fit::of::<T>(self.text_in_path(template, name).as_deref()).filter(|fit| fit.is_whole)
    }

    /// Whether the text of `{name}` in the template is a value of the parameter's type that keeps the rules.
    pub fn has_in_path_checked<T: FromText + Check>(
        &self,
        template: &str,
        name: &str,
        rules: &[Rule<'_>],
    ) -> Option<Fit> {
        let text = self.text_in_path(template, name)?;
        text_checked::<T>(&text, rules).is_ok().then_some(Fit { told: 1, ..Fit::ANY })
    }

    /// Whether the query parameter is present with a value of its type.
    pub fn has_in_query<T: FromText>(&self, name: &str) -> Option<Fit> {
        self.chooses_in_query::<T>(name).filter(|fit| fit.is_whole)
    }

    /// Whether the query parameter is present; no other operation takes values outside its type.
    pub fn chooses_in_query<T: FromText>(&self, name: &str) -> Option<Fit> {
        Fit::of::<T>(self.query().text(name).as_deref())
    }

    /// Whether the query parameter is present; without it, the request is for another operation that may have
    /// it, too.
    pub fn needs_in_query(&self, name: &str) -> Option<Fit> {
        Some(Fit::needing(self.query().has(name)))
    }

    /// Whether the header is present with a value of its type.
    pub fn has_in_header<T: FromText>(&self, name: &str) -> Option<Fit> {
        self.chooses_in_header::<T>(name).filter(|fit| fit.is_whole)
    }

    /// Whether the header is present; no other operation takes values outside its type.
    pub fn chooses_in_header<T: FromText>(&self, name: &str) -> Option<Fit> {
        let value = self.parts.headers.get(name)?;
        Fit::of::<T>(std::str::from_utf8(value.as_bytes()).ok().map(str::trim))
    }

    /// Whether the header is present; without it, the request is for another operation that may have it, too.
    pub fn needs_in_header(&self, name: &str) -> Option<Fit> {
        Some(Fit::needing(self.parts.headers.contains_key(name)))
    }

    /// Whether the query lacks all parameters that only other operations have.
    pub fn lacks_in_query(&self, names: &[&str]) -> Option<Fit> {
        let is_there = names.iter().any(|name| self.query().has(name));
        Some(Fit { needs: (!is_there).then_some(0), ..Fit::ANY })
    }

    /// Whether the body has the member.
    pub fn has_in_body(&self, name: &str) -> Option<Fit> {
        self.member(name).map(|_| Fit { told: 1, ..Fit::ANY })
    }

    /// Whether the body has the member with one of `values`.
    pub fn has_value_in_body(&self, name: &str, values: &[&str]) -> Option<Fit> {
        self.member(name).filter(|text| values.contains(&text.as_ref())).map(|_| Fit { told: 1, ..Fit::ANY })
    }

    /// The decoded text of `{name}` in the template.
    fn text_in_path(&self, template: &str, name: &str) -> Option<Cow<'r, str>> {
        percent_decode_str(path::parameter(template, self.parts.uri.path(), name)?).decode_utf8().ok()
    }

    /// The text of a member of the body; empty for an array or an object.
    fn member(&self, name: &str) -> Option<Cow<'_, str>> {
        match self.members.get_or_init(|| Members::read(&self.parts.headers, self.body, self.any_case)) {
            Members::Form(pairs) => pairs.text(name),
            Members::Json(Value::Object(members)) => {
                let is_name =
                    |found: &str| if self.any_case { found.eq_ignore_ascii_case(name) } else { found == name };
                members.iter().find(|(found, _)| is_name(found)).map(|(_, value)| match value {
                    Value::String(text) => Cow::Borrowed(text.as_str()),
                    Value::Number(number) => Cow::Owned(number.to_string()),
                    Value::Bool(flag) => Cow::Borrowed(if *flag { "true" } else { "false" }),
                    Value::Null | Value::Array(_) | Value::Object(_) => Cow::Borrowed(""),
                })
            }
            Members::Json(_) => None,
        }
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
    /// Whether all values have their types.
    is_whole: bool,
    /// The number of parameters and members that only this operation has.
    told: usize,
    /// The number of required ones that other operations may have, too; `None`: one is missing.
    needs: Option<usize>,
}

impl Fit {
    /// The fit of an operation without alternatives.
    pub(super) const ANY: Self = Self { is_whole: true, told: 0, needs: Some(0) };

    /// The fit of one parameter; `None` without a text.
    fn of<T: FromText>(text: Option<&str>) -> Option<Self> {
        text.map(|text| Self { is_whole: T::from_text(text).is_ok(), told: 1, ..Self::ANY })
    }

    fn needing(is_there: bool) -> Self {
        Self { needs: is_there.then_some(1), ..Self::ANY }
    }

    /// The operation with the greatest certainty is meant. If none fits, one that explains the violation
    /// refuses the request.
    pub(super) fn certainty(self) -> impl Ord {
        (self.told > 0, self.is_whole, self.told)
    }

    /// Decides between operations with the same certainty.
    pub(super) fn needs(self) -> impl Ord {
        self.needs
    }
}

impl Add for Fit {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            is_whole: self.is_whole && other.is_whole,
            told: self.told + other.told,
            needs: self.needs.zip(other.needs).map(|(own, needs)| own + needs),
        }
    }
}

/// The members of a body.
#[derive(Debug)]
enum Members<'r> {
    Form(Pairs<'r>),
    Json(Value),
}

impl<'r> Members<'r> {
    fn read(headers: &HeaderMap, body: &'r [u8], any_case: bool) -> Self {
        let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if media_type::essence(content_type).eq_ignore_ascii_case(FORM) {
            let pairs = Pairs::query(std::str::from_utf8(body).unwrap_or_default());
            Self::Form(if any_case { pairs.any_case() } else { pairs })
        } else {
            Self::Json(Value::read(&mut Reader::tolerant(body)).unwrap_or_default())
        }
    }
}
