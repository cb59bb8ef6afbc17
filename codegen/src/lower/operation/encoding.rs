//! `encoding`, and how members of forms are serialized.

use foldhash::HashSet;

use super::media_type::is_json;
use super::parameter_shape::{has_form, is_list_of_texts};
use crate::diagnostic::Code;
use crate::ir::{ContentKind, Form, FormList, ModelKind, ParameterStyle, Type, Value};
use crate::lower::node::Node;
use crate::lower::reference::Resolver;
use crate::lower::schema::alias::{resolved_kind, without_aliases};
use crate::lower::schema::all_of::resolved_schema;
use crate::lower::schema::object::properties;
use crate::lower::schema::reader::Reader;
use crate::lower::schema::types::{ARRAY, OBJECT, types};
use crate::lower::schema::{build_model, value_at};
use crate::upgrade::Version;

const DEEP_OBJECT: &str = "deepObject";

/// Reads a form body.
pub(crate) fn read_form<'a>(reader: &mut Reader<'a>, schema: &Node<'a>, media_type: &Node<'a>, hint: &str) -> Form {
    let value = form_members(reader, schema, hint);
    let lists = form_lists(reader, media_type, &value.ty);
    Form { value, lists }
}

/// An object with text members; a schema without a type is any JSON in a text.
fn form_members<'a>(reader: &mut Reader<'a>, schema: &Node<'a>, hint: &str) -> Value {
    // A form cannot be `null`.
    let value = Value { nullable: false, ..value_at(reader, schema, hint) };
    let ty = without_aliases(reader, &value).ty;
    let item = match &ty {
        Type::Map(item) => item,
        Type::Foreign(_) => {
            let message = "a type of another crate cannot be a form";
            reader.report(Code::UntypedBody, &schema.location, message).label("any text is accepted");
            return Value::plain(Type::Map(Box::new(Value::plain(Type::String))));
        }
        _ => return value,
    };
    if has_form(reader, &ty, ParameterStyle::Form) {
        return value;
    }
    if item.ty != Type::Any {
        let message = "the values of this form have no form as texts";
        reader.report(Code::UntypedBody, &schema.location, message).label("any text is accepted");
    }
    Value::plain(Type::Map(Box::new(Value::plain(Type::String))))
}

/// The members whose lists are not repeated pairs: with `deepObject`, lists at any depth, else lists of
/// texts.
fn form_lists<'a>(reader: &mut Reader<'a>, media_type: &Node<'a>, form: &Type) -> Vec<FormList> {
    let encoding = media_type.members("encoding");
    // `encoding` cannot name members of a union; W0314 reports it.
    let Some(ModelKind::Struct(struct_)) = resolved_kind(reader, form) else { return Vec::new() };
    let mut lists = Vec::new();
    for field in struct_.fields {
        let said = encoding.iter().find(|(name, _)| *name == field.name.wire).and_then(|(_, said)| list_style(said));
        let Some(style) = said else { continue };
        let is_list = match style {
            ParameterStyle::DeepObject => holds_lists(reader, &field.value.ty),
            _ => is_list_of_texts(reader, &field.value.ty),
        };
        if is_list {
            lists.push(FormList { name: field.name.wire, style });
        }
    }
    lists
}

/// Whether the type contains lists, at any depth.
fn holds_lists(reader: &mut Reader<'_>, ty: &Type) -> bool {
    let mut seen = HashSet::default();
    let mut next = vec![ty.clone()];
    while let Some(ty) = next.pop() {
        match ty {
            Type::Array(_) | Type::Tuple(_) => return true,
            Type::Map(item) => next.push(item.ty),
            Type::Model(id) if seen.insert(id) => {
                build_model(reader, id);
                match reader.models.kind(id) {
                    Some(ModelKind::Alias(alias)) => next.push(alias.value.ty.clone()),
                    Some(ModelKind::Struct(struct_)) => {
                        next.extend(struct_.fields.iter().map(|field| field.value.ty.clone()));
                        next.extend(struct_.additional.iter().map(|rest| rest.value.ty.clone()));
                    }
                    Some(ModelKind::Union(union)) => {
                        next.extend(union.variants.iter().map(|variant| variant.value.ty.clone()));
                    }
                    Some(ModelKind::Enum(_)) | None => {}
                }
            }
            _ => {}
        }
    }
    false
}

/// Reports unsupported parts of `encoding`.
pub(crate) fn report_unused_encoding<'a>(resolver: &mut Resolver<'a>, media_type: &Node<'a>, kind: &ContentKind) {
    // For Swagger 2.0, the upgrade has reported it.
    if resolver.document.version == Version::Swagger2_0 {
        return;
    }
    for keyword in ["prefixEncoding", "itemEncoding"] {
        if let Some(node) = media_type.get(keyword) {
            resolver
                .report(Code::NotUsed, &node.location.name(), format!("`{keyword}` is not used"))
                .label("items and parts without names are not told apart");
        }
    }
    let schema = media_type.get("schema").map(|schema| resolved_schema(resolver, &schema));
    let members = schema.map(|schema| properties(&mut resolver.reporter, &schema).0).unwrap_or_default();
    for (name, encoding) in media_type.members("encoding") {
        let member = members.get(name).and_then(|nodes| nodes.first());
        let is_list = matches!(kind, ContentKind::Form(form) if form.lists.iter().any(|list| list.name == name));
        for (keyword, node) in encoding.own_members() {
            let is_style = ["style", "explode"].contains(&keyword);
            if keyword.starts_with("x-")
                || (is_list && is_style)
                || is_encoded_so(resolver, kind, &encoding, &node, keyword, member)
            {
                continue;
            }
            resolver.report(Code::NotUsed, &node.location.name(), format!("`{keyword}` of a member is not used"));
        }
    }
}

/// Whether generated code respects the keyword for a member.
fn is_encoded_so<'a>(
    resolver: &mut Resolver<'a>,
    kind: &ContentKind,
    encoding: &Node<'a>,
    said: &Node<'a>,
    keyword: &str,
    member: Option<&Node<'a>>,
) -> bool {
    let is_exploded = is_exploded(encoding);
    match (keyword, kind) {
        // Multipart handles these per part.
        ("contentType" | "headers", ContentKind::Multipart(_)) => true,
        ("allowReserved", ContentKind::Form(_) | ContentKind::Multipart(_)) => {
            said.value == &serde_json::Value::Bool(false)
        }
        ("explode", ContentKind::Form(_) | ContentKind::Multipart(_)) => is_exploded,
        ("style", ContentKind::Form(_) | ContentKind::Multipart(_)) if said.value == "form" => is_exploded,
        ("style", ContentKind::Form(_)) if said.value == DEEP_OBJECT => {
            let schema = member.map(|member| resolved_schema(resolver, member));
            schema.is_some_and(|schema| match types(&schema)[..] {
                [] => schema.parts.iter().any(|part| part.get("oneOf").or(part.get("anyOf")).is_some()),
                ref types => types.iter().all(|ty| [OBJECT, ARRAY].contains(ty)),
            })
        }
        ("contentType", ContentKind::Form(_)) => {
            let schema = member.map(|member| resolved_schema(resolver, member));
            let types = schema.map(|schema| types(&schema)).unwrap_or_default();
            let media_type = said.value.as_str().unwrap_or_default();
            match types[..] {
                // An untyped value is JSON in a text.
                [] => is_json(media_type),
                [OBJECT | ARRAY] => false,
                _ => media_type.starts_with("text/plain"),
            }
        }
        _ => false,
    }
}

/// The style that `encoding` gives to lists of a member; `None` for repeated pairs.
fn list_style(encoding: &Node<'_>) -> Option<ParameterStyle> {
    let style = match style(encoding) {
        Some(DEEP_OBJECT) => return Some(ParameterStyle::DeepObject),
        Some("spaceDelimited") => ParameterStyle::SpaceDelimited,
        Some("pipeDelimited") => ParameterStyle::PipeDelimited,
        Some("tabDelimited") => ParameterStyle::TabDelimited,
        Some(_) | None => ParameterStyle::Form,
    };
    (!is_exploded(encoding)).then_some(style)
}

/// `explode`, which is `true` by default only for `form`.
fn is_exploded(encoding: &Node<'_>) -> bool {
    match encoding.get("explode") {
        Some(explode) => explode.value != &serde_json::Value::Bool(false),
        None => style(encoding).is_none_or(|style| style == "form"),
    }
}

/// `style`, or `x-style`, which carries styles of Swagger 2.0 that OpenAPI 3.0 lacks.
fn style<'n>(encoding: &'n Node<'_>) -> Option<&'n str> {
    encoding.text("style").or_else(|| encoding.text("x-style"))
}
