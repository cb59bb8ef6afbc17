//! Schema Object → Type; hands on to objects, enums and unions.

pub(crate) mod all_of;
pub(crate) mod condition;
pub(crate) mod contradiction;
pub(crate) mod default;
pub(crate) mod enum_;
pub(crate) mod format;
pub(crate) mod inheritance;
pub(crate) mod map;
pub(crate) mod nullable;
pub(crate) mod object;
pub(crate) mod pattern;
pub(crate) mod primitive;
pub(crate) mod tuple;
pub(crate) mod union;

use super::models::{Built, State};
use super::{Context, Node, Schema, name};
use crate::diagnostic::Code;
use crate::ir::{Alias, ModelId, ModelKind, Name, Rule, Type, Union, Value};
use crate::location::{self, Location};
use primitive::{array_rules, boolean, number};
use union::{Discriminator, says_only_null};

/// So many lists of variants are multiplied with each other: `allOf: [{ oneOf }, { oneOf }]`.
const MOST_MERGED: usize = 3;

/// What a schema becomes.
pub(crate) enum Shape<'a> {
    /// A type that needs no name.
    Plain(Value),
    /// A type that does.
    Named(ModelKind),
    /// A union, and how the description tells its variants apart.
    Union(Union, Option<Discriminator<'a>>),
}

/// The types of JSON, as `type` spells them.
pub(crate) const STRING: &str = "string";
pub(crate) const NUMBER: &str = "number";
pub(crate) const INTEGER: &str = "integer";
pub(crate) const BOOLEAN: &str = "boolean";
pub(crate) const ARRAY: &str = "array";
pub(crate) const OBJECT: &str = "object";

/// Keywords that only restrict further and that nobody checks.
pub(super) const UNCHECKED: [&str; 8] = [
    "not",
    "if",
    "dependentSchemas",
    "dependentRequired",
    "contains",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contentSchema",
];

impl<'a> Context<'a> {
    /// What a value of the schema at this node is. `hint` is the name of a model, should one be needed.
    pub(crate) fn value(&mut self, node: &Node<'a>, hint: &str) -> Value {
        if let Some(id) = self.models.at(&node.location) {
            return use_of(id, self.is_nullable(node));
        }
        let schema = self.schema(node);
        self.value_of(&schema, hint, true)
    }

    /// The same for a schema that has been taken apart. Only one that is `shared` is the whole of what stands there.
    pub(crate) fn value_of(&mut self, schema: &Schema<'a>, hint: &str, shared: bool) -> Value {
        let nullable = self.allows_null(schema, shared);
        if let Some(value) = self.wished_value(schema) {
            return Value { nullable, ..value };
        }
        if let Some(target) = &schema.target {
            self.report_idle_dress(&schema.place);
            let id = self.model(target);
            return use_of(id, nullable);
        }
        // A variant of a union stands where the union does.
        let place = (schema.place.location.clone(), schema.only, schema.taken.clone());
        let merged = self.unfolding.iter().filter(|(.., taken)| !taken.is_empty()).count();
        if self.unfolding.contains(&place) || merged >= MOST_MERGED {
            return self.circle(schema, shared, nullable);
        }
        self.unfolding.push(place);
        let hint = &self.type_hint(schema, hint);
        let value = match self.shape(schema, hint) {
            Shape::Plain(value) => {
                self.report_idle(schema);
                Value { nullable: nullable || value.nullable, ..value }
            }
            Shape::Named(kind) => self.add(schema, hint, shared, nullable, kind, None),
            Shape::Union(union, discriminator) => {
                self.add(schema, hint, shared, nullable, ModelKind::Union(union), discriminator)
            }
        };
        self.unfolding.pop();
        value
    }

    /// A schema without a name that has come upon itself: a member that is all of what it is a member of.
    fn circle(&mut self, schema: &Schema<'a>, shared: bool, nullable: bool) -> Value {
        if shared {
            let id = self.model(&schema.place);
            return use_of(id, nullable);
        }
        self.report(
            Code::UncheckedConstraint,
            &schema.place.location,
            "this schema contains itself, put together anew",
        )
        .label("any value is accepted inside of it");
        plain(Type::Any)
    }

    fn add(
        &mut self,
        schema: &Schema<'a>,
        hint: &str,
        shared: bool,
        nullable: bool,
        kind: ModelKind,
        discriminator: Option<Discriminator<'a>>,
    ) -> Value {
        let name = Name { wire: schema.place.location.pointer().to_owned(), rust: hint.to_owned() };
        let id = self.models.add(name, schema.place.clone(), built(schema, kind, discriminator), shared);
        self.models.get_mut(id).asked = self.asked_type_name(schema);
        use_of(id, nullable)
    }

    /// The model of the schema a reference leads to; it is read later.
    pub(crate) fn model(&mut self, target: &Node<'a>) -> ModelId {
        if let Some(id) = self.models.at(&target.location) {
            return id;
        }
        let name = self.place_name(&target.location);
        self.models.find(Name { wire: name.clone(), rust: name::pascal(&name) }, target.clone(), true)
    }

    /// What the schema at this place is called: in another file what it is called there.
    pub(crate) fn place_name(&self, location: &Location) -> String {
        let origin = self.document.origin(location);
        if origin.file() == self.document.root.file() {
            return place_name(location.pointer());
        }
        if origin.pointer().is_empty() { file_name(&origin) } else { place_name(origin.pointer()) }
    }

    /// The key that the schema at this place has in its file, which is a name in `components`; of a whole file its name.
    pub(crate) fn schema_key(&self, location: &Location) -> String {
        let origin = self.document.origin(location);
        location::tokens(origin.pointer()).last().unwrap_or_else(|| file_name(&origin))
    }

    /// Reads the schema of a model unless that is done or going on.
    pub(crate) fn build(&mut self, id: ModelId) {
        let draft = self.models.get_mut(id);
        if !matches!(draft.state, State::Found) {
            return;
        }
        draft.state = State::Building;
        let (node, hint) = (draft.node.clone(), draft.name.rust.clone());
        let schema = if self.is_heir(&node) { self.expanded(&node) } else { self.schema(&node) };
        let hint = self.type_hint(&schema, &hint);
        let asked = self.asked_type_name(&schema);
        let combinations = self.combinations.take();
        let draft = self.models.get_mut(id);
        draft.name.rust.clone_from(&hint);
        draft.asked = asked;
        let wished = self.wished_value(&schema).map(Shape::Plain);
        let (kind, discriminator) = match (wished.or_else(|| self.inherited(&node)), &schema.target) {
            (Some(shape), _) => kind_of(shape),
            (None, Some(target)) => (ModelKind::Alias(Alias { value: plain(Type::Model(self.model(target))) }), None),
            (None, None) => self.model_kind(&schema, &hint),
        };
        self.combinations = combinations;
        self.models.get_mut(id).state = State::Built(Box::new(built(&schema, kind, discriminator)));
    }

    /// What the model of the schema becomes.
    pub(crate) fn model_kind(&mut self, schema: &Schema<'a>, hint: &str) -> (ModelKind, Option<Discriminator<'a>>) {
        kind_of(self.shape(schema, hint))
    }

    /// What the schema becomes.
    pub(crate) fn shape(&mut self, schema: &Schema<'a>, hint: &str) -> Shape<'a> {
        if let Some(value) = self.wished_value(schema) {
            return Shape::Plain(value);
        }
        self.name_unchecked(schema);
        if let Some(union) = self.union(schema, hint) {
            return union;
        }
        if let Some(enum_) = self.enum_(schema, hint) {
            return enum_;
        }
        let types = types(schema);
        match types[..] {
            [] => {
                if schema.contradicts_itself() {
                    self.report(
                        Code::Contradiction,
                        &schema.place.location,
                        "no value is of all the types asked for here",
                    )
                    .help("any JSON value is accepted");
                } else if schema.only.is_none() && schema.parts.iter().any(says_only_null) {
                    return Shape::Plain(Value {
                        rules: vec![Rule::Listed(vec!["null".to_owned()])],
                        ..plain(Type::Any)
                    });
                }
                Shape::Plain(plain(Type::Any))
            }
            [ty] => {
                let shape = self.typed(schema, ty, hint);
                self.without_contradictions(schema, shape)
            }
            _ => self.type_union(schema, &types, hint),
        }
    }

    fn typed(&mut self, schema: &Schema<'a>, ty: &str, hint: &str) -> Shape<'a> {
        if let Some(value) = self.wished_format(schema, ty) {
            return Shape::Plain(value);
        }
        match ty {
            STRING => Shape::Plain(self.string(schema)),
            NUMBER => Shape::Plain(number(schema)),
            INTEGER => Shape::Plain(self.integer(schema)),
            BOOLEAN => Shape::Plain(boolean(schema)),
            ARRAY => Shape::Plain(self.array(schema, hint)),
            OBJECT => self.shape_of_object(schema, hint),
            _ => Shape::Plain(plain(Type::Any)),
        }
    }

    fn array(&mut self, schema: &Schema<'a>, hint: &str) -> Value {
        if let Some(tuple) = self.tuple(schema, hint) {
            return tuple;
        }
        let items: Vec<_> = schema.parts.iter().filter_map(|node| node.get("items")).collect();
        let item = match &items[..] {
            [] => plain(Type::Any),
            [item] if item.object().is_some() => self.value(item, &format!("{hint}Item")),
            [item] => {
                if item.value.is_array() {
                    self.report(
                        Code::UncheckedConstraint,
                        &item.location,
                        "a list of schemas in `items` is not checked",
                    )
                    .help("OpenAPI wants one schema here, for all items");
                }
                plain(Type::Any)
            }
            [first, ..] => {
                let both = self.conjunction(first, &items);
                self.value_of(&both, &format!("{hint}Item"), false)
            }
        };
        Value { rules: array_rules(schema), ..plain(Type::Array(Box::new(item))) }
    }

    /// What a schema says without its annotations, for comparisons.
    pub(crate) fn said(node: &Node<'a>) -> serde_json::Value {
        let mut value = node.value.clone();
        if let serde_json::Value::Object(members) = &mut value {
            members.retain(|name, _| {
                !matches!(name.as_str(), "title" | "description" | "example" | "examples" | "default" | "deprecated")
            });
        }
        value
    }

    fn name_unchecked(&mut self, schema: &Schema<'a>) {
        // Variants that stand beside a condition do not know of it.
        let is_object = types(schema) == [OBJECT] && self.group(schema).is_none();
        for node in &schema.written {
            for keyword in UNCHECKED {
                // `unevaluatedProperties: false` closes the object.
                let found = node.get(keyword).filter(|found| !found.value.is_boolean());
                if let Some(found) = found.filter(|_| !is_object || condition::said(node, keyword).is_none()) {
                    self.report(
                        Code::UncheckedConstraint,
                        &found.location.name(),
                        format!("`{keyword}` is not checked"),
                    );
                }
            }
        }
    }
}

fn kind_of(shape: Shape<'_>) -> (ModelKind, Option<Discriminator<'_>>) {
    match shape {
        Shape::Plain(value) => (ModelKind::Alias(Alias { value: Value { nullable: false, ..value } }), None),
        Shape::Named(kind) => (kind, None),
        Shape::Union(union, discriminator) => (ModelKind::Union(union), discriminator),
    }
}

/// What is known of the model of the schema.
pub(crate) fn built<'a>(schema: &Schema<'a>, kind: ModelKind, discriminator: Option<Discriminator<'a>>) -> Built<'a> {
    let filled = |name: &str| schema.text(name).map(str::trim).filter(|text| !text.is_empty());
    let title = filled("title").filter(|title| !says_only(title, &schema.place.location));
    let doc = match (title, filled("description")) {
        (Some(title), Some(description)) if title != description => Some(format!("{title}\n\n{description}")),
        (title, description) => description.or(title).map(str::to_owned),
    };
    Built { doc, deprecated: schema.flag("deprecated"), kind, discriminator }
}

/// The text is only the name of what is written at that place, as some tools fill in `title`.
pub(crate) fn says_only(text: &str, place: &Location) -> bool {
    let letters =
        |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).collect::<String>().to_lowercase();
    place.pointer().rsplit('/').next().is_some_and(|name| letters(name) == letters(text))
}

fn use_of(id: ModelId, nullable: bool) -> Value {
    Value { nullable, ..plain(Type::Model(id)) }
}

/// A type and nothing else.
pub(crate) fn plain(ty: Type) -> Value {
    Value { ty, nullable: false, boxed: false, rules: Vec::new() }
}

/// The types that the parts leave, `null` aside; when no part says one, what the other keywords are about.
pub(crate) fn types(schema: &Schema<'_>) -> Vec<&'static str> {
    if let Some(only) = schema.only {
        return vec![only];
    }
    let mut left: Option<Vec<&'static str>> = None;
    for part in &schema.parts {
        let Some(said) = said_types(part) else { continue };
        left = Some(match left {
            None => said,
            Some(before) => both(&before, &said),
        });
    }
    left.unwrap_or_else(|| schema.parts.iter().find_map(implied_type).into_iter().collect())
}

impl Schema<'_> {
    /// Two parts ask for different types.
    pub(crate) fn contradicts_itself(&self) -> bool {
        types(self).is_empty() && self.parts.iter().any(|node| said_types(node).is_some())
    }
}

fn both(left: &[&'static str], right: &[&'static str]) -> Vec<&'static str> {
    let allows = |types: &[&'static str], ty: &str| types.contains(&ty) || (ty == INTEGER && types.contains(&NUMBER));
    let mut types: Vec<_> = left.iter().copied().filter(|ty| allows(right, ty)).collect();
    types.extend(right.iter().copied().filter(|ty| !types.contains(ty) && allows(left, ty)).collect::<Vec<_>>());
    types
}

/// The types that `type` lists, `null` aside.
fn said_types(node: &Node<'_>) -> Option<Vec<&'static str>> {
    let names = match node.member("type")? {
        serde_json::Value::String(name) => vec![name.as_str()],
        serde_json::Value::Array(names) => names.iter().filter_map(serde_json::Value::as_str).collect(),
        _ => return None,
    };
    let types: Vec<_> = names.into_iter().filter_map(known_type).collect();
    (!types.is_empty()).then_some(types)
}

fn known_type(name: &str) -> Option<&'static str> {
    match name {
        "string" | "file" => Some(STRING),
        "number" => Some(NUMBER),
        "integer" => Some(INTEGER),
        "boolean" => Some(BOOLEAN),
        "array" => Some(ARRAY),
        "object" => Some(OBJECT),
        _ => None,
    }
}

fn implied_type(node: &Node<'_>) -> Option<&'static str> {
    let object = node.object()?;
    // Who describes members means objects, whatever stands in front.
    if object.contains_key("properties") {
        return Some(OBJECT);
    }
    object.keys().find_map(|keyword| match keyword.as_str() {
        "additionalProperties"
        | "required"
        | "patternProperties"
        | "minProperties"
        | "maxProperties"
        | "propertyNames"
        | "dependentRequired" => Some(OBJECT),
        "not" | "oneOf" | "anyOf" if condition::said(node, keyword).is_some() => Some(OBJECT),
        "items" | "prefixItems" | "minItems" | "maxItems" => Some(ARRAY),
        // Some tools write `uniqueItems: false` beside everything.
        "uniqueItems" if node.flag(keyword) => Some(ARRAY),
        "pattern" | "minLength" | "maxLength" => Some(STRING),
        "minimum" | "maximum" | "multipleOf" | "exclusiveMinimum" | "exclusiveMaximum" => Some(NUMBER),
        "format" => format::implied(object[keyword].as_str()?),
        _ => None,
    })
}

/// The node itself lets `null` through. Of `type: [string, "null"]` beside values without `null` only the values are
/// left; `nullable: true` beside them is taken as it was meant before OpenAPI 3.0.3.
pub(super) fn says_null(node: &Node<'_>) -> bool {
    if node.flag("nullable") {
        return true;
    }
    let listed = node.values("enum");
    match node.member("const") {
        Some(only) => only.is_null() && (listed.is_empty() || listed.contains(only)),
        None if listed.is_empty() => names_null(node),
        None => listed.iter().any(serde_json::Value::is_null),
    }
}

/// `null` is among the types.
pub(crate) fn names_null(node: &Node<'_>) -> bool {
    let null = |value: &serde_json::Value| value.as_str() == Some("null");
    node.member("type").is_some_and(null) || node.values("type").iter().any(null)
}

/// `dog` for `lib/dog.v1.yaml`.
fn file_name(location: &Location) -> String {
    let name = location.file().rsplit('/').next().unwrap_or_default();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// A name for the schema at this place: the last names on the way to it.
fn place_name(pointer: &str) -> String {
    let tokens: Vec<String> = location::tokens(pointer).collect();
    if let [components, _, name] = &tokens[..]
        && components == "components"
    {
        return name.clone();
    }
    let says_nothing = |token: &str| {
        matches!(
            token,
            "components"
                | "schemas"
                | "schema"
                | "properties"
                | "content"
                | "paths"
                | "responses"
                | "parameters"
                | "items"
                | "allOf"
                | "oneOf"
                | "anyOf"
                | "$defs"
                | "definitions"
                | "application/json"
        ) || token.bytes().all(|byte| byte.is_ascii_digit())
    };
    let speaking: Vec<_> = tokens.iter().filter(|token| !says_nothing(token)).map(String::as_str).collect();
    if speaking.is_empty() { "schema".to_owned() } else { speaking[speaking.len().saturating_sub(3)..].join(" ") }
}
