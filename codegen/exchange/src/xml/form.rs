//! The form of a schema in XML.

use std::collections::HashSet;

use serde_json::Value;

use crate::document::Document;
use crate::schema::nullable;

/// The longest chain of references, parts and variants.
const DEEPEST: usize = 32;

/// How deep unions are nested whose variants are compared.
const DEEPEST_UNION: usize = 3;

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

    fn nested(document: &'d Document, schemas: &[&'d Value], depth: usize) -> Option<Self> {
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

    /// The name of the items of the list `own`; a list that is no member has no name.
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

/// A schema without references, and what is said of its form in XML.
#[derive(Debug, Default)]
struct Parts<'d> {
    /// All of these hold.
    schemas: Vec<&'d Value>,
    /// One of each list holds.
    variants: Vec<Vec<&'d Value>>,
    /// The `xml` objects, outer ones first.
    said: Vec<&'d Value>,
    /// The name of the first component on the way.
    component: Option<&'d str>,
    is_nullable: bool,
}

impl<'d> Parts<'d> {
    fn of(document: &'d Document, schemas: &[&'d Value]) -> Option<Self> {
        let mut parts = Self::default();
        let mut schemas = schemas.to_vec();
        for _ in 0..DEEPEST {
            let (mut own, mut targets) = (Vec::new(), Vec::new());
            for schema in schemas {
                parts.inline(schema, &mut own, &mut targets, 0);
            }
            targets.dedup();
            // A schema that only annotates another one is written like that one.
            if let [target] = targets[..]
                && own.iter().all(|schema| says_only(schema, &["type"]))
            {
                parts.component = parts.component.or_else(|| component(target));
                schemas = vec![document.find(target)?];
                continue;
            }
            if own.iter().any(|schema| schema.get("discriminator").is_some() && variants(schema).next().is_none()) {
                return None;
            }
            let mut seen = HashSet::new();
            for target in targets {
                expand(document, target, &mut own, &mut seen, 0);
            }
            let is_null = |schema: &&Value| {
                let target = document.follow(schema);
                target["type"] == "null" || target["enum"] == serde_json::json!([null])
            };
            parts.variants = own.iter().flat_map(|schema| variants(schema)).map(Iterator::collect).collect();
            for list in &mut parts.variants {
                parts.is_nullable |= list.iter().any(is_null);
                list.retain(|schema| !is_null(schema));
            }
            parts.variants.retain(|list| !list.is_empty());
            // One schema and `null`.
            if let [list] = parts.variants.as_slice()
                && let [only] = list.as_slice()
                && own.iter().all(|schema| says_only(schema, &["type", "oneOf", "anyOf"]))
            {
                schemas = vec![*only];
                continue;
            }
            parts.schemas = own;
            return Some(parts);
        }
        None
    }

    /// Collects the parts of a schema that are written in its place, and the references among them.
    fn inline(&mut self, schema: &'d Value, own: &mut Vec<&'d Value>, targets: &mut Vec<&'d str>, depth: usize) {
        self.said.extend(schema.get("xml"));
        let names_null = |types: &Value| types.as_array().is_some_and(|types| types.iter().any(|name| name == "null"));
        self.is_nullable |= schema.as_object().is_some_and(nullable) || schema.get("type").is_some_and(names_null);
        targets.extend(schema.get("$ref").and_then(Value::as_str));
        for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten().filter(|_| depth < DEEPEST) {
            self.inline(part, own, targets, depth + 1);
        }
        if !says_only(schema, &[]) {
            own.push(schema);
        }
    }

    fn said(&self, keyword: &str) -> Option<&'d Value> {
        self.said.iter().find_map(|xml| xml.get(keyword))
    }

    fn text(&self, keyword: &str) -> Option<&'d str> {
        self.said.iter().find_map(|xml| xml.get(keyword)?.as_str()).filter(|text| !text.is_empty())
    }

    fn flag(&self, keyword: &str) -> bool {
        self.said.iter().any(|xml| xml[keyword] == true)
    }

    /// Its own name, or `otherwise`.
    fn name(&self, otherwise: Option<&'d str>) -> Option<Name<'d>> {
        let said = self.text("name").or(otherwise)?;
        let (written, local) = said.split_once(':').map_or((None, said), |(prefix, local)| (Some(prefix), local));
        let prefix = self.text("prefix").or(written);
        (is_name(local) && prefix.is_none_or(is_name)).then(|| Name { local, prefix, namespace: self.text("namespace") })
    }

    /// What values of the schema hold, if it has no variants.
    fn holds(&self) -> Option<Holds<'d>> {
        match self.type_name()? {
            "string" | "file" => Some(Holds::Text),
            "number" | "integer" => Some(Holds::Number),
            "boolean" => Some(Holds::Boolean),
            "array" if self.schemas.iter().any(|schema| schema.get("prefixItems").is_some()) => None,
            "array" => {
                let mut items = self.schemas.iter().filter_map(|schema| schema.get("items"));
                items.find(|items| items.as_object().is_some_and(|items| !items.is_empty())).map(Holds::List)
            }
            "object" => {
                let members = self.members();
                let others = self.others(members.is_empty())?;
                Some(Holds::Object(members, others))
            }
            _ => None,
        }
    }

    /// What the variants hold, if all of them have one form.
    fn union(&self, document: &'d Document, depth: usize) -> Option<Holds<'d>> {
        if depth > DEEPEST_UNION {
            return None;
        }
        let mut forms = Vec::new();
        for list in &self.variants {
            let list: Option<Vec<_>> = list.iter().map(|variant| Form::nested(document, &[*variant], depth + 1)).collect();
            forms.push(list?);
        }
        let own = Self { schemas: self.schemas.clone(), ..Self::default() };
        let own_members = own.members();
        let is_object = |form: &Form<'_>| matches!(form.holds, Holds::Object(..));
        let all = || forms.iter().flatten();
        if all().all(|form| matches!(form.holds, Holds::Text)) && own_members.is_empty() {
            return Some(Holds::Text);
        }
        if all().all(|form| matches!(form.holds, Holds::Number)) && own_members.is_empty() {
            return Some(Holds::Number);
        }
        if !all().all(is_object) {
            return None;
        }
        let mut members = own_members;
        let mut is_closed = self.schemas.iter().any(|schema| closes(schema));
        for list in &forms {
            is_closed |= list.iter().all(|form| matches!(form.holds, Holds::Object(_, Others::Refused)));
            for form in list {
                let Holds::Object(found, others) = &form.holds else { return None };
                if matches!(others, Others::Elements(_)) {
                    return None;
                }
                for member in found {
                    add(document, &mut members, member, depth)?;
                }
            }
        }
        for member in &mut members {
            let has = |form: &Form<'_>| match &form.holds {
                Holds::Object(found, _) => found.iter().any(|other| other.json == member.json && other.required),
                _ => false,
            };
            member.required |= forms.iter().any(|list| list.iter().all(has));
        }
        Some(Holds::Object(members, if is_closed { Others::Refused } else { Others::Skipped }))
    }

    /// The only type that all parts allow, or that their keywords imply.
    fn type_name(&self) -> Option<&'d str> {
        let mut left: Option<Vec<&str>> = None;
        for said in self.schemas.iter().filter_map(|schema| schema.get("type")) {
            let names: Vec<&str> = match said {
                Value::Array(names) => names.iter().filter_map(Value::as_str).filter(|name| *name != "null").collect(),
                name => name.as_str().into_iter().collect(),
            };
            let is_both = |name: &&str| names.contains(name) || *name == "integer" && names.contains(&"number");
            left = Some(match left {
                None => names,
                Some(before) if before == ["number"] && names.contains(&"integer") => vec!["integer"],
                Some(before) => before.into_iter().filter(is_both).collect(),
            });
        }
        if let Some(left) = left {
            return if let [only] = left[..] { Some(only) } else { None };
        }
        let has = |words: &[&str]| self.schemas.iter().any(|schema| words.iter().any(|word| schema.get(word).is_some()));
        if has(&["properties", "additionalProperties", "required", "patternProperties", "minProperties", "maxProperties"])
        {
            return Some("object");
        }
        if has(&["items", "minItems", "maxItems"]) {
            return Some("array");
        }
        if has(&["pattern", "minLength", "maxLength"]) {
            return Some("string");
        }
        if has(&["minimum", "maximum", "multipleOf"]) {
            return Some("number");
        }
        let listed = self.schemas.iter().find_map(|schema| schema.get("enum")?.as_array());
        let constant = self.schemas.iter().find_map(|schema| schema.get("const")).map(std::slice::from_ref);
        let values = listed.map(Vec::as_slice).or(constant).filter(|values| !values.is_empty())?;
        let all = |is: fn(&Value) -> bool| values.iter().all(is);
        match () {
            () if all(Value::is_string) => Some("string"),
            () if all(Value::is_number) => Some("number"),
            () if all(Value::is_boolean) => Some("boolean"),
            () => None,
        }
    }

    fn members(&self) -> Vec<Member<'d>> {
        let mut members: Vec<Member<'d>> = Vec::new();
        let lists = self.schemas.iter().filter_map(|schema| schema.get("required")?.as_array()).flatten();
        let required: Vec<&str> = lists.filter_map(Value::as_str).collect();
        for (json, schema) in self.schemas.iter().filter_map(|schema| schema.get("properties")?.as_object()).flatten() {
            if *schema == Value::Bool(false) {
                continue;
            }
            match members.iter_mut().find(|member| member.json == json) {
                Some(known) => known.schemas.push(schema),
                None => members.push(Member { json, required: required.contains(&json.as_str()), schemas: vec![schema] }),
            }
        }
        members
    }

    fn others(&self, is_empty: bool) -> Option<Others<'d>> {
        if self.schemas.iter().any(|schema| closes(schema)) {
            return Some(Others::Refused);
        }
        if self.schemas.iter().any(|schema| schema.get("patternProperties").is_some()) {
            return None;
        }
        match self.schemas.iter().find_map(|schema| schema.get("additionalProperties")) {
            Some(Value::Object(said)) if said.is_empty() => None,
            Some(said @ Value::Object(_)) => Some(Others::Elements(said)),
            Some(_) => None,
            None if is_empty => None,
            None => Some(Others::Skipped),
        }
    }
}

/// Adds a member of a variant; `None` if another variant writes it differently.
fn add<'d>(document: &'d Document, members: &mut Vec<Member<'d>>, member: &Member<'d>, depth: usize) -> Option<()> {
    let Some(known) = members.iter().find(|known| known.json == member.json) else {
        members.push(Member { required: false, schemas: member.schemas.clone(), ..*member });
        return Some(());
    };
    let is_same = known.schemas == member.schemas || {
        let form = |schemas: &[&'d Value]| Form::nested(document, schemas, depth + 1);
        let (one, other) = (form(&known.schemas)?, form(&member.schemas)?);
        let is_alike = match (&one.holds, &other.holds) {
            (Holds::Text, Holds::Text) | (Holds::Number, Holds::Number) | (Holds::Boolean, Holds::Boolean) => true,
            (Holds::List(one), Holds::List(other)) => one == other,
            _ => false,
        };
        is_alike && one.node() == other.node() && {
            one.member_name(document, member.json) == other.member_name(document, member.json)
        }
    };
    is_same.then_some(())
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

/// Adds the parts of the schema that a reference names.
fn expand<'d>(
    document: &'d Document,
    target: &'d str,
    own: &mut Vec<&'d Value>,
    seen: &mut HashSet<&'d str>,
    depth: usize,
) {
    let Some(schema) = document.find(target).filter(|_| depth < DEEPEST && seen.insert(target)) else { return };
    let mut targets = Vec::new();
    Parts::default().inline(schema, own, &mut targets, 0);
    for target in targets {
        expand(document, target, own, seen, depth + 1);
    }
}

/// The lists of variants.
fn variants(schema: &Value) -> impl Iterator<Item = std::slice::Iter<'_, Value>> {
    ["oneOf", "anyOf"].into_iter().filter_map(|word| schema.get(word)?.as_array()).map(|list| list.iter())
}

/// Whether additional members are refused.
fn closes(schema: &Value) -> bool {
    ["additionalProperties", "unevaluatedProperties"].iter().any(|word| schema[*word] == false)
}

/// Whether the schema has only annotations and these keywords.
fn says_only(schema: &Value, keywords: &[&str]) -> bool {
    let is_annotation = |name: &str| {
        matches!(
            name,
            "$ref"
                | "allOf"
                | "title"
                | "description"
                | "summary"
                | "example"
                | "examples"
                | "default"
                | "deprecated"
                | "readOnly"
                | "writeOnly"
                | "nullable"
                | "xml"
                | "externalDocs"
        ) || name.starts_with("x-")
    };
    schema.as_object().is_none_or(|members| members.keys().all(|name| is_annotation(name) || keywords.contains(&name.as_str())))
}

/// The name of the component that a reference names.
fn component(reference: &str) -> Option<&str> {
    let (_, pointer) = reference.split_once('#')?;
    let name = pointer.strip_prefix("/components/schemas/").or_else(|| pointer.strip_prefix("/definitions/"))?;
    (!name.contains('/')).then_some(name)
}
