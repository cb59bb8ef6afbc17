//! How texts of parameters and form members become values.

use serde_json::{Map, Number, Value};

use super::nested::deep;
use super::types::{Types, items, member, properties, types};
use super::{Kind, NotInStyle, Style, unescaped};
use crate::document::Document;
use crate::fault::Fault;

impl Style {
    /// The value of a parameter in a path.
    pub(crate) fn of_segment(&self, name: &str, raw: &str, reading: &Reading<'_>) -> Result<Value, NotInStyle> {
        match self.kind {
            Kind::Json => serde_json::from_str(&unescaped(raw)).map_err(|_| NotInStyle),
            Kind::Label => {
                let raw = raw.strip_prefix('.').ok_or(NotInStyle)?;
                reading.joined(raw, if self.explode { "." } else { "," }, self.explode, unescaped)
            }
            Kind::Matrix => self.of_matrix(name, raw.strip_prefix(';').ok_or(NotInStyle)?, reading),
            Kind::Simple | Kind::Form(_) | Kind::Deep => reading.joined(raw, ",", self.explode, unescaped),
        }
    }

    fn of_matrix(&self, name: &str, raw: &str, reading: &Reading<'_>) -> Result<Value, NotInStyle> {
        let pairs: Vec<&str> = raw.split(';').filter(|pair| !pair.is_empty()).collect();
        if self.explode && reading.types.object {
            return reading.joined(&pairs.join(";"), ";", true, unescaped);
        }
        let mut texts = Vec::new();
        for pair in pairs {
            let (found, text) = pair.split_once('=').unwrap_or((pair, ""));
            if unescaped(found) != name {
                return Err(NotInStyle);
            }
            texts.push(text);
        }
        match texts.as_slice() {
            texts if self.explode && reading.types.array => {
                Ok(reading.list(&texts.iter().map(|text| unescaped(text)).collect::<Vec<_>>()))
            }
            [] if reading.is_several() => reading.joined("", ",", false, unescaped),
            [text] => reading.joined(text, ",", false, unescaped),
            _ => Err(NotInStyle),
        }
    }

    /// The value of a header.
    pub(crate) fn of_line(&self, line: &str, reading: &Reading<'_>) -> Result<Value, NotInStyle> {
        if self.kind == Kind::Json {
            return serde_json::from_str(line).map_err(|_| NotInStyle);
        }
        reading.joined(line.trim(), ",", self.explode, |text| text.trim().to_owned())
    }

    /// The value of a parameter in a query, cookie or form; `None` if it is absent. `others`: the names of other
    /// parameters.
    pub(crate) fn of_pairs(
        &self,
        name: &str,
        pairs: &[(String, String)],
        others: &[&str],
        reading: &Reading<'_>,
    ) -> Option<Result<Value, NotInStyle>> {
        let own = || pairs.iter().filter(|(key, _)| unescaped(key) == name).map(|(_, raw)| raw.as_str());
        match self.kind {
            Kind::Json => {
                let read = |raw| {
                    let text = unescaped(raw);
                    serde_json::from_str(&text).unwrap_or(Value::String(text))
                };
                let mut items: Vec<Value> = own().map(read).collect();
                // Many clients write the list as one text.
                let is_list = self.explode && reading.types.array && !matches!(&items[..], [] | [Value::Array(_)]);
                let found =
                    if is_list { Some(Value::Array(items)) } else { (!items.is_empty()).then(|| items.swap_remove(0)) };
                found.map(Ok)
            }
            Kind::Deep if !reading.types.array => match deep(name, pairs, others) {
                Some(node) => Some(Ok(node.value(reading.document, reading.schema))),
                // One that may be a text instead.
                None if !reading.types.object => {
                    own().next().map(|raw| Ok(reading.scalar(&unescaped(raw), reading.types)))
                }
                None => None,
            },
            _ if self.explode && reading.types.object => {
                let properties = reading.properties();
                let is_own = |key: &str| {
                    properties.iter().any(|property| property == key) || reading.is_open() && !others.contains(&key)
                };
                let members = pairs.iter().map(|(key, raw)| (unescaped(key), unescaped(raw)));
                let members: Vec<_> = members.filter(|(key, _)| is_own(key)).collect();
                (!members.is_empty()).then(|| reading.object(members))
            }
            _ if self.explode && reading.types.array => {
                let items: Vec<String> = own().map(unescaped).collect();
                (!items.is_empty()).then(|| Ok(reading.list(&items)))
            }
            // Clients often repeat the pair for each item, whatever the style.
            Kind::Form(_) if reading.types.array && own().count() > 1 => {
                Some(Ok(reading.list(&own().map(unescaped).collect::<Vec<_>>())))
            }
            Kind::Form(_) if reading.types.object && own().count() > 1 => Some(Err(NotInStyle)),
            Kind::Form(delimiter) => own().next().map(|raw| {
                // Many clients escape the bar.
                reading.joined(&raw.replace("%7C", "|").replace("%7c", "|"), delimiter, false, unescaped)
            }),
            _ => own().next().map(|raw| reading.joined(raw, ",", false, unescaped)),
        }
    }

    /// The value of an absent parameter of a query or cookie: an exploded list or object without items is written as nothing.
    pub(crate) fn nothing(&self, types: Types) -> Option<Value> {
        let is_scalar = types.string || types.number || types.boolean;
        let is_exploded = self.kind == Kind::Deep || self.is_spread();
        match (types.array, types.object) {
            _ if is_scalar || !is_exploded => None,
            (true, false) => self.is_spread().then(|| Value::Array(Vec::new())),
            (false, true) => Some(Value::Object(Map::new())),
            _ => None,
        }
    }

    /// What is wrong with the texts of the members of a parameter `name[member]`, with their pointers.
    pub(crate) fn faults(
        &self,
        (document, schema): (&Document, &Value),
        name: &str,
        pairs: &[(String, String)],
        others: &[&str],
    ) -> Vec<Fault> {
        let mut faults = Vec::new();
        if self.kind == Kind::Deep
            && let Some(node) = deep(name, pairs, others)
        {
            node.faults(document, schema, "", &mut faults);
        }
        faults
    }
}

/// How a text becomes a value of a schema.
pub(crate) struct Reading<'d> {
    pub(crate) document: &'d Document,
    pub(crate) schema: &'d Value,
    pub(crate) types: Types,
    /// Where a text may be a number or a boolean, it is a text.
    pub(crate) prefers_text: bool,
}

impl Reading<'_> {
    fn is_several(&self) -> bool {
        self.types.array || self.types.object
    }

    /// A text whose pieces are separated.
    fn joined(
        &self,
        raw: &str,
        delimiter: &str,
        explode: bool,
        read: impl Fn(&str) -> String,
    ) -> Result<Value, NotInStyle> {
        let pieces: Vec<&str> = raw.split(delimiter).filter(|_| !raw.is_empty()).collect();
        if self.types.object {
            let members: Option<Vec<(String, String)>> = if explode {
                pieces.iter().map(|piece| piece.split_once('=').map(|(name, text)| (read(name), read(text)))).collect()
            } else {
                let member = |pair: &[&str]| Some((read(pair.first()?), read(pair.get(1)?)));
                pieces.chunks(2).map(member).collect()
            };
            return self.object(members.ok_or(NotInStyle)?);
        }
        if self.types.array {
            return Ok(self.list(&pieces.into_iter().map(read).collect::<Vec<_>>()));
        }
        Ok(self.scalar(&read(raw), self.types))
    }

    pub(super) fn list(&self, texts: &[String]) -> Value {
        let types = types(self.document, items(self.document, self.schema), 0);
        texts.iter().map(|text| self.scalar(text, types)).collect()
    }

    /// The members of an object, each once unless it is a list.
    fn object(&self, members: Vec<(String, String)>) -> Result<Value, NotInStyle> {
        let mut object = Map::new();
        for (name, text) in members {
            let schema = member(self.document, self.schema, &name, 0);
            let types = types(self.document, schema, 0);
            let value = self.scalar(&text, types);
            match object.get_mut(&name) {
                Some(Value::Array(items)) if types.array => items.push(value),
                None if types.array && !value.is_array() => {
                    let types = self::types(self.document, items(self.document, schema), 0);
                    object.insert(name, Value::Array(vec![self.scalar(&text, types)]));
                }
                Some(_) if types.is_one() => return Err(NotInStyle),
                _ => {
                    object.insert(name, value);
                }
            }
        }
        Ok(Value::Object(object))
    }

    pub(crate) fn scalar(&self, text: &str, types: Types) -> Value {
        if (types.array || types.object) && text.starts_with(['[', '{']) {
            return serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()));
        }
        let is_meant = |kind: bool| kind && !(self.prefers_text && types.string);
        if is_meant(types.number)
            && let Some(number) = number(text, types.fraction)
        {
            return number;
        }
        // Servers read it in any letter case.
        let lower = text.to_ascii_lowercase();
        if is_meant(types.boolean) && matches!(lower.as_str(), "true" | "false") {
            return Value::Bool(lower == "true");
        }
        Value::String(text.to_owned())
    }

    /// The names of described members.
    fn properties(&self) -> Vec<String> {
        let mut names = Vec::new();
        properties(self.document, self.schema, &mut names, 0);
        names
    }

    /// Whether members may have any name.
    fn is_open(&self) -> bool {
        let schema = self.document.follow(self.schema);
        match schema.get("additionalProperties") {
            Some(Value::Bool(false)) => false,
            Some(_) => true,
            None => schema.get("properties").is_none() && schema.get("allOf").is_none(),
        }
    }
}

/// The number that a text is: a whole one has only digits, and any may have leading zeros, unlike in JSON. One with a
/// fraction may begin or end with the point, or begin with a plus sign.
fn number(text: &str, fraction: bool) -> Option<Value> {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let short = digits.trim_start_matches('0');
        let short = if short.is_empty() { "0" } else { short };
        return serde_json::from_str(&format!("{sign}{short}")).ok();
    }
    let is_decimal = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
    let number = text.parse().ok().filter(|_| fraction && is_decimal)?;
    Number::from_f64(number).map(Value::Number)
}
