//! What tests need: short descriptions in, one line per model or operation out.

use std::fmt::Write as _;
use std::io;

use super::lower;
use crate::Options;
use crate::diagnostic::Diagnostics;
use crate::files::Files;
use crate::ir::{
    Api, Condition, EnumValues, Field, ModelKind, Operation, Parameter, ParameterEncoding, Presence, Rule, Tagging,
    Type, Value,
};
use crate::load;
use crate::upgrade;

/// What a description became.
pub(crate) struct Lowered {
    pub(crate) api: Api,
    /// `W0402 /components/schemas/A`, in order.
    pub(crate) problems: Vec<String>,
}

struct Texts<'t>(&'t [(&'t str, &'t str)]);

impl Files for Texts<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let found = self.0.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// Lowers a whole description in YAML.
pub(crate) fn document(yaml: &str) -> Lowered {
    document_with(yaml, &Options::default())
}

/// Lowers a part of a whole description in YAML.
pub(crate) fn document_with(yaml: &str, options: &Options) -> Lowered {
    files(&[("test.yaml", yaml)], options)
}

/// Lowers a description in several files, which starts in the first one.
pub(crate) fn files(files: &[(&str, &str)], options: &Options) -> Lowered {
    let mut diagnostics = Diagnostics::default();
    let (entry, files) = (files[0].0, Texts(files));
    let tree = load::load(&files, entry, None, &mut diagnostics);
    let document = tree.and_then(|tree| upgrade::upgrade(&files, entry, &[], tree, &mut diagnostics));
    let shown = diagnostics.render(&files, crate::Style::Plain);
    let document = document.unwrap_or_else(|| panic!("{shown}"));
    let mut diagnostics = Diagnostics::default();
    let api = lower(&document, options, &mut diagnostics);
    let problems = diagnostics.iter().map(|found| format!("{} {}", found.code.number(), found.location.pointer()));
    Lowered { api, problems: problems.collect() }
}

/// Lowers `components.schemas`, given in parts that may be indented differently.
pub(crate) fn schemas(parts: &[&str]) -> Lowered {
    let mut text = "openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths: {}\ncomponents:\n  schemas:\n".to_owned();
    for part in parts {
        indent(&mut text, part, 4);
    }
    document(&text)
}

/// Lowers `paths`.
pub(crate) fn paths(yaml: &str) -> Lowered {
    let mut text = "openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths:\n".to_owned();
    indent(&mut text, yaml, 2);
    document(&text)
}

/// Lowers one operation, `POST /`.
pub(crate) fn operation(yaml: &str) -> Lowered {
    let mut text = "openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths:\n  /:\n    post:\n".to_owned();
    if !yaml.contains("operationId:") {
        text.push_str("      operationId: send\n");
    }
    if !yaml.contains("responses:") {
        text.push_str("      responses: { '204': { description: Done. } }\n");
    }
    indent(&mut text, yaml, 6);
    document(&text)
}

fn indent(text: &mut String, yaml: &str, columns: usize) {
    let margin =
        yaml.lines().filter(|line| !line.trim().is_empty()).map(|line| line.len() - line.trim_start().len()).min();
    for line in yaml.lines().filter(|line| !line.trim().is_empty()) {
        let _ = writeln!(text, "{:columns$}{}", "", line.get(margin.unwrap_or(0)..).unwrap_or_default());
    }
}

impl Lowered {
    /// Every model on a line of its own.
    pub(crate) fn models(&self) -> Vec<String> {
        self.api.models.iter().map(|model| self.line(&model.name.rust)).collect()
    }

    /// One model: `A { id: i64, name?: String }`, `A = String`, `A: red Red | blue Blue`.
    pub(crate) fn line(&self, rust: &str) -> String {
        let Some(model) = self.api.models.iter().find(|model| model.name.rust == rust) else {
            return "none".to_owned();
        };
        match &model.kind {
            ModelKind::Struct(struct_) => {
                let mut parts: Vec<_> = struct_.fields.iter().map(|field| self.field(field)).collect();
                parts.extend(struct_.additional.iter().map(|additional| {
                    let rules: Vec<_> = additional.rules.iter().map(rule).collect();
                    let rules = if rules.is_empty() { String::new() } else { format!("({})", rules.join(", ")) };
                    format!("..{}{rules}", self.value(&additional.value))
                }));
                parts.extend(struct_.closed.then(|| "closed".to_owned()));
                parts.extend(struct_.rules.iter().map(rule));
                format!("{rust} {{ {} }}", parts.join(", "))
            }
            ModelKind::Enum(enum_) => {
                let variants: Vec<_> = match &enum_.values {
                    EnumValues::String(variants) => {
                        variants.iter().map(|variant| format!("{} {}", variant.value, variant.rust)).collect()
                    }
                    EnumValues::Integer(_, variants) => {
                        variants.iter().map(|variant| format!("{} {}", variant.value, variant.rust)).collect()
                    }
                };
                format!("{rust}: {}", variants.join(" | "))
            }
            ModelKind::Union(union) => {
                let variants: Vec<_> = union
                    .variants
                    .iter()
                    .map(|variant| format!("{}({})", variant.rust, self.value(&variant.value)))
                    .collect();
                let tagging = match &union.tagging {
                    Tagging::Discriminator { member, tags, written_by_variant, untagged, unmapped } => {
                        let tags: Vec<_> = tags.iter().map(|(tag, index)| format!("{tag}={index}")).collect();
                        let written: String =
                            written_by_variant.iter().map(|written| if *written { 'v' } else { 'u' }).collect();
                        let untagged =
                            untagged.iter().map(|index| format!(" else {index}")).collect::<Vec<_>>().concat();
                        let unmapped = unmapped.map_or_else(String::new, |index| format!(" others {index}"));
                        format!("{member} {} {written}{untagged}{unmapped}", tags.join(" "))
                    }
                    Tagging::JsonType(_) => "by type".to_owned(),
                    Tagging::RequiredMember(members) => format!("has {}", members.join(" ")),
                    Tagging::Ordered => "in order".to_owned(),
                };
                format!("{rust}: {} [{tagging}]", variants.join(" | "))
            }
            ModelKind::Alias(alias) => format!("{rust} = {}", self.value(&alias.value)),
        }
    }

    fn field(&self, field: &Field) -> String {
        let mark = match field.presence {
            Presence::Required => "",
            Presence::Optional => "?",
            Presence::Nullable => "~",
            Presence::OptionalNullable => "?~",
        };
        let value = field.constant.as_ref().map_or_else(
            || self.value(&Value { nullable: false, ..field.value.clone() }),
            |constant| format!("'{}'", constant.text()),
        );
        let mut text = format!("{}{mark}: {value}", field.name.rust);
        if let Some(default) = &field.default {
            let _ = write!(text, " = {default:?}");
        }
        text.push_str(if field.read_only { " read" } else { "" });
        text.push_str(if field.write_only { " write" } else { "" });
        text
    }

    /// A type: `Vec<String>(minItems 1)`, `Box<A>?` when it may be `null`.
    pub(crate) fn value(&self, value: &Value) -> String {
        let ty = match &value.ty {
            Type::Array(item) => format!("Vec<{}>", self.value(item)),
            Type::Map(item) => format!("Map<{}>", self.value(item)),
            Type::Tuple(places) => {
                let places: Vec<_> = places.iter().map(|place| self.value(place)).collect();
                format!("({})", places.join(", "))
            }
            Type::Model(id) => self.api.model(*id).name.rust.clone(),
            Type::Integer(kind) => format!("{kind:?}").to_lowercase(),
            Type::Foreign(foreign) => foreign.text(),
            other => format!("{other:?}"),
        };
        let ty = if value.boxed { format!("Box<{ty}>") } else { ty };
        let rules: Vec<_> = value.rules.iter().map(rule).collect();
        let rules = if rules.is_empty() { String::new() } else { format!("({})", rules.join(", ")) };
        format!("{ty}{rules}{}", if value.nullable { "?" } else { "" })
    }

    /// The only operation.
    pub(crate) fn only(&self) -> &Operation {
        self.api.operations().next().expect("the test describes an operation")
    }

    /// A parameter: `query ids?: Vec<i64> Form explode Array`.
    pub(crate) fn parameter(&self, parameter: &Parameter) -> String {
        let encoding = match &parameter.encoding {
            ParameterEncoding::Json => "json".to_owned(),
            ParameterEncoding::JsonItems => "items as json".to_owned(),
            ParameterEncoding::Style { style, explode, allow_reserved, shape } => {
                let explode = if *explode { " explode" } else { "" };
                let reserved = if *allow_reserved { " reserved" } else { "" };
                format!("{style:?}{explode}{reserved} {shape:?}")
            }
        };
        let mark = if parameter.required { "" } else { "?" };
        let place = parameter.location.word();
        format!("{place} {}{mark}: {} {encoding}", parameter.name.rust, self.value(&parameter.value))
    }
}

/// `minItems 2`
pub(crate) fn rule(rule: &Rule) -> String {
    match rule {
        Rule::Minimum(least) => format!(">= {least}"),
        Rule::Maximum(most) => format!("<= {most}"),
        Rule::ExclusiveMinimum(least) => format!("> {least}"),
        Rule::ExclusiveMaximum(most) => format!("< {most}"),
        Rule::MultipleOf(factor) => format!("multipleOf {factor}"),
        Rule::MinLength(count) => format!("minLength {count}"),
        Rule::MaxLength(count) => format!("maxLength {count}"),
        Rule::Pattern(pattern) => format!("pattern {pattern}"),
        Rule::Format(format) => format.clone(),
        Rule::MinItems(count) => format!("minItems {count}"),
        Rule::MaxItems(count) => format!("maxItems {count}"),
        Rule::UniqueItems => "unique".to_owned(),
        Rule::MinProperties(count) => format!("minProperties {count}"),
        Rule::MaxProperties(count) => format!("maxProperties {count}"),
        Rule::Names(rules) => format!("names {}", rules.iter().map(self::rule).collect::<Vec<_>>().join(" ")),
        Rule::Matching(pattern, rules) => {
            format!("matching {pattern} {}", rules.iter().map(self::rule).collect::<Vec<_>>().join(" "))
        }
        Rule::OneOf(values) | Rule::Numbers(values) | Rule::Listed(values) => format!("one of {}", values.join(" ")),
        Rule::Boolean(only) => format!("only {only}"),
        Rule::Kind(ty) => format!("a {ty:?}"),
        Rule::Together(condition) => self::condition(condition),
    }
}

fn condition(condition: &Condition) -> String {
    let list = |conditions: &[Condition]| conditions.iter().map(self::condition).collect::<Vec<_>>().join(", ");
    match condition {
        Condition::Has(names) => names.join(" and "),
        Condition::Not(inner) => format!("not({})", self::condition(inner)),
        Condition::With(first, names) => format!("{first} with {}", names.join(" and ")),
        Condition::All(conditions) => format!("all({})", list(conditions)),
        Condition::Any(conditions) => format!("any({})", list(conditions)),
        Condition::One(conditions) => format!("one({})", list(conditions)),
    }
}
