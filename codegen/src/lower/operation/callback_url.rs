//! The keys of callbacks: expressions for URLs, in terms of the request and the response.

use super::Site;
use super::pagination::{is_of, is_text};
use crate::diagnostic::Code;
use crate::ir::{
    CallbackUrl, Content, ContentKind, Form, MemberPath, MemberStep, ModelKind, Parameter, RequestBody, Responses,
    Type, UrlPiece, Value, VariantMember,
};
use crate::lower::name;
use crate::lower::node::Node;
use crate::lower::reference::{follow, node_at};
use crate::lower::schema::alias::resolved_kind;
use crate::lower::schema::reader::Reader;

/// The values that expressions refer to.
struct Values<'v> {
    site: &'v Site<'v>,
    parameters: &'v [Parameter],
    request: Option<&'v RequestBody>,
    response: Option<&'v Value>,
}

/// The URLs of the operation's callbacks whose values are typed texts. Others are reported: their caller passes the URL.
pub(super) fn read_callback_urls(
    reader: &mut Reader<'_>,
    site: &Site<'_>,
    parameters: &[Parameter],
    body: Option<&RequestBody>,
    responses: &Responses,
) -> Vec<CallbackUrl> {
    let operation = node_at(reader.resolver.document, &site.location).filter(|_| !site.is_webhook);
    let Some(operation) = operation else { return Vec::new() };
    let response = responses.success.body().filter(|value| !value.nullable);
    let values = Values { site, parameters, request: body, response };
    let mut urls = Vec::new();
    let mut scope = name::Scope::reserving(&["new"]);
    for (callback, node) in operation.members("callbacks") {
        let Some(node) = follow(&mut reader.resolver, &node) else { continue };
        for (expression, item) in members(&node) {
            let location = item.location.name();
            let pieces = match pieces(reader, &values, expression) {
                Ok(pieces) => pieces,
                Err(unknown) => {
                    reader
                        .report(
                            Code::NotUsed,
                            &location,
                            format!("the URL of the callback `{callback}` is not computed"),
                        )
                        .label(format!("`{unknown}` is not one text of the request or the response"))
                        .help("the URL is passed to the method that sends the callback");
                    continue;
                }
            };
            // A fixed URL, or only a status, is not computed.
            if pieces.iter().any(UrlPiece::is_computed) {
                let rust = scope.claim(&format!("{}_url", name::snake(callback)), &[]);
                let (callback, expression) = (callback.to_owned(), expression.to_owned());
                urls.push(CallbackUrl { location, rust, callback, expression, pieces });
            }
        }
    }
    urls
}

fn members<'a>(callback: &Node<'a>) -> Vec<(&'a str, Node<'a>)> {
    callback.own_members().into_iter().filter(|(key, _)| !key.starts_with("x-")).collect()
}

/// The pieces of an expression, or what it refers to that is not a typed text.
fn pieces(reader: &mut Reader<'_>, values: &Values<'_>, expression: &str) -> Result<Vec<UrlPiece>, String> {
    let mut pieces = Vec::new();
    let mut rest = expression;
    while let Some((text, after)) = rest.split_once("{$") {
        let (inner, after) = after.split_once('}').ok_or_else(|| format!("{{${after}"))?;
        pieces.extend((!text.is_empty()).then(|| UrlPiece::Text(text.to_owned())));
        pieces.push(piece(reader, values, inner).ok_or_else(|| format!("${inner}"))?);
        rest = after;
    }
    pieces.extend((!rest.is_empty()).then(|| UrlPiece::Text(rest.to_owned())));
    Ok(pieces)
}

/// The text between braces after `$`.
fn piece(reader: &mut Reader<'_>, values: &Values<'_>, expression: &str) -> Option<UrlPiece> {
    match expression {
        "statusCode" => return Some(UrlPiece::Status),
        "method" => return Some(UrlPiece::Text(values.site.method.as_str().to_owned())),
        _ => {}
    }
    if let Some(pointer) = expression.strip_prefix("request.body#/") {
        return request_member(reader, values.request?, pointer);
    }
    if let Some(pointer) = expression.strip_prefix("response.body#/") {
        return Some(UrlPiece::ResponseMember(member(reader, Vec::new(), &values.response?.ty, pointer)?));
    }
    let (location, name) = expression.strip_prefix("request.")?.split_once('.')?;
    let parameter = values.parameters.iter().find(|parameter| {
        let own = &parameter.name.wire;
        let is_same = if location == "header" { own.eq_ignore_ascii_case(name) } else { own == name };
        parameter.location.word() == location && is_same
    })?;
    let path = MemberPath { steps: vec![MemberStep::of_parameter(parameter)], ty: parameter.value.ty.clone() };
    is_of(reader, &path.ty, is_text).then_some(UrlPiece::Parameter(path))
}

/// A member of the only content of a body, or of those of several that have it.
fn request_member(reader: &mut Reader<'_>, body: &RequestBody, pointer: &str) -> Option<UrlPiece> {
    if let [content] = body.contents.as_slice() {
        let value = read_whole(content)?;
        let start = MemberStep::of_body(body, value);
        return Some(UrlPiece::RequestMember(member(reader, vec![start], &value.ty, pointer)?));
    }
    let mut members = Vec::new();
    for (index, content) in body.contents.iter().enumerate() {
        let Some(value) = read_whole(content) else { continue };
        let Some(path) = member(reader, Vec::new(), &value.ty, pointer) else { continue };
        if value.nullable {
            return None;
        }
        members.push(VariantMember { content: index, path });
    }
    (!members.is_empty()).then_some(UrlPiece::VariantMember(members))
}

/// The value of a content that is read at once.
fn read_whole(content: &Content) -> Option<&Value> {
    match &content.kind {
        ContentKind::Json(value) | ContentKind::Form(Form { value, .. }) => Some(value),
        _ => None,
    }
}

/// The way to a typed text in a value, which `steps` lead to.
fn member(reader: &mut Reader<'_>, mut steps: Vec<MemberStep>, value: &Type, pointer: &str) -> Option<MemberPath> {
    let mut ty = value.clone();
    for token in pointer.split('/') {
        let token = token.replace("~1", "/").replace("~0", "~");
        let Some(ModelKind::Struct(struct_)) = resolved_kind(reader, &ty) else { return None };
        let field = struct_.fields.into_iter().find(|field| field.name.wire == token)?;
        steps.push(MemberStep { name: field.name, presence: field.presence });
        ty = field.value.ty;
    }
    is_of(reader, &ty, is_text).then_some(MemberPath { steps, ty })
}
