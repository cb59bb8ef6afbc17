//! Converts a checked tree of Swagger 2.0 to OpenAPI 3.0.

mod component;
mod form;
mod operation;
mod parameter;
mod request_body;
mod response;
mod schema;
mod security;
mod server;

use serde_json::{Map, Value, json};

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::location::{self, Location, joined};
use crate::upgrade::bundle::{self, FILES, Outside};
use crate::upgrade::moves::Moves;

type Members = Map<String, Value>;

/// Maximum length of reference chains.
const LONGEST_CHAIN: usize = 64;

/// Converts the tree of the file at `root`; `parts` are the used parts of other files.
pub(in crate::upgrade) fn upgrade(
    root: &Location,
    tree: &mut Value,
    parts: &[Outside],
    diagnostics: &mut Diagnostics,
) -> Moves {
    let old = std::mem::take(tree);
    let mut upgrade = Upgrade { root, old: &old, moves: Moves::default(), diagnostics };
    *tree = upgrade.document(parts);
    let moves = upgrade.moves;
    follow_moves(tree, &moves);
    moves
}

/// The state of the conversion. Pointers named `from` are in the old tree, those named `to` in the new one.
struct Upgrade<'t> {
    root: &'t Location,
    old: &'t Value,
    moves: Moves,
    diagnostics: &'t mut Diagnostics,
}

/// `consumes` or `produces`.
struct MediaTypes {
    list: Vec<String>,
    /// The location of the list, if it is not that of the document.
    own: Option<String>,
}

impl<'t> Upgrade<'t> {
    fn document(&mut self, parts: &[Outside]) -> Value {
        // First, because operations need the locations of shared bodies.
        let components = self.components();
        let mut document = Members::new();
        document.insert("openapi".to_owned(), "3.0.3".into());
        for (name, value) in self.old.as_object().into_iter().flatten() {
            match name.as_str() {
                "info" | "tags" | "externalDocs" | "security" => document.insert(name.clone(), value.clone()),
                "host" | "basePath" => self.servers().and_then(|list| document.insert("servers".to_owned(), list)),
                "paths" => document.insert(name.clone(), self.paths(value)),
                FILES => None,
                _ if name.starts_with("x-") => document.insert(name.clone(), value.clone()),
                _ => None,
            };
        }
        if !components.is_empty() {
            document.insert("components".to_owned(), Value::Object(components));
        }
        if let Some(files) = self.old.get(FILES) {
            document.insert(FILES.to_owned(), files.clone());
        }
        let mut document = Value::Object(document);
        self.parts(&mut document, parts);
        document
    }

    fn paths(&mut self, paths: &'t Value) -> Value {
        let mut converted = Members::new();
        for (path, item) in paths.as_object().into_iter().flatten() {
            let pointer = joined("/paths", &[path]);
            let item = if path.starts_with("x-") { item.clone() } else { self.path_item(item, &pointer, &pointer) };
            converted.insert(path.clone(), item);
        }
        Value::Object(converted)
    }

    /// `consumes` or `produces` of an operation, or else of the document.
    fn media_types(&self, operation: Option<&Value>, from: &str, name: &str) -> MediaTypes {
        let own = operation.and_then(|operation| operation.get(name)).and_then(Value::as_array);
        let all = self.old.get(name).and_then(Value::as_array);
        let mut list: Vec<String> = Vec::new();
        for media_type in own.or(all).into_iter().flatten().filter_map(Value::as_str) {
            if !list.iter().any(|other| other == media_type) {
                list.push(media_type.to_owned());
            }
        }
        MediaTypes { list, own: own.map(|_| joined(from, &[name])) }
    }

    /// The node itself or the target of its `$ref`, with its location.
    fn follow(&self, value: &'t Value, from: &str) -> Option<(&'t Members, String)> {
        let (mut value, mut from) = (value, from.to_owned());
        for _ in 0..LONGEST_CHAIN {
            let members = value.as_object()?;
            match members.get("$ref") {
                None => return Some((members, from)),
                Some(reference) => {
                    from = location::decoded(reference.as_str()?.strip_prefix('#')?).into_owned();
                    value = self.old.pointer(&from)?;
                }
            }
        }
        None
    }

    fn report(&mut self, code: Code, from: &str, message: impl Into<String>) -> &mut Diagnostic {
        let location = Location::at(self.root.file(), from);
        let location = bundle::origin(&location).unwrap_or(location);
        self.diagnostics.report(code, &location, message)
    }

    fn repaired(&mut self, from: &str, message: impl Into<String>) {
        self.report(Code::Repaired, from, message);
    }
}

/// The extensions of an object.
fn extensions(members: &Members) -> impl Iterator<Item = (String, Value)> + '_ {
    members.iter().filter(|(name, _)| name.starts_with("x-")).map(|(name, value)| (name.clone(), value.clone()))
}

/// Copies the members with these names.
fn copy(names: &[&str], from: &Members, to: &mut Members) {
    for name in names {
        if let Some(value) = from.get(*name) {
            to.insert((*name).to_owned(), value.clone());
        }
    }
}

fn reference(pointer: &str) -> Value {
    json!({"$ref": format!("#{}", pointer.replace('%', "%25"))})
}

/// Updates every `$ref` to the new location of its target.
fn follow_moves(value: &mut Value, moves: &Moves) {
    match value {
        Value::Object(members) => {
            for (name, value) in members.iter_mut() {
                match value {
                    Value::String(text) if name == "$ref" => {
                        let Some(fragment) = text.strip_prefix('#') else { continue };
                        let old = location::decoded(fragment);
                        let new = moves.forward(&old);
                        if new != old {
                            *text = format!("#{}", new.replace('%', "%25"));
                        }
                    }
                    other => follow_moves(other, moves),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| follow_moves(item, moves)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
