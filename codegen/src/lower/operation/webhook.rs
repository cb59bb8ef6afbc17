//! Operations that the server sends: `webhooks`, and `callbacks`.

use foldhash::{HashMap, HashSet};
use openapiv3::PathItem;

use super::security::Schemes;
use super::{Site, TaggedOperation, check_other_methods, is_new_id, methods, read_operation, tag};
use crate::diagnostic::Code;
use crate::ir::{PathSegment, Webhook};
use crate::location::Location;
use crate::lower::name;
use crate::lower::node::Node;
use crate::lower::overrides::name::operation_name;
use crate::lower::overrides::selection::Selected;
use crate::lower::reference::{Resolver, follow, node_at, parse};
use crate::lower::reporter::Reporter;
use crate::lower::schema::reader::Reader;
use crate::upgrade::Document;

/// A path item with operations that the server sends.
struct Sent<'a> {
    /// The key in `webhooks` or `callbacks`.
    name: &'a str,
    /// The path item.
    item: Node<'a>,
    /// The key of the path item in a callback.
    expression: Option<&'a str>,
    /// The tag for operations without one.
    tag: Option<&'a str>,
}

/// Every operation that the server sends, in the order of the description: webhooks first.
pub(crate) fn read_webhooks(
    reader: &mut Reader<'_>,
    schemes: &mut Schemes,
    selection: &mut Selected<'_>,
) -> Vec<TaggedOperation> {
    let mut sent = declared_webhooks(reader.resolver.document);
    sent.extend(callbacks(&mut reader.resolver));

    let mut found = Vec::new();
    let mut paths = name::Scope::default();
    let mut ids = HashMap::default();
    // Several operations may share a callback in `components`.
    let mut seen = HashSet::default();
    for Sent { name, item, expression, tag } in sent {
        let Some(item) = follow(&mut reader.resolver, &item) else { continue };
        if seen.insert(item.location.clone()) {
            let path = format!("/{}", paths.claim(&segment(name), &[]));
            found.extend(read_webhook(
                reader,
                schemes,
                selection,
                &Sent { name, item, expression, tag },
                &path,
                &mut ids,
            ));
        }
    }
    found
}

fn declared_webhooks(document: &Document) -> Vec<Sent<'_>> {
    let Some(webhooks) = node_at(document, &document.root.member("webhooks")) else { return Vec::new() };
    let items = webhooks.own_members().into_iter().filter(|(name, _)| !name.starts_with("x-"));
    items.map(|(name, item)| Sent { name, item, expression: None, tag: None }).collect()
}

fn callbacks<'a>(resolver: &mut Resolver<'a>) -> Vec<Sent<'a>> {
    let version = resolver.document.version;
    let Some(paths) = node_at(resolver.document, &resolver.document.root.member("paths")) else { return Vec::new() };
    let mut sent = Vec::new();
    for (_, item) in paths.own_members() {
        let Some(item) = follow(resolver, &item) else { continue };
        for (_, _, operation) in methods(&item, version) {
            let tag = operation.texts("tags").first().copied();
            for (name, callback) in operation.members("callbacks") {
                let Some(callback) = follow(resolver, &callback) else { continue };
                let items = callback.own_members().into_iter().filter(|(key, _)| !key.starts_with("x-"));
                sent.extend(items.map(|(key, item)| Sent { name, item, expression: Some(key), tag }));
            }
        }
    }
    sent
}

fn read_webhook<'a>(
    reader: &mut Reader<'a>,
    schemes: &mut Schemes,
    selection: &mut Selected<'_>,
    sent: &Sent<'a>,
    path: &str,
    ids: &mut HashMap<String, Location>,
) -> Vec<TaggedOperation> {
    let Sent { name, item: node, expression, tag } = sent;
    let Some(item) = parse::<PathItem>(&mut reader.resolver.reporter, node) else { return Vec::new() };
    check_other_methods(&mut reader.resolver.reporter, node);
    let methods = methods(node, reader.resolver.document.version);
    let is_alone = methods.len() == 1;
    let mut found = Vec::new();
    for (method, key, operation_node) in methods {
        let Some(mut operation) = parse::<openapiv3::Operation>(&mut reader.resolver.reporter, &operation_node) else {
            continue;
        };
        let id = operation.operation_id.as_deref().filter(|id| !id.trim().is_empty());
        let known_as = id.map_or_else(|| format!("{key}_{name}"), str::to_owned);
        let tags = tag::or_default(match operation.tags.as_slice() {
            [] => tag.iter().copied().collect(),
            tags => tags.iter().map(String::as_str).collect(),
        });
        if !selection.selects(&operation_node.location, &tags, &known_as, None) {
            continue;
        }
        let wire = match id.filter(|id| is_new_id(&mut reader.resolver.reporter, id, &operation_node.location, ids)) {
            Some(id) => id.to_owned(),
            None if is_alone => (*name).to_owned(),
            None => format!("{key}_{name}"),
        };
        report_unsupported(&mut reader.resolver.reporter, &operation_node, node);
        operation.servers.clear();
        let item = PathItem { servers: Vec::new(), ..item.clone() };
        let rust = operation_name(&mut reader.resolver, &mut reader.overrides, &operation_node.location, &wire, &wire);
        let site = Site {
            path,
            in_query: Vec::new(),
            method,
            location: operation_node.location.clone(),
            item: node.location.clone(),
            method_name: wire.clone(),
            rust,
            is_webhook: true,
        };
        let segments = vec![vec![PathSegment::Literal(path.trim_start_matches('/').to_owned())]];
        let mut lowered = read_operation(reader, schemes, &item, &operation, &site, wire, segments);
        lowered.pagination = None;
        lowered.webhook = Some(Webhook { expression: expression.map(str::to_owned) });
        let tag = operation.tags.into_iter().next().or_else(|| tag.map(str::to_owned));
        found.push(TaggedOperation { tag, operation: lowered });
    }
    found
}

fn report_unsupported<'a>(reporter: &mut Reporter<'_>, operation: &Node<'a>, item: &Node<'a>) {
    for servers in [operation.get("servers"), item.get("servers")].into_iter().flatten() {
        reporter
            .report(Code::NotUsed, &servers.location.name(), "a webhook or callback has no servers")
            .label("not read")
            .help("it is sent to the URL that its receiver has given");
    }
    if let Some(callbacks) = operation.get("callbacks") {
        reporter
            .report(Code::NotUsed, &callbacks.location.name(), "a callback of a callback is not supported")
            .label("left out");
    }
}

/// The path where a router listens for it: the name, if it is a valid segment.
fn segment(name: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '.' | '_' | '~');
    if !name.is_empty() && name.chars().all(is_plain) && !name.chars().all(|character| character == '.') {
        return name.to_owned();
    }
    name::snake(name)
}
