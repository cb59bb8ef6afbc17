//! Parsing values by style.

use std::borrow::Cow;

use super::nested::inner;
use super::percent::decode;
use super::style::Kind;
use super::{Field, Pairs, Raw, Shape, Style};
use crate::json::Members;
use crate::text::Refusal;

type Decode<'a, 'f> = &'f dyn Fn(&'a str) -> Result<Cow<'a, str>, Refusal>;

impl Style {
    /// Parses `segment`, a part of the path as sent.
    pub fn read_path<'a>(self, name: &str, shape: Shape, segment: &'a str) -> Result<Raw<'a>, Refusal> {
        match self.kind {
            Kind::Matrix => self.matrix(name, shape, segment),
            Kind::Label => {
                let text = segment.strip_prefix('.').ok_or_else(|| malformed("does not start with `.`"))?;
                self.split(shape, text, if self.explode { &["."] } else { &[","] }, &decode)
            }
            // In a path, a plus sign does not mean a space.
            Kind::SpaceDelimited => self.split(shape, segment, &["%20"], &decode),
            Kind::Simple | Kind::Form | Kind::PipeDelimited | Kind::TabDelimited | Kind::DeepObject | Kind::Cookie => {
                self.split(shape, segment, self.delimiters(), &decode)
            }
        }
    }

    /// Parses `text`, a header as sent.
    pub fn read_header(self, shape: Shape, text: &str) -> Result<Raw<'_>, Refusal> {
        self.split(shape, text.trim(), &[self.separator()], &|text| Ok(Cow::Borrowed(text.trim())))
    }

    /// Parses a parameter in a query or a form; `None` if it is absent.
    pub fn read_query<'a>(
        self,
        name: &str,
        shape: Shape,
        members: Option<&'static Members>,
        pairs: &Pairs<'a>,
    ) -> Result<Option<Raw<'a>>, Refusal> {
        if self.kind == Kind::DeepObject && shape != Shape::Primitive {
            let members = deep_object(name, pairs)?;
            if members.is_some() || shape == Shape::Object {
                return Ok(members);
            }
        }
        if shape == Shape::Object && self.explode {
            return exploded_object(members, pairs);
        }
        let mut values = pairs.values(name);
        let Some(first) = values.next() else { return Ok(None) };
        let others = values.count();
        match shape {
            _ if others == 0 && !(shape == Shape::Array && self.explode) => {
                self.split(shape, first, self.delimiters(), &|text| pairs.decode(text)).map(Some)
            }
            Shape::Primitive | Shape::Object => {
                Err(Refusal { code: "duplicate", detail: format!("is given {} times", others + 1) })
            }
            // Clients often repeat the pair for each item, whatever the style.
            Shape::Array | Shape::Several => texts(pairs.values(name), &|text| pairs.decode(text)).map(Some),
        }
    }

    /// Whether a query parameter is read from the pair named `found`; the arguments are those of
    /// [`Style::read_query`].
    #[cfg(feature = "server")]
    pub(crate) fn takes(
        self,
        name: &str,
        shape: Shape,
        members: Option<&'static Members>,
        pairs: &Pairs<'_>,
        found: &str,
    ) -> bool {
        if self.kind == Kind::DeepObject && shape != Shape::Primitive && pairs.member_of(found, name).is_some() {
            return true;
        }
        match shape {
            Shape::Object if self.kind == Kind::DeepObject => false,
            Shape::Object if self.explode => is_member(members, pairs, found),
            Shape::Primitive | Shape::Array | Shape::Object | Shape::Several => pairs.is_name(found, name),
        }
    }

    /// Parses a parameter in the `Cookie` header; `None` if it is absent.
    pub fn read_cookie<'a>(
        self,
        name: &str,
        shape: Shape,
        members: Option<&'static Members>,
        pairs: &Pairs<'a>,
    ) -> Result<Option<Raw<'a>>, Refusal> {
        if self.kind == Kind::Cookie {
            return self.read_query(name, shape, members, &pairs.clone().plain());
        }
        self.read_query(name, shape, members, pairs)
    }

    fn delimiters(self) -> &'static [&'static str] {
        match self.kind {
            Kind::SpaceDelimited => &["%20", "+"],
            Kind::PipeDelimited => &["|", "%7C", "%7c"],
            Kind::TabDelimited => &["%09"],
            Kind::Matrix | Kind::Label | Kind::Simple | Kind::Form | Kind::DeepObject | Kind::Cookie => &[","],
        }
    }

    fn matrix<'a>(self, name: &str, shape: Shape, segment: &'a str) -> Result<Raw<'a>, Refusal> {
        let text = segment.strip_prefix(';').ok_or_else(|| malformed("does not start with `;`"))?;
        if self.explode && shape == Shape::Object {
            return fields(text.split(';').filter(|pair| !pair.is_empty()), &decode);
        }
        let mut values = Vec::new();
        for pair in text.split(';').filter(|pair| !pair.is_empty()) {
            let (found, value) = pair.split_once('=').unwrap_or((pair, ""));
            if decode(found)? != name {
                return Err(malformed(&format!("does not start with `;{name}`")));
            }
            values.push(value);
        }
        match (values.as_slice(), shape) {
            (values, Shape::Array) if self.explode => texts(values.iter().copied(), &decode),
            ([], Shape::Array) => Ok(Raw::List(Vec::new())),
            ([], Shape::Object) => Ok(Raw::Fields(Vec::new())),
            ([value], shape) => self.split(shape, value, &[","], &decode),
            (_, Shape::Primitive | Shape::Array | Shape::Object | Shape::Several) => {
                Err(Refusal { code: "duplicate", detail: format!("is given {} times", values.len()) })
            }
        }
    }

    /// Splits a single text.
    fn split<'a>(
        self,
        shape: Shape,
        text: &'a str,
        delimiters: &[&str],
        decode: Decode<'a, '_>,
    ) -> Result<Raw<'a>, Refusal> {
        match shape {
            Shape::Primitive | Shape::Several => decode(text).map(Raw::Text),
            Shape::Array if text.is_empty() => Ok(Raw::List(Vec::new())),
            Shape::Array => texts(pieces(text, delimiters), decode),
            Shape::Object if text.is_empty() => Ok(Raw::Fields(Vec::new())),
            Shape::Object if self.explode => fields(pieces(text, delimiters), decode),
            Shape::Object => {
                let mut names = pieces(text, delimiters);
                let mut fields = Vec::new();
                while let Some(name) = names.next() {
                    let value = names.next().ok_or_else(|| malformed("ends after the name of a member"))?;
                    fields.push(Field::new(decode(name)?, decode(value)?));
                }
                Ok(Raw::Fields(fields))
            }
        }
    }
}

fn deep_object<'a>(name: &str, pairs: &Pairs<'a>) -> Result<Option<Raw<'a>>, Refusal> {
    let mut fields = Vec::new();
    for (found, value) in pairs.iter() {
        if let Some(member) = pairs.member_of(found, name) {
            fields.push(Field::new(member, pairs.decode(value)?));
        }
    }
    Ok((!fields.is_empty()).then_some(Raw::Fields(fields)))
}

fn exploded_object<'a>(members: Option<&'static Members>, pairs: &Pairs<'a>) -> Result<Option<Raw<'a>>, Refusal> {
    let mut fields = Vec::new();
    for (found, value) in pairs.iter() {
        if is_member(members, pairs, found) {
            fields.push(Field::new(found.clone(), pairs.decode(value)?));
        }
    }
    Ok((!fields.is_empty()).then_some(Raw::Fields(fields)))
}

/// Whether a pair is a member of an exploded object; without names, every pair is.
fn is_member(members: Option<&'static Members>, pairs: &Pairs<'_>, found: &str) -> bool {
    members.is_none_or(|members| {
        // `corner[x]` belongs to the member `corner`.
        let outer = inner(found).map_or(found, |(outer, _)| outer);
        members.names().iter().any(|name| pairs.is_name(found, name) || pairs.is_name(outer, name))
    })
}

fn texts<'a>(pieces: impl Iterator<Item = &'a str>, decode: Decode<'a, '_>) -> Result<Raw<'a>, Refusal> {
    Ok(Raw::List(pieces.map(decode).collect::<Result<_, _>>()?))
}

fn fields<'a>(pieces: impl Iterator<Item = &'a str>, decode: Decode<'a, '_>) -> Result<Raw<'a>, Refusal> {
    let mut fields = Vec::new();
    for piece in pieces {
        let (name, value) = piece.split_once('=').ok_or_else(|| malformed("has a member without `=`"))?;
        fields.push(Field::new(decode(name)?, decode(value)?));
    }
    Ok(Raw::Fields(fields))
}

/// Splits at each of `delimiters`.
fn pieces<'a>(text: &'a str, delimiters: &[&str]) -> impl Iterator<Item = &'a str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let next = (0..text.len()).find_map(|index| {
            let delimiter =
                delimiters.iter().find(|delimiter| text.as_bytes()[index..].starts_with(delimiter.as_bytes()));
            delimiter.map(|delimiter| (index, delimiter.len()))
        });
        let Some((index, length)) = next else {
            rest = None;
            return Some(text);
        };
        rest = Some(&text[index + length..]);
        Some(&text[..index])
    })
}

fn malformed(detail: &str) -> Refusal {
    Refusal { code: "syntax", detail: detail.to_owned() }
}
