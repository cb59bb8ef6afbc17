//! How values of parameters and form members are written in text.

mod nested;
mod reading;
mod types;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::Value;

use crate::fault::Fault;

pub(crate) use nested::Nested;
pub(crate) use reading::Reading;
pub(crate) use types::{Types, is_read, member, properties, types};

/// Characters that are escaped: all but the unreserved ones of RFC 3986.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// `style` and `explode` of a parameter, or the media type of its `content`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    kind: Kind,
    explode: bool,
}

/// A text is not written in the style of its parameter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NotInStyle;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Simple,
    Label,
    Matrix,
    /// Also the styles that differ from `form` only in the delimiter.
    Form(&'static str),
    Deep,
    Json,
}

impl Style {
    /// The style of a Parameter, Header or Encoding Object, or of a parameter of Swagger 2.0.
    pub(crate) fn of(said: &Value) -> Self {
        let is_in_query = matches!(said["in"].as_str(), Some("query" | "cookie" | "formData" | "querystring") | None);
        if let Some(content) = said.get("content").and_then(Value::as_object) {
            let is_json = content.keys().next().is_some_and(|media_type| media_type.contains("json"));
            return Self { kind: if is_json { Kind::Json } else { Kind::Simple }, explode: false };
        }
        if ["style", "explode", "allowReserved"].iter().all(|word| said.get(word).is_none())
            && Self::is_json_in_form(said)
        {
            return Self { kind: Kind::Json, explode: true };
        }
        let kind = match said["style"].as_str().or(said["collectionFormat"].as_str()) {
            Some("label") => Kind::Label,
            Some("matrix") => Kind::Matrix,
            Some("spaceDelimited" | "ssv") => Kind::Form("%20"),
            Some("pipeDelimited" | "pipes") => Kind::Form("|"),
            Some("tsv") => Kind::Form("%09"),
            Some("deepObject") => Kind::Deep,
            Some("simple") => Kind::Simple,
            _ if is_in_query => Kind::Form(","),
            _ => Kind::Simple,
        };
        // Lists of Swagger 2.0 are separated by commas unless they say `multi`.
        let is_old = said.get("schema").is_none() && said.get("type").is_some();
        let default = kind == Kind::Form(",") && !is_old || said["collectionFormat"] == "multi";
        Self { kind, explode: said["explode"].as_bool().unwrap_or(default) }
    }

    /// Whether an `encoding` says that a member is JSON; lists are a text for each item.
    pub(crate) fn is_json_in_form(encoding: &Value) -> bool {
        encoding["contentType"].as_str().is_some_and(crate::media_type::is_json)
    }

    /// Whether lists and objects are one text.
    pub(crate) fn is_joined(&self) -> bool {
        matches!(self.kind, Kind::Form(_)) && !self.explode
    }

    /// Whether the members of an object are written without its name.
    pub(crate) fn is_spread(&self) -> bool {
        matches!(self.kind, Kind::Form(_)) && self.explode
    }

    /// The separator where nothing is encoded.
    fn separator(&self) -> &'static str {
        match self.kind {
            Kind::Form("%20") => " ",
            Kind::Form("%09") => "\t",
            Kind::Form(delimiter) => delimiter,
            _ => ",",
        }
    }

    /// The text of a value in a part.
    pub(crate) fn part(&self, value: &Value) -> String {
        pieces(value, "", str::to_owned).join(self.separator())
    }

    /// The text of a part as a form has it.
    pub(crate) fn part_in_form(&self, text: &str) -> String {
        let delimiter = if let Kind::Form(delimiter) = self.kind { delimiter } else { "," };
        text.split(self.separator()).map(escaped).collect::<Vec<_>>().join(delimiter)
    }

    /// How members of forms are written.
    pub(crate) fn form() -> Self {
        Self { kind: Kind::Form(","), explode: true }
    }

    /// Whether values are written as JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.kind == Kind::Json
    }

    /// Whether members of objects have their names in brackets.
    pub(crate) fn is_deep(&self) -> bool {
        self.kind == Kind::Deep
    }

    /// Whether each item of a list is JSON.
    pub(crate) fn is_json_list(&self) -> bool {
        self.is_json() && self.explode
    }

    /// How headers are written.
    pub(crate) fn header(explode: bool) -> Self {
        Self { kind: Kind::Simple, explode }
    }

    /// The name and text of each piece of a value, percent-encoded; the name is that of a pair in a query or cookie.
    pub(crate) fn pairs(&self, name: &str, value: &Value) -> Vec<(String, String)> {
        let own = escaped(name);
        match (self.kind, value) {
            (Kind::Json, Value::Array(items)) if self.explode => {
                items.iter().map(|item| (own.clone(), escaped(&item.to_string()))).collect()
            }
            (Kind::Json, value) => vec![(own, escaped(&value.to_string()))],
            (Kind::Deep, Value::Object(_)) => {
                let mut pairs = Vec::new();
                deep(&own, value, &mut pairs);
                pairs
            }
            (_, Value::Array(items)) if self.explode => {
                items.iter().map(|item| (own.clone(), escaped(&text(item)))).collect()
            }
            (_, Value::Object(members)) if self.explode => {
                members.iter().map(|(name, member)| (escaped(name), escaped(&text(member)))).collect()
            }
            (Kind::Form(delimiter), value) => vec![(own, pieces(value, "", escaped).join(delimiter))],
            (_, value) => vec![(own, pieces(value, "", escaped).join(","))],
        }
    }

    /// The text of a value in a path, percent-encoded.
    pub(crate) fn segment(&self, name: &str, value: &Value) -> String {
        let sign = if self.explode { "=" } else { "" };
        match self.kind {
            Kind::Json => escaped(&value.to_string()),
            Kind::Label if self.explode => format!(".{}", pieces(value, sign, escaped).join(".")),
            Kind::Label => format!(".{}", pieces(value, sign, escaped).join(",")),
            Kind::Matrix => match value {
                Value::Array(items) if self.explode => {
                    let items = items.iter().map(|item| escaped(name) + "=" + &escaped(&text(item)));
                    items.fold(String::new(), |all, item| all + ";" + &item)
                }
                Value::Object(_) if self.explode => {
                    pieces(value, sign, escaped).iter().fold(String::new(), |all, piece| all + ";" + piece)
                }
                value => format!(";{}={}", escaped(name), pieces(value, sign, escaped).join(",")),
            },
            Kind::Simple | Kind::Form(_) | Kind::Deep => pieces(value, sign, escaped).join(","),
        }
    }

    /// The text of a value in a header.
    pub(crate) fn line(&self, value: &Value) -> String {
        if self.kind == Kind::Json {
            return value.to_string();
        }
        pieces(value, if self.explode { "=" } else { "" }, str::to_owned).join(",")
    }
}

/// The pieces of a value: its items, or its names and members.
fn pieces(value: &Value, sign: &str, escape: impl Fn(&str) -> String) -> Vec<String> {
    match value {
        Value::Array(items) => items.iter().map(|item| escape(&text(item))).collect(),
        Value::Object(members) if sign.is_empty() => {
            members.iter().flat_map(|(name, member)| [escape(name), escape(&text(member))]).collect()
        }
        Value::Object(members) => {
            members.iter().map(|(name, member)| format!("{}{sign}{}", escape(name), escape(&text(member)))).collect()
        }
        scalar => vec![escape(&text(scalar))],
    }
}

fn deep(name: &str, value: &Value, pairs: &mut Vec<(String, String)>) {
    match value {
        Value::Object(members) => {
            for (member, value) in members {
                deep(&format!("{name}[{}]", escaped(member)), value, pairs);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| pairs.push((name.to_owned(), escaped(&text(item))))),
        scalar => pairs.push((name.to_owned(), escaped(&text(scalar)))),
    }
}

/// A scalar as text; nested values are JSON.
pub(crate) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// The text, percent-encoded.
pub fn escaped(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string()
}

/// What is wrong with the texts of one value, percent-encoded. `is_one`: it has one text.
pub(crate) fn fault_of_texts(is_one: bool, texts: &[&str]) -> Option<Fault> {
    if !texts.iter().all(|text| is_utf8(text)) {
        return Some(Fault::new("syntax", "is not UTF-8 after percent-decoding"));
    }
    (is_one && texts.len() > 1).then(|| Fault::new("duplicate", format!("is given {} times", texts.len())))
}

/// Whether the text is UTF-8 without its percent-encoding.
fn is_utf8(text: &str) -> bool {
    percent_decode_str(text).decode_utf8().is_ok()
}

/// The text without percent-encoding.
pub(crate) fn unescaped(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}
