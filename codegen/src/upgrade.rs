//! Every version of OpenAPI → the one object model, `openapiv3::OpenAPI`, its structure checked.

mod bundle;
mod coerce;
mod identifier;
mod moves;
mod openapi_3_0;
mod openapi_3_1;
mod openapi_3_2;
mod outline;
mod overlay;
mod section;
mod structure;
mod swagger_2_0;
mod version;

use openapiv3::OpenAPI;
use serde_json::Value;

use moves::Moves;
use overlay::Written;

use crate::diagnostic::{Code, Diagnostics};
use crate::load::Files;
use crate::location::Location;

pub(crate) use outline::{Part, read};
pub(crate) use version::Version;

/// A description whose structure is right.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// The root; members of it are named with [`Location::member`].
    pub root: Location,
    /// The version it is written in.
    pub version: Version,
    /// As OpenAPI 3.0 objects, without components, operations and schemas.
    pub openapi: OpenAPI,
    /// The same as it was written, for what the objects do not hold. Other files are in it too.
    pub tree: Value,
    moves: Moves,
    written: Written,
}

impl Document {
    /// Where a node of the tree is written.
    pub(crate) fn origin(&self, location: &Location) -> Location {
        self.written.origin(&origin(location, &self.moves))
    }
}

fn origin(location: &Location, moves: &Moves) -> Location {
    let location = match moves.back(location.pointer()) {
        Some(pointer) => location.elsewhere(location.file(), pointer),
        None => location.clone(),
    };
    bundle::origin(&location).unwrap_or(location)
}

/// Brings the description that starts in the file `entry` to one tree, changed by the overlays and read as OpenAPI 3.0.
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
    let document = read_all(files, entry, tree, &written, &mut found);
    found.relocate(|location| written.origin(location));
    diagnostics.append(found);
    document
}

fn read_all(
    files: &dyn Files,
    entry: &str,
    mut tree: Value,
    written: &Written,
    diagnostics: &mut Diagnostics,
) -> Option<Document> {
    let root = Location::root(entry);
    let version = Version::read(&tree, &root, diagnostics)?;
    let moves = match version {
        Version::Swagger2_0 => {
            let parts = bundle::bundle(files, entry, &mut tree, &swagger_2_0::SWAGGER, version, diagnostics);
            if diagnostics.has_errors() {
                return None;
            }
            swagger_2_0::upgrade(&root, &mut tree, &parts, diagnostics)
        }
        Version::OpenApi3_0 | Version::OpenApi3_1 | Version::OpenApi3_2 => {
            bundle::bundle(files, entry, &mut tree, &openapi_3_0::OPENAPI, version, diagnostics);
            Moves::default()
        }
    };
    if diagnostics.has_errors() {
        return None;
    }
    match read::<OpenAPI>(&tree) {
        Ok(openapi) => Some(Document { root, version, openapi, tree, moves, written: written.clone() }),
        Err(error) => {
            let location = origin(&culprit(&tree, &root), &moves);
            diagnostics.report(Code::InvalidValue, &location, error.to_string());
            None
        }
    }
}

/// The path item that the object model refuses. The check of the structure should leave none.
fn culprit(tree: &Value, root: &Location) -> Location {
    let items = tree.get("paths").and_then(Value::as_object);
    let refused = items.and_then(|items| items.iter().find(|(_, item)| read::<openapiv3::PathItem>(item).is_err()));
    refused.map_or_else(|| root.clone(), |(path, _)| root.members(&["paths", path]))
}
