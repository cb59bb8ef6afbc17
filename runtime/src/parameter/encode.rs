//! Serializing values by style.

use std::borrow::Cow;

use super::nested::outer;
use super::percent::{Encoding, encode};
use super::style::Kind;
use super::{Field, Raw, Style};

impl Style {
    /// Appends `raw` as a part of a path.
    pub fn write_path(self, name: &str, raw: &Raw<'_>, out: &mut String) {
        match self.kind {
            Kind::Matrix => self.write_matrix(name, raw, out),
            Kind::Label => {
                out.push('.');
                let delimiter = if self.explode { "." } else { "," };
                self.join(raw, delimiter, Encoding::Label, out);
            }
            Kind::Simple
            | Kind::Form
            | Kind::SpaceDelimited
            | Kind::PipeDelimited
            | Kind::TabDelimited
            | Kind::DeepObject
            | Kind::Cookie => {
                self.join(raw, self.delimiter(), Encoding::Reserved, out);
            }
        }
    }

    /// `raw` as the text of a header.
    pub fn write_header(self, raw: &Raw<'_>) -> String {
        let mut out = String::new();
        self.join(raw, self.separator(), Encoding::Plain, &mut out);
        out
    }

    /// Appends `raw` to a query or a form.
    pub fn write_query(self, name: &str, raw: &Raw<'_>, out: &mut String) {
        self.write_pairs(name, raw, &Separated { by: "&", name: Encoding::Reserved }, out);
    }

    /// Appends `raw` to a `Cookie` header, where `allowReserved` has no meaning.
    pub fn write_cookie(self, name: &str, raw: &Raw<'_>, out: &mut String) {
        let separated = Separated { by: "; ", name: Encoding::NameOfCookie };
        Self { allow_reserved: false, ..self }.write_pairs(name, raw, &separated, out);
    }

    /// Whether a cookie can hold `raw`: unencoded characters must conform to RFC 6265, section 4.1.1.
    pub fn fits_cookie(self, raw: &Raw<'_>) -> bool {
        let fits = |text: &str| {
            text.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b',' | b';' | b'\\'))
        };
        self.kind != Kind::Cookie
            || match raw {
                Raw::Text(text) => fits(text),
                Raw::List(texts) => texts.iter().all(|text| fits(text)),
                Raw::Fields(fields) => fields.iter().all(|field| fits(&field.name) && fits(&field.text)),
            }
    }

    /// Whether `raw` keeps its items when sent as a pair of a query, a form or a cookie.
    pub fn keeps_pairs(self, raw: &Raw<'_>) -> bool {
        self.explode || self.keeps_items(raw)
    }

    /// Whether `raw` keeps its items when they are joined to one text: a separator (space, `|`, tab) within
    /// an item is not escaped, and a list of one empty text looks like an empty list.
    pub fn keeps_items(self, raw: &Raw<'_>) -> bool {
        let delimiter = self.separator();
        let is_delimited = matches!(self.kind, Kind::SpaceDelimited | Kind::PipeDelimited | Kind::TabDelimited);
        !is_only_empty(raw) && (!is_delimited || raw.texts().all(|text| !text.contains(delimiter)))
    }

    /// Whether `raw` survives as a header, where nothing is encoded and spaces around items are trimmed.
    pub fn keeps_header(self, raw: &Raw<'_>) -> bool {
        let delimiter = self.separator();
        let is_one = matches!(raw, Raw::Text(_));
        // A member name ends at the first `=`.
        let keeps_names = match raw {
            Raw::Fields(fields) => !self.explode || fields.iter().all(|field| !field.name.contains('=')),
            Raw::Text(_) | Raw::List(_) => true,
        };
        let keeps = |text: &str| text.trim() == text && (is_one || !text.contains(delimiter));
        !is_only_empty(raw) && keeps_names && raw.texts().all(keeps)
    }

    fn write_pairs(self, name: &str, raw: &Raw<'_>, separated: &Separated, out: &mut String) {
        let (value, in_list) = match self.kind {
            Kind::Cookie => (Encoding::Plain, Encoding::Plain),
            _ if self.allow_reserved => (Encoding::Essential, Encoding::EssentialInList),
            _ => (Encoding::Reserved, Encoding::Reserved),
        };
        match raw {
            Raw::Fields(fields) if self.kind == Kind::DeepObject => {
                for (member, text) in numbered(fields) {
                    separated.write_pair(out, &outer(name, &member), text, value);
                }
            }
            Raw::List(texts) if self.kind == Kind::DeepObject => {
                for (index, text) in texts.iter().enumerate() {
                    separated.write_pair(out, &outer(name, &index.to_string()), text, value);
                }
            }
            Raw::Fields(fields) if self.explode => {
                for field in fields {
                    separated.write_pair(out, &field.name, &field.text, value);
                }
            }
            Raw::List(texts) if self.explode => {
                for text in texts {
                    separated.write_pair(out, name, text, value);
                }
            }
            Raw::Text(text) => separated.write_pair(out, name, text, value),
            Raw::List(_) | Raw::Fields(_) => {
                separated.write_pair(out, name, "", value);
                self.join(raw, self.delimiter(), in_list, out);
            }
        }
    }

    /// The separator of list items in a URL.
    fn delimiter(self) -> &'static str {
        match self.kind {
            Kind::SpaceDelimited => "%20",
            Kind::PipeDelimited => "%7C",
            Kind::TabDelimited => "%09",
            Kind::Matrix | Kind::Label | Kind::Simple | Kind::Form | Kind::DeepObject | Kind::Cookie => ",",
        }
    }

    fn write_matrix(self, name: &str, raw: &Raw<'_>, out: &mut String) {
        let pair = |out: &mut String, name: &str, text: &str| {
            out.push(';');
            encode(out, name, Encoding::Reserved);
            if !text.is_empty() {
                out.push('=');
                encode(out, text, Encoding::Reserved);
            }
        };
        let start = out.len();
        match raw {
            Raw::Text(text) => pair(out, name, text),
            Raw::List(texts) if self.explode => texts.iter().for_each(|text| pair(out, name, text)),
            Raw::Fields(fields) if self.explode => {
                for Field { name, text, .. } in fields {
                    out.push(';');
                    encode(out, name, Encoding::Reserved);
                    out.push('=');
                    encode(out, text, Encoding::Reserved);
                }
            }
            Raw::List(_) | Raw::Fields(_) => {
                pair(out, name, "");
                let start = out.len();
                self.join(raw, ",", Encoding::Reserved, out);
                if out.len() > start {
                    out.insert(start, '=');
                }
            }
        }
        // A path segment must not be empty, even for an empty list.
        if out.len() == start {
            out.push(';');
        }
    }

    fn join(self, raw: &Raw<'_>, delimiter: &str, encoding: Encoding, out: &mut String) {
        let separate = |out: &mut String, index: usize| {
            if index > 0 {
                out.push_str(delimiter);
            }
        };
        match raw {
            Raw::Text(text) => encode(out, text, encoding),
            Raw::List(texts) => {
                for (index, text) in texts.iter().enumerate() {
                    separate(out, index);
                    encode(out, text, encoding);
                }
            }
            Raw::Fields(fields) => {
                for (index, Field { name, text, .. }) in fields.iter().enumerate() {
                    separate(out, index);
                    encode(out, name, encoding);
                    out.push_str(if self.explode { "=" } else { delimiter });
                    encode(out, text, encoding);
                }
            }
        }
    }
}

/// Whether it is a list with one empty item.
fn is_only_empty(raw: &Raw<'_>) -> bool {
    matches!(raw, Raw::List(texts) if matches!(&texts[..], [only] if only.is_empty()))
}

/// The names and texts, with the index of each list item after its name: `tags[0]`.
fn numbered<'f>(fields: &'f [Field<'_>]) -> impl Iterator<Item = (Cow<'f, str>, &'f str)> {
    let mut index = 0;
    fields.iter().enumerate().map(move |(place, field)| {
        // The items of a list are adjacent.
        let before = place.checked_sub(1).and_then(|before| fields.get(before));
        index = if before.is_some_and(|before| before.is_item && before.name == field.name) { index + 1 } else { 0 };
        let name = if field.is_item {
            Cow::Owned(format!("{}[{index}]", field.name))
        } else {
            Cow::Borrowed(field.name.as_ref())
        };
        (name, field.text.as_ref())
    })
}

/// How pairs are joined.
struct Separated {
    by: &'static str,
    /// The encoding of their names.
    name: Encoding,
}

impl Separated {
    fn write_pair(&self, out: &mut String, name: &str, text: &str, encoding: Encoding) {
        if !out.is_empty() {
            out.push_str(self.by);
        }
        encode(out, name, self.name);
        out.push('=');
        encode(out, text, encoding);
    }
}
