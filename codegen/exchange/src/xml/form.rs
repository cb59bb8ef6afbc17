//! The form of a schema in XML.

use std::collections::HashSet;

use serde_json::Value;

use super::parts::{DEEPEST, Parts};
use crate::document::Document;

/// How values of a schema are written.
#[derive(Debug)]
pub(super) struct Form<'d> {
    pub(super) holds: Holds<'d>,
    parts: Parts<'d>,
}

/// The name of an element or an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Name<'d> {
    pub(super) local: &'d str,
    pub(super) prefix: Option<&'d str>,
    pub(super) namespace: Option<&'d str>,
}

/// What an element or an attribute holds.
#[derive(Debug)]
pub(super) enum Holds<'d> {
    Text,
    Number,
    Boolean,
    /// The schema of the items.
    List(&'d Value),
    Object(Vec<Member<'d>>, Others<'d>),
}

/// A member of an object.
#[derive(Debug)]
pub(super) struct Member<'d> {
    pub(super) json: &'d str,
    pub(super) required: bool,
    /// All schemas that describe it.
    pub(super) schemas: Vec<&'d Value>,
}

/// The members that the description does not name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Others<'d> {
    Skipped,
    Refused,
    /// Each is an element with the name of the member.
    Elements(&'d Value),
}

/// How a member is written in the element of its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Attribute,
    Element,
    /// Each item of a list is an element.
    Items,
    /// The text of the element.
    Text,
}

impl<'d> Form<'d> {
    /// The form of values that satisfy all of these schemas.
    pub(super) fn of(document: &'d Document, schemas: &[&'d Value]) -> Option<Self> {
        Self::nested(document, schemas, 0)
    }

    pub(super) fn nested(document: &'d Document, schemas: &[&'d Value], depth: usize) -> Option<Self> {
        let parts = Parts::of(document, schemas)?;
        let holds = if parts.variants.is_empty() { parts.holds()? } else { parts.union(document, depth)? };
        Some(Self { holds, parts })
    }

    /// The name of the root; `None` if the description leaves it open.
    pub(super) fn root_name(&self) -> Option<Name<'d>> {
        self.parts.name(self.parts.component)
    }

    /// The name of the element or attribute of the member `own`.
    pub(super) fn member_name(&self, document: &'d Document, own: &'d str) -> Option<Name<'d>> {
        let component = self.parts.component.filter(|_| document.names_elements_by_component);
        self.parts.name(Some(component.unwrap_or(own)))
    }

    /// The name of the items of a list. `own`: the name of the member, if the list is one.
    pub(super) fn item_name(&self, document: &'d Document, own: Option<&'d str>) -> Option<Name<'d>> {
        match own {
            Some(own) => self.member_name(document, own),
            None => self.parts.name(Some(self.parts.component.unwrap_or("item"))),
        }
    }

    /// How a member with this form is written.
    pub(super) fn node(&self) -> Option<Node> {
        let is_list = matches!(self.holds, Holds::List(_));
        match self.parts.said("nodeType").and_then(Value::as_str) {
            Some("attribute") => Some(Node::Attribute),
            Some("text" | "cdata") => Some(Node::Text),
            Some("none") if is_list => Some(Node::Items),
            Some("none") => None,
            None if self.parts.flag("attribute") => Some(Node::Attribute),
            None if is_list && !self.parts.flag("wrapped") => Some(Node::Items),
            Some(_) | None => Some(Node::Element),
        }
    }

    fn is_nullable(&self) -> bool {
        self.parts.is_nullable
    }
}

/// Whether the schema and all that it contains have a form.
pub(super) fn is_complete(document: &Document, schema: &Value) -> bool {
    let Some(form) = Form::of(document, &[schema]) else { return false };
    let is_open = form.root_name().is_none() && (form.parts.text("name").is_some() || form.parts.component.is_some());
    let is_nested = matches!(form.holds, Holds::Object(..) | Holds::List(_));
    !is_open && is_nested && is_known(document, &form, None, &mut HashSet::new(), 0).is_some()
}

/// `own`: the name of the member that the value is.
fn is_known<'d>(
    document: &'d Document,
    form: &Form<'d>,
    own: Option<&'d str>,
    seen: &mut HashSet<Vec<*const Value>>,
    depth: usize,
) -> Option<()> {
    match &form.holds {
        Holds::Text | Holds::Number | Holds::Boolean => {}
        Holds::List(items) => {
            if depth > DEEPEST {
                return None;
            }
            let item = Form::of(document, &[*items])?;
            item.item_name(document, own)?;
            is_known(document, &item, None, seen, depth + 1)?;
        }
        Holds::Object(members, others) => {
            let key = form.parts.schemas.iter().chain(form.parts.variants.iter().flatten());
            if !seen.insert(key.map(|schema| std::ptr::from_ref(*schema)).collect()) {
                return Some(());
            }
            let mut places: Vec<(Node, Option<&str>)> = Vec::new();
            for member in members {
                let form = Form::of(document, &member.schemas)?;
                let (node, mut name) = (form.node()?, form.member_name(document, member.json)?);
                let is_scalar = matches!(form.holds, Holds::Text | Holds::Number | Holds::Boolean);
                if matches!(node, Node::Attribute | Node::Text) && (!is_scalar || form.is_nullable()) {
                    return None;
                }
                if let (Node::Items, Holds::List(items)) = (node, &form.holds) {
                    name = Form::of(document, &[*items])?.item_name(document, Some(member.json))?;
                }
                let own = if node == Node::Items { member.json } else { name.local };
                is_known(document, &form, Some(own), seen, 0)?;
                let place = match node {
                    Node::Text => (Node::Text, None),
                    Node::Items => (Node::Element, Some(name.local)),
                    node => (node, Some(name.local)),
                };
                if places.contains(&place) {
                    return None;
                }
                places.push(place);
            }
            if let Others::Elements(schema) = others {
                let form = Form::of(document, &[*schema])?;
                is_known(document, &form, None, seen, 0)?;
            }
        }
    }
    Some(())
}

/// Whether an element can have this name.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && text.chars().all(|next| next.is_alphanumeric() || matches!(next, '_' | '-' | '.'))
}
