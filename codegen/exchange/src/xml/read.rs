//! From a document to the JSON of its value.

use serde_json::{Map, Value};

use super::Reading;
use super::element::Element;
use super::form::{Form, Holds, Member, Name, Node, Others};
use crate::document::Document;
use crate::fault::Fault;

/// The value of a document with this schema.
pub(super) fn document(document: &Document, schema: &Value, root: &Element) -> Reading {
    let mut reader = Reader { document, faults: Vec::new(), pointer: Vec::new() };
    let value = match Form::of(document, &[schema]) {
        Some(form) => {
            if let Some(name) = form.root_name() {
                reader.check_name(root, name);
            }
            reader.value(root, &form, None)
        }
        None => Value::Null,
    };
    Reading { value, faults: reader.faults }
}

struct Reader<'d> {
    document: &'d Document,
    faults: Vec<Fault>,
    /// The steps to the value that is read.
    pointer: Vec<String>,
}

impl<'d> Reader<'d> {
    /// `own`: the name of the member that the value is.
    fn value(&mut self, element: &Element, form: &Form<'d>, own: Option<&'d str>) -> Value {
        if element.is_nil {
            return Value::Null;
        }
        match &form.holds {
            Holds::Text | Holds::Number | Holds::Boolean if !element.children.is_empty() => Value::Object(Map::new()),
            Holds::Text | Holds::Number | Holds::Boolean => scalar(&element.text, &form.holds),
            Holds::List(items) => {
                self.refuse_text(element);
                let Some(item) = Form::of(self.document, &[*items]) else { return Value::Null };
                let name = item.item_name(self.document, own);
                let (items, others): (Vec<_>, Vec<_>) =
                    element.children.iter().partition(|child| name.is_some_and(|name| name.local == child.name.local));
                if let Some(other) = others.first() {
                    let named = name.map_or("item", |name| name.local);
                    self.fault("type", format!("has an element `{}` among its `{named}`", other.name.local));
                }
                self.items(&items, &item, name)
            }
            Holds::Object(members, others) => self.object(element, members, *others),
        }
    }

    fn items(&mut self, elements: &[&Element], form: &Form<'d>, name: Option<Name<'d>>) -> Value {
        let mut items = Vec::new();
        for (index, element) in elements.iter().enumerate() {
            self.pointer.push(index.to_string());
            if let Some(name) = name {
                self.check_namespace(element.name.namespace.as_deref(), &element.name.local, name);
            }
            items.push(self.value(element, form, None));
            self.pointer.pop();
        }
        Value::Array(items)
    }

    fn object(&mut self, element: &Element, members: &[Member<'d>], others: Others<'d>) -> Value {
        let mut object = Map::new();
        let mut known: Vec<(bool, &str)> = Vec::new();
        let mut has_text = false;
        for member in members {
            let Some(form) = Form::of(self.document, &member.schemas) else { continue };
            let (Some(node), Some(name)) = (form.node(), form.member_name(self.document, member.json)) else {
                continue;
            };
            self.pointer.push(member.json.to_owned());
            let value = match node {
                Node::Attribute => {
                    known.push((true, name.local));
                    let found = element.attributes.iter().find(|(found, _)| found.local == name.local);
                    found.map(|(found, text)| {
                        // Without a prefix, an attribute is in no namespace.
                        if name.prefix.is_some() {
                            self.check_namespace(found.namespace.as_deref(), &found.local, name);
                        }
                        scalar(text, &form.holds)
                    })
                }
                Node::Element => {
                    known.push((false, name.local));
                    let mut found = element.children.iter().filter(|child| child.name.local == name.local);
                    let first = found.next();
                    if found.next().is_some() {
                        self.fault("duplicate", "is given twice".to_owned());
                    }
                    first.map(|child| {
                        self.check_namespace(child.name.namespace.as_deref(), &child.name.local, name);
                        self.value(child, &form, Some(name.local))
                    })
                }
                Node::Items => self.unwrapped(element, member, &form, &mut known),
                Node::Text => {
                    has_text = true;
                    (member.required || !element.text.is_empty()).then(|| scalar(&element.text, &form.holds))
                }
            };
            self.pointer.pop();
            object.extend(value.map(|value| (member.json.to_owned(), value)));
        }
        let is_known = |is_attribute: bool, name: &str| known.contains(&(is_attribute, name));
        let attributes = element.attributes.iter().filter(|(name, _)| !is_known(true, &name.local));
        let children = element.children.iter().filter(|child| !is_known(false, &child.name.local));
        if !has_text {
            if element.children.is_empty() && element.attributes.is_empty() && !element.text.trim().is_empty() {
                return Value::String(element.text.clone());
            }
            self.refuse_text(element);
        }
        for (name, text) in attributes {
            if !matches!(others, Others::Skipped) {
                object.entry(name.local.clone()).or_insert_with(|| Value::String(text.clone()));
            }
        }
        for child in children {
            let value = match others {
                Others::Skipped => continue,
                Others::Refused => Value::String(child.text.clone()),
                Others::Elements(schema) => {
                    let Some(form) = Form::of(self.document, &[schema]) else { continue };
                    self.pointer.push(child.name.local.clone());
                    let value = self.value(child, &form, None);
                    self.pointer.pop();
                    value
                }
            };
            if object.insert(child.name.local.clone(), value).is_some() {
                self.fault("duplicate", format!("`{}` is given twice", child.name.local));
            }
        }
        Value::Object(object)
    }

    /// A list without an element around its items; without items, it is absent unless it is required.
    fn unwrapped<'n>(
        &mut self,
        element: &Element,
        member: &Member<'d>,
        form: &Form<'d>,
        known: &mut Vec<(bool, &'n str)>,
    ) -> Option<Value>
    where
        'd: 'n,
    {
        let Holds::List(items) = form.holds else { return None };
        let item = Form::of(self.document, &[items])?;
        let name = item.item_name(self.document, Some(member.json))?;
        known.push((false, name.local));
        let found: Vec<&Element> = element.children.iter().filter(|child| child.name.local == name.local).collect();
        (member.required || !found.is_empty()).then(|| self.items(&found, &item, Some(name)))
    }

    fn check_name(&mut self, element: &Element, name: Name<'d>) {
        if element.name.local != name.local {
            self.fault("type", format!("is an element `{}`, not `{}`", element.name.local, name.local));
        }
        self.check_namespace(element.name.namespace.as_deref(), &element.name.local, name);
    }

    /// Where the description has no namespace, any is fine.
    fn check_namespace(&mut self, found: Option<&str>, local: &str, name: Name<'d>) {
        if let Some(namespace) = name.namespace
            && found != Some(namespace)
        {
            let found = found.map_or_else(|| "no namespace".to_owned(), |found| format!("the namespace `{found}`"));
            self.fault("namespace", format!("has a name `{local}` in {found}, not in `{namespace}`"));
        }
    }

    fn refuse_text(&mut self, element: &Element) {
        if !element.text.trim().is_empty() {
            self.fault("type", "has text between its elements".to_owned());
        }
    }

    fn fault(&mut self, rule: &'static str, detail: String) {
        let steps = self.pointer.iter().map(|step| format!("/{}", step.replace('~', "~0").replace('/', "~1")));
        self.faults.push(Fault { pointer: steps.collect(), rule, detail });
    }
}

fn scalar(text: &str, holds: &Holds<'_>) -> Value {
    let number = || serde_json::from_str(text.trim()).ok().filter(Value::is_number);
    let found = match (holds, text.trim()) {
        (Holds::Number, _) => number(),
        (Holds::Boolean, "true" | "1") => Some(Value::Bool(true)),
        (Holds::Boolean, "false" | "0") => Some(Value::Bool(false)),
        _ => None,
    };
    found.unwrap_or_else(|| Value::String(text.to_owned()))
}
