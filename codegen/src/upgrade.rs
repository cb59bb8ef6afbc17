//! Every version of OpenAPI → the one object model, `openapiv3::OpenAPI`, its structure checked.

mod aside;
mod bundle;
mod coerce;
mod openapi_3_0;
mod structure;

use openapiv3::OpenAPI;
use serde::Deserialize;
use serde_json::Value;

use crate::diagnostic::{Code, Diagnostics};
use crate::load::Files;
use crate::location::Location;

/// A description whose structure is right.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// The root; members of it are named with [`Location::member`].
    pub root: Location,
    /// As OpenAPI 3.0 objects, without callbacks.
    pub openapi: OpenAPI,
    /// The same as it was written, for what the objects do not hold. Other files are in it too.
    pub tree: Value,
}

/// Where a node of the tree is written.
pub(crate) fn origin(location: &Location) -> Option<Location> {
    bundle::origin(location)
}

/// Brings the description that starts in the file `entry` to OpenAPI 3.0, in one tree.
pub(crate) fn upgrade(
    files: &dyn Files,
    entry: &str,
    mut tree: Value,
    diagnostics: &mut Diagnostics,
) -> Option<Document> {
    let root = Location::root(entry);
    match version(&tree, &root, diagnostics)? {
        Version::OpenApi3_0 => bundle::bundle(files, entry, &mut tree, &openapi_3_0::OPENAPI, diagnostics),
    }
    if diagnostics.has_errors() {
        return None;
    }
    let aside = aside::take(&mut tree);
    let result = OpenAPI::deserialize(&tree);
    aside::put_back(&mut tree, aside);
    match result {
        Ok(openapi) => Some(Document { root, openapi, tree }),
        Err(error) => {
            diagnostics.report(Code::InvalidValue, &culprit(&tree, &root), error.to_string());
            None
        }
    }
}

/// The versions there is a way from.
enum Version {
    OpenApi3_0,
}

fn version(tree: &Value, root: &Location, diagnostics: &mut Diagnostics) -> Option<Version> {
    let (name, value) =
        ["openapi", "swagger"].into_iter().find_map(|name| Some((name, tree.get(name)?))).or_else(|| {
            diagnostics
                .report(Code::UnknownVersion, root, "this is no OpenAPI description: it has no field `openapi`")
                .help("a description starts with `openapi: 3.0.3`");
            None
        })?;
    let version = match value {
        Value::String(version) => version.clone(),
        other => other.to_string(),
    };
    if name == "openapi" && (version == "3.0" || version.starts_with("3.0.")) {
        return Some(Version::OpenApi3_0);
    }
    let known = match name {
        "openapi" => version.starts_with("3.1") || version.starts_with("3.2"),
        _ => version.starts_with("2.0"),
    };
    let family = if name == "openapi" { "OpenAPI" } else { "Swagger" };
    diagnostics
        .report(
            Code::UnknownVersion,
            &root.member(name),
            if known {
                format!("{family} {version} is not supported yet")
            } else {
                format!("there is no {family} {version}")
            },
        )
        .help("write the description in OpenAPI 3.0");
    None
}

/// The smallest part that the object model refuses. The check of the structure should leave none.
fn culprit(tree: &Value, root: &Location) -> Location {
    let members = |value: &Value| value.as_object().map(|object| object.keys().cloned().collect()).unwrap_or_default();
    let paths: Vec<String> = tree.get("paths").map(members).unwrap_or_default();
    for path in paths {
        let item = &tree["paths"][&path];
        if openapiv3::PathItem::deserialize(item).is_err() {
            let location = root.members(&["paths", &path]);
            let names: Vec<String> = members(item);
            let operation = names.iter().find(|name| {
                !name.starts_with("x-")
                    && item[*name].get("responses").is_some()
                    && openapiv3::Operation::deserialize(&item[*name]).is_err()
            });
            return operation.map_or(location.clone(), |name| location.member(name));
        }
    }
    let schemas: Vec<String> = tree.pointer("/components/schemas").map(members).unwrap_or_default();
    for name in schemas {
        if <openapiv3::ReferenceOr<openapiv3::Schema>>::deserialize(&tree["components"]["schemas"][&name]).is_err() {
            return root.members(&["components", "schemas", &name]);
        }
    }
    root.clone()
}
