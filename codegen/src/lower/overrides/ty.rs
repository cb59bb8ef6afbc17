//! Types that users want in place of those that schemas become.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::rust;
use crate::customise::RustType;
use crate::diagnostic::Code;
use crate::ir::{Dependency, Foreign, ForeignForm, IntegerKind, JsonType, Type, Value};
use crate::location::Location;
use crate::lower::schema::primitive::{boolean, number_of};
use crate::lower::schema::{ARRAY, BOOLEAN, INTEGER, NUMBER, OBJECT, STRING, plain, types};
use crate::lower::{Context, Node, Schema};
use crate::package;

/// The tables of the configuration.
pub(crate) const SCHEMAS: &str = "types.schemas";
pub(crate) const FORMATS: &str = "types.formats";
pub(crate) const POINTERS: &str = "types.pointers";

/// The extension of a schema.
const EXTENSION: &str = "x-rust-type";

impl<'a> Context<'a> {
    /// What the user wants a value of the schema to be.
    pub(crate) fn wished_value(&mut self, schema: &Schema<'a>) -> Option<Value> {
        let (wanted, place) = self.wished_type(schema)?;
        let schema = self.resolved(&schema.place);
        let json = json_type(&schema);
        self.rust_type(&wanted, json, &schema, &place)
    }

    /// What the user wants a value of the schema, which is of the type `ty`, to be because of its format.
    pub(crate) fn wished_format(&mut self, schema: &Schema<'a>, ty: &str) -> Option<Value> {
        let formats = &self.wishes.options.types.formats;
        if formats.is_empty() {
            return None;
        }
        let format = schema.keyword("format")?;
        let wanted = self.wishes.entry(FORMATS, formats, format.value.as_str()?)?;
        self.rust_type(wanted, json_of(ty), schema, &format.location)
    }

    /// The user wants another type for this node.
    pub(crate) fn has_wish(&mut self, node: &Node<'a>) -> bool {
        node.get(EXTENSION).is_some_and(|wanted| !is_of_another_tool(&wanted)) || {
            let pointers = &self.wishes.options.types.pointers;
            self.wish_at(POINTERS, pointers, std::slice::from_ref(node)).is_some()
        }
    }

    fn wished_type(&mut self, schema: &Schema<'a>) -> Option<(RustType, Location)> {
        let types = &self.wishes.options.types;
        let configured = self
            .wish_at(POINTERS, &types.pointers, &schema.written)
            .or_else(|| self.wish_for_schema(SCHEMAS, &types.schemas, schema));
        if let Some((wanted, place)) = configured {
            return Some((wanted.clone(), place));
        }
        let node = schema.annotation(EXTENSION)?;
        if is_of_another_tool(&node) {
            self.report(Code::NotUsed, &node.location, "this form of `x-rust-type` is that of typify")
                .label("the schema is generated, as typify does unless it is told otherwise")
                .help("to use the type, write `crate: { name, version }` and the whole path, `::oxnet::IpNet`");
            return None;
        }
        match RustType::deserialize(node.value) {
            Ok(wanted) => Some((wanted, node.location)),
            Err(error) => {
                self.report(Code::InvalidRustType, &node.location, format!("this is not {error}"));
                None
            }
        }
    }

    fn rust_type(
        &mut self,
        wanted: &RustType,
        json: Option<JsonType>,
        schema: &Schema<'a>,
        place: &Location,
    ) -> Option<Value> {
        let path = wanted.path.trim();
        if let Some((own, holds)) = own_type(path, json) {
            if json.is_some_and(|json| json != holds) {
                let message = format!("`{path}` is {}, but the schema is not", noun(holds));
                self.report(Code::InvalidRustType, place, message)
                    .help("a type of your own may be anything: `::my_crate::MyType`");
                return None;
            }
            return Some(self.own_value(own, schema));
        }
        let path = match rust::type_path(path) {
            Ok(path) => path,
            Err(why) => {
                self.report(Code::InvalidRustType, place, format!("`{path}` {why}"))
                    .help("write the whole path, such as `::money::Money`, or a type such as `String`");
                return None;
            }
        };
        let foreign = Foreign { path, json };
        self.has_one_form(&foreign, place)?;
        self.need_crate(wanted, &foreign, place);
        Some(plain(Type::Foreign(foreign)))
    }

    /// A type of generated code is checked as the schema says.
    fn own_value(&mut self, ty: Type, schema: &Schema<'a>) -> Value {
        match ty {
            Type::String => self.string_of(schema, ""),
            Type::Boolean => boolean(schema),
            Type::Integer(_) | Type::Float | Type::Double | Type::DecimalNumber => number_of(schema, ty),
            _ => plain(ty),
        }
    }

    /// A type can be read and written in one way only.
    fn has_one_form(&mut self, foreign: &Foreign, place: &Location) -> Option<()> {
        let form = foreign.form();
        let (first, before) =
            self.wishes.forms.entry(foreign.path.clone()).or_insert_with(|| (form, place.clone())).clone();
        if first == form {
            return Some(());
        }
        let message =
            format!("`{}` would be {} here and {} elsewhere", foreign.path, form_noun(form), form_noun(first));
        self.report(Code::RustTypeInTwoForms, place, message)
            .related(&before, "it is used here, too")
            .help("use a type of its own for each of them");
        None
    }

    /// Adds the crate to those that are needed.
    fn need_crate(&mut self, wanted: &RustType, foreign: &Foreign, place: &Location) {
        if let Some((name, dependency)) = &wanted.dependency {
            let known = self.wishes.crates.entry(name.clone()).or_insert_with(|| (dependency.clone(), place.clone()));
            if known.0 != *dependency && !self.wishes.options.dependencies.contains_key(name) {
                let before = known.1.clone();
                self.report(
                    Code::RustCrateInTwoVersions,
                    place,
                    format!("the crate `{name}` is asked for in two ways"),
                )
                .related(&before, "this one counts")
                .help("say it once, in `[dependencies]` of the configuration");
            }
            return;
        }
        self.mention_crate_of(&foreign.path, place);
    }

    /// Remembers that generated code names something of a crate.
    pub(crate) fn mention_crate_of(&mut self, path: &str, place: &Location) {
        if let Some(name) = path.strip_prefix("::").and_then(rust::crate_of) {
            self.wishes.mentioned.entry(name.to_owned()).or_insert_with(|| place.clone());
        }
    }

    /// Says which crates nobody says anything of.
    pub(crate) fn report_unknown_crates(&mut self, known: &BTreeMap<String, Dependency>) {
        for (name, place) in std::mem::take(&mut self.wishes.mentioned) {
            let is_known = known.keys().any(|other| other.replace('-', "_") == name);
            if !is_known && !package::is_known(&name) {
                self.report(Code::UnknownRustCrate, &place, format!("nothing says which crate `{name}` is"))
                    .label("the generated `Cargo.toml` lacks it")
                    .help(format!(
                        "say it once: `crate: {{ name: {name}, version: \"1\" }}` beside a `path`, or in \
                         `[dependencies]` of the configuration"
                    ));
            }
        }
    }
}

/// `{ crate: oxnet, version: "1", path: "oxnet::IpNet" }`: a crate that only some of the readers have.
fn is_of_another_tool(wanted: &Node<'_>) -> bool {
    wanted.text("crate").is_some() && wanted.text("version").is_some()
}

/// The types that generated code reads and writes without being asked, and the type of JSON that holds each.
fn own_type(path: &str, json: Option<JsonType>) -> Option<(Type, JsonType)> {
    let is_number = json == Some(JsonType::Number);
    let text = |ty| Some((ty, JsonType::String));
    let integer = |kind| Some((Type::Integer(kind), JsonType::Number));
    match path.trim_start_matches("::") {
        "String" | "std::string::String" => text(Type::String),
        "uuid::Uuid" => text(Type::Uuid),
        "jiff::Timestamp" => text(Type::DateTime),
        "jiff::civil::Date" => text(Type::Date),
        "jiff::civil::Time" => text(Type::Time),
        "jiff::civil::DateTime" => text(Type::DateTimeLocal),
        "jiff::SpanFieldwise" => text(Type::Duration),
        "std::net::Ipv4Addr" => text(Type::Ipv4),
        "std::net::Ipv6Addr" => text(Type::Ipv6),
        "rust_decimal::Decimal" if is_number => Some((Type::DecimalNumber, JsonType::Number)),
        "rust_decimal::Decimal" => text(Type::Decimal),
        "bool" => Some((Type::Boolean, JsonType::Boolean)),
        "f32" => Some((Type::Float, JsonType::Number)),
        "f64" => Some((Type::Double, JsonType::Number)),
        "i8" => integer(IntegerKind::I8),
        "i16" => integer(IntegerKind::I16),
        "i32" => integer(IntegerKind::I32),
        "i64" => integer(IntegerKind::I64),
        "u8" => integer(IntegerKind::U8),
        "u16" => integer(IntegerKind::U16),
        "u32" => integer(IntegerKind::U32),
        "u64" => integer(IntegerKind::U64),
        _ => None,
    }
}

/// The type of JSON that all values of the schema have.
fn json_type(schema: &Schema<'_>) -> Option<JsonType> {
    match types(schema)[..] {
        [INTEGER, NUMBER] | [NUMBER, INTEGER] => Some(JsonType::Number),
        [only] => json_of(only),
        [] => {
            let values: Vec<_> = schema
                .parts
                .iter()
                .flat_map(|part| part.items("enum"))
                .filter(|value| !value.value.is_null())
                .collect();
            let all_text = !values.is_empty() && values.iter().all(|value| value.value.is_string());
            all_text.then_some(JsonType::String)
        }
        _ => None,
    }
}

fn json_of(ty: &str) -> Option<JsonType> {
    match ty {
        STRING => Some(JsonType::String),
        NUMBER | INTEGER => Some(JsonType::Number),
        BOOLEAN => Some(JsonType::Boolean),
        ARRAY => Some(JsonType::Array),
        OBJECT => Some(JsonType::Object),
        _ => None,
    }
}

fn noun(json: JsonType) -> &'static str {
    match json {
        JsonType::Null => "null",
        JsonType::Boolean => "a boolean",
        JsonType::Number => "a number",
        JsonType::String => "a string",
        JsonType::Array => "an array",
        JsonType::Object => "an object",
    }
}

fn form_noun(form: ForeignForm) -> &'static str {
    match form {
        ForeignForm::Text => "a string",
        ForeignForm::Number => "a number",
        ForeignForm::Json => "what serde makes of it",
    }
}
