//! From a document to JSON.

use jiter::Jiter;

use super::document::{self, Element};
use super::table::{Member, Node};
use super::{Others, Root, Shape};
use crate::json::Writer;
use crate::text::quoted;
use crate::violation::{Location, Notes, Step, Violations};

/// The JSON of a document. Where it is not XML by the table, a strict reader notes it; what has the wrong type is left
/// to the reader of the JSON.
pub(super) fn to_json(root: Root, bytes: &[u8], strict: bool) -> Result<Vec<u8>, Violations> {
    let notes = if strict { Notes::new(Location::Body) } else { Notes::tolerant(Location::Body) };
    let mut transcriber = Transcriber { json: Writer::new(), notes };
    match document::parse(bytes) {
        Ok(element) => {
            if !root.is_open && element.name != root.name.local {
                transcriber
                    .refuse(|| format!("is an element {}, not {}", quoted(&element.name), quoted(root.name.local)));
            }
            transcriber.value(&element, root.shape);
        }
        Err((code, detail)) => transcriber.notes.note(code, detail),
    }
    let Transcriber { json, notes } = transcriber;
    if notes.is_empty() { Ok(json.into_bytes()) } else { Err(notes.into_violations().into()) }
}

struct Transcriber {
    json: Writer,
    notes: Notes,
}

impl Transcriber {
    fn value(&mut self, element: &Element, shape: &Shape) {
        match *shape {
            _ if element.is_nil => self.json.null(),
            Shape::List(name, item) => self.list(element, name.local, item),
            Shape::Object(members, others) => self.object(element, members, others),
            Shape::Text | Shape::Number | Shape::Boolean if !element.children.is_empty() => {
                // The reader of the JSON says that an object is not what is expected.
                self.json.begin_object();
                self.json.end_object();
            }
            Shape::Text | Shape::Number | Shape::Boolean => self.scalar(&element.text, shape),
        }
    }

    fn scalar(&mut self, text: &str, shape: &Shape) {
        let trimmed = text.trim();
        match (shape, trimmed) {
            (Shape::Text, _) => self.json.string(text),
            // Many servers write an empty element for what is absent.
            (_, "") if !self.notes.is_strict() => self.json.null(),
            (Shape::Boolean, "true" | "1") => self.json.raw("true"),
            (Shape::Boolean, "false" | "0") => self.json.raw("false"),
            (Shape::Number, number) if is_number(number) => self.json.raw(number),
            _ => self.json.string(text),
        }
    }

    fn list(&mut self, element: &Element, name: &str, item: &Shape) {
        self.refuse_text(element);
        self.json.begin_array();
        self.notes.enter(Step::Item(0));
        for (index, child) in element.children.iter().enumerate() {
            self.notes.stand_at(Step::Item(index));
            if child.name == name {
                self.json.separate();
                self.value(child, item);
            } else {
                self.refuse(|| format!("is an element {}, not {}", quoted(&child.name), quoted(name)));
            }
        }
        self.notes.leave();
        self.json.end_array();
    }

    fn object(&mut self, element: &Element, members: &'static [Member], others: Others) {
        if element.children.is_empty() && element.attributes.is_empty() && !element.text.trim().is_empty() {
            let has_text = members.iter().any(|member| member.node == Node::Text);
            if !has_text {
                // As above: a string is not an object.
                return self.json.string(&element.text);
            }
        }
        self.json.begin_object();
        for member in members {
            self.notes.enter(Step::Member(member.json));
            self.member(element, member);
            self.notes.leave();
        }
        if !members.iter().any(|member| member.node == Node::Text) {
            self.refuse_text(element);
        }
        let is_described = |name: &str, is_attribute: bool| {
            members.iter().any(|member| match member.node {
                Node::Attribute => is_attribute && member.name.local == name,
                Node::Element | Node::Items => !is_attribute && member.name.local == name,
                Node::Text => false,
            })
        };
        for (name, value) in element.attributes.iter().filter(|(name, _)| !is_described(name, true)) {
            self.other(name, members, others, |json, _| json.scalar(value, &Shape::Text));
        }
        for child in element.children.iter().filter(|child| !is_described(&child.name, false)) {
            self.other(&child.name, members, others, |json, shape| json.value(child, shape));
        }
        self.json.end_object();
    }

    fn member(&mut self, element: &Element, member: &Member) {
        let Member { json: name, shape, required, .. } = *member;
        let mut children = element.children.iter().filter(|child| child.name == member.name.local).peekable();
        match member.node {
            Node::Attribute => {
                for (_, value) in element.attributes.iter().filter(|(name, _)| *name == member.name.local) {
                    self.name(name);
                    self.scalar(value, shape);
                }
            }
            // A strict reader of the JSON refuses an element that is there twice.
            Node::Element => children.for_each(|child| {
                self.name(name);
                self.value(child, shape);
            }),
            Node::Items if required || children.peek().is_some() => {
                self.name(name);
                self.json.begin_array();
                self.notes.enter(Step::Item(0));
                for (index, child) in children.enumerate() {
                    self.notes.stand_at(Step::Item(index));
                    self.json.separate();
                    self.value(child, shape);
                }
                self.notes.leave();
                self.json.end_array();
            }
            Node::Text if required || !element.text.is_empty() => {
                self.name(name);
                self.scalar(&element.text, shape);
            }
            Node::Items | Node::Text => {}
        }
    }

    /// What no member has, under the name that it has in XML.
    fn other(&mut self, name: &str, members: &'static [Member], others: Others, write: impl FnOnce(&mut Self, &Shape)) {
        let shape = match others {
            Others::Skipped => return,
            Others::Refused => &Shape::Text,
            Others::Elements(shape) => shape,
        };
        // Under this name, JSON has another value.
        if members.iter().any(|member| member.json == name) {
            if self.notes.is_strict() {
                self.notes.refuse_name(name, None);
            }
            return;
        }
        self.notes.enter(Step::Key(name.to_owned()));
        self.name(name);
        write(self, shape);
        self.notes.leave();
    }

    fn name(&mut self, name: &str) {
        self.json.separate();
        self.json.string(name);
        self.json.raw(":");
    }

    /// Refuses text between elements.
    fn refuse_text(&mut self, element: &Element) {
        if !element.text.trim().is_empty() {
            self.refuse(|| "has text between its elements".to_owned());
        }
    }

    fn refuse(&mut self, detail: impl FnOnce() -> String) {
        if self.notes.is_strict() {
            self.notes.note("type", detail());
        }
    }
}

/// Whether JSON has this number.
fn is_number(text: &str) -> bool {
    let mut json = Jiter::new(text.as_bytes());
    json.next_number_bytes().is_ok() && json.finish().is_ok()
}
