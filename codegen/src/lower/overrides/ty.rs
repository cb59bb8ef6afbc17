//! Types that users choose for schemas.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::with::type_with;
use super::{Overrides, moment, override_at, override_for_schema, rust};
use crate::customise::RustType;
use crate::dependencies;
use crate::diagnostic::Code;
use crate::ir::{Codec, Dependency, Foreign, ForeignForm, IntegerKind, JsonType, Type};
use crate::location::Location;
use crate::lower::node::Node;
use crate::lower::reference::Resolver;
use crate::lower::reporter::Reporter;
use crate::upgrade::Document;

/// The tables of the configuration.
pub(crate) const SCHEMAS: &str = "types.schemas";
pub(crate) const FORMATS: &str = "types.formats";
pub(crate) const POINTERS: &str = "types.pointers";

/// The extension of a schema.
const EXTENSION: &str = "x-rust-type";

/// Whether the user chose another type for this node.
pub(crate) fn has_type_override<'a>(document: &'a Document, overrides: &mut Overrides<'a>, node: &Node<'a>) -> bool {
    node.get(EXTENSION).is_some_and(|wanted| !is_of_another_tool(&wanted)) || {
        let pointers = &overrides.options.types.pointers;
        override_at(document, overrides, POINTERS, pointers, std::slice::from_ref(node)).is_some()
    }
}

/// Whether the user chose types for some formats.
pub(crate) fn has_format_overrides(overrides: &Overrides<'_>) -> bool {
    !overrides.options.types.formats.is_empty()
}

/// The type chosen for a format, and the location in the settings file, if there is one.
pub(crate) fn format_override<'a>(
    overrides: &mut Overrides<'a>,
    format: &str,
) -> Option<(&'a RustType, Option<Location>)> {
    let wanted = overrides.entry(FORMATS, &overrides.options.types.formats, format)?;
    Some((wanted, overrides.settings_place(FORMATS, format)))
}

/// The type chosen for the schema at `place`, which may be written at several nodes, and the location of the
/// choice.
pub(crate) fn type_override<'a>(
    resolver: &mut Resolver<'a>,
    overrides: &mut Overrides<'a>,
    place: &Node<'a>,
    written: &[Node<'a>],
) -> Option<(RustType, Location)> {
    let types = &overrides.options.types;
    let configured = override_at(resolver.document, overrides, POINTERS, &types.pointers, written)
        .or_else(|| override_for_schema(overrides, SCHEMAS, &types.schemas, &place.location));
    if let Some((wanted, place)) = configured {
        return Some((wanted.clone(), place));
    }
    let node = written.iter().find_map(|node| node.get(EXTENSION))?;
    if is_of_another_tool(&node) {
        resolver
            .report(Code::NotUsed, &node.location, "this form of `x-rust-type` is that of typify")
            .label("the schema is generated, as typify does unless it is told otherwise")
            .help("to use the type, write `crate: { name, version }` and the whole path, `::oxnet::IpNet`");
        return None;
    }
    match RustType::deserialize(node.value) {
        Ok(wanted) => Some((wanted, node.location)),
        Err(error) => {
            resolver.report(Code::InvalidRustType, &node.location, format!("this is not {error}"));
            None
        }
    }
}

/// The schema that a type is chosen for.
#[derive(Clone, Copy)]
pub(crate) struct WantedFor<'a> {
    /// The JSON type of all values of the schema.
    pub(crate) json: Option<JsonType>,
    /// The format of the schema.
    pub(crate) format: Option<&'a str>,
    /// The location of the schema.
    pub(crate) schema: &'a Location,
}

/// The chosen type in generated code, or an error at `place`.
pub(crate) fn rust_type(
    reporter: &mut Reporter<'_>,
    overrides: &mut Overrides<'_>,
    wanted: &RustType,
    of: WantedFor<'_>,
    place: &Location,
) -> Option<Type> {
    let path = wanted.path.trim();
    let path = if moment::is_crate(path) { of_crate(reporter, path, of, place)? } else { path };
    if let Some(module) = &wanted.with {
        return type_with(reporter, overrides, wanted, (path, module), of, place);
    }
    has_form_of_format(reporter, path, of, place)?;
    if let Some((own, holds)) = own_type(path, of.json) {
        if of.json.is_some_and(|json| json != holds) {
            let message = format!("`{path}` is {}, but the schema is not", noun(holds));
            let diagnostic = reporter.report(Code::InvalidRustType, place, message);
            diagnostic.help("a type of your own may be anything: `::my_crate::MyType`");
            if of.schema.file() != place.file() {
                diagnostic.related(of.schema, "the schema");
            }
            return None;
        }
        if let Type::Foreign(foreign) = &own {
            require_crate(reporter, overrides, wanted, foreign, place);
        }
        return Some(own);
    }
    let path = valid_path(reporter, path, place)?;
    let foreign = Foreign { path, json: of.json, codec: Codec::Type };
    has_one_form(reporter, overrides, &foreign, place)?;
    require_crate(reporter, overrides, wanted, &foreign, place);
    Some(Type::Foreign(foreign))
}

/// The full path of a type.
pub(super) fn valid_path(reporter: &mut Reporter<'_>, path: &str, place: &Location) -> Option<String> {
    let found = rust::type_path(path);
    if let Err(why) = found {
        reporter
            .report(Code::InvalidRustType, place, format!("`{path}` {why}"))
            .help("write the whole path, such as `::money::Money`, or a type such as `String`");
    }
    found.ok()
}

/// The type that a crate name means.
fn of_crate(reporter: &mut Reporter<'_>, name: &str, of: WantedFor<'_>, place: &Location) -> Option<&'static str> {
    let found = of.format.and_then(|format| moment::of_crate(name, format));
    if found.is_none() {
        let message = match of.format {
            Some(format) => format!("`{name}` has no type for the format `{format}`"),
            None => format!("`{name}` means a type only for a schema with a format"),
        };
        reporter
            .report(Code::InvalidRustType, place, message)
            .help("it has one for the formats of dates and times; else write the whole path of a type");
    }
    found.map(|moment| moment.path)
}

/// Refuses a type that is known to have another format than the schema.
fn has_form_of_format(reporter: &mut Reporter<'_>, path: &str, of: WantedFor<'_>, place: &Location) -> Option<()> {
    let Some(format) = of.format else { return Some(()) };
    let Some(why) = moment::why_not(path, format) else { return Some(()) };
    let listed: Vec<_> = moment::of_format(format).map(|moment| format!("`{}`", moment.path)).collect();
    let message = format!("the text of `{path}` does not have the format `{format}`");
    let diagnostic = reporter.report(Code::RustTypeOfAnotherFormat, place, message);
    diagnostic.label(why).help(format!(
        "these are: {}; for another, add `with`, a module of yours whose functions write and read that form, or take a \
         type of your own whose `Display` and `FromStr` have it",
        listed.join(", ")
    ));
    if of.schema.file() != place.file() {
        diagnostic.related(of.schema, "the schema");
    }
    None
}

/// Checks that a type has only one form.
pub(super) fn has_one_form(
    reporter: &mut Reporter<'_>,
    overrides: &mut Overrides<'_>,
    foreign: &Foreign,
    place: &Location,
) -> Option<()> {
    let form = (foreign.form(), foreign.codec.clone());
    let known = overrides.forms.entry(foreign.path.clone()).or_insert_with(|| (form.clone(), place.clone()));
    let (first, before) = known.clone();
    if first == form {
        return Some(());
    }
    let message = format!("`{}` would be {} here and {} elsewhere", foreign.path, form_noun(&form), form_noun(&first));
    reporter
        .report(Code::RustTypeInTwoForms, place, message)
        .related(&before, "it is used here, too")
        .help("use a separate type for each");
    None
}

/// Adds a required crate.
pub(super) fn require_crate(
    reporter: &mut Reporter<'_>,
    overrides: &mut Overrides<'_>,
    wanted: &RustType,
    foreign: &Foreign,
    place: &Location,
) {
    if let Some((name, dependency)) = &wanted.dependency {
        let known = overrides.crates.entry(name.clone()).or_insert_with(|| (dependency.clone(), place.clone()));
        if known.0 != *dependency && !overrides.options.dependencies.contains_key(name) {
            let before = known.1.clone();
            reporter
                .report(Code::RustCrateInTwoVersions, place, format!("the crate `{name}` is declared in two ways"))
                .related(&before, "this one counts")
                .help("say it once, in `[dependencies]` of the configuration");
        }
        return;
    }
    note_crate_of(overrides, &foreign.path, place);
}

/// Records that generated code uses a crate.
pub(crate) fn note_crate_of(overrides: &mut Overrides<'_>, path: &str, place: &Location) {
    if let Some(name) = path.strip_prefix("::").and_then(rust::crate_of) {
        overrides.mentioned.entry(name.to_owned()).or_insert_with(|| place.clone());
    }
}

/// Reports crates without a version.
pub(crate) fn report_unknown_crates(
    reporter: &mut Reporter<'_>,
    mentioned: BTreeMap<String, Location>,
    known: &BTreeMap<String, Dependency>,
) {
    for (name, place) in mentioned {
        let is_known = known.keys().any(|other| other.replace('-', "_") == name);
        if !is_known && !dependencies::is_known(&name) {
            reporter
                .report(Code::UnknownRustCrate, &place, format!("the crate `{name}` is not declared"))
                .label("the generated `Cargo.toml` lacks it")
                .help(format!(
                    "declare it once: `crate: {{ name: {name}, version: \"1\" }}` next to a `path`, or in \
                         `[dependencies]` of the configuration"
                ));
        }
    }
}

/// `{ crate: oxnet, version: "1", path: "oxnet::IpNet" }`: the syntax of another tool.
fn is_of_another_tool(wanted: &Node<'_>) -> bool {
    wanted.text("crate").is_some() && wanted.text("version").is_some()
}

/// The types with built-in support, by the JSON type of their values.
pub(super) fn own_type(path: &str, json: Option<JsonType>) -> Option<(Type, JsonType)> {
    if let Some(moment) = moment::at(path)
        && let Some(module) = moment.module
    {
        let json = JsonType::String;
        let path = moment.path.to_owned();
        return Some((Type::Foreign(Foreign { path, json: Some(json), codec: Codec::Runtime(module) }), json));
    }
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

fn form_noun((form, codec): &(ForeignForm, Codec)) -> String {
    let noun = match form {
        ForeignForm::Text => "a string",
        ForeignForm::Number => "a number",
        ForeignForm::Json => "what serde makes of it",
    };
    match codec {
        Codec::With(functions) => format!("{noun} with `{}`", functions.module),
        Codec::Type | Codec::Runtime(_) => noun.to_owned(),
    }
}
