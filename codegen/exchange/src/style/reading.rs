//! How texts of parameters and form members become values.

use serde_json::{Map, Value};

use super::types::{Types, items, member, properties, types};
use super::{Kind, Style, escaped, unescaped};
use crate::document::Document;

impl Style {
    /// The value of a parameter in a path; `None` if the text does not have the style.
    pub(crate) fn of_segment(&self, name: &str, raw: &str, reading: &Reading<'_>) -> Option<Value> {
        let own = escaped(name);
        match self.kind {
            Kind::Json => serde_json::from_str(&unescaped(raw)).ok(),
            Kind::Label => {
                let raw = raw.strip_prefix('.')?;
                Some(reading.joined(raw, if self.explode { "." } else { "," }, self.explode, unescaped))
            }
            Kind::Matrix => {
                let raw = raw.strip_prefix(';')?;
                if !self.explode || !reading.is_several() {
                    let raw = raw.strip_prefix(&own).or_else(|| raw.strip_prefix(name))?.strip_prefix('=')?;
                    return Some(reading.joined(raw, ",", false, unescaped));
                }
                if reading.types.object {
                    return Some(reading.joined(raw, ";", true, unescaped));
                }
                let items = raw.split(';').map(|pair| Some(unescaped(pair.split_once('=')?.1)));
                Some(reading.list(&items.collect::<Option<Vec<_>>>()?))
            }
            Kind::Simple | Kind::Form(_) | Kind::Deep => Some(reading.joined(raw, ",", self.explode, unescaped)),
        }
    }

    /// The value of a header; `None` if the text does not have the style.
    pub(crate) fn of_line(&self, line: &str, reading: &Reading<'_>) -> Option<Value> {
        if self.kind == Kind::Json {
            return serde_json::from_str(line).ok();
        }
        Some(reading.joined(line.trim(), ",", self.explode, |text| text.trim().to_owned()))
    }

    /// The value of a parameter in a query, cookie or form; `None` if it is absent. `others`: the names of other
    /// parameters.
    pub(crate) fn of_pairs(
        &self,
        name: &str,
        pairs: &[(String, String)],
        others: &[&str],
        reading: &Reading<'_>,
    ) -> Option<Value> {
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
                if is_list { Some(Value::Array(items)) } else { (!items.is_empty()).then(|| items.swap_remove(0)) }
            }
            Kind::Deep if !reading.types.array => reading.deep(name, pairs, others),
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
                (!items.is_empty()).then(|| reading.list(&items))
            }
            Kind::Form(delimiter) => own().next().map(|raw| {
                // Many clients escape the bar.
                reading.joined(&raw.replace("%7C", "|").replace("%7c", "|"), delimiter, false, unescaped)
            }),
            _ => own().next().map(|raw| reading.joined(raw, ",", false, unescaped)),
        }
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
    fn joined(&self, raw: &str, delimiter: &str, explode: bool, read: impl Fn(&str) -> String) -> Value {
        if self.types.object {
            let pieces: Vec<&str> = raw.split(delimiter).filter(|piece| !piece.is_empty()).collect();
            let members: Vec<(String, String)> = if explode {
                let split = |piece: &&str| {
                    let (name, text) = piece.split_once('=').unwrap_or((piece, ""));
                    (read(name), read(text))
                };
                pieces.iter().map(split).collect()
            } else {
                pieces
                    .chunks(2)
                    .map(|pair| (read(pair[0]), pair.get(1).map(|text| read(text)).unwrap_or_default()))
                    .collect()
            };
            return self.object(members);
        }
        if self.types.array {
            let pieces: Vec<String> = raw.split(delimiter).filter(|_| !raw.is_empty()).map(read).collect();
            return self.list(&pieces);
        }
        self.scalar(&read(raw), self.types)
    }

    pub(super) fn list(&self, texts: &[String]) -> Value {
        let types = types(self.document, items(self.document, self.schema), 0);
        texts.iter().map(|text| self.scalar(text, types)).collect()
    }

    fn object(&self, members: Vec<(String, String)>) -> Value {
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
                _ => {
                    object.insert(name, value);
                }
            }
        }
        Value::Object(object)
    }

    /// `name[member]=text` for each member.
    fn deep(&self, name: &str, pairs: &[(String, String)], others: &[&str]) -> Option<Value> {
        let mut object = Map::new();
        for (key, raw) in pairs {
            let key = unescaped(key);
            if others.contains(&key.as_str()) {
                continue;
            }
            let Some(rest) = key.strip_prefix(name).and_then(|rest| rest.strip_prefix('[')) else { continue };
            let Some(rest) = rest.strip_suffix(']') else { continue };
            let path: Vec<&str> = rest.split("][").collect();
            self.place(&mut object, self.schema, &path, &unescaped(raw));
        }
        (!object.is_empty()).then_some(Value::Object(object))
    }

    fn place(&self, object: &mut Map<String, Value>, schema: &Value, path: &[&str], text: &str) {
        let Some((first, rest)) = path.split_first() else { return };
        let schema = member(self.document, schema, first, 0);
        if rest.is_empty() || *rest == [""] {
            let types = types(self.document, schema, 0);
            if types.array {
                let types = self::types(self.document, items(self.document, schema), 0);
                let list = object.entry((*first).to_owned()).or_insert_with(|| Value::Array(Vec::new()));
                if let Value::Array(list) = list {
                    list.push(self.scalar(text, types));
                }
            } else {
                object.insert((*first).to_owned(), self.scalar(text, types));
            }
            return;
        }
        let inner = object.entry((*first).to_owned()).or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(inner) = inner {
            self.place(inner, schema, rest, text);
        }
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

/// The number that a text is: a whole one has only digits, unlike in JSON, and any may have leading zeros.
fn number(text: &str, fraction: bool) -> Option<Value> {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    if !fraction && !digits.bytes().all(|byte| byte.is_ascii_digit()) || text.contains(char::is_whitespace) {
        return None;
    }
    let short = digits.trim_start_matches('0');
    let zero = if short.starts_with(|first: char| first.is_ascii_digit()) { "" } else { "0" };
    serde_json::from_str::<Value>(&format!("{sign}{zero}{short}")).ok().filter(Value::is_number)
}
