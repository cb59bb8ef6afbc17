//! `x-pagination`, checked against the parameters and the response it names.

use super::Site;
use crate::diagnostic::{Code, nearest};
use crate::ir::{
    ContentKind, EnumValues, ForeignForm, ModelKind, Name, Pagination, Parameter, ParameterLocation, Responses, Type,
};
use crate::lower::Context;
use crate::lower::node::Node;

impl<'a> Context<'a> {
    /// How the pages of the list that the operation answers follow each other.
    pub(crate) fn pagination(
        &mut self,
        site: &Site<'_>,
        parameters: &[Parameter],
        responses: &Responses,
    ) -> Option<Pagination> {
        let node = self.node(&site.location.member("x-pagination"))?;
        let body = responses.success.iter().find_map(|response| match &response.contents.first()?.kind {
            ContentKind::Json(value) => Some(value.ty.clone()),
            _ => None,
        });
        let Some(body) = body else {
            self.report(Code::InvalidPagination, &node.location, "the operation answers no JSON that could be a page");
            return None;
        };
        let parameter = |context: &mut Self, key: &str| context.page_parameter(&node, key, parameters);
        match node.text("style") {
            Some("page-number") => {
                let (number, count) = (parameter(self, "page"), parameter(self, "size"));
                let (items, total) = (self.page_member(&node, "items", &body), self.page_total(&node, &body));
                Some(Pagination::PageNumber { page: number?, size: count?, items: items?, total })
            }
            Some("offset") => {
                let (offset, limit) = (parameter(self, "offset"), parameter(self, "limit"));
                let (items, total) = (self.page_member(&node, "items", &body), self.page_total(&node, &body));
                Some(Pagination::Offset { offset: offset?, limit: limit?, items: items?, total })
            }
            Some("cursor") => {
                let parameter = parameter(self, "parameter");
                let (next, items) = (self.page_member(&node, "next", &body), self.page_member(&node, "items", &body));
                Some(Pagination::Cursor { parameter: parameter?, next: next?, items: items? })
            }
            Some("link") => Some(Pagination::Link { items: self.page_member(&node, "items", &body)? }),
            _ => {
                self.report(Code::InvalidPagination, &node.location, "`x-pagination` has no `style` that is known")
                    .help("`page-number`, `offset`, `cursor` and `link` are");
                None
            }
        }
    }

    /// The parameter that a key of `x-pagination` names.
    fn page_parameter(&mut self, node: &Node<'a>, key: &str, parameters: &[Parameter]) -> Option<String> {
        let Some(name) = node.text(key) else {
            self.report(Code::InvalidPagination, &node.location, format!("`x-pagination` does not say `{key}`"))
                .help(format!("`{key}` names a query parameter of the operation"));
            return None;
        };
        let known: Vec<_> = parameters
            .iter()
            .filter(|parameter| parameter.location == ParameterLocation::Query)
            .map(|parameter| parameter.name.wire.as_str())
            .collect();
        if known.contains(&name) {
            return Some(name.to_owned());
        }
        let message = format!("the operation has no query parameter `{name}`");
        let diagnostic = self.report(Code::InvalidPagination, &node.location.member(key), message);
        if let Some(close) = nearest(name, known) {
            diagnostic.help(format!("did you mean `{close}`?"));
        }
        None
    }

    fn page_total(&mut self, node: &Node<'a>, body: &Type) -> Option<Vec<Name>> {
        if node.has("total") { self.page_member(node, "total", body) } else { None }
    }

    /// The members on the way that a key of `x-pagination` names: `Result`, or a pointer such as `/meta/next`. The empty
    /// pointer is the body itself.
    fn page_member(&mut self, node: &Node<'a>, key: &str, body: &Type) -> Option<Vec<Name>> {
        let Some(said) = node.text(key) else {
            self.report(Code::InvalidPagination, &node.location, format!("`x-pagination` does not say `{key}`"))
                .help(format!("`{key}` names a member of the response, such as `Result` or `/meta/next`"));
            return None;
        };
        let mut way = Vec::new();
        let mut ty = body.clone();
        for token in said.split('/').filter(|token| !token.is_empty()) {
            let place = node.location.member(key);
            let fields = self.fields_of(&ty);
            let Some((name, next)) = fields.iter().find(|(name, _)| name.wire == token) else {
                let diagnostic =
                    self.report(Code::InvalidPagination, &place, format!("the response has no member `{token}`"));
                if let Some(close) = nearest(token, fields.iter().map(|(name, _)| name.wire.as_str())) {
                    diagnostic.help(format!("did you mean `{close}`?"));
                }
                return None;
            };
            way.push(name.clone());
            ty = next.clone();
        }
        let (is_fit, what) = match key {
            "items" => (self.is_list(&ty), "the items of a page are an array"),
            "total" => (self.is_of(&ty, is_integer), "the number of all items is an integer"),
            _ => (self.is_of(&ty, is_text), "what the next page is asked for with is a text or a number"),
        };
        if !is_fit {
            self.report(Code::InvalidPagination, &node.location.member(key), what);
            return None;
        }
        Some(way)
    }

    fn fields_of(&mut self, ty: &Type) -> Vec<(Name, Type)> {
        match self.resolved_kind(ty) {
            Some(ModelKind::Struct(struct_)) => {
                struct_.fields.into_iter().map(|field| (field.name, field.value.ty)).collect()
            }
            Some(ModelKind::Enum(_) | ModelKind::Union(_) | ModelKind::Alias(_)) | None => Vec::new(),
        }
    }

    fn is_list(&mut self, ty: &Type) -> bool {
        self.is_of(ty, |ty| matches!(ty, Type::Array(_)))
    }

    /// The type is of that sort, by whatever name; an enum is what its values are.
    fn is_of(&mut self, ty: &Type, sort: fn(&Type) -> bool) -> bool {
        match self.resolved_kind(ty) {
            Some(ModelKind::Alias(alias)) => sort(&alias.value.ty),
            Some(ModelKind::Enum(enum_)) => sort(&match enum_.values {
                EnumValues::String(_) => Type::String,
                EnumValues::Integer(kind, _) => Type::Integer(kind),
            }),
            Some(ModelKind::Struct(_) | ModelKind::Union(_)) => false,
            None => sort(ty),
        }
    }
}

fn is_integer(ty: &Type) -> bool {
    matches!(ty, Type::Integer(_))
}

/// One text of which it is known what it is.
fn is_text(ty: &Type) -> bool {
    match ty {
        Type::Array(_) | Type::Map(_) | Type::Tuple(_) | Type::Any | Type::Model(_) | Type::Binary => false,
        Type::Foreign(foreign) => foreign.form() != ForeignForm::Json,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use crate::ir::Pagination;
    use crate::lower::testing::{Lowered, operation};

    fn lowered(pagination: &str) -> Lowered {
        operation(&format!("
            x-pagination: {pagination}
            parameters: [{{ name: page, in: query, schema: {{ type: integer }} }}, {{ name: size, in: query, schema: {{ type: integer }} }}]
            responses:
              '200':
                description: a
                content:
                  application/json:
                    schema:
                      properties:
                        Items: {{ type: array, items: {{ type: string }} }}
                        meta: {{ properties: {{ next: {{ type: string }}, total: {{ type: integer }} }} }}
        "))
    }

    #[test]
    fn every_style_is_found() {
        let lowered_page = lowered("{ style: page-number, page: page, size: size, items: Items, total: /meta/total }");
        let Some(Pagination::PageNumber { items, total: Some(total), .. }) = &lowered_page.only().pagination else {
            panic!("{:?}", lowered_page.problems)
        };
        assert_eq!((items[0].rust.as_str(), total[1].rust.as_str()), ("items", "total"));
        for style in [
            "{ style: offset, offset: page, limit: size, items: Items }",
            "{ style: cursor, parameter: page, next: meta/next, items: Items }",
            "{ style: link, items: Items }",
        ] {
            assert!(lowered(style).only().pagination.is_some(), "{style}");
        }
    }

    #[test]
    fn what_it_names_has_to_be_there() {
        let at = "E0319 /paths/~1/post/x-pagination";
        let cases = [
            ("{ style: page-number, page: pgae, size: size, items: Items }", "/page"),
            ("{ style: page-number, page: page, size: size, items: Itms }", "/items"),
            ("{ style: link, items: meta }", "/items"),
            ("{ style: cursor, parameter: page, next: meta, items: Items }", "/next"),
            ("{ style: cursor, parameter: page, next: Items, items: Items }", "/next"),
            ("{ style: page-number, page: page, size: size, items: Items, total: meta/next }", "/total"),
            ("{ style: link }", ""),
            ("{ style: pages }", ""),
        ];
        for (yaml, place) in cases {
            assert_eq!(lowered(yaml).problems, [format!("{at}{place}")], "{yaml}");
        }
    }
}
