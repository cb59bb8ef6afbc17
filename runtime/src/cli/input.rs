//! From the command line to the values of a request.

use std::collections::BTreeMap;
use std::io::{self, Read as _};

use clap::ArgMatches;
use jsonschema::Validator;
use serde_json::Map;
use tokio_util::io::ReaderStream;

use super::Command;
use super::failure::Failure;
use super::flag::{self, BODY, Flag, Kind};
use crate::arguments::schema::problems;
use crate::arguments::{Body, BodyKind, Files};
use crate::json::{self, Value};
use crate::multipart::Part;

/// The values of a request.
pub(super) struct Input {
    pub(super) values: Value,
    /// The files that are sent, with the place of the value that they stand for.
    pub(super) files: Files,
    /// Where each file comes from, as `@FILE` or `-`.
    pub(super) sources: Vec<(String, String)>,
    flags: Vec<Flag>,
    /// The argument with the body.
    body: Option<String>,
}

impl Input {
    /// Reads the values of a command.
    pub(super) async fn read(
        command: &Command,
        schema: &Map<String, serde_json::Value>,
        matches: &ArgMatches,
    ) -> Result<Self, Failure> {
        let flags = flag::flags(command, schema);
        let mut input = Self {
            values: Value::Object(BTreeMap::new()),
            files: Files::new(),
            sources: Vec::new(),
            flags: Vec::new(),
            body: command.arguments.body.as_ref().map(|body| body.argument.to_owned()),
        };
        if let Some(body) = &command.arguments.body
            && let Some(text) = matches.get_one::<String>(BODY)
        {
            let value = input.body(body, text).await?;
            set(&mut input.values, &[body.argument.to_owned()], value);
        }
        for (index, flag) in flags.iter().enumerate() {
            let Some(texts) = matches.get_many::<String>(&index.to_string()) else { continue };
            let mut items = Vec::new();
            for text in texts {
                items.push(input.value(flag, text).await?);
            }
            let value = if flag.repeated { Some(Value::Array(items)) } else { items.pop() };
            set(&mut input.values, &flag.path, value.unwrap_or_default());
        }
        Ok(Self { flags, ..input })
    }

    /// Refuses values that break a rule of the description.
    pub(super) fn check(&self, validator: &Validator) -> Result<(), Failure> {
        let values = serde_json::from_str(&self.values.to_string()).unwrap_or_default();
        let problems = problems(validator, &values);
        if problems.is_empty() {
            return Ok(());
        }
        let lines = problems.iter().map(|problem| {
            let flag = self.flags.iter().rfind(|flag| flag.path.join(".") == problem.place);
            let option = match flag {
                Some(flag) => format!(" ({})", flag.shown()),
                None if self.body.as_deref() == Some(problem.place.as_str()) => format!(" (--{BODY})"),
                None => String::new(),
            };
            match problem.place.as_str() {
                "" => format!("\n- {}", problem.message),
                place => format!("\n- `{place}`{option}: {}", problem.message),
            }
        });
        Err(Failure::usage(format!("the values are not valid:{}", lines.collect::<String>())))
    }

    /// The value of a flag. One of another type than its schema has is a text, which the check of all values reports.
    async fn value(&mut self, flag: &Flag, text: &str) -> Result<Value, Failure> {
        let string = || Value::String(text.to_owned());
        let parsed = || json::from_slice::<Value>(text.as_bytes()).ok();
        if flag.nullable && text == "null" && !matches!(flag.kind, Kind::Text(_)) {
            return Ok(Value::Null);
        }
        Ok(match &flag.kind {
            Kind::Text(_) => string(),
            Kind::Number => parsed().filter(|value| value.as_number().is_some()).unwrap_or_else(string),
            Kind::Boolean => Value::Bool(text == "true"),
            Kind::Choice(values) if values.contains(&text.into()) => string(),
            Kind::Any | Kind::Choice(_) => parsed().unwrap_or_else(string),
            Kind::Json => whole(&flag.shown(), &given(text)?)?,
            Kind::File => {
                self.file(&flag.path.join("."), text.strip_prefix('@').unwrap_or(text)).await?;
                stand_in()
            }
        })
    }

    /// The value of the option for the whole body.
    async fn body(&mut self, body: &Body, text: &str) -> Result<Value, Failure> {
        let file = if text == "-" { Some(text) } else { text.strip_prefix('@') };
        match (body.kind, file) {
            (BodyKind::Json | BodyKind::Form { .. } | BodyKind::Multipart(_) | BodyKind::Positional(_), _) => {
                whole("--body", &given(text)?)
            }
            (BodyKind::Text, _) => Ok(Value::String(given(text)?)),
            (BodyKind::Bytes, Some(file)) => {
                self.file(body.argument, file).await?;
                Ok(stand_in())
            }
            (BodyKind::Bytes, None) => Ok(Value::Object([("text".to_owned(), Value::String(text.to_owned()))].into())),
            (BodyKind::TextEvents | BodyKind::JsonEvents | BodyKind::JsonLines, Some(file)) => {
                self.file(body.argument, file).await?;
                Ok(Value::Array(Vec::new()))
            }
            (BodyKind::TextEvents | BodyKind::JsonEvents | BodyKind::JsonLines, None) => whole("--body", text),
        }
    }

    /// Sends a file in place of the value at `place`; `-` is standard input.
    async fn file(&mut self, place: &str, path: &str) -> Result<(), Failure> {
        let (part, source) = if path == "-" {
            (Part::stream("stdin", ReaderStream::new(tokio::io::stdin())), "@-".to_owned())
        } else {
            let part = Part::file(path).await.map_err(|error| Failure::usage(format!("{path}: {error}")))?;
            (part, format!("@{path}"))
        };
        self.files.push((place.to_owned(), part));
        self.sources.push((place.to_owned(), source));
        Ok(())
    }
}

/// The value that the schema of a file accepts.
fn stand_in() -> Value {
    Value::Object([("text".to_owned(), Value::String(String::new()))].into())
}

/// The text itself, or that of a file or of standard input.
fn given(text: &str) -> Result<String, Failure> {
    let read = match text.strip_prefix('@') {
        _ if text == "-" => {
            let mut all = String::new();
            io::stdin().read_to_string(&mut all).map(|_| all)
        }
        Some(path) => std::fs::read_to_string(path),
        None => return Ok(text.to_owned()),
    };
    let name = text.strip_prefix('@').unwrap_or("standard input");
    read.map_err(|error| Failure::usage(format!("{name}: {error}")))
}

/// JSON in a text.
fn whole(option: &str, text: &str) -> Result<Value, Failure> {
    json::from_slice(text.as_bytes()).map_err(|violations| {
        let why = violations.first().map(ToString::to_string).unwrap_or_default();
        Failure::usage(format!("`{option}` is not JSON: {why}"))
    })
}

/// Sets a member of an object in an object.
fn set(values: &mut Value, path: &[String], value: Value) {
    let Some((name, rest)) = path.split_first() else {
        *values = value;
        return;
    };
    if values.as_object().is_none() {
        *values = Value::Object(BTreeMap::new());
    }
    if let Value::Object(members) = values {
        set(members.entry(name.clone()).or_default(), rest, value);
    }
}
