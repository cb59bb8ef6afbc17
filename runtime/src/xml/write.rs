//! From JSON to a document.

use std::borrow::Cow;
use std::collections::BTreeMap;

use quick_xml::escape::{escape, partial_escape};

use super::document::is_allowed;
use super::table::{Member, Name, Node};
use super::{Others, Root, Shape, Unwritable};
use crate::json::{self, Value};
use crate::violation::{Location, Notes, Step};

const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// The document of a value in JSON.
pub(super) fn from_json(root: Root, json: &[u8]) -> Result<Vec<u8>, Unwritable> {
    let value: Value = json::from_slice(json).unwrap_or_default();
    let mut writer = Writer {
        text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>".to_owned(),
        scope: Vec::new(),
        place: Notes::new(Location::Body),
    };
    writer.element(Written::of(&root.name), &value, root.shape)?;
    Ok(writer.text.into_bytes())
}

struct Writer {
    text: String,
    /// The prefixes declared so far, innermost last, each with its namespace.
    scope: Vec<(&'static str, &'static str)>,
    place: Notes,
}

/// The name of an element.
#[derive(Clone, Copy)]
struct Written<'n> {
    local: &'n str,
    prefix: &'static str,
    namespace: &'static str,
}

impl Written<'static> {
    fn of(name: &Name) -> Self {
        Self { local: name.local, prefix: name.prefix, namespace: name.namespace }
    }
}

impl Writer {
    fn element(&mut self, name: Written<'_>, value: &Value, shape: &Shape) -> Result<(), Unwritable> {
        let outer = self.scope.len();
        self.text.push('<');
        self.name(name);
        self.declare(name.prefix, name.namespace);
        if value.is_null() {
            self.declare("xsi", XSI);
            self.text.push_str(" xsi:nil=\"true\"/>");
            self.scope.truncate(outer);
            return Ok(());
        }
        match (*shape, value) {
            (Shape::Object(members, others), Value::Object(values)) => {
                self.attributes(members, values)?;
                self.text.push('>');
                self.members(members, others, values)?;
            }
            (Shape::List(name, item), Value::Array(items)) => {
                self.text.push('>');
                self.items(Written::of(&name), items, item)?;
            }
            (_, value) => {
                self.text.push('>');
                let text = self.scalar(value)?;
                self.text.push_str(&partial_escape(text));
            }
        }
        self.text.push_str("</");
        self.name(name);
        self.text.push('>');
        self.scope.truncate(outer);
        Ok(())
    }

    fn attributes(&mut self, members: &[Member], values: &BTreeMap<String, Value>) -> Result<(), Unwritable> {
        for member in members.iter().filter(|member| member.node == Node::Attribute) {
            let Some(value) = values.get(member.json).filter(|value| !value.is_null()) else { continue };
            self.place.enter(Step::Member(member.json));
            let name = Written::of(&member.name);
            // Without a prefix, an attribute is in no namespace.
            if !name.prefix.is_empty() {
                self.declare(name.prefix, name.namespace);
            }
            self.text.push(' ');
            self.name(name);
            self.text.push_str("=\"");
            let text = self.scalar(value)?;
            // A reader takes line breaks and tabs in attributes for blanks.
            self.text.push_str(&escape(text).replace('\n', "&#10;").replace('\t', "&#9;"));
            self.text.push('"');
            self.place.leave();
        }
        Ok(())
    }

    fn members(
        &mut self,
        members: &'static [Member],
        others: Others,
        values: &BTreeMap<String, Value>,
    ) -> Result<(), Unwritable> {
        for member in members {
            let Some(value) = values.get(member.json) else { continue };
            self.place.enter(Step::Member(member.json));
            match (member.node, value) {
                (Node::Element, value) => self.element(Written::of(&member.name), value, member.shape)?,
                (Node::Items, Value::Array(items)) => self.items(Written::of(&member.name), items, member.shape)?,
                (Node::Text, value) if !value.is_null() => {
                    let text = self.scalar(value)?;
                    self.text.push_str(&partial_escape(text));
                }
                (Node::Attribute | Node::Items | Node::Text, _) => {}
            }
            self.place.leave();
        }
        let Others::Elements(shape) = others else { return Ok(()) };
        for (name, value) in values.iter().filter(|(name, _)| members.iter().all(|member| member.json != *name)) {
            self.place.enter(Step::Key(name.clone()));
            if !is_name(name) {
                return Err(self.unwritable("has a name that an element cannot have"));
            }
            self.element(Written { local: name, prefix: "", namespace: "" }, value, shape)?;
            self.place.leave();
        }
        Ok(())
    }

    fn items(&mut self, name: Written<'_>, items: &[Value], shape: &Shape) -> Result<(), Unwritable> {
        self.place.enter(Step::Item(0));
        for (index, item) in items.iter().enumerate() {
            self.place.stand_at(Step::Item(index));
            self.element(name, item, shape)?;
        }
        self.place.leave();
        Ok(())
    }

    fn scalar<'v>(&self, value: &'v Value) -> Result<Cow<'v, str>, Unwritable> {
        let text = match value {
            Value::String(text) => Cow::Borrowed(text.as_str()),
            value => Cow::Owned(value.to_string()),
        };
        if text.chars().all(is_allowed) {
            Ok(text)
        } else {
            Err(self.unwritable("has a character that XML does not have"))
        }
    }

    fn name(&mut self, name: Written<'_>) {
        if !name.prefix.is_empty() {
            self.text.push_str(name.prefix);
            self.text.push(':');
        }
        self.text.push_str(name.local);
    }

    /// Declares the prefix, unless it has this namespace already.
    fn declare(&mut self, prefix: &'static str, namespace: &'static str) {
        let known = self.scope.iter().rev().find(|(known, _)| *known == prefix).map(|(_, namespace)| *namespace);
        if namespace.is_empty() || known == Some(namespace) {
            return;
        }
        self.scope.push((prefix, namespace));
        self.text.push_str(if prefix.is_empty() { " xmlns" } else { " xmlns:" });
        self.text.push_str(prefix);
        self.text.push_str("=\"");
        self.text.push_str(&escape(namespace));
        self.text.push('"');
    }

    #[cold]
    fn unwritable(&self, reason: &'static str) -> Unwritable {
        Unwritable { pointer: self.place.pointer(), reason }
    }
}

/// Whether an element can have this name.
fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && text.chars().all(|next| next.is_alphanumeric() || matches!(next, '_' | '-' | '.'))
}
