//! What makes an answer a page: how the next one is asked for, and where its items are.

use super::member::{self, Member};
use crate::emit::operation::response::{self, Success};
use crate::emit::{doc, feature, ty};
use crate::ir::{
    Api, Content, ContentKind, Default, ModelId, Name, Operation, Pagination, Response, Rule, Type, Value,
};
use printing::{Tokens, quote};

/// The length of a page when neither the caller nor the description says so.
const SIZE: u64 = 100;

/// A model that is a page.
pub(super) struct PageModel<'api> {
    pub(super) model: ModelId,
    members: Members<'api>,
}

/// Some model is a page.
pub(super) fn is_needed(api: &Api) -> bool {
    !pages(api).is_empty()
}

/// `pages.rs`
pub(super) fn list(api: &Api) -> Tokens {
    let about = doc::own_inner("The models that are pages of a list, one file each.");
    let modules = pages(api).into_iter().map(|page| ty::ident(&api.model(page.model).module));
    quote! {
        #about

        #(mod #modules;)*
    }
}

impl PageModel<'_> {
    /// The file of the page.
    pub(super) fn file(&self, api: &Api) -> Tokens {
        let model = api.model(self.model);
        let about = doc::own_inner(&format!("`{}` is a page.", model.name.wire.replace('`', "'")));
        let features = feature::inner(&model.features);
        let name = ty::model(model);
        let value = Value { ty: Type::Model(self.model), nullable: false, boxed: false, rules: Vec::new() };
        let place = Place { value: &value, expression: quote!(self), pattern: None };
        let page = implementation(api, &name, &self.members, &place);
        quote! {
            #about
            #features

            #page
        }
    }
}

/// The implementation for the type that is made for the operation's success, if there is one.
pub(super) fn of_operation(api: &Api, operation: &Operation) -> Option<Tokens> {
    let pagination = operation.pagination.as_ref()?;
    let name = ty::ident(&operation.responses.success_rust);
    let name = quote!(#name);
    match Success::of(operation) {
        Success::Nothing(_) | Success::Body(_) => None,
        Success::Struct(response) => {
            let place = Place { value: json(response)?, expression: quote!(self.body), pattern: None };
            implementation(api, &name, &Members::of(pagination), &place)
        }
        Success::Enum(responses) => {
            let (response, value) =
                responses.iter().find_map(|response| json(response).map(|value| (response, value)))?;
            let variant = ty::ident(&response.rust);
            let pattern = if response::has_fields(response) {
                quote!(Self::#variant { body, .. })
            } else {
                quote!(Self::#variant(body))
            };
            let place = Place { value, expression: quote!(body), pattern: Some(pattern) };
            implementation(api, &name, &Members::of(pagination), &place)
        }
    }
}

/// The field of the constant: `Pagination::PageNumber { … }`.
pub(super) fn pagination(operation: &Operation) -> Tokens {
    match &operation.pagination {
        None => quote!(client::Pagination::None),
        Some(Pagination::PageNumber { page, size, .. }) => {
            let first = default(operation, page).unwrap_or(1);
            let default_size = length(operation, size);
            quote! {
                client::Pagination::PageNumber { page: #page, first: #first, size: #size, default_size: #default_size }
            }
        }
        Some(Pagination::Offset { offset, limit, .. }) => {
            let default_limit = length(operation, limit);
            quote!(client::Pagination::Offset { offset: #offset, limit: #limit, default_limit: #default_limit })
        }
        Some(Pagination::Cursor { parameter, .. }) => quote!(client::Pagination::Cursor { parameter: #parameter }),
        Some(Pagination::Link { .. }) => quote!(client::Pagination::Link),
    }
}

/// Where the body is.
struct Place<'api> {
    value: &'api Value,
    expression: Tokens,
    /// Of an enum, the variant that has it.
    pattern: Option<Tokens>,
}

/// The members of a page that matter, for all operations that answer with it.
struct Members<'api> {
    items: &'api [Name],
    total: Option<&'api [Name]>,
    next: Option<&'api [Name]>,
}

impl<'api> Members<'api> {
    fn of(pagination: &'api Pagination) -> Self {
        match pagination {
            Pagination::PageNumber { items, total, .. } | Pagination::Offset { items, total, .. } => {
                Self { items, total: total.as_deref(), next: None }
            }
            Pagination::Cursor { items, next, .. } => Self { items, total: None, next: Some(next) },
            Pagination::Link { items } => Self { items, total: None, next: None },
        }
    }

    fn add(&mut self, other: &Self) {
        self.total = self.total.or(other.total);
        self.next = self.next.or(other.next);
    }
}

/// The models that some operation answers with, without anything around them; each once, however many do.
pub(super) fn pages(api: &Api) -> Vec<PageModel<'_>> {
    let mut pages: Vec<PageModel<'_>> = Vec::new();
    for operation in api.operations() {
        let (Some(pagination), Success::Body(response)) = (&operation.pagination, Success::of(operation)) else {
            continue;
        };
        let Some(value) = json(response).map(|value| ty::followed(api, value)) else { continue };
        let Value { ty: Type::Model(id), nullable: false, .. } = value else { continue };
        let members = Members::of(pagination);
        match pages.iter_mut().find(|page| page.model == id) {
            Some(page) => page.members.add(&members),
            None => pages.push(PageModel { model: id, members }),
        }
    }
    pages.sort_by_key(|page| page.model);
    pages
}

/// The value of a response that is JSON and nothing else.
fn json(response: &Response) -> Option<&Value> {
    match response.contents.as_slice() {
        [Content { kind: ContentKind::Json(value), .. }] => Some(value),
        _ => None,
    }
}

/// `impl Page for …`; none when the description names members that are not there.
fn implementation(api: &Api, name: &Tokens, members: &Members<'_>, place: &Place<'_>) -> Option<Tokens> {
    let Members { items, total, next } = *members;
    let items = find(api, place, items)?;
    let Type::Array(item) = &items.value().ty else { return None };
    let item = ty::value(api, item);
    let count = place.on(&items.count(), &quote!(0));
    let into_items = place.on(&items.items(), &quote!(Vec::new()));
    let total = total.and_then(|total| find(api, place, total)).and_then(|total| {
        let total = place.on(&total_of(&total)?, &quote!(None));
        Some(quote! {
            fn total(&self) -> Option<u64> {
                #total
            }
        })
    });
    let next = next.and_then(|next| find(api, place, next)).map(|next| {
        let next = place.on(&next.text(), &quote!(None));
        quote! {
            fn next(&self) -> Option<String> {
                #next
            }
        }
    });

    Some(quote! {
        impl client::Page for #name {
            type Item = #item;

            fn count(&self) -> usize {
                #count
            }

            #total
            #next

            fn into_items(self) -> Vec<Self::Item> {
                #into_items
            }
        }
    })
}

fn find<'api>(api: &'api Api, place: &Place<'api>, path: &[Name]) -> Option<Member<'api>> {
    member::find(api, place.value, place.expression.clone(), path)
}

impl Place<'_> {
    /// `expression` with the body at hand, or `otherwise` in the variants without it.
    fn on(&self, expression: &Tokens, otherwise: &Tokens) -> Tokens {
        match &self.pattern {
            None => expression.clone(),
            Some(pattern) => quote! {
                if let #pattern = self {
                    #expression
                } else {
                    #otherwise
                }
            },
        }
    }
}

/// The total as an `Option<u64>`; none for what is not a whole number.
fn total_of(total: &Member<'_>) -> Option<Tokens> {
    match total.value().ty {
        Type::Integer(kind) => Some(total.number(kind)),
        _ => None,
    }
}

/// What the description says that a parameter is when it is left out.
fn default(operation: &Operation, parameter: &str) -> Option<u64> {
    let parameter = operation.parameters.iter().find(|found| found.name.wire == parameter)?;
    match &parameter.default {
        Some(Default::Number(number)) => number.parse().ok(),
        Some(Default::Boolean(_) | Default::String(_) | Default::Variant(_) | Default::EmptyArray) | None => None,
    }
}

/// The default length of a page, or a usual one that the parameter allows.
fn length(operation: &Operation, parameter: &str) -> u64 {
    let declared = operation.parameters.iter().find(|found| found.name.wire == parameter);
    let rules = declared.map_or(&[][..], |parameter| parameter.value.rules.as_slice());
    let maximum = rules.iter().find_map(|rule| match rule {
        Rule::Maximum(maximum) => maximum.parse().ok(),
        _ => None,
    });
    default(operation, parameter).unwrap_or_else(|| maximum.map_or(SIZE, |maximum: u64| maximum.min(SIZE)))
}
