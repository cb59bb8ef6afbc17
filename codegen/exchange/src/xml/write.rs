//! From the JSON of a value to a document.

use std::fmt::Write as _;

use quick_xml::escape::{escape, partial_escape};
use serde_json::{Map, Value};

use super::element::is_allowed;
use super::form::{Form, Holds, Member, Name, Node, Others, is_name};
use crate::document::Document;
use crate::style::text;

/// The document of a value with this schema; `None` if XML cannot express it. A value that breaks its schema is written
/// as far as possible.
pub(super) fn document(document: &Document, schema: &Value, value: &Value) -> Option<Vec<u8>> {
    let form = Form::of(document, &[schema])?;
    let name = form.root_name().unwrap_or(Name { local: "root", prefix: None, namespace: None });
    let mut writer = Writer { document, written: String::new(), scope: Vec::new() };
    writer.element(name, value, Some(&form), None)?;
    Some(writer.written.into_bytes())
}

struct Writer<'d> {
    document: &'d Document,
    written: String,
    /// The declared prefixes and their namespaces, the innermost last.
    scope: Vec<(String, String)>,
}

impl<'d> Writer<'d> {
    /// Writes an element; without a form, it holds a text. `own`: the name of the member that it is.
    fn element(&mut self, name: Name<'_>, value: &Value, form: Option<&Form<'d>>, own: Option<&'d str>) -> Option<()> {
        let outer = self.scope.len();
        let tag = qualified(name);
        // Writing to a `String` cannot fail.
        self.written.push('<');
        self.written.push_str(&tag);
        self.declare(name);
        if value.is_null() {
            self.written.push_str(" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:nil=\"true\"/>");
            self.scope.truncate(outer);
            return Some(());
        }
        match (form.map(|form| &form.holds), value) {
            (Some(Holds::Object(members, others)), Value::Object(values)) => self.object(members, *others, values)?,
            (Some(Holds::List(items)), Value::Array(values)) => {
                self.written.push('>');
                let item = Form::of(self.document, &[*items])?;
                self.items(item.item_name(self.document, own)?, values, &item)?;
            }
            (_, value) => {
                self.written.push('>');
                self.written.push_str(&partial_escape(allowed(value)?));
            }
        }
        let _ = write!(self.written, "</{tag}>");
        self.scope.truncate(outer);
        Some(())
    }

    /// Writes the attributes, the end of the tag and the content of an object.
    fn object(&mut self, members: &[Member<'d>], others: Others<'d>, values: &Map<String, Value>) -> Option<()> {
        let mut content = Vec::new();
        for member in members {
            let Some(value) = values.get(member.json) else { continue };
            let form = Form::of(self.document, &member.schemas)?;
            let name = form.member_name(self.document, member.json)?;
            match form.node()? {
                Node::Attribute if value.is_null() => {}
                Node::Attribute => {
                    if name.prefix.is_some() {
                        self.declare(name);
                    }
                    let text = escape(allowed(value)?).replace('\n', "&#10;").replace('\r', "&#13;");
                    let _ = write!(self.written, " {}=\"{}\"", qualified(name), text.replace('\t', "&#9;"));
                }
                node => content.push((member.json, node, name, value, form)),
            }
        }
        self.written.push('>');
        for (json, node, name, value, form) in content {
            match (node, &form.holds, value) {
                (Node::Items, Holds::List(items), Value::Array(values)) => {
                    let item = Form::of(self.document, &[*items])?;
                    self.items(item.item_name(self.document, Some(json))?, values, &item)?;
                }
                // An absent list and one that is `null` are written in the same way, and so are texts.
                (Node::Items | Node::Text, _, Value::Null) => {}
                (Node::Items, ..) => return None,
                (Node::Text, _, value) => self.written.push_str(&partial_escape(allowed(value)?)),
                (Node::Element | Node::Attribute, ..) => self.element(name, value, Some(&form), Some(name.local))?,
            }
        }
        let form = match others {
            Others::Elements(schema) => Some(Form::of(self.document, &[schema])?),
            Others::Skipped | Others::Refused => None,
        };
        for (name, value) in values.iter().filter(|(name, _)| members.iter().all(|member| member.json != *name)) {
            if !is_name(name) {
                return None;
            }
            let name = Name { local: name, prefix: None, namespace: None };
            self.element(name, value, form.as_ref(), None)?;
        }
        Some(())
    }

    fn items(&mut self, name: Name<'d>, values: &[Value], form: &Form<'d>) -> Option<()> {
        values.iter().try_for_each(|value| self.element(name, value, Some(form), None))
    }

    /// Declares the prefix, unless it has this namespace already.
    fn declare(&mut self, name: Name<'_>) {
        let Some(namespace) = name.namespace else { return };
        let prefix = name.prefix.unwrap_or_default();
        let known = self.scope.iter().rev().find(|(known, _)| known == prefix);
        if known.is_some_and(|(_, known)| known == namespace) {
            return;
        }
        let colon = if prefix.is_empty() { "" } else { ":" };
        let _ = write!(self.written, " xmlns{colon}{prefix}=\"{}\"", escape(namespace));
        self.scope.push((prefix.to_owned(), namespace.to_owned()));
    }
}

fn qualified(name: Name<'_>) -> String {
    match name.prefix {
        Some(prefix) => format!("{prefix}:{}", name.local),
        None => name.local.to_owned(),
    }
}

/// The text of a value, if XML has its characters.
fn allowed(value: &Value) -> Option<String> {
    Some(text(value)).filter(|text| text.chars().all(is_allowed))
}
