//! Multipart bodies, which one side fills and the other reads part by part.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use specwright::Side;
use specwright::ir::{Multipart, Part, PartKind, Presence, Rule, Tag};

use super::ident;

/// Fills the body `rust` on this side. `place` is where a part stands in the description.
pub(super) fn filled(
    side: Side,
    tag: &Tag,
    multipart: &Multipart,
    rust: &str,
    place: impl Fn(&Part) -> TokenStream,
) -> TokenStream {
    let (crate_, stage) = of(side);
    let bounds = bounds(multipart);
    let mut optional = 0_usize..;
    let mut fields = Vec::new();
    for part in &multipart.parts {
        let (field, place) = (ident(&part.field.name.rust), place(part));
        let one = one(side, part, &place);
        let is_counted = bounds.is_some() && !is_required(part);
        let chosen = is_counted.then(|| optional.next()).flatten();
        let value = if part.repeated {
            let count = quote!(#stage.count(#place)?);
            let chosen = chosen.map(|index| quote!(if chosen[#index] { #count.max(1) } else { 0 }));
            let count = chosen.unwrap_or(count);
            quote! {{
                let mut parts = Vec::new();
                for _ in 0..#count {
                    parts.push(#one);
                }
                parts
            }}
        } else if is_required(part) {
            one
        } else if multipart.positional {
            // Without it, the next one would be at its position.
            quote!(Some(#one))
        } else {
            let is_left_out = quote!(#stage.leaves_out(#place));
            let is_left_out = chosen.map_or(is_left_out, |index| quote!(!chosen[#index]));
            quote!(if #is_left_out { None } else { Some(#one) })
        };
        fields.push(quote!(#field: #value,));
    }
    let (module, name) = (ident(&tag.module), ident(rust));
    let body = quote!(#crate_::#module::#name { #(#fields)* });
    let Some((least, most)) = bounds else { return body };
    let (count, required) = (optional.start, multipart.parts.iter().filter(|part| is_required(part)).count());
    let (least, most) = (least.saturating_sub(required), most.saturating_sub(required));
    quote! {{
        let chosen = #stage.choose(#count, #least, #most);
        #body
    }}
}

/// The least and the greatest number of different parts, if there is a rule.
fn bounds(multipart: &Multipart) -> Option<(usize, usize)> {
    let mut bounds = None;
    for rule in multipart.rules.iter().filter(|_| !multipart.positional) {
        let (least, most) = bounds.unwrap_or((0, usize::MAX));
        let number = |count: &u64| usize::try_from(*count).unwrap_or(usize::MAX);
        match rule {
            Rule::MinProperties(count) => bounds = Some((number(count), most)),
            Rule::MaxProperties(count) => bounds = Some((least, number(count))),
            _ => {}
        }
    }
    bounds
}

/// One part with the name.
fn one(side: Side, part: &Part, place: &TokenStream) -> TokenStream {
    let (crate_, stage) = of(side);
    let make = ident(if side == Side::Client { "sent" } else { "answer" });
    let file = ident(if side == Side::Client { "sends_file" } else { "answers_file" });
    let headers = part.headers.iter().filter(|header| header.required);
    match part.kind {
        PartKind::File => {
            // A file of no declared type would be refused.
            let range = part.content_types.first().map_or("*/*", String::as_str);
            let media_type = range.replacen("*/", "application/", 1).replacen('*', "x-wire", 1);
            let headers = headers.map(|header| &header.name);
            quote! {{
                let (name, bytes) = #stage.#file(#place, #media_type);
                let part = #crate_::runtime::multipart::Part::bytes(name, bytes);
                part.content_type(#media_type) #(.header(#headers, "1"))*
            }}
        }
        PartKind::Text | PartKind::Json if part.has_headers() => {
            let headers = headers.map(|header| header.name.to_ascii_lowercase());
            quote! {{
                let value = #make(&#stage, #place)?;
                let mut part = #crate_::runtime::multipart::WithHeaders { value, headers: Default::default() };
                #(part.headers.insert(#headers, "1".parse().map_err(|_| wire::Failed)?);)*
                part
            }}
        }
        PartKind::Text | PartKind::Json => quote!(#make(&#stage, #place)?),
    }
}

/// Notes the parts of `body` on this side; `failed` converts an error.
pub(super) fn noted(
    side: Side,
    tag: &Tag,
    multipart: &Multipart,
    body: &TokenStream,
    failed: &TokenStream,
    place: impl Fn(&Part) -> TokenStream,
) -> TokenStream {
    let (crate_, _) = of(side);
    let (module, name) = (ident(&tag.module), ident(&multipart.part_rust));
    let note = if let Some(item) = multipart.item() {
        note(side, item, failed, &place(item))
    } else {
        let arms = multipart.parts.iter().map(|part| {
            let (variant, note) = (ident(&part.variant), note(side, part, failed, &place(part)));
            quote!(#crate_::#module::#name::#variant(part) => { #note })
        });
        quote!(match part { #(#arms)* })
    };
    quote! {
        let mut parts = #body;
        while let Some(part) = parts.next().await #failed? {
            #note
        }
    }
}

/// Notes the value of `part`.
fn note(side: Side, part: &Part, failed: &TokenStream, place: &TokenStream) -> TokenStream {
    let (_, stage) = of(side);
    let verb = if side == Side::Client { "seen" } else { "received" };
    let (value, file) = (format_ident!("{verb}"), format_ident!("{verb}_file"));
    match part.kind {
        PartKind::File => quote! {
            let (name, media_type) = (
                part.file_name().map(str::to_owned),
                part.content_type().map(str::to_owned),
            );
            let bytes = part.bytes(1 << 20).await #failed?;
            #stage.#file(#place, name.as_deref(), media_type.as_deref(), &bytes);
        },
        PartKind::Text | PartKind::Json if part.has_headers() => quote!(#stage.#value(#place, &part.value);),
        PartKind::Text | PartKind::Json => quote!(#stage.#value(#place, &part);),
    }
}

/// The crate of a side, and its stage.
fn of(side: Side) -> (TokenStream, TokenStream) {
    match side {
        Side::Client | Side::Models => (quote!(client_crate), quote!(stage)),
        Side::Server => (quote!(server_crate), quote!(self.stage)),
    }
}

fn is_required(part: &Part) -> bool {
    match part.field.presence {
        Presence::Required => true,
        Presence::Nullable | Presence::Optional | Presence::OptionalNullable => false,
    }
}
