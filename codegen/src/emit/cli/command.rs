//! The file of a group.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::name::{Command, Group};
use crate::emit::{arguments, doc, section};
use crate::ir::{Api, ContentKind, Method, Name, Operation, PageMembers, Type};

/// `commands/accounts.rs`
pub(super) fn group(api: &Api, group: &Group<'_>, client: &Ident) -> TokenStream {
    let Group { tag, name, commands } = group;
    let own = section::about(tag);
    let inner = doc::own_inner(&own);
    let name = name.as_ref().map_or_else(|| quote!(None), |name| quote!(Some(#name)));
    let about = tag.doc.as_deref().unwrap_or(&own);
    let commands = commands.iter().map(|command| {
        let Command { operation, name, words } = command;
        let route = format!("`{} {}`", operation.method.as_str(), operation.path);
        let text = doc::paragraphs([operation.summary.as_deref(), operation.doc.as_deref()]);
        let about = if text.is_empty() { route } else { text };
        let deprecated = operation.deprecated;
        let arguments = arguments::table(api, tag, operation, client);
        let page = page(api, operation);
        quote! {
            cli::Command {
                name: #name,
                words: #words,
                about: #about,
                deprecated: #deprecated,
                arguments: #arguments,
                page: #page,
            }
        }
    });
    quote! {
        #inner

        use crate::runtime::{arguments, cli};

        pub(super) const GROUP: cli::Group =
            cli::Group { name: #name, about: #about, commands: &[#(#commands),*] };
    }
}

/// Where a list has its items. One without `x-pagination` may have links to its pages.
fn page(api: &Api, operation: &Operation) -> TokenStream {
    let path = |names: &[Name]| {
        let names = names.iter().map(|name| &name.wire);
        quote!(&[#(#names),*])
    };
    match &operation.pagination {
        Some(pagination) => {
            let PageMembers { items, total, next } = &pagination.members;
            let value = |of_last| next.as_ref().filter(|next| next.is_of_last_item == of_last).map(|next| &next.value);
            let more = next.as_ref().and_then(|next| next.more.as_ref());
            let [items, total, next, last, more] = [Some(items), total.as_ref(), value(false), value(true), more]
                .map(|names| path(names.map(Vec::as_slice).unwrap_or_default()));
            quote!(Some(cli::Page { items: #items, total: #total, next: #next, last: #last, more: #more }))
        }
        None if operation.method == Method::GET && is_array(api, operation) => {
            quote!(Some(cli::Page { items: &[], total: &[], next: &[], last: &[], more: &[] }))
        }
        None => quote!(None),
    }
}

/// Whether the first success is a JSON array.
fn is_array(api: &Api, operation: &Operation) -> bool {
    let content = operation.responses.success.responses().iter().find_map(|response| response.contents.first());
    content.is_some_and(|content| match &content.kind {
        ContentKind::Json(value) => matches!(api.resolved(&value.ty), Type::Array(_)),
        _ => false,
    })
}
