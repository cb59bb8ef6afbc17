//! What makes an answer a page: how the next one is asked for, and where its items are.

use crate::emit::member::{self, Member};
use crate::emit::operation::response;
use crate::emit::{doc, feature, ty};
use crate::ir::{
    Api, Name, NextPage, Operation, PageMembers, PageModel, PageSize, Pagination, PaginationStyle, Success, Type, Value,
};
use proc_macro2::TokenStream;
use quote::quote;

/// `pages.rs`
pub(super) fn list(api: &Api) -> TokenStream {
    let about = doc::own_inner("The models that are pages of a list, one file each.");
    let modules = api.pages.iter().map(|page| ty::ident(&api.model(page.model).module));
    quote! {
        #about

        #(mod #modules;)*
    }
}

/// The file of a page.
pub(super) fn file(api: &Api, page: &PageModel) -> TokenStream {
    let model = api.model(page.model);
    let about = doc::own_inner(&format!("`{}` is a page.", model.name.wire.replace('`', "'")));
    let features = feature::inner(&model.features);
    let name = ty::model(model);
    let value = Value::plain(Type::Model(page.model));
    let place = Place { value: &value, expression: quote!(self), pattern: None };
    let page = implementation(api, &name, &page.members, &place);
    quote! {
        #about
        #features

        #page
    }
}

/// The implementation for the type that is made for the operation's success, if there is one.
pub(super) fn of_operation(api: &Api, operation: &Operation) -> Option<TokenStream> {
    let pagination = operation.pagination.as_ref()?;
    match &operation.responses.success {
        Success::Nothing(_) | Success::Body(_) => None,
        Success::Struct { rust, response } => {
            let place = Place { value: response.json()?, expression: quote!(self.body), pattern: None };
            implementation(api, &made(rust), &pagination.members, &place)
        }
        Success::Enum { rust, responses } => {
            let (response, value) =
                responses.iter().find_map(|response| response.json().map(|value| (response, value)))?;
            let variant = ty::ident(&response.rust);
            let pattern = if response::has_fields(response) {
                quote!(Self::#variant { body, .. })
            } else {
                quote!(Self::#variant(body))
            };
            let place = Place { value, expression: quote!(body), pattern: Some(pattern) };
            implementation(api, &made(rust), &pagination.members, &place)
        }
    }
}

/// The name of a type that is made for an operation, as its file writes it.
fn made(rust: &str) -> TokenStream {
    let name = ty::ident(rust);
    quote!(#name)
}

/// The field of the constant: `Pagination::PageNumber { … }`.
pub(super) fn pagination(operation: &Operation) -> TokenStream {
    let Some(Pagination { style, .. }) = &operation.pagination else { return quote!(client::Pagination::None) };
    match style {
        PaginationStyle::PageNumber { page, first, size, default_size } => {
            let (first, default_size) = (ty::number(first), page_size(*default_size));
            quote! {
                client::Pagination::PageNumber { page: #page, first: #first, size: #size, default_size: #default_size }
            }
        }
        PaginationStyle::Offset { offset, limit, default_limit } => {
            let default_limit = page_size(*default_limit);
            quote!(client::Pagination::Offset { offset: #offset, limit: #limit, default_limit: #default_limit })
        }
        PaginationStyle::Cursor { parameter } => quote!(client::Pagination::Cursor { parameter: #parameter }),
        PaginationStyle::Url => quote!(client::Pagination::Url),
        PaginationStyle::Link => quote!(client::Pagination::Link),
    }
}

fn page_size(size: PageSize) -> TokenStream {
    match size {
        PageSize::Described(number) => {
            let number = ty::number(number);
            quote!(client::PageSize::Described(#number))
        }
        PageSize::Assumed(number) => {
            let number = ty::number(number);
            quote!(client::PageSize::Assumed(#number))
        }
    }
}

/// Where the body is.
struct Place<'api> {
    value: &'api Value,
    expression: TokenStream,
    /// Of an enum, the variant that has it.
    pattern: Option<TokenStream>,
}

/// `impl Page for …`; none when the description names members that are not there.
fn implementation(api: &Api, name: &TokenStream, members: &PageMembers, place: &Place<'_>) -> Option<TokenStream> {
    let PageMembers { items, total, next } = members;
    let items = find(api, place, items)?;
    let Type::Array(of_item) = items.ty() else { return None };
    let item = ty::value(api, of_item);
    let count = place.on(&items.count(), &quote!(0));
    let into_items = place.on(&items.items(), &quote!(Vec::new()));
    let total = total.as_ref().and_then(|total| find(api, place, total)).and_then(|total| {
        let total = place.on(&total_of(&total)?, &quote!(None));
        Some(quote! {
            fn total(&self) -> Option<u64> {
                #total
            }
        })
    });
    let next = next.as_ref().and_then(|next| next_of(api, place, &items, next)).map(|next| {
        let next = place.on(&next, &quote!(None));
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

/// The value that requests the next page, as an `Option<String>`.
fn next_of(api: &Api, place: &Place<'_>, items: &Member<'_>, next: &NextPage) -> Option<TokenStream> {
    let NextPage { value, is_of_last_item, more } = next;
    let value = match items.ty() {
        Type::Array(item) if *is_of_last_item => member::find(api, item, quote!(item), value)?.text_in(&items.last()),
        _ => find(api, place, value)?.text(),
    };
    let Some(more) = more else { return Some(value) };
    let more = find(api, place, more)?.flag();
    Some(quote!(if #more { #value } else { None }))
}

fn find<'api>(api: &'api Api, place: &Place<'api>, path: &[Name]) -> Option<Member<'api>> {
    member::find(api, place.value, place.expression.clone(), path)
}

impl Place<'_> {
    /// `expression` with the body at hand, or `otherwise` in the variants without it.
    fn on(&self, expression: &TokenStream, otherwise: &TokenStream) -> TokenStream {
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
fn total_of(total: &Member<'_>) -> Option<TokenStream> {
    match total.ty() {
        Type::Integer(kind) => Some(total.number(*kind)),
        _ => None,
    }
}
