//! The preferred names of models.

use super::all_of::{Schema, schema_at};
use crate::location::{self, Location};
use crate::lower::models::Models;
use crate::lower::name;
use crate::lower::node::Node;
use crate::lower::overrides::Overrides;
use crate::lower::overrides::name::requested_type_name;
use crate::lower::reference::Resolver;
use crate::upgrade::Document;

/// The location of named schemas.
const SCHEMAS: &str = "/components/schemas/";

/// The name of an unnamed schema's type, from another generator's extension: `x-ms-enum: { name }`
pub(crate) fn enum_name(schema: &Schema<'_>) -> Option<String> {
    let said = schema.annotation("x-ms-enum").and_then(|node| node.text("name"));
    said.filter(|word| !word.trim().is_empty()).map(name::pascal)
}

/// The preferred name of the schema's type, also the prefix of nested types.
pub(crate) fn type_hint<'a>(
    resolver: &mut Resolver<'a>,
    overrides: &mut Overrides<'a>,
    schema: &Schema<'a>,
    hint: &str,
) -> String {
    let requested = requested_type_name(resolver, overrides, &schema.place).map(|requested| requested.rust);
    requested.or_else(|| enum_name(schema)).unwrap_or_else(|| hint.to_owned())
}

/// The preferred type name of a named schema.
pub(crate) fn schema_rust_name<'a>(
    resolver: &mut Resolver<'a>,
    overrides: &mut Overrides<'a>,
    node: &Node<'a>,
) -> String {
    let schema = schema_at(resolver, node);
    let hint = name::pascal(&schema_key(resolver.document, &node.location));
    type_hint(resolver, overrides, &schema, &hint)
}

/// The name of the schema that describes a member. Nested types are named after it, independent of schemas
/// that include the member by `allOf`, and of their order.
pub(super) fn owner_name(document: &Document, models: &Models<'_>, member: &Location) -> Option<String> {
    let (owner, rest) = member.pointer().strip_prefix(SCHEMAS)?.split_once('/')?;
    let mut rest = rest.split('/');
    let mut word = rest.next()?;
    while word == "allOf" {
        rest.next()?;
        word = rest.next()?;
    }
    let is_member = word == "properties" && rest.next().is_some() && rest.next().is_none();
    if !is_member {
        return None;
    }
    let owner = Location::at(member.file(), format!("{SCHEMAS}{owner}"));
    let known = models.at(&owner).map(|id| models.get(id).name.rust.clone());
    Some(known.unwrap_or_else(|| name::pascal(&place_name(document, &owner))))
}

/// The name of the schema at this location; in another file, its name there.
pub(crate) fn place_name(document: &Document, location: &Location) -> String {
    let origin = document.origin(location);
    if origin.file() == document.root.file() {
        return name_in(location.pointer());
    }
    if origin.pointer().is_empty() { file_name(&origin) } else { name_in(origin.pointer()) }
}

/// The key of the schema in its file: its name in `components`, or the file name of a whole file.
pub(crate) fn schema_key(document: &Document, location: &Location) -> String {
    let origin = document.origin(location);
    location::tokens(origin.pointer()).last().unwrap_or_else(|| file_name(&origin))
}

/// `dog` for `lib/dog.v1.yaml`.
fn file_name(location: &Location) -> String {
    let name = location.file().rsplit('/').next().unwrap_or_default();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// A name for the schema at this location, from the last names of its pointer.
fn name_in(pointer: &str) -> String {
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

/// Whether the text only repeats the name at that location, as some tools do in `title`.
pub(crate) fn says_only(text: &str, place: &Location) -> bool {
    let letters =
        |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).collect::<String>().to_lowercase();
    place.pointer().rsplit('/').next().is_some_and(|name| letters(name) == letters(text))
}
