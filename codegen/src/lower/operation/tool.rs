//! `x-mcp`: operations as tools of the Model Context Protocol.

use foldhash::{HashMap, HashSet};
use serde_json::Value;

use super::arguments::claim;
use super::{Site, TaggedOperation};
use crate::diagnostic::{Code, nearest};
use crate::ir::{Method, Tier, Tool};
use crate::location::Location;
use crate::lower::node::Node;
use crate::lower::reference::{Resolver, node_at};
use crate::lower::reporter::Reporter;

const KEYS: &[&str] = &["tier", "name", "description", "hidden"];

/// The longest name that common clients accept.
const LONGEST: usize = 64;

/// The tool of an operation; `None` if it is hidden. [`name_tools`] makes its name unique.
pub(super) fn read_tool(resolver: &mut Resolver<'_>, site: &Site<'_>, wire: &str) -> Option<Tool> {
    let node = extension(resolver, &site.location);
    if let Some(node) = &node {
        check(&mut resolver.reporter, node);
    }
    let text = |key: &str| node.as_ref().and_then(|node| node.text(key));
    if node.as_ref().is_some_and(|node| node.flag("hidden")) {
        return None;
    }
    let chosen = text("tier").and_then(tier);
    let tier = chosen.unwrap_or_else(|| usual_tier(&site.method));
    let replaces = chosen.is_none() && matches!(site.method, Method::PUT | Method::PATCH);
    Some(Tool {
        name: text("name").filter(|name| is_name(name)).map_or_else(|| name(wire), str::to_owned),
        description: text("description").map(str::to_owned),
        tier,
        destructive: tier == Tier::Destructive || replaces,
    })
}

/// Gives every tool its own name. Names of `x-mcp` are kept; others get a number.
pub(super) fn name_tools(resolver: &mut Resolver<'_>, operations: &mut [TaggedOperation]) {
    let mut chosen: HashMap<String, Location> = HashMap::default();
    let mut is_chosen = vec![false; operations.len()];
    for (index, TaggedOperation { operation, .. }) in operations.iter().enumerate() {
        let Some(tool) = &operation.tool else { continue };
        let Some(name) = extension(resolver, &operation.location).and_then(|node| node.get("name")) else { continue };
        is_chosen[index] = true;
        if let Some(earlier) = chosen.insert(tool.name.clone(), name.location.clone()) {
            let message = format!("two operations have the tool `{}`", tool.name);
            resolver.reporter.report(Code::InvalidTool, &name.location, message).related(&earlier, "the other one");
        }
    }
    let mut taken: HashSet<String> = chosen.into_keys().collect();
    let derived = operations.iter_mut().zip(is_chosen).filter(|(_, is_chosen)| !is_chosen);
    for tool in derived.filter_map(|(TaggedOperation { operation, .. }, _)| operation.tool.as_mut()) {
        tool.name = claim(&mut taken, &tool.name, LONGEST);
    }
}

fn extension<'a>(resolver: &Resolver<'a>, operation: &Location) -> Option<Node<'a>> {
    node_at(resolver.document, &operation.member("x-mcp"))
}

/// Reports keys and values that are not known.
fn check(reporter: &mut Reporter<'_>, node: &Node<'_>) {
    let Some(object) = node.object() else {
        reporter.report(Code::InvalidTool, &node.location, "`x-mcp` is not an object");
        return;
    };
    for (key, value) in object {
        let problem = match (key.as_str(), value) {
            ("tier", Value::String(text)) if tier(text).is_some() => continue,
            ("name", Value::String(text)) if is_name(text) => continue,
            ("description", Value::String(_)) | ("hidden", Value::Bool(_)) => continue,
            ("tier", _) => "`tier` is `read`, `write` or `destructive`",
            ("name", _) => "a tool's name has 1 to 64 ASCII letters, digits, `_` and `-`",
            ("description", _) => "`description` is a string",
            ("hidden", _) => "`hidden` is `true` or `false`",
            (key, _) => {
                let place = node.location.member(key).name();
                let found = reporter.report(Code::InvalidTool, &place, format!("`x-mcp` has no key `{key}`"));
                if let Some(close) = nearest(key, KEYS.iter().copied()) {
                    found.help(format!("did you mean `{close}`?"));
                }
                continue;
            }
        };
        reporter.report(Code::InvalidTool, &node.location.member(key), problem);
    }
}

fn tier(text: &str) -> Option<Tier> {
    match text {
        "read" => Some(Tier::Read),
        "write" => Some(Tier::Write),
        "destructive" => Some(Tier::Destructive),
        _ => None,
    }
}

fn usual_tier(method: &Method) -> Tier {
    match method.as_str() {
        "GET" | "HEAD" | "OPTIONS" | "TRACE" | "QUERY" => Tier::Read,
        "DELETE" => Tier::Destructive,
        _ => Tier::Write,
    }
}

fn is_name(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    (1..=LONGEST).contains(&text.len()) && text.bytes().all(is_part)
}

/// The name of a tool: `pets/list all` is `pets_list_all`.
fn name(wire: &str) -> String {
    let mut name = String::new();
    for letter in wire.chars() {
        match letter {
            _ if letter.is_ascii_alphanumeric() || letter == '-' => name.push(letter),
            _ if name.is_empty() || name.ends_with('_') => {}
            _ => name.push('_'),
        }
    }
    name.truncate(LONGEST);
    let name = name.trim_end_matches('_');
    if name.is_empty() { "operation".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, name};

    #[test]
    fn names_have_what_clients_accept() {
        assert_eq!(name("GetAccounts"), "GetAccounts");
        assert_eq!(name("get_pets_{id}/all of.it"), "get_pets_id_all_of_it");
        assert_eq!(name("größe"), "gr_e");
        assert_eq!(name("动物"), "operation");
        assert_eq!(name(&"a".repeat(90)).len(), LONGEST);
    }
}
