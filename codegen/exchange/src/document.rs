//! The description as it was written, with absolute references.

mod dynamic;
mod heirs;
mod names;
mod normal;
mod query;
mod route;
mod syntax;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::io;

use serde_json::{Map, Value};

use normal::spell_out;

use crate::hidden::{WRITE_ONLY, has_flag};
use crate::place::{Direction, Kind, Place, Syntax};
use crate::status;
use crate::style::Style;

/// The trees of files by their names.
type Files = BTreeMap<String, Value>;

/// A description and the files that it refers to.
#[derive(Debug, Default)]
pub struct Document {
    files: Files,
    entry: String,
    /// The keys in `paths` by the `operationId` of one of their operations.
    paths: HashMap<String, Vec<String>>,
    /// Schemas are those of OpenAPI 3.0 or older, which differ from JSON Schema.
    pub(crate) is_old: bool,
    /// Some members are write-only.
    pub(crate) has_write_only: bool,
    /// Some members are read-only.
    has_read_only: bool,
    /// In XML, an element that a reference leads to has the name of its component, not that of the member (OpenAPI 3.2).
    pub(crate) names_elements_by_component: bool,
}

/// The id and the place of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    /// `operationId`, or the id that the generator derives.
    pub id: &'a str,
    /// The HTTP method.
    pub method: &'a str,
    /// The key in `paths`.
    pub path: &'a str,
}

/// A schema, and whether its value is required.
#[derive(Clone, Debug)]
pub struct Described {
    /// The schema, with absolute references.
    pub schema: Value,
    /// Whether the value is required.
    pub required: bool,
}

/// A parameter outside of a body.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// `in`
    pub within: String,
    /// Its name, whose letter case matters except in headers.
    pub name: String,
    /// The schema, with absolute references.
    pub schema: Value,
    /// Whether it is required.
    pub required: bool,
    /// How its value is written.
    pub style: Style,
}

impl Parameter {
    /// Whether both have the same location and name.
    pub fn is_same(&self, other: &Self) -> bool {
        let is_header = self.within == "header";
        let same_name = if is_header { self.name.eq_ignore_ascii_case(&other.name) } else { self.name == other.name };
        self.within == other.within && same_name && self.within != "path"
    }
}

/// Whether it is a description in Swagger 2.0 or OpenAPI 3.0 to 3.2.
fn has_known_version(tree: &Value) -> bool {
    let word = if tree.get("openapi").is_some() { "openapi" } else { "swagger" };
    // YAML reads `3.1` as a number.
    let version = match tree.get(word) {
        Some(Value::String(version)) => version.clone(),
        Some(other) => other.to_string(),
        None => return false,
    };
    let mut parts = version.split('.');
    let (major, minor) = (parts.next().unwrap_or_default(), parts.next());
    match word {
        "openapi" => major == "3" && matches!(minor, Some("0" | "1" | "2")),
        _ => major == "2" && matches!(minor, Some("0") | None),
    }
}

impl Document {
    /// Reads the file `entry` and the files that it refers to. Syntax errors and unknown versions are of the kind
    /// [`InvalidData`](io::ErrorKind::InvalidData).
    pub fn read(entry: &str, read: impl Fn(&str) -> io::Result<Vec<u8>>) -> io::Result<Self> {
        let mut files = Files::new();
        let mut next = vec![entry.to_owned()];
        while let Some(path) = next.pop() {
            if files.contains_key(&path) {
                continue;
            }
            // Not every `$ref` is a reference: in an extension it may name a file that does not exist.
            let mut tree = match read(&path).and_then(|bytes| syntax::parse(&path, &bytes)) {
                Ok(tree) => tree,
                Err(error) if path == entry => return Err(error),
                Err(_) => Value::Null,
            };
            if path == entry && !has_known_version(&tree) {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "its version of OpenAPI is not supported"));
            }
            names::resolve_below_ids(&mut tree, &path);
            spell_out(&mut tree, &path, &mut next);
            files.insert(path, tree);
        }
        Ok(Self::with(files, entry))
    }

    /// Makes a document of a description in one file.
    pub fn of(mut root: Value) -> Self {
        let entry = "openapi.json";
        names::resolve_below_ids(&mut root, entry);
        spell_out(&mut root, entry, &mut Vec::new());
        Self::with(Files::from([(entry.to_owned(), root)]), entry)
    }

    fn with(mut files: Files, entry: &str) -> Self {
        let said = |name: &str| files.get(entry)?.get(name)?.as_str();
        let version = said("openapi").unwrap_or_default().to_owned();
        let is_old = version.starts_with("3.0") || said("swagger").is_some();
        names::resolve(&mut files);
        dynamic::expand(&mut files);
        heirs::part(&mut files);
        let mut document = Self {
            entry: entry.to_owned(),
            is_old,
            has_write_only: files.values().any(|file| has_flag(file, WRITE_ONLY)),
            has_read_only: files.values().any(|file| has_flag(file, "readOnly")),
            names_elements_by_component: version.starts_with("3.2"),
            files,
            paths: HashMap::new(),
        };
        document.paths = document.paths_by_id();
        document
    }

    fn paths_by_id(&self) -> HashMap<String, Vec<String>> {
        let mut found: HashMap<String, Vec<String>> = HashMap::new();
        for (key, item) in self.root().get("paths").and_then(Value::as_object).into_iter().flatten() {
            let item = self.follow(item);
            let nodes = [Some(item), item.get("additionalOperations")].into_iter().flatten();
            let nodes = nodes.filter_map(Value::as_object).flat_map(Map::values);
            for id in nodes.filter_map(|node| node.get("operationId")?.as_str()) {
                found.entry(id.to_owned()).or_default().push(key.clone());
            }
        }
        found
    }

    /// Whether members of this direction may be hidden.
    pub(crate) fn hides(&self, direction: Direction) -> bool {
        match direction {
            Direction::Request => self.has_read_only,
            Direction::Response => self.has_write_only,
        }
    }

    /// Whether a response must not have write-only members: OpenAPI 3.1 takes `writeOnly` from JSON Schema, where such a
    /// value "is never present" (Validation, 9.4); OpenAPI 3.0 says that it "SHOULD NOT be sent".
    pub fn forbids_write_only(&self) -> bool {
        !self.is_old
    }

    /// The entry file.
    pub(crate) fn root(&self) -> &Value {
        self.files.get(&self.entry).unwrap_or(&Value::Null)
    }

    /// The node that a reference names.
    pub fn find(&self, reference: &str) -> Option<&Value> {
        find(&self.files, reference)
    }

    /// References to the named schemas whose `allOf` contains the schema of this reference.
    pub(crate) fn containing(&self, reference: &str) -> Vec<String> {
        let Some((all, _)) = reference.rsplit_once('/') else { return Vec::new() };
        let schemas = self.find(all).and_then(Value::as_object).into_iter().flatten();
        let contains = |schema: &Value| {
            let parts = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
            parts.filter_map(|part| part.get("$ref")).any(|part| part == reference)
        };
        schemas
            .filter(|(_, schema)| contains(schema))
            .map(|(name, _)| format!("{all}/{}", name.replace('~', "~0").replace('/', "~1")))
            .collect()
    }

    /// The node itself, or the one it refers to.
    pub fn follow<'a>(&'a self, mut node: &'a Value) -> &'a Value {
        for _ in 0..32 {
            match node.get("$ref").and_then(Value::as_str).and_then(|reference| self.find(reference)) {
                Some(found) => node = found,
                None => break,
            }
        }
        node
    }

    /// The schema of a place; `None` if the place has no schema.
    pub fn describe(&self, operation: Named<'_>, place: Place<'_>) -> Option<Described> {
        let (item, node) = self.operation(operation)?;
        match place.kind {
            Kind::Path => self.parameter(item, node, "path", place.name),
            Kind::Query => self.parameter(item, node, "query", place.name),
            Kind::Header => self.parameter(item, node, "header", place.name),
            Kind::Cookie => self.parameter(item, node, "cookie", place.name),
            Kind::QueryString => self.parameter(item, node, "querystring", place.name),
            Kind::Body(_) => self.body(item, node, place.of),
            Kind::Part => match self.positions(operation, place) {
                Some(positions) => positions.part(place.part),
                None => self.member(&self.body(item, node, place.of)?.schema, place.part),
            },
            Kind::Answer(_) => Some(Described { schema: self.answered(node, place.of, place.name)?, required: true }),
            Kind::AnswerPart => match self.positions(operation, place) {
                Some(positions) => positions.part(place.part),
                None => self.member(&self.answered(node, place.of, place.name)?, place.part),
            },
            Kind::AnswerHeader => {
                let headers = self.response(node, place.of)?.get("headers")?.as_object()?;
                let header = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(place.name))?.1;
                let header = self.follow(header);
                Some(Described { schema: inline(header)?, required: header["required"] == true })
            }
        }
    }

    /// The characters that an item of a list must not contain, because they separate the items and are not
    /// escaped. For a form, those of its members that are lists.
    pub fn delimiters(&self, operation: Named<'_>, place: Place<'_>) -> Vec<(Option<&str>, char)> {
        let Some((item, node)) = self.operation(operation) else { return Vec::new() };
        if place.is_parameter() {
            let parameter = self.parameters(item, node).find(|parameter| parameter["name"] == place.name);
            return parameter.and_then(delimiter).map(|delimiter| (None, delimiter)).into_iter().collect();
        }
        if place.kind != Kind::Body(Syntax::Other) {
            return Vec::new();
        }
        let body = node.get("requestBody").map(|body| self.follow(body));
        let encoding = body.and_then(|body| content(body.get("content")?, place.of)?.get("encoding")?.as_object());
        let encoding = encoding.into_iter().flatten().map(|(name, said)| (name.as_str(), said));
        let fields = self.parameters(item, node).filter(|field| field["in"] == "formData");
        let fields = fields.filter_map(|field| Some((field["name"].as_str()?, field)));
        encoding.chain(fields).filter_map(|(name, said)| Some((Some(name), delimiter(said)?))).collect()
    }

    /// The parameters of an operation outside of its body.
    pub fn parameters_of(&self, named: Named<'_>) -> Vec<Parameter> {
        let Some((item, node)) = self.operation(named) else { return Vec::new() };
        let mut found: Vec<Parameter> = Vec::new();
        for parameter in self.parameters(item, node) {
            let (Some(within), Some(name)) = (parameter["in"].as_str(), parameter["name"].as_str()) else { continue };
            let known = found.iter().any(|found| found.within == within && found.name == name);
            if known || !matches!(within, "path" | "query" | "header" | "cookie" | "querystring") {
                continue;
            }
            if let Some(Described { schema, required }) = self.parameter(item, node, within, name) {
                let style = Style::of(parameter);
                found.push(Parameter { within: within.to_owned(), name: name.to_owned(), schema, required, style });
            }
        }
        found
    }

    /// Whether a parameter is also the key of a security scheme of the operation.
    pub fn is_key(&self, named: Named<'_>, parameter: &Parameter) -> bool {
        let root = self.root();
        let own = self.operation(named).and_then(|(_, node)| node.get("security"));
        let asked = own.or(root.get("security")).and_then(Value::as_array).into_iter().flatten();
        let schemes = root.pointer("/components/securitySchemes").or(root.get("securityDefinitions"));
        let mut keys = asked.filter_map(Value::as_object).flat_map(Map::keys);
        keys.any(|name| {
            let scheme = schemes.and_then(|all| all.get(name)).map(|scheme| self.follow(scheme));
            scheme.is_some_and(|scheme| is_key_of(scheme, parameter))
        })
    }

    pub(crate) fn operation(&self, named: Named<'_>) -> Option<(&Value, &Value)> {
        let paths = self.root().get("paths")?.as_object()?;
        let at = |path: &str| {
            let item = self.follow(paths.get(path)?);
            Some((item, method(item, named.method)?))
        };
        // A key may have a fragment after the template, to distinguish operations of one route.
        let called = self.paths.get(named.id).into_iter().flatten().find_map(|key| {
            let item = self.follow(paths.get(key)?);
            let node = method(item, named.method)?;
            (node["operationId"] == named.id).then_some((item, node))
        });
        called.or_else(|| at(named.path))
    }

    pub(crate) fn parameters<'a>(&'a self, item: &'a Value, node: &'a Value) -> impl Iterator<Item = &'a Value> {
        let list = |node: &'a Value| node.get("parameters").and_then(Value::as_array).into_iter().flatten();
        list(node).chain(list(item)).map(|parameter| self.follow(parameter))
    }

    fn parameter(&self, item: &Value, node: &Value, within: &str, name: &str) -> Option<Described> {
        let named = |place: &'static str| {
            self.parameters(item, node).find(move |parameter| {
                parameter["in"] == place
                    && parameter["name"].as_str().is_some_and(|found| found.eq_ignore_ascii_case(name))
            })
        };
        // A path parameter that the template does not name is read from the query (W0312).
        let parameter = match within {
            "path" => named("path"),
            // A form that is the whole query has one parameter per member.
            "query" => named("query").or_else(|| named("path")).or_else(|| named("querystring")),
            "header" => named("header"),
            "querystring" => named("querystring"),
            _ => named("cookie"),
        }?;
        Some(Described { schema: inline(parameter)?, required: within == "path" || parameter["required"] == true })
    }

    /// The content that a multipart body, or a part of one, belongs to.
    pub(crate) fn content_of(&self, operation: Named<'_>, body: Place<'_>) -> Option<&Value> {
        let (_, node) = self.operation(operation)?;
        let whole = match body.direction() {
            Direction::Request => self.follow(node.get("requestBody")?),
            Direction::Response => self.response(node, body.of)?,
        };
        content(whole.get("content")?, body.media_type()).map(|content| self.follow(content))
    }

    /// The schema of a response with the key.
    fn answered(&self, node: &Value, key: &str, media_type: &str) -> Option<Value> {
        let response = self.response(node, key)?;
        if let Some(schema) = response.get("schema") {
            return Some(schema.clone());
        }
        let content = content(response.get("content")?, media_type)?;
        match self.positions_in(content, media_type) {
            Some(positions) => Some(positions.list),
            None => self.schema(content, media_type).cloned(),
        }
    }

    fn body(&self, item: &Value, node: &Value, media_type: &str) -> Option<Described> {
        if let Some(body) = node.get("requestBody") {
            let body = self.follow(body);
            let (content, required) = (content(body.get("content")?, media_type)?, body["required"] == true);
            let schema = match self.positions_in(content, media_type) {
                Some(positions) => positions.list,
                None => self.schema(content, media_type)?.clone(),
            };
            return Some(Described { schema, required });
        }
        // Swagger 2.0 has the body among the parameters, and each member of a form as a parameter.
        if let Some(body) = self.parameters(item, node).find(|parameter| parameter["in"] == "body") {
            return Some(Described { schema: body.get("schema")?.clone(), required: body["required"] == true });
        }
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for field in self.parameters(item, node).filter(|parameter| parameter["in"] == "formData") {
            let name = field["name"].as_str()?;
            properties.insert(name.to_owned(), inline(field)?);
            if field["required"] == true {
                required.push(name.to_owned());
            }
        }
        let schema = serde_json::json!({ "type": "object", "properties": properties, "required": required });
        Some(Described { schema, required: true })
    }

    /// The schema of a content; for a stream, the schema of an item.
    fn schema<'a>(&'a self, content: &'a Value, media_type: &str) -> Option<&'a Value> {
        let content = self.follow(content);
        let is_events = media_type == "text/event-stream";
        if !is_events && !["jsonl", "ndjson", "json-seq", "stream+json"].iter().any(|end| media_type.ends_with(end)) {
            return content.get("schema");
        }
        let item = if let Some(item) = content.get("itemSchema") {
            item
        } else {
            let schema = content.get("schema")?;
            if self.follow(schema)["type"] == "array" { self.follow(schema).get("items")? } else { schema }
        };
        let members = self.follow(item).get("properties").and_then(Value::as_object).filter(|members| {
            is_events && members.keys().all(|name| ["data", "event", "id", "retry"].contains(&name.as_str()))
        });
        let data = members.and_then(|members| members.get("data")).unwrap_or(item);
        Some(self.follow(data).get("contentSchema").unwrap_or(data))
    }

    pub(crate) fn response<'a>(&'a self, node: &'a Value, key: &str) -> Option<&'a Value> {
        let responses = node.get("responses")?.as_object()?;
        let exact = responses.iter().find(|(found, _)| found.eq_ignore_ascii_case(key));
        let found = exact.or_else(|| responses.iter().find(|(found, _)| status::meant(found).as_deref() == Some(key)));
        Some(self.follow(found?.1))
    }

    /// A member of an object, also of an object that is composed of several schemas.
    fn member(&self, schema: &Value, name: &str) -> Option<Described> {
        let schema = self.follow(schema);
        let required = schema["required"].as_array().is_some_and(|names| names.iter().any(|found| *found == name));
        if let Some(found) = schema.get("properties").and_then(|properties| properties.get(name)) {
            return Some(Described { schema: found.clone(), required });
        }
        let parts = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|word| schema.get(word)?.as_array()).flatten();
        let found = parts.into_iter().find_map(|part| self.member(part, name))?;
        Some(Described { required: found.required || required, ..found })
    }
}

/// The node that a reference names.
fn find<'f>(files: &'f Files, reference: &str) -> Option<&'f Value> {
    let (file, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    files.get(file)?.pointer(&decoded(fragment))
}

fn is_key_of(scheme: &Value, parameter: &Parameter) -> bool {
    let is_named = scheme["name"].as_str().is_some_and(|name| match parameter.within.as_str() {
        "header" => name.eq_ignore_ascii_case(&parameter.name),
        _ => name == parameter.name,
    });
    is_named && scheme["type"] == "apiKey" && scheme["in"] == parameter.within.as_str()
}

/// The schema of a parameter or header; Swagger 2.0 has its keywords in the parameter itself.
fn inline(parameter: &Value) -> Option<Value> {
    if let Some(schema) = parameter.get("schema") {
        return Some(schema.clone());
    }
    if let Some(content) = parameter.get("content").and_then(Value::as_object) {
        return content.values().next()?.get("schema").cloned();
    }
    let mut schema = parameter.as_object()?.clone();
    for word in ["in", "name", "required", "description"] {
        schema.remove(word);
    }
    Some(Value::Object(schema))
}

/// The entry of a media type; if there is none with its parameters, one without them.
pub(crate) fn content<'a>(contents: &'a Value, media_type: &str) -> Option<&'a Value> {
    let contents = contents.as_object()?;
    let bare = |text: &str| text.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let plain = |text: &str| text.replace([' ', '"'], "").to_ascii_lowercase();
    let exact = contents.iter().find(|(found, _)| plain(found) == plain(media_type));
    let found = exact.or_else(|| contents.iter().find(|(found, _)| bare(found) == bare(media_type)));
    found.map(|(_, content)| content).or_else(|| if contents.len() == 1 { contents.values().next() } else { None })
}

/// The separator between items of a parameter or an `encoding`, if items are not escaped.
fn delimiter(said: &Value) -> Option<char> {
    match said["style"].as_str().or(said["collectionFormat"].as_str()).filter(|_| said["explode"] != true)? {
        "spaceDelimited" | "ssv" => Some(' '),
        "pipeDelimited" | "pipes" => Some('|'),
        "tsv" => Some('\t'),
        _ => None,
    }
}

/// The operation of a path item with that method.
fn method<'a>(item: &'a Value, method: &str) -> Option<&'a Value> {
    item.get(method.to_ascii_lowercase()).or_else(|| item.get("additionalOperations")?.get(method))
}

/// Decodes the percent-encoded braces.
pub(crate) fn decoded(fragment: &str) -> String {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = code.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|_| first == b'%');
        bytes.push(byte.unwrap_or(first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
