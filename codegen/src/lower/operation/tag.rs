//! Tags: groups operations by their first tag, and gives names that must not collide.

use super::TaggedOperation;
use crate::ir::{ContentKind, Failure, Name, Operation, Success, Tag};
use crate::lower::name;
use crate::lower::overrides::Overrides;
use crate::lower::overrides::name::{claim_requested, requested_trait_name};
use crate::lower::reference::Resolver;
use crate::lower::reporter::Reporter;

/// The tag of operations without one.
pub(crate) const DEFAULT: &str = "default";

/// Modules of generated crates that are not tags.
const MODULES: &[&str] = &[
    "foreign",
    "models",
    "runtime",
    "router",
    "security",
    "client",
    "test",
    "tests",
    "std",
    "core",
    "crate_root",
    "xml_elements",
];

/// Types used in the files of a tag, in addition to the prelude; the trait and the requests need other names.
const TAKEN_BY_TAGS: &[&str] = &[
    "A",
    "BTreeMap",
    "Base64",
    "Body",
    "Bound",
    "Bytes",
    "Call",
    "Client",
    "Credentials",
    "Date",
    "DateTime",
    "Decimal",
    "DecimalNumber",
    "Download",
    "Error",
    "Failure",
    "FromAnswer",
    "Ipv4Addr",
    "Ipv6Addr",
    "ItemBody",
    "ItemStream",
    "Maybe",
    "Operation",
    "Page",
    "Pattern",
    "Router",
    "Rule",
    "S",
    "SpanFieldwise",
    "StatusCode",
    "Style",
    "T",
    "Time",
    "Timestamp",
    "Undocumented",
    "Uuid",
];

/// The functions that `Client` has without any tag, also by the traits that generated code uses.
pub(crate) const TAKEN_BY_CLIENT: &[&str] = &["as_ref", "builder", "clone", "sender"];

/// Modules used in the files of a tag.
const MENTIONED: &[&str] = &[
    "axum",
    "client",
    "client_stream",
    "foreign",
    "http",
    "json",
    "models",
    "security",
    "server",
    "server_stream",
    "stream",
    "with",
    "wrapped",
    "xml_elements",
];

/// Methods that every type has, or the client's type of a tag.
const METHODS: &[&str] = &["clone", "clone_from", "into", "from", "new", "try_into", "borrow", "to_owned", "type_id"];

/// The tags by which an operation is selected.
pub(crate) fn or_default(tags: Vec<&str>) -> Vec<&str> {
    if tags.is_empty() { vec![DEFAULT] } else { tags }
}

/// Groups the operations, in the order of `tags` and then of the description, and names everything. The
/// module `webhooks` is reserved if there are webhooks.
pub(crate) fn group_by_tag<'a>(
    resolver: &mut Resolver<'a>,
    overrides: &mut Overrides<'a>,
    found: Vec<TaggedOperation>,
    webhooks: bool,
) -> Vec<Tag> {
    let document = resolver.document;
    let is_named = document.openapi.tags.iter().any(|tag| tag.name == DEFAULT)
        || found.iter().any(|found| found.tag.as_deref() == Some(DEFAULT));
    let mut tags: Vec<(String, Option<String>, Vec<Operation>)> = Vec::new();
    for tag in &document.openapi.tags {
        if tags.iter().all(|(name, _, _)| *name != tag.name) {
            tags.push((tag.name.clone(), tag.description.clone(), Vec::new()));
        }
    }
    for TaggedOperation { tag, operation } in found {
        let tag = tag.filter(|tag| !tag.trim().is_empty()).unwrap_or_else(|| DEFAULT.to_owned());
        match tags.iter_mut().find(|(name, _, _)| *name == tag) {
            Some((_, _, operations)) => operations.push(operation),
            None => tags.push((tag, None, vec![operation])),
        }
    }
    tags.retain(|(_, _, operations)| !operations.is_empty());

    let mut modules = name::Scope::reserving(MODULES);
    if webhooks {
        modules.claim("webhooks", &[]);
    }
    let mut client_methods = name::Scope::reserving(TAKEN_BY_CLIENT);
    let mut traits = name::Scope::of_types(TAKEN_BY_TAGS);
    let mut requests = name::Scope::of_types(TAKEN_BY_TAGS);
    let requested: Vec<_> = tags.iter().map(|(wire, _, _)| requested_trait_name(resolver, overrides, wire)).collect();
    let given = claim_requested(&mut resolver.reporter, &requested, &mut traits);
    tags.into_iter()
        .zip(given)
        .map(|((wire, doc, operations), given)| {
            let wanted = name::module(given.as_deref().unwrap_or(&wire));
            let module = modules.claim(&wanted, &[format!("{}_api", wanted.trim_end_matches('_'))]);
            let client_method = client_methods.claim(&module, &[format!("{module}_")]);
            let wanted = name::pascal(&wire);
            let rust = given.unwrap_or_else(|| traits.claim(&wanted, &[format!("{wanted}Api")]));
            let operations =
                name_operations(&mut resolver.reporter, overrides, operations, &rust, &module, &mut requests);
            let doc = doc.filter(|text| !text.trim().is_empty());
            let untagged = wire == DEFAULT && !is_named;
            Tag { name: Name { wire, rust }, untagged, module, client_method, feature: None, doc, operations }
        })
        .collect()
}

/// Names the operations of a tag. Request structs are unique across tags, so that one `use` can import all;
/// `trait_rust` is reserved in this one.
fn name_operations(
    reporter: &mut Reporter<'_>,
    overrides: &mut Overrides<'_>,
    mut operations: Vec<Operation>,
    trait_rust: &str,
    tag_module: &str,
    requests: &mut name::Scope,
) -> Vec<Operation> {
    let mut types = name::Scope::of_types(TAKEN_BY_TAGS);
    types.claim(trait_rust, &[]);
    let mut methods = name::Scope::reserving(METHODS);
    let mut modules = name::Scope::reserving(MENTIONED);
    let requested: Vec<_> = operations.iter().map(|operation| overrides.method(&operation.location)).collect();
    let given = claim_requested(reporter, &requested, &mut methods);
    // A module must not have the name of its parent.
    modules.claim(tag_module, &[]);
    for (operation, given) in operations.iter_mut().zip(given) {
        let word = given.clone().unwrap_or_else(|| operation.method_rust.clone());
        let wanted = operation.name.rust.clone();
        let others = [format!("{wanted}Request"), format!("{wanted}Operation")];
        let rust = if wanted == trait_rust {
            requests.claim(&others[0], &others[1..])
        } else {
            requests.claim(&wanted, &others)
        };
        operation.name.rust = types.claim(&rust, &[]);
        operation.method_rust = given.unwrap_or_else(|| methods.claim(&name::snake(&word), &[]));
        let wanted = name::module(&word);
        operation.module = modules.claim(&wanted, &[format!("{}_operation", wanted.trim_end_matches('_'))]);
    }
    // Then types derived from operations, which yield to request structs such as `GetResponse`.
    for operation in &mut operations {
        let own = |rust: &mut String, taken: &mut name::Scope| *rust = taken.claim(rust, &[]);
        if let Success::Struct { rust, .. } | Success::Enum { rust, .. } = &mut operation.responses.success {
            own(rust, &mut types);
        }
        if let Failure::Enum { rust, .. } = &mut operation.responses.failure {
            own(rust, &mut types);
        }
        if let Some(body) = &mut operation.request_body {
            own(&mut body.rust, &mut types);
            for content in &mut body.contents {
                if let ContentKind::Multipart(multipart) = &mut content.kind {
                    multipart.part_rust = types.claim(&format!("{}Part", operation.name.rust), &[]);
                }
            }
        }
        for response in operation.responses.all_mut() {
            own(&mut response.body_rust, &mut types);
            let part_rust = format!("{}Part", response.body_rust.trim_end_matches("Body"));
            for content in &mut response.contents {
                if let ContentKind::Multipart(multipart) = &mut content.kind {
                    multipart.part_rust = types.claim(&part_rust, &[]);
                }
            }
        }
    }
    operations
}
