//! Names requested by users: `x-rust-name` and `[rename]` verbatim, hints of other generators as words.

use foldhash::HashMap;

use super::{Overrides, override_at, override_for_schema};
use crate::diagnostic::Code;
use crate::location::{self, Location};
use crate::lower::name;
use crate::lower::name::{Case, Scope};
use crate::lower::node::Node;
use crate::lower::reference::{Resolver, node_at};
use crate::lower::reporter::Reporter;
use crate::upgrade::Document;

/// The tables of the configuration.
pub(crate) const SCHEMAS: &str = "rename.schemas";
pub(crate) const OPERATIONS: &str = "rename.operations";
pub(crate) const TAGS: &str = "rename.tags";
pub(crate) const POINTERS: &str = "rename.pointers";

/// The extension for every named item.
pub(crate) const EXTENSION: &str = "x-rust-name";

/// A requested Rust name, and its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RequestedName {
    pub(crate) rust: String,
    pub(crate) place: Location,
}

/// The name requested for a node that is not a schema, or for a member or variant at its schema.
pub(crate) fn requested_name<'a>(
    resolver: &mut Resolver<'a>,
    overrides: &mut Overrides<'a>,
    nodes: &[Node<'a>],
    case: Case,
) -> Option<RequestedName> {
    let renames = &overrides.options.rename;
    let configured = override_at(resolver.document, overrides, POINTERS, &renames.pointers, nodes);
    let (rust, place) = if let Some((rust, place)) = configured {
        (rust.as_str(), place)
    } else {
        let node = nodes.iter().find_map(|node| node.get(EXTENSION))?;
        let Some(rust) = node.value.as_str() else {
            resolver.report(Code::InvalidRustName, &node.location, "a name must be a string");
            return None;
        };
        (rust, node.location)
    };
    valid_name(&mut resolver.reporter, rust, place, case)
}

/// The name requested for the model of a schema; not for a member or a variant.
pub(crate) fn requested_type_name<'a>(
    resolver: &mut Resolver<'a>,
    overrides: &mut Overrides<'a>,
    schema: &Node<'a>,
) -> Option<RequestedName> {
    let renames = &overrides.options.rename;
    let is_silent = !schema.has(EXTENSION) && renames.schemas.is_empty() && renames.pointers.is_empty();
    if is_silent || is_named_by_owner(resolver.document, &schema.location) {
        return None;
    }
    if let Some((rust, place)) = override_for_schema(overrides, SCHEMAS, &renames.schemas, &schema.location) {
        return valid_name(&mut resolver.reporter, rust, place, Case::Type);
    }
    requested_name(resolver, overrides, std::slice::from_ref(schema), Case::Type)
}

/// The name requested for the method of an operation.
pub(crate) fn requested_method_name<'a>(
    resolver: &mut Resolver<'a>,
    overrides: &mut Overrides<'a>,
    operation: &Node<'a>,
    id: &str,
) -> Option<RequestedName> {
    let renames = &overrides.options.rename;
    match overrides.entry(OPERATIONS, &renames.operations, id) {
        Some(rust) => {
            let place = overrides.settings_place(OPERATIONS, id).unwrap_or_else(|| operation.location.clone());
            valid_name(&mut resolver.reporter, rust, place, Case::Value)
        }
        None => requested_name(resolver, overrides, std::slice::from_ref(operation), Case::Value),
    }
}

/// The name requested for the trait of a tag.
pub(crate) fn requested_trait_name<'a>(
    resolver: &mut Resolver<'a>,
    overrides: &mut Overrides<'a>,
    tag: &str,
) -> Option<RequestedName> {
    let tags = node_at(resolver.document, &resolver.document.root)?.items("tags");
    let node = tags.into_iter().find(|node| node.text("name") == Some(tag));
    let renames = &overrides.options.rename;
    match (overrides.entry(TAGS, &renames.tags, tag), node) {
        (Some(rust), node) => {
            let written = node.map_or_else(|| resolver.document.root.member("paths").name(), |node| node.location);
            let place = overrides.settings_place(TAGS, tag).unwrap_or(written);
            valid_name(&mut resolver.reporter, rust, place, Case::Type)
        }
        (None, node) => requested_name(resolver, overrides, node.as_slice(), Case::Type),
    }
}

/// The name of an operation in Pascal case, from the requested method, else from `name`.
pub(crate) fn operation_name<'a>(
    resolver: &mut Resolver<'a>,
    overrides: &mut Overrides<'a>,
    operation: &Location,
    id: &str,
    name: &str,
) -> String {
    let requested =
        node_at(resolver.document, operation).and_then(|node| requested_method_name(resolver, overrides, &node, id));
    let rust = name::pascal(requested.as_ref().map_or(name, |requested| &requested.rust));
    overrides.methods.extend(requested.map(|requested| (operation.clone(), requested)));
    rust
}

/// The name requested for a variant.
pub(crate) fn requested_variant_name<'a>(
    resolver: &mut Resolver<'a>,
    overrides: &mut Overrides<'a>,
    variant: &Node<'a>,
) -> Option<RequestedName> {
    if is_variant(variant) {
        requested_name(resolver, overrides, std::slice::from_ref(variant), Case::Type)
    } else {
        None
    }
}

/// Reports a name requested for a schema without its own type.
pub(crate) fn report_unused_name<'a>(resolver: &mut Resolver<'a>, overrides: &mut Overrides<'a>, schema: &Node<'a>) {
    if let Some(RequestedName { place, .. }) = requested_type_name(resolver, overrides, schema) {
        resolver
            .report(Code::NotUsed, &place, "the type of this schema has no name")
            .label("so the requested name is not used");
    }
}

/// Whether the name at a schema is that of a field or a variant. A Swagger 2.0 parameter is its own schema.
fn is_named_by_owner(document: &Document, location: &Location) -> bool {
    let written = document.origin(location);
    let last = |pointer: &str| location::tokens(pointer).last();
    matches!(owner(location.pointer()).as_deref(), Some("properties" | "oneOf" | "anyOf"))
        || last(location.pointer()) != last(written.pointer())
}

fn valid_name(reporter: &mut Reporter<'_>, rust: &str, place: Location, case: Case) -> Option<RequestedName> {
    if name::is_valid(rust, case) {
        return Some(RequestedName { rust: rust.to_owned(), place });
    }
    let (kind, meant) = match case {
        Case::Type => ("a type, a trait or a variant", name::pascal(rust)),
        Case::Value => ("a method, a field or a parameter", name::snake(rust)),
    };
    let diagnostic =
        reporter.report(Code::InvalidRustName, &place, format!("`{rust}` is not a valid Rust name for {kind}"));
    if name::is_valid(&meant, case) {
        diagnostic.help(format!("did you mean `{meant}`?"));
    }
    None
}

/// Assigns the requested names first; `None` where none is requested. Reports duplicate requests and reserved
/// names.
pub(crate) fn claim_requested(
    reporter: &mut Reporter<'_>,
    requested: &[Option<RequestedName>],
    scope: &mut Scope,
) -> Vec<Option<String>> {
    let mut owners: HashMap<&str, &Location> = HashMap::default();
    let mut given = Vec::with_capacity(requested.len());
    for requested in requested {
        let Some(RequestedName { rust, place }) = requested else {
            given.push(None);
            continue;
        };
        if scope.is_free(rust) {
            owners.insert(rust, place);
            given.push(Some(scope.claim(rust, &[])));
            continue;
        }
        given.push(None);
        match owners.get(rust.as_str()) {
            // The same object, used twice.
            Some(owner) if *owner == place => {}
            Some(owner) => {
                let owner = (*owner).clone();
                reporter
                    .report(Code::RustNameTaken, place, format!("the name `{rust}` is requested twice"))
                    .related(&owner, "the other one");
            }
            None => {
                reporter.report(Code::RustNameTaken, place, format!("`{rust}` means something else in generated code"));
            }
        }
    }
    given
}

/// Makes the names of a scope unique: requested ones first, then as [`name::unique`] does.
pub(crate) fn unique_names(
    reporter: &mut Reporter<'_>,
    wanted: &[String],
    requested: &[Option<RequestedName>],
    scope: &mut Scope,
) -> Vec<String> {
    let given = claim_requested(reporter, requested, scope);
    let rest: Vec<String> =
        wanted.iter().zip(&given).filter(|(_, given)| given.is_none()).map(|(wanted, _)| wanted.clone()).collect();
    let mut rest = name::unique(&rest, scope).into_iter();
    given.into_iter().filter_map(|given| given.or_else(|| rest.next())).collect()
}

/// The name from another generator's extension, `x-ms-client-name`, else the node's own.
pub(crate) fn client_name<'w>(nodes: &[Node<'w>], name: &'w str) -> &'w str {
    nodes.iter().find_map(|node| node.text("x-ms-client-name")).unwrap_or(name)
}

/// Whether the schema is listed among variants, so its name is that of the variant.
pub(crate) fn is_variant(node: &Node<'_>) -> bool {
    matches!(owner(node.location.pointer()).as_deref(), Some("oneOf" | "anyOf"))
}

/// The owner of a member or variant schema.
fn owner(pointer: &str) -> Option<String> {
    let tokens: Vec<String> = location::tokens(pointer).collect();
    let [.., owner, _] = &tokens[..] else { return None };
    Some(owner.clone())
}
