//! The options of a command: one for each parameter, and for each member of its body.

use std::collections::HashSet;

use heck::ToKebabCase;
use serde_json::{Map, Value};

use super::Command;
use super::schema::Schema;
use crate::arguments::{Body, BodyKind, Parameter, PartKind, Place};

/// The options that every command has.
const OF_PROGRAM: &[&str] = &["dry-run", "help", "include", "out", "output", "profile", "url"];
/// The options of a command that may have pages.
pub(super) const OF_PAGES: &[&str] = &["all", "limit"];
/// The option of a command with a body.
pub(super) const BODY: &str = "body";

/// An option or an argument in the order of the words, and the value that it sets.
#[derive(Clone, Debug)]
pub(super) struct Flag {
    /// As it is typed, without dashes.
    pub(super) name: String,
    /// The member of the values: `["body", "City"]`
    pub(super) path: Vec<String>,
    pub(super) kind: Kind,
    /// Whether it can be given several times; each is an item of a list.
    pub(super) repeated: bool,
    /// Whether it is a part of the path, which has no dashes.
    pub(super) positional: bool,
    pub(super) required: bool,
    pub(super) deprecated: bool,
    pub(super) nullable: bool,
    /// What the description says of it.
    pub(super) about: String,
    /// Its rules.
    pub(super) rules: Vec<String>,
}

/// How the text of a flag is read.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// As it is; the format, if there is one.
    Text(Option<String>),
    Number,
    Boolean,
    /// One of these.
    Choice(Vec<Value>),
    Json,
    /// As JSON; any other text is a string.
    Any,
    /// The path of a file.
    File,
}

/// The flags of a command, in the order of the description.
pub(super) fn flags(command: &Command, schema: &Map<String, Value>) -> Vec<Flag> {
    let arguments = &command.arguments;
    let schema = Schema::of_arguments(schema);
    let mut taken: HashSet<String> = OF_PROGRAM.iter().map(|&name| name.to_owned()).collect();
    taken.extend(OF_PAGES.iter().filter(|_| command.page.is_some()).map(|&name| name.to_owned()));
    taken.extend(arguments.body.is_some().then(|| BODY.to_owned()));

    // Those of the path in its order, then the others in the order of the description.
    let place = |parameter: &Parameter| arguments.operation.path.find(&format!("{{{}}}", parameter.name));
    let mut parameters: Vec<_> = arguments.parameters.iter().collect();
    parameters.sort_by_key(|parameter| match parameter.place {
        Place::Path => (false, place(parameter)),
        _ => (true, None),
    });
    let mut flags = Vec::new();
    for parameter in parameters {
        let Some(own) = schema.member(parameter.argument) else { continue };
        let positional = parameter.place == Place::Path;
        let wanted = in_kebab_case(parameter.argument);
        let name = if positional { wanted } else { claim(&mut taken, parameter.place.word(), &wanted) };
        let path = vec![parameter.argument.to_owned()];
        let flag = Flag::new(name, path, &own);
        flags.push(Flag { positional, required: schema.requires(parameter.argument), ..flag });
    }
    if let Some(body) = &arguments.body
        && let Some(schema) = schema.member(body.argument)
    {
        add_members(&mut flags, &mut taken, body, &schema);
    }
    flags
}

/// Adds the members of a body that is an object, and the plain members of its objects.
fn add_members(flags: &mut Vec<Flag>, taken: &mut HashSet<String>, body: &Body, schema: &Schema<'_>) {
    let parts = body.kind.parts();
    if parts.is_empty() && !matches!(body.kind, BodyKind::Json | BodyKind::Form { .. }) {
        return;
    }
    let is_file = |name: &str| parts.iter().any(|part| part.name == name && part.kind == PartKind::File);
    for (name, member) in schema.members() {
        let own = claim(taken, BODY, &in_kebab_case(name));
        let path = vec![body.argument.to_owned(), name.to_owned()];
        let mut flag = Flag::new(own.clone(), path.clone(), &member);
        if is_file(name) {
            flag.kind = Kind::File;
        }
        if schema.requires(name) {
            flag.rules.insert(0, "[required]".to_owned());
        }
        let is_object = flag.kind == Kind::Json && !flag.repeated;
        flags.push(flag);
        for (name, member) in is_object.then(|| member.members()).into_iter().flatten() {
            let wanted = format!("{own}.{}", in_kebab_case(name));
            let path = [path.clone(), vec![name.to_owned()]].concat();
            let flag = Flag::new(wanted, path, &member);
            if flag.kind != Kind::Json {
                flags.push(Flag { name: claim(taken, BODY, &flag.name), ..flag });
            }
        }
    }
}

impl Flag {
    fn new(name: String, path: Vec<String>, schema: &Schema<'_>) -> Self {
        let items = (schema.ty() == Some("array")).then(|| schema.items()).flatten();
        let mut rules = rules(schema);
        rules.extend(items.is_some().then(|| "[repeatable]".to_owned()));
        Self {
            name,
            path,
            kind: Kind::of(items.as_ref().unwrap_or(schema)),
            repeated: items.is_some(),
            positional: false,
            required: false,
            deprecated: schema.get("deprecated") == Some(&true.into()),
            nullable: schema.nullable,
            about: schema.text("description").unwrap_or_default().to_owned(),
            rules,
        }
    }

    /// As a message names it.
    pub(super) fn shown(&self) -> String {
        if self.positional { format!("<{}>", self.placeholder()) } else { format!("--{}", self.name) }
    }

    /// What the help has for its value.
    pub(super) fn placeholder(&self) -> String {
        match &self.kind {
            _ if self.positional => self.name.to_uppercase().replace('-', "_"),
            Kind::Text(Some(format)) => format.to_uppercase(),
            Kind::Text(None) => "TEXT".to_owned(),
            Kind::Number => "NUMBER".to_owned(),
            Kind::Boolean => "BOOLEAN".to_owned(),
            Kind::Choice(_) | Kind::Any => "VALUE".to_owned(),
            Kind::Json => "JSON".to_owned(),
            Kind::File => "FILE".to_owned(),
        }
    }
}

impl Kind {
    fn of(schema: &Schema<'_>) -> Self {
        if let Some(Value::Array(values)) = schema.get("enum")
            && values.iter().all(|value| !value.is_object() && !value.is_array())
        {
            return Self::Choice(values.clone());
        }
        if let Some(value) = schema.get("const") {
            return Self::Choice(vec![value.clone()]);
        }
        match schema.ty() {
            Some("string") => Self::Text(schema.text("format").map(str::to_owned)),
            Some("integer" | "number") => Self::Number,
            Some("boolean") => Self::Boolean,
            Some("object" | "array") => Self::Json,
            _ if schema.get("properties").is_some() || schema.get("allOf").is_some() => Self::Json,
            _ => Self::Any,
        }
    }
}

/// The rules of a value as the help shows them: `[minimum: 1]`
fn rules(schema: &Schema<'_>) -> Vec<String> {
    const SHOWN: &[&str] = &[
        "minimum",
        "exclusiveMinimum",
        "maximum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "pattern",
        "minItems",
        "maxItems",
        "default",
    ];
    let rule = |keyword: &&str| schema.get(keyword).map(|value| format!("[{keyword}: {}]", text(value)));
    SHOWN.iter().filter_map(rule).collect()
}

/// A text as it is, another value as JSON.
pub(super) fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The name as people type it: `Filter.AccountName` is `filter-account-name`.
fn in_kebab_case(name: &str) -> String {
    match name.to_kebab_case() {
        empty if empty.is_empty() => "value".to_owned(),
        name => name,
    }
}

/// The wanted name; if it is taken, with its place in front, and then with the first number that is free.
fn claim(taken: &mut HashSet<String>, place: &str, wanted: &str) -> String {
    let others = (1..).map(|number| match number {
        1 => format!("{place}-{wanted}"),
        number => format!("{place}-{wanted}-{number}"),
    });
    let name = std::iter::once(wanted.to_owned()).chain(others).find(|name| taken.insert(name.clone()));
    name.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::arguments::Arguments;
    use crate::cli::Page;
    use crate::client::{Operation, Pagination, Security};

    static OPERATION: Operation = Operation {
        id: "change",
        method: "PUT",
        path: "/{kind}/{id}",
        security: Security::NONE,
        success: &[],
        failure: &[],
        pagination: Pagination::None,
    };

    const COMMAND: Command = Command {
        name: "change",
        words: "change",
        about: "",
        deprecated: false,
        arguments: Arguments {
            operation: &OPERATION,
            server: None,
            parameters: &[
                Parameter::path("id"),
                Parameter::path("kind"),
                Parameter::query("output"),
                Parameter::header("Body"),
                Parameter::query("limit"),
                Parameter::query("sort_by"),
            ],
            body: Some(Body { argument: "body", media_type: "application/json", kind: BodyKind::Json }),
        },
        page: None,
    };

    fn names(command: &Command) -> Vec<String> {
        let text = json!({ "type": "string" });
        let parameters = ["id", "kind", "output", "Body", "limit", "sort_by"];
        let mut members: Map<_, _> = parameters.into_iter().map(|name| (name.to_owned(), text.clone())).collect();
        let owner = json!({ "type": "object", "properties": { "firstName": text, "pets": { "type": "object" } } });
        let body = json!({ "type": "object", "properties": {
            "sortBy": text, "url": text, "+1": text, "-1": text, "owner": { "anyOf": [owner, { "type": "null" }] },
        } });
        members.insert("body".to_owned(), body);
        let schema = json!({ "type": "object", "properties": members });
        flags(command, schema.as_object().expect("an object")).iter().map(Flag::shown).collect()
    }

    #[test]
    fn what_has_the_name_of_another_option_says_where_it_is_sent() {
        let expected = [
            "<KIND>",
            "<ID>",
            "--query-output",
            "--header-body",
            "--limit",
            "--sort-by",
            "--body-sort-by",
            "--body-url",
            "--1",
            "--body-1",
            "--owner",
            "--owner.first-name",
        ];
        assert_eq!(names(&COMMAND), expected);
        let list = Command { page: Some(Page { items: &[], total: &[], next: &[], last: &[], more: &[] }), ..COMMAND };
        assert!(names(&list).contains(&"--query-limit".to_owned()));
    }
}
