//! What a schema of an argument says to a person who types it.

use serde_json::{Map, Value};

/// A schema, and what it refers to: the first that has a keyword decides.
#[derive(Clone, Debug)]
pub(super) struct Schema<'schema> {
    definitions: Option<&'schema Map<String, Value>>,
    parts: Vec<&'schema Map<String, Value>>,
    /// Whether `null` is a value.
    pub(super) nullable: bool,
}

impl<'schema> Schema<'schema> {
    /// The schema of all arguments of a command.
    pub(super) fn of_arguments(schema: &'schema Map<String, Value>) -> Self {
        let definitions = schema.get("$defs").and_then(Value::as_object);
        Self { definitions, parts: vec![schema], nullable: false }
    }

    /// The first part that has this keyword says what it is.
    pub(super) fn get(&self, keyword: &str) -> Option<&'schema Value> {
        self.parts.iter().find_map(|part| part.get(keyword))
    }

    /// The value of a keyword that is a text.
    pub(super) fn text(&self, keyword: &str) -> Option<&'schema str> {
        self.get(keyword)?.as_str()
    }

    /// The type other than `null`, if there is one only.
    pub(super) fn ty(&self) -> Option<&'schema str> {
        match self.get("type")? {
            Value::String(name) => Some(name),
            Value::Array(names) => {
                let mut names = names.iter().filter_map(Value::as_str).filter(|name| *name != "null");
                names.next().filter(|_| names.next().is_none())
            }
            _ => None,
        }
    }

    /// The schema of the items of an array.
    pub(super) fn items(&self) -> Option<Self> {
        self.get("items").and_then(Value::as_object).map(|items| self.below(items))
    }

    /// The members of an object in their order; of an object of several kinds, those of each.
    pub(super) fn members(&self) -> Vec<(&'schema str, Self)> {
        /// Deeper choices are circles.
        const MOST: usize = 4;
        let mut members = Vec::new();
        self.add_members(&mut members, MOST);
        members
    }

    /// The member `name` of an object.
    pub(super) fn member(&self, name: &str) -> Option<Self> {
        self.members().into_iter().find(|(found, _)| *found == name).map(|(_, schema)| schema)
    }

    fn add_members(&self, members: &mut Vec<(&'schema str, Self)>, depth: usize) {
        let own = self.get("properties").and_then(Value::as_object);
        for (name, schema) in own.into_iter().flatten() {
            if let Value::Object(schema) = schema
                && !members.iter().any(|(known, _)| known == name)
            {
                members.push((name, self.below(schema)));
            }
        }
        let kinds = ["anyOf", "allOf"].into_iter().filter_map(|keyword| self.get(keyword)?.as_array()).flatten();
        for kind in kinds.filter_map(Value::as_object).filter(|_| depth > 0) {
            self.below(kind).add_members(members, depth - 1);
        }
    }

    /// Whether this member is required.
    pub(super) fn requires(&self, name: &str) -> bool {
        let required = self.get("required").and_then(Value::as_array);
        required.is_some_and(|names| names.iter().any(|required| required == name))
    }

    /// Follows references, and steps over the choice between a schema and `null`.
    fn below(&self, mut next: &'schema Map<String, Value>) -> Self {
        /// Longer chains are circles.
        const MOST: usize = 16;
        let mut found = Self { definitions: self.definitions, parts: Vec::new(), nullable: false };
        for _ in 0..MOST {
            found.parts.push(next);
            found.nullable |=
                next.get("type").and_then(Value::as_array).is_some_and(|types| types.contains(&"null".into()));
            let target = next.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix("#/$defs/"));
            let target = target.and_then(|name| self.definitions?.get(name)?.as_object());
            let either = next.get("anyOf").and_then(Value::as_array).map(Vec::as_slice);
            next = match (target, either) {
                (Some(target), _) => target,
                (None, Some([Value::Object(one), Value::Object(null)])) if null.get("type") == Some(&"null".into()) => {
                    found.nullable = true;
                    one
                }
                _ => break,
            };
        }
        found
    }
}
