//! `encoding`, and how members of forms are serialized.

use foldhash::HashSet;

use super::media_type::is_json;
use super::parameter_shape::{has_form, is_list_of_texts, is_text};
use crate::diagnostic::Code;
use crate::ir::{
    ContentKind, Field, Form, FormMember, ModelKind, Multipart, ParameterEncoding, ParameterShape, ParameterStyle,
    TextForm, Type, Value,
};
use crate::lower::models::State;
use crate::lower::node::Node;
use crate::lower::reference::Resolver;
use crate::lower::schema::alias::{resolved_kind, without_aliases};
use crate::lower::schema::reader::Reader;
use crate::lower::schema::{build_model, value_at};
use crate::upgrade::Version;

/// The keywords that choose a style.
pub(super) const OF_STYLE: [&str; 3] = ["style", "explode", "allowReserved"];

/// The keywords for parts of multipart bodies.
const OF_PARTS: [&str; 4] = ["headers", "encoding", "prefixEncoding", "itemEncoding"];

/// Reads a form body.
pub(crate) fn read_form<'a>(reader: &mut Reader<'a>, schema: &Node<'a>, media_type: &Node<'a>, hint: &str) -> Form {
    let value = form_members(reader, schema, hint);
    let members = encoded_members(reader, media_type, &value.ty);
    Form { value, members }
}

/// An object with text members; a map of any values is one of texts.
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

/// The members that `encoding` writes in another way than every form does; what it says in vain is reported.
fn encoded_members<'a>(reader: &mut Reader<'a>, media_type: &Node<'a>, form: &Type) -> Vec<FormMember> {
    let mut encoding = media_type.members("encoding");
    // `encoding` cannot name members of a union.
    let fields = match resolved_kind(reader, form) {
        Some(ModelKind::Struct(struct_)) => struct_.fields,
        _ => Vec::new(),
    };
    let mut members = Vec::new();
    for field in &fields {
        let Some(index) = encoding.iter().position(|(name, _)| *name == field.name.wire) else { continue };
        let (_, encoding) = encoding.swap_remove(index);
        match encoded_member(reader, &encoding, field, &fields) {
            Ok(member) => members.extend(member),
            Err(Unsupported) if is_styled(&encoding) => report_unused(&mut reader.resolver, &encoding, &OF_STYLE),
            Err(Unsupported) => report_unused(&mut reader.resolver, &encoding, &["contentType"]),
        }
        report_unused(&mut reader.resolver, &encoding, &OF_PARTS);
    }
    for (_, encoding) in encoding {
        report_unused(&mut reader.resolver, &encoding, &OF_STYLE);
        report_unused(&mut reader.resolver, &encoding, &["contentType"]);
        report_unused(&mut reader.resolver, &encoding, &OF_PARTS);
    }
    write_as_json(reader, form, &members);
    members
}

/// The style or type of an `encoding` does not fit the member.
struct Unsupported;

/// How `encoding` writes a member; `None` if as every form does.
fn encoded_member(
    reader: &mut Reader<'_>,
    encoding: &Node<'_>,
    field: &Field,
    all: &[Field],
) -> Result<Option<FormMember>, Unsupported> {
    let ty = &field.value.ty;
    let (is_text, is_list) = (is_text(reader, ty), is_list_of_texts(reader, ty));
    let as_ = |encoding, spread| Some(FormMember { name: field.name.wire.clone(), encoding, spread });
    if !is_styled(encoding) {
        let said = encoding.text("contentType").unwrap_or_default();
        return match without_aliases(reader, &field.value).ty {
            _ if said.is_empty() => Ok(None),
            Type::Array(item) if is_json(said) && !matches!(without_aliases(reader, &item).ty, Type::Array(_)) => {
                Ok(as_(ParameterEncoding::JsonItems, Vec::new()))
            }
            _ if is_json(said) => Ok(as_(ParameterEncoding::Json, Vec::new())),
            // The text is in the media type.
            Type::Any => Ok(None),
            _ if is_text || is_list => Ok(None),
            _ => Err(Unsupported),
        };
    }
    let (style, explode, allow_reserved) = (style_of(encoding), is_exploded(encoding), encoding.flag("allowReserved"));
    let styled = |shape, spread| as_(ParameterEncoding::Style { style, explode, allow_reserved, shape }, spread);
    match style {
        ParameterStyle::DeepObject if is_text || *ty == Type::Any => Err(Unsupported),
        ParameterStyle::DeepObject if allow_reserved || holds_lists(reader, ty) => {
            Ok(styled(ParameterShape::Several, Vec::new()))
        }
        ParameterStyle::DeepObject => Ok(None),
        ParameterStyle::Form if is_text => Ok(styled(ParameterShape::Primitive, Vec::new()).filter(|_| allow_reserved)),
        ParameterStyle::Form if is_list && explode => {
            Ok(styled(ParameterShape::Array, Vec::new()).filter(|_| allow_reserved))
        }
        _ if is_list && !explode => Ok(styled(ParameterShape::Array, Vec::new())),
        ParameterStyle::Form if explode && *ty == Type::Any && !allow_reserved => Ok(None),
        ParameterStyle::Form if explode => {
            let names = names_of_texts(reader, ty, true).ok_or(Unsupported)?;
            let is_taken = |name: &String| all.iter().any(|other| other.name != field.name && other.name.wire == *name);
            if names.iter().any(is_taken) { Err(Unsupported) } else { Ok(styled(ParameterShape::Object, names)) }
        }
        _ if !explode && names_of_texts(reader, ty, false).is_some() => Ok(styled(ParameterShape::Object, Vec::new())),
        _ => Err(Unsupported),
    }
}

/// The names of the members of an object, each of which is a text, or a list of texts if that is allowed.
pub(super) fn names_of_texts(reader: &mut Reader<'_>, ty: &Type, with_lists: bool) -> Option<Vec<String>> {
    let Some(ModelKind::Struct(struct_)) = resolved_kind(reader, ty) else { return None };
    let mut names = Vec::new();
    for field in struct_.fields {
        let ty = &field.value.ty;
        if !(is_text(reader, ty) || with_lists && is_list_of_texts(reader, ty)) {
            return None;
        }
        names.push(field.name.wire);
    }
    match struct_.additional {
        // Members of the form may have these names.
        Some(_) if with_lists => None,
        Some(additional) if !is_text(reader, &additional.value.ty) => None,
        Some(_) | None => Some(names),
    }
}

/// Marks the members that are JSON in a text.
fn write_as_json(reader: &mut Reader<'_>, form: &Type, members: &[FormMember]) {
    let Type::Model(id) = without_aliases(reader, &Value::plain(form.clone())).ty else { return };
    let State::Built(built) = &mut reader.models.get_mut(id).state else { return };
    let ModelKind::Struct(struct_) = &mut built.kind else { return };
    for field in &mut struct_.fields {
        if members.iter().any(|member| member.is_json() && member.name == field.name.wire) {
            field.form = TextForm::Json;
        }
    }
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

/// Reports unsupported parts of `encoding`, except in forms and parts, which are reported where they are read.
pub(crate) fn report_unused_encoding<'a>(resolver: &mut Resolver<'a>, media_type: &Node<'a>, kind: &ContentKind) {
    let is_positional = matches!(kind, ContentKind::Multipart(Multipart { positional: true, .. }));
    for keyword in ["prefixEncoding", "itemEncoding"] {
        if let Some(node) = media_type.get(keyword).filter(|_| !is_positional) {
            resolver
                .report(Code::NotUsed, &node.location.name(), format!("`{keyword}` is not used"))
                .label("parts without names are typed in requests, in `multipart/mixed` for example");
        }
    }
    let named = match kind {
        ContentKind::Form(_) => return,
        ContentKind::Multipart(multipart) if !is_positional => {
            multipart.parts.iter().map(|part| part.field.name.wire.as_str()).collect()
        }
        _ => Vec::new(),
    };
    for (name, encoding) in media_type.members("encoding") {
        if !named.contains(&name) {
            report_unused(resolver, &encoding, &OF_STYLE);
            report_unused(resolver, &encoding, &["contentType", "headers"]);
        }
    }
}

/// Reports keywords of an `encoding`.
pub(super) fn report_unused<'a>(resolver: &mut Resolver<'a>, encoding: &Node<'a>, keywords: &[&str]) {
    // For Swagger 2.0, the upgrade has reported it.
    if resolver.document.version == Version::Swagger2_0 {
        return;
    }
    for keyword in keywords {
        let Some(node) = encoding.get(keyword) else { continue };
        if *keyword != "allowReserved" || encoding.flag(keyword) {
            resolver.report(Code::NotUsed, &node.location.name(), format!("`{keyword}` of a member is not used"));
        }
    }
}

/// Whether it has a style, so that its `contentType` has no meaning.
pub(super) fn is_styled(encoding: &Node<'_>) -> bool {
    OF_STYLE.iter().chain(&["x-style"]).any(|keyword| encoding.has(keyword))
}

/// `style`, or `x-style`, which carries styles of Swagger 2.0 that OpenAPI 3.0 lacks.
pub(super) fn style_of(encoding: &Node<'_>) -> ParameterStyle {
    match encoding.text("style").or_else(|| encoding.text("x-style")) {
        Some("deepObject") => ParameterStyle::DeepObject,
        Some("spaceDelimited") => ParameterStyle::SpaceDelimited,
        Some("pipeDelimited") => ParameterStyle::PipeDelimited,
        Some("tabDelimited") => ParameterStyle::TabDelimited,
        Some(_) | None => ParameterStyle::Form,
    }
}

/// `explode`, which is `true` by default only for `form`; `deepObject` has no other form.
pub(super) fn is_exploded(encoding: &Node<'_>) -> bool {
    let style = style_of(encoding);
    match encoding.get("explode") {
        _ if style == ParameterStyle::DeepObject => true,
        Some(explode) => explode.value != &serde_json::Value::Bool(false),
        None => style == ParameterStyle::Form,
    }
}
