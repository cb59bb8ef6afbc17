//! The servers of the description as a type.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::emit::{doc, ty};
use crate::ir::{Api, Server, ServerChoice, ServerPiece, ServerVariable};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The names of the types.
pub(super) fn names(api: &Api) -> Vec<Ident> {
    let own = (!api.server_choices.is_empty()).then(|| ty::ident("Server"));
    own.into_iter().chain(choices(api).into_keys().map(ty::ident)).collect()
}

/// `Server`: a struct with the variables of the only server, or an enum; and an enum for each list of values.
pub(super) fn types(api: &Api) -> TokenStream {
    let server = match &api.server_choices[..] {
        [] => return TokenStream::new(),
        [only] => struct_(only),
        servers => enum_(servers),
    };
    let choices = choices(api).into_values().map(|(choice, default)| values(choice, default));
    quote!(#server #(#choices)*)
}

/// The lists of values by their enums, each with its default.
fn choices(api: &Api) -> BTreeMap<&str, (&ServerChoice, &str)> {
    let variables = api.server_choices.iter().flat_map(|server| &server.variables);
    let choices = variables.filter_map(|variable| Some((variable.choice.as_ref()?, variable.default.as_str())));
    choices.map(|(choice, default)| (choice.rust.as_str(), (choice, default))).collect()
}

fn struct_(server: &Server) -> TokenStream {
    let text = text(server);
    let fields = server.variables.iter().map(|variable| {
        let field = field(variable);
        quote!(pub #field)
    });
    let docs = server.variables.iter().map(variable_doc);
    let names = server.variables.iter().map(|variable| ty::ident(&variable.rust));
    let defaults = defaults(server);
    let url = url(server);
    quote! {
        #text
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Server {
            #(#docs #fields,)*
        }

        impl Server {
            /// The URL, for [`Client::builder`].
            pub fn url(&self) -> String {
                let Self { #(#names),* } = self;
                #url
            }
        }

        impl Default for Server {
            fn default() -> Self {
                Self #defaults
            }
        }
    }
}

fn enum_(servers: &[Server]) -> TokenStream {
    let variants = servers.iter().map(|server| {
        let (text, rust) = (text(server), ty::ident(&server.rust));
        let fields = server.variables.iter().map(|variable| {
            let (doc, field) = (variable_doc(variable), field(variable));
            quote!(#doc #field,)
        });
        let fields = (!server.variables.is_empty()).then(|| quote!({ #(#fields)* }));
        quote!(#text #rust #fields,)
    });
    let urls = servers.iter().map(|server| {
        let (rust, url) = (ty::ident(&server.rust), url(server));
        let names = server.variables.iter().map(|variable| ty::ident(&variable.rust));
        let fields = (!server.variables.is_empty()).then(|| quote!({ #(#names),* }));
        quote!(Self::#rust #fields => #url,)
    });
    quote! {
        /// The servers of the description.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Server {
            #(#variants)*
        }

        impl Server {
            /// The URL, for [`Client::builder`].
            pub fn url(&self) -> String {
                match self {
                    #(#urls)*
                }
            }
        }
    }
}

fn text(server: &Server) -> TokenStream {
    let url = format!("`{}`", server.url.replace('`', "'"));
    doc::doc(&doc::paragraphs([server.doc.as_deref(), Some(&url)]))
}

fn variable_doc(variable: &ServerVariable) -> TokenStream {
    let default = format!("Default: `{}`.", variable.default.replace('`', "'"));
    doc::doc(&doc::paragraphs([variable.doc.as_deref(), (!variable.default.is_empty()).then_some(default.as_str())]))
}

fn field(variable: &ServerVariable) -> TokenStream {
    let rust = ty::ident(&variable.rust);
    let ty = ty::ident(variable.choice.as_ref().map_or("String", |choice| choice.rust.as_str()));
    quote!(#rust: #ty)
}

/// The variables with their defaults.
fn defaults(server: &Server) -> TokenStream {
    let fields = server.variables.iter().map(|ServerVariable { rust, default, choice, .. }| {
        let rust = ty::ident(rust);
        let variant = choice.as_ref().and_then(|choice| Some((choice, variant(choice, default)?)));
        match variant {
            Some((choice, variant)) => {
                let (choice, variant) = (ty::ident(&choice.rust), ty::ident(variant));
                quote!(#rust: #choice::#variant)
            }
            None if default.is_empty() => quote!(#rust: String::new()),
            None => quote!(#rust: #default.to_owned()),
        }
    });
    quote!({ #(#fields),* })
}

fn variant<'a>(choice: &'a ServerChoice, value: &str) -> Option<&'a str> {
    choice.values.iter().find(|(of, _)| of == value).map(|(_, variant)| variant.as_str())
}

/// The URL with the variables, which are in scope by their names.
fn url(server: &Server) -> TokenStream {
    let mut format = String::new();
    let mut arguments = Vec::new();
    for piece in &server.pieces {
        match piece {
            ServerPiece::Literal(text) => format.push_str(&text.replace('{', "{{").replace('}', "}}")),
            ServerPiece::Variable(index) => {
                let ServerVariable { rust, choice, .. } = &server.variables[*index];
                if choice.is_some() {
                    let name = ty::ident(rust);
                    format.push_str("{}");
                    arguments.push(quote!(#name.as_str()));
                } else {
                    let _ = write!(format, "{{{}}}", rust.trim_start_matches("r#"));
                }
            }
        }
    }
    if let [ServerPiece::Literal(text)] = &server.pieces[..] {
        return quote!(#text.to_owned());
    }
    quote!(format!(#format #(, #arguments)*))
}

/// The enum of a variable.
fn values(choice: &ServerChoice, default: &str) -> TokenStream {
    let name = ty::ident(&choice.rust);
    let variants = choice.values.iter().map(|(value, variant)| {
        let default = (value == default).then(|| quote!(#[default]));
        let text =
            if value.is_empty() { "An empty text.".to_owned() } else { format!("`{}`", value.replace('`', "'")) };
        let (doc, variant) = (doc::own(&text), ty::ident(variant));
        quote!(#doc #default #variant,)
    });
    let texts = choice.values.iter().map(|(value, variant)| {
        let variant = ty::ident(variant);
        quote!(Self::#variant => #value,)
    });
    quote! {
        /// A part of the URL of a [`Server`].
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum #name {
            #(#variants)*
        }

        impl #name {
            /// The text in the URL.
            pub fn as_str(self) -> &'static str {
                match self {
                    #(#texts)*
                }
            }
        }
    }
}
