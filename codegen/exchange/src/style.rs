//! How values of parameters and form members are written in text.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::{Map, Value};

/// Characters that are escaped: all but the unreserved ones of RFC 3986.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// `style` and `explode` of a parameter, or the media type of its `content`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    kind: Kind,
    explode: bool,
}

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

/// The types that values of a schema may have.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Types {
    pub(crate) number: bool,
    pub(crate) boolean: bool,
    pub(crate) string: bool,
    pub(crate) array: bool,
    pub(crate) object: bool,
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
    pub(crate) document: &'d crate::Document,
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

    fn list(&self, texts: &[String]) -> Value {
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
        if is_meant(types.number) && !text.starts_with('"') {
            // A number in a text may have leading zeros.
            let digits = text.trim_start_matches('0');
            for text in [text, digits] {
                if let Some(number) = serde_json::from_str::<Value>(text).ok().filter(Value::is_number) {
                    return number;
                }
            }
        }
        if is_meant(types.boolean) && matches!(text, "true" | "false") {
            return Value::Bool(text == "true");
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

/// The types of a schema; all scalars if it does not say.
pub(crate) fn types(document: &crate::Document, schema: &Value, depth: usize) -> Types {
    let schema = document.follow(schema);
    let mut types = Types::default();
    if depth > 8 {
        return types;
    }
    let mut add = |name: &str| match name {
        "integer" | "number" => types.number = true,
        "boolean" => types.boolean = true,
        "string" => types.string = true,
        "array" => types.array = true,
        "object" => types.object = true,
        _ => {}
    };
    match schema.get("type") {
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).for_each(add),
        Some(name) => add(name.as_str().unwrap_or_default()),
        None => {
            for value in schema.get("enum").and_then(Value::as_array).into_iter().flatten().chain(schema.get("const")) {
                add(match value {
                    Value::Number(_) => "number",
                    Value::Bool(_) => "boolean",
                    Value::Null => "null",
                    _ => "string",
                });
            }
            if schema.get("properties").or(schema.get("additionalProperties")).is_some() {
                add("object");
            }
            if schema.get("items").is_some() {
                add("array");
            }
            for word in ["allOf", "oneOf", "anyOf"] {
                for part in schema.get(word).and_then(Value::as_array).into_iter().flatten() {
                    types.add(self::types(document, part, depth + 1));
                }
            }
        }
    }
    types
}

impl Types {
    fn add(&mut self, other: Self) {
        self.number |= other.number;
        self.boolean |= other.boolean;
        self.string |= other.string;
        self.array |= other.array;
        self.object |= other.object;
    }

    /// The same without one of the kinds: several pieces, or one text.
    pub(crate) fn as_several(self, several: bool) -> Self {
        if several {
            Self { object: self.object && !self.array, ..self }
        } else {
            Self { array: false, object: false, ..self }
        }
    }
}

fn items<'d>(document: &'d crate::Document, schema: &'d Value) -> &'d Value {
    let schema = document.follow(schema);
    let variants = ["allOf", "oneOf", "anyOf"].into_iter().filter_map(|word| schema.get(word)?.as_array()).flatten();
    let found = || variants.into_iter().find_map(|variant| document.follow(variant).get("items"));
    schema.get("items").or_else(found).unwrap_or(&Value::Bool(true))
}

/// The schema of a member; any value if it is not described.
pub(crate) fn member<'d>(document: &'d crate::Document, schema: &'d Value, name: &str, depth: usize) -> &'d Value {
    let schema = document.follow(schema);
    if let Some(found) = schema.get("properties").and_then(|members| members.get(name)) {
        return found;
    }
    let parts = ["allOf", "oneOf", "anyOf"].into_iter().filter_map(|word| schema.get(word)?.as_array()).flatten();
    let mut found = parts.filter(|_| depth < 8).map(|part| member(document, part, name, depth + 1));
    let found = found.find(|found| !found.is_boolean());
    found.or_else(|| schema.get("additionalProperties")).unwrap_or(&Value::Bool(true))
}

/// Collects the names of the members that a schema and its parts describe.
pub(crate) fn properties(document: &crate::Document, schema: &Value, names: &mut Vec<String>, depth: usize) {
    let schema = document.follow(schema);
    names.extend(schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys).cloned());
    for word in ["allOf", "oneOf", "anyOf"] {
        for part in schema.get(word).and_then(Value::as_array).into_iter().flatten().filter(|_| depth < 8) {
            properties(document, part, names, depth + 1);
        }
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

/// The text without percent-encoding.
pub(crate) fn unescaped(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}
