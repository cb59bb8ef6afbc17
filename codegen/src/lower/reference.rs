//! Resolves `$ref`.

use std::borrow::Cow;

use openapiv3::ReferenceOr;
use serde_json::Value as Json;

use super::node;
use super::node::Node;
use super::reporter::Reporter;
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::location::{self, Location};
use crate::upgrade::{self, Document, Part};

/// Longer chains of references are treated as a cycle.
pub(crate) const LONGEST_CHAIN: usize = 64;

/// Resolves references of the description, and reports broken ones.
pub(crate) struct Resolver<'a> {
    pub(crate) document: &'a Document,
    pub(crate) reporter: Reporter<'a>,
}

impl Resolver<'_> {
    /// Reports a problem, as [`Reporter::report`] does.
    pub(crate) fn report(&mut self, code: Code, location: &Location, message: impl Into<String>) -> &mut Diagnostic {
        self.reporter.report(code, location, message)
    }
}

/// The object, and its location.
pub(crate) fn resolve<'o, T: Part + Clone>(
    resolver: &mut Resolver<'_>,
    object: &'o ReferenceOr<T>,
    location: &Location,
) -> Option<(Cow<'o, T>, Location)> {
    match object {
        ReferenceOr::Item(item) => Some((Cow::Borrowed(item), location.clone())),
        ReferenceOr::Reference { .. } => {
            let node = node_at(resolver.document, location)?;
            let target = follow(resolver, &node)?;
            if let Ok(item) = upgrade::read(target.value) {
                return Some((Cow::Owned(item), target.location));
            }
            let message = format!("the target of this `$ref` is not {}", T::noun());
            resolver
                .report(Code::WrongType, &location.member("$ref"), message)
                .related(&target.location, "it leads here");
            None
        }
    }
}

/// Parses the object at a node.
pub(crate) fn parse<T: Part>(reporter: &mut Reporter<'_>, node: &Node<'_>) -> Option<T> {
    match upgrade::read(node.value) {
        Ok(item) => Some(item),
        Err(error) => {
            reporter.report(
                Code::WrongType,
                &node.location,
                format!("a `$ref` refers to this, but it is invalid there: {error}"),
            );
            None
        }
    }
}

/// The node at a location.
pub(crate) fn node_at<'a>(document: &'a Document, location: &Location) -> Option<Node<'a>> {
    let value = find(&document.tree, location.pointer())?;
    Some(Node::new(value, location.clone()))
}

/// The node itself, or the final target of its `$ref`.
pub(crate) fn follow<'a>(resolver: &mut Resolver<'a>, node: &Node<'a>) -> Option<Node<'a>> {
    let mut current = node.clone();
    for _ in 0..LONGEST_CHAIN {
        if current.text("$ref").is_none() {
            return Some(current);
        }
        current = follow_once(resolver, &current)?;
    }
    resolver.report(Code::UnresolvedReference, &node.location.member("$ref"), "this `$ref` is circular");
    None
}

/// The direct target of the node's `$ref`, which may have a `$ref` itself.
pub(crate) fn follow_once<'a>(resolver: &mut Resolver<'a>, node: &Node<'a>) -> Option<Node<'a>> {
    let reference = node.text("$ref")?;
    let place = node.location.member("$ref");
    let Some(fragment) = reference.strip_prefix('#') else {
        resolver
            .report(Code::ExternalReference, &place, format!("`{reference}` is outside of this file"))
            .help("bundle the description into one file first");
        return None;
    };
    let pointer = location::decoded(fragment).into_owned();
    if let Some(value) = find(&resolver.document.tree, &pointer) {
        return Some(Node::new(value, node.location.node(pointer)));
    }
    // A slash in a name is `~1`, but many authors write `%2F`, which separates names.
    let meant = fragment.split('/').map(|token| location::decoded(token).replace('/', "~1"));
    let meant = meant.collect::<Vec<_>>().join("/");
    if let Some(value) = find(&resolver.document.tree, &meant) {
        resolver.report(Code::Repaired, &place, format!("`#{meant}` is meant"));
        return Some(Node::new(value, node.location.node(meant)));
    }
    let closest = closest(resolver.document, &pointer);
    let written = |pointer: String| {
        let place = Location::at(node.location.file(), pointer);
        let origin = resolver.document.origin(&place);
        match origin.pointer() {
            pointer if origin.file() == place.file() => format!("#{pointer}"),
            "" => origin.file().to_owned(),
            _ => origin.to_string(),
        }
    };
    let message = format!("`{}` does not exist", written(pointer));
    match closest {
        Some(closest) => {
            let help = format!("did you mean `{}`?", written(closest));
            resolver.report(Code::MisspelledReference, &place, message).help(help);
        }
        None => {
            resolver.report(Code::UnresolvedReference, &place, message);
        }
    }
    None
}

/// The existing pointer whose last token is spelled almost the same.
fn closest(document: &Document, pointer: &str) -> Option<String> {
    let (parent, last) = pointer.rsplit_once('/')?;
    let siblings = document.tree.pointer(parent)?.as_object()?;
    nearest(last, siblings.keys().map(String::as_str)).map(|name| format!("{parent}/{name}"))
}

/// The location of the schema that this one names, `Pet: { $ref: pet.yaml }`, if it is in another file.
pub(crate) fn defined_at(document: &Document, pointer: &str) -> String {
    let mut pointer = pointer.to_owned();
    for _ in 0..LONGEST_CHAIN {
        let members = find(&document.tree, &pointer).and_then(Json::as_object);
        let reference = members.filter(|members| members.len() == 1).and_then(|members| members.get("$ref")?.as_str());
        let Some(fragment) = reference.and_then(|reference| reference.strip_prefix('#')) else { break };
        let target = document.root.node(location::decoded(fragment).into_owned());
        if document.origin(&target).file() == document.root.file() {
            break;
        }
        target.pointer().clone_into(&mut pointer);
    }
    pointer
}

/// The target of a JSON Pointer. Unlike `Value::pointer`, it does not copy each token.
fn find<'a>(tree: &'a Json, pointer: &str) -> Option<&'a Json> {
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return None;
    }
    location::parts(pointer).try_fold(tree, |node, token| match node {
        Json::Object(members) => node::member(members, &token),
        Json::Array(items) => items.get(token.parse::<usize>().ok().filter(|index| index.to_string() == token)?),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => None,
    })
}
