//! Every version of OpenAPI → the one object model, `openapiv3::OpenAPI`, its structure checked.

mod bundle;
mod coerce;
mod dynamic;
mod heirs;
mod identifier;
mod moves;
mod openapi_3_0;
mod openapi_3_1;
mod openapi_3_2;
mod outline;
pub(crate) mod overlay;
mod repairs;
mod section;
mod shape;
mod structure;
mod swagger_2_0;
mod uri_template;
mod version;

use openapiv3::OpenAPI;
use serde_json::Value;

use moves::Moves;
use overlay::Written;

use crate::diagnostic::{Code, Diagnostics};
use crate::files::Files;
use crate::location::Location;

pub(crate) use outline::{Part, read};
pub(crate) use version::Version;

/// A description whose structure is right.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// The root; see [`Location::member`].
    pub root: Location,
    /// The version it is written in.
    pub version: Version,
    /// As OpenAPI 3.0 objects, without components, operations and schemas.
    pub openapi: OpenAPI,
    /// The merged tree as written, including other files, for what the object model lacks.
    pub tree: Value,
    /// Where the used schemas of other files are.
    pub schemas_elsewhere: Vec<String>,
    /// What the upgrade has moved.
    moves: Moves,
    /// What was renamed.
    renamed: Moves,
    written: Written,
}

impl Document {
    /// The original location of a node of the tree.
    pub(crate) fn origin(&self, location: &Location) -> Location {
        // Nodes of other files, such as the settings, were never moved.
        if location.file() == self.root.file() {
            origin(location, &self.moves, &self.renamed, &self.written)
        } else {
            location.clone()
        }
    }
}

fn origin(location: &Location, moves: &Moves, renamed: &Moves, written: &Written) -> Location {
    let location = back(&back(location, moves), renamed);
    written.origin(&bundle::origin(&location).unwrap_or(location))
}

fn back(location: &Location, moves: &Moves) -> Location {
    match moves.back(location.pointer()) {
        Some(pointer) => location.elsewhere(location.file(), pointer),
        None => location.clone(),
    }
}

/// Reads the description that starts in `entry`, with overlays applied, as one OpenAPI 3.0 tree.
pub(crate) fn upgrade(
    files: &dyn Files,
    entry: &str,
    overlays: &[String],
    mut tree: Value,
    diagnostics: &mut Diagnostics,
) -> Option<Document> {
    let written = overlay::apply(files, entry, overlays, &mut tree, diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    let mut found = Diagnostics::default();
    let root = Location::root(entry);
    let Some(version) = Version::read(&tree, &root, &mut found) else {
        found.relocate(|location| written.origin(location));
        diagnostics.append(found);
        return None;
    };
    let object = if version == Version::Swagger2_0 { &swagger_2_0::SWAGGER } else { &openapi_3_0::OPENAPI };
    let (parts, renamed) = bundle::bundle(files, entry, &mut tree, object, version, &mut found);
    let mut moves = Moves::default();
    if version == Version::Swagger2_0 && !found.has_errors() {
        moves = swagger_2_0::upgrade(&root, &mut tree, &parts, &mut found);
    }
    found.relocate(|location| {
        let is_here = location.file() == entry;
        if is_here { written.origin(&back(location, &renamed)) } else { written.origin(location) }
    });
    let is_right = !found.has_errors();
    diagnostics.append(found);
    if !is_right {
        return None;
    }
    let schemas = parts.into_iter().filter(|part| part.object.name == openapi_3_0::SCHEMA.name);
    let schemas_elsewhere = schemas.map(|part| part.pointer).collect();
    match read::<OpenAPI>(&tree) {
        Ok(openapi) => Some(Document { root, version, openapi, tree, schemas_elsewhere, moves, renamed, written }),
        Err(error) => {
            let location = origin(&culprit(&tree, &root), &moves, &renamed, &written);
            diagnostics.report(Code::InvalidValue, &location, error.to_string());
            None
        }
    }
}

/// The path item that the object model refuses. The structure check should leave none.
fn culprit(tree: &Value, root: &Location) -> Location {
    let items = tree.get("paths").and_then(Value::as_object);
    let refused = items.and_then(|items| items.iter().find(|(_, item)| read::<openapiv3::PathItem>(item).is_err()));
    refused.map_or_else(|| root.clone(), |(path, _)| root.members(&["paths", path]))
}
