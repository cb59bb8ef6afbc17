//! `x-pagination`, checked against the parameters and the response.

use super::Site;
use crate::diagnostic::{Code, nearest};
use crate::ir::{
    ContentKind, Default, ForeignForm, ModelKind, Name, NextPage, PageMembers, PageSize, Pagination, PaginationStyle,
    Parameter, ParameterLocation, Responses, Rule, Type, Value,
};
use crate::lower::node::Node;
use crate::lower::reference::node_at;
use crate::lower::reporter::Reporter;
use crate::lower::schema::alias::{resolved_kind, without_aliases};
use crate::lower::schema::all_of::resolved_schema;
use crate::lower::schema::reader::Reader;

/// Reads how the operation's list is paginated.
pub(crate) fn read_pagination(
    reader: &mut Reader<'_>,
    site: &Site<'_>,
    parameters: &[Parameter],
    responses: &Responses,
) -> Option<Pagination> {
    let node = node_at(reader.resolver.document, &site.location.member("x-pagination"))?;
    let body = responses.success.responses().iter().find_map(|response| match &response.contents.first()?.kind {
        ContentKind::Json(value) => Some(value.ty.clone()),
        _ => None,
    });
    let Some(body) = body else {
        reader.report(Code::InvalidPagination, &node.location, "the operation answers no JSON that could be a page");
        return None;
    };
    let parameter =
        |reader: &mut Reader<'_>, key: &str| page_parameter(&mut reader.resolver.reporter, &node, key, parameters);
    match node.text("style") {
        Some("page-number") => {
            let (number, count) = (parameter(reader, "page"), parameter(reader, "size"));
            let (items, total) = (page_member(reader, &node, "items", &body), page_total(reader, &node, &body));
            let (number, count) = (number?, count?);
            let style = PaginationStyle::PageNumber {
                page: number.name.wire.clone(),
                first: first_page(reader, number),
                size: count.name.wire.clone(),
                default_size: default_length(reader, count),
            };
            Some(Pagination { style, members: PageMembers { items: items?, total, next: None } })
        }
        Some("offset") => {
            let (offset, limit) = (parameter(reader, "offset"), parameter(reader, "limit"));
            let (items, total) = (page_member(reader, &node, "items", &body), page_total(reader, &node, &body));
            let (offset, limit) = (offset?, limit?);
            let style = PaginationStyle::Offset {
                offset: offset.name.wire.clone(),
                limit: limit.name.wire.clone(),
                default_limit: default_length(reader, limit),
            };
            Some(Pagination { style, members: PageMembers { items: items?, total, next: None } })
        }
        Some("cursor") => {
            let parameter = parameter(reader, "parameter");
            let items = member_at(reader, &node, "items", &body);
            let next = next_page(reader, &node, &body, items.as_ref());
            let style = PaginationStyle::Cursor { parameter: parameter?.name.wire.clone() };
            Some(Pagination { style, members: PageMembers { items: items?.0, total: None, next: Some(next?) } })
        }
        Some("url") => {
            let (value, items) =
                (page_member(reader, &node, "next", &body), page_member(reader, &node, "items", &body));
            let next = NextPage { value: value?, is_of_last_item: false, more: None };
            let members = PageMembers { items: items?, total: None, next: Some(next) };
            Some(Pagination { style: PaginationStyle::Url, members })
        }
        Some("link") => {
            let items = page_member(reader, &node, "items", &body)?;
            let members = PageMembers { items, total: None, next: None };
            Some(Pagination { style: PaginationStyle::Link, members })
        }
        _ => {
            reader
                .report(Code::InvalidPagination, &node.location, "`x-pagination` has no `style` that is known")
                .help("`page-number`, `offset`, `cursor`, `url` and `link` are");
            None
        }
    }
}

/// The parameter named by a key of `x-pagination`.
fn page_parameter<'p>(
    reporter: &mut Reporter<'_>,
    node: &Node<'_>,
    key: &str,
    parameters: &'p [Parameter],
) -> Option<&'p Parameter> {
    let Some(name) = node.text(key) else {
        reporter
            .report(Code::InvalidPagination, &node.location, format!("`x-pagination` does not say `{key}`"))
            .help(format!("`{key}` names a query parameter of the operation"));
        return None;
    };
    let mut in_query = parameters.iter().filter(|parameter| parameter.location == ParameterLocation::Query);
    let known = in_query.clone().map(|parameter| parameter.name.wire.as_str());
    if let Some(parameter) = in_query.find(|parameter| parameter.name.wire == name) {
        return Some(parameter);
    }
    let message = format!("the operation has no query parameter `{name}`");
    let diagnostic = reporter.report(Code::InvalidPagination, &node.location.member(key), message);
    if let Some(close) = nearest(name, known) {
        diagnostic.help(format!("did you mean `{close}`?"));
    }
    None
}

/// The default of a parameter.
fn default(parameter: &Parameter) -> Option<u64> {
    parameter.default.as_ref().and_then(number_of)
}

fn number_of(default: &Default) -> Option<u64> {
    match default {
        Default::Number(number) => number.parse().ok(),
        Default::OfVariant(_, own) => number_of(own),
        Default::Boolean(_) | Default::String(_) | Default::Variant(_) | Default::Array(_) => None,
    }
}

/// The number of the first page: the default, or the minimum if it is that of usual numbers.
fn first_page(reader: &mut Reader<'_>, parameter: &Parameter) -> u64 {
    // Not from the rules: a minimum of 0 is none for an unsigned integer.
    let minimum = || {
        let node = node_at(reader.resolver.document, &parameter.written.as_ref()?.member("schema"))?;
        let schema = resolved_schema(&mut reader.resolver, &node);
        let mut parts = schema.parts.iter().filter(|part| !part.flag("exclusiveMinimum"));
        parts.find_map(|part| part.count("minimum")).filter(|minimum| *minimum < 2)
    };
    default(parameter).or_else(minimum).unwrap_or(1)
}

/// The default page size, or a common one that the parameter allows.
fn default_length(reader: &mut Reader<'_>, parameter: &Parameter) -> PageSize {
    const USUAL: u64 = 100;
    if let Some(default) = default(parameter) {
        return PageSize::Described(default);
    }
    let rules = without_aliases(reader, &parameter.value).rules;
    let maximum = rules.iter().find_map(|rule| match rule {
        Rule::Maximum(maximum) => maximum.parse().ok(),
        _ => None,
    });
    PageSize::Assumed(maximum.map_or(USUAL, |maximum: u64| maximum.min(USUAL)))
}

fn page_total<'a>(reader: &mut Reader<'a>, node: &Node<'a>, body: &Type) -> Option<Vec<Name>> {
    if node.has("total") { page_member(reader, node, "total", body) } else { None }
}

/// The cursor of the next page: `next`, or `last`, a member of the last item.
fn next_page<'a>(
    reader: &mut Reader<'a>,
    node: &Node<'a>,
    body: &Type,
    items: Option<&(Vec<Name>, Type)>,
) -> Option<NextPage> {
    let is_of_last_item = node.has("last");
    let value =
        if is_of_last_item { last_member(reader, node, items?) } else { page_member(reader, node, "next", body) };
    let more = if node.has("more") { Some(page_member(reader, node, "more", body)?) } else { None };
    Some(NextPage { value: value?, is_of_last_item, more })
}

/// The member of an item that `last` names.
fn last_member<'a>(reader: &mut Reader<'a>, node: &Node<'a>, (items, ty): &(Vec<Name>, Type)) -> Option<Vec<Name>> {
    if items.is_empty() {
        let message = "`last` is not supported if the items are the whole response";
        reader.report(Code::InvalidPagination, &node.location.member("last"), message);
        return None;
    }
    match without_aliases(reader, &Value::plain(ty.clone())).ty {
        Type::Array(item) => page_member(reader, node, "last", &item.ty),
        _ => None,
    }
}

/// The path of members named by a key of `x-pagination`: `Result`, or a pointer such as `/meta/next`. The
/// empty pointer is the body itself.
fn page_member<'a>(reader: &mut Reader<'a>, node: &Node<'a>, key: &str, body: &Type) -> Option<Vec<Name>> {
    member_at(reader, node, key, body).map(|(way, _)| way)
}

/// The same, with the type of the member.
fn member_at<'a>(reader: &mut Reader<'a>, node: &Node<'a>, key: &str, body: &Type) -> Option<(Vec<Name>, Type)> {
    let Some(said) = node.text(key) else {
        reader
            .report(Code::InvalidPagination, &node.location, format!("`x-pagination` does not say `{key}`"))
            .help(format!("`{key}` names a member of the response, such as `Result` or `/meta/next`"));
        return None;
    };
    let mut way = Vec::new();
    let mut ty = body.clone();
    for token in said.split('/').filter(|token| !token.is_empty()) {
        let place = node.location.member(key);
        let fields = fields_of(reader, &ty);
        let Some((name, next)) = fields.iter().find(|(name, _)| name.wire == token) else {
            let whole = if key == "last" { "an item" } else { "the response" };
            let diagnostic = reader.report(Code::InvalidPagination, &place, format!("{whole} has no member `{token}`"));
            if let Some(close) = nearest(token, fields.iter().map(|(name, _)| name.wire.as_str())) {
                diagnostic.help(format!("did you mean `{close}`?"));
            }
            return None;
        };
        way.push(name.clone());
        ty = next.clone();
    }
    let (is_fit, what) = match key {
        "items" => (is_list(reader, &ty), "the items of a page are an array"),
        "total" => (is_of(reader, &ty, is_integer), "the number of all items is an integer"),
        "more" => (is_of(reader, &ty, |ty| *ty == Type::Boolean), "whether there is a next page is a boolean"),
        // It is not an item itself: a list of texts has no members.
        "last" if way.is_empty() => (false, "the value that requests the next page is a member of the last item"),
        _ => (is_of(reader, &ty, is_text), "the value that requests the next page must be a string or a number"),
    };
    if !is_fit {
        reader.report(Code::InvalidPagination, &node.location.member(key), what);
        return None;
    }
    Some((way, ty))
}

/// The members of a struct.
pub(super) fn fields_of(reader: &mut Reader<'_>, ty: &Type) -> Vec<(Name, Type)> {
    match resolved_kind(reader, ty) {
        Some(ModelKind::Struct(struct_)) => {
            struct_.fields.into_iter().map(|field| (field.name, field.value.ty)).collect()
        }
        Some(ModelKind::Enum(_) | ModelKind::Union(_) | ModelKind::Alias(_)) | None => Vec::new(),
    }
}

fn is_list(reader: &mut Reader<'_>, ty: &Type) -> bool {
    is_of(reader, ty, |ty| matches!(ty, Type::Array(_)))
}

/// Whether the type behind aliases has this kind; an enum has that of its values.
pub(super) fn is_of(reader: &mut Reader<'_>, ty: &Type, sort: fn(&Type) -> bool) -> bool {
    match resolved_kind(reader, ty) {
        Some(ModelKind::Alias(alias)) => sort(&alias.value.ty),
        Some(ModelKind::Enum(enum_)) => sort(&enum_.ty()),
        Some(ModelKind::Struct(_) | ModelKind::Union(_)) => false,
        None => sort(ty),
    }
}

fn is_integer(ty: &Type) -> bool {
    matches!(ty, Type::Integer(_))
}

/// Whether it is a typed text.
pub(super) fn is_text(ty: &Type) -> bool {
    match ty {
        Type::Array(_) | Type::Map(_) | Type::Tuple(_) | Type::Any | Type::Model(_) | Type::Binary => false,
        Type::Foreign(foreign) => foreign.form() != ForeignForm::Json,
        _ => true,
    }
}
