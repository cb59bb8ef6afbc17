//! The crate with the operations as commands of a program, over the client crate.

mod command;
mod name;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::section::Section;
use super::{SourceFile, arguments, doc, mcp, scheme, ty};
use crate::ir::{Api, CredentialKind, SecurityScheme};
pub(crate) use name::groups;
use name::{Command, Group};

/// The files; `client` is the name of the client crate in code.
pub(crate) fn files<'api>(api: &'api Api, client: &'api str) -> Vec<SourceFile<'api>> {
    let mut files = vec![
        SourceFile::new("src/main.rs", move || program(api, &ty::ident(client))),
        SourceFile::new("src/commands.rs", move || list(&groups(api))),
        SourceFile::verbatim("src/arguments.json", schemas(api)),
        SourceFile::verbatim("src/about.md", mcp::instructions(api)),
    ];
    for group in groups(api) {
        let path = format!("src/commands/{}.rs", group.tag.module);
        files.push(SourceFile::new(path, move || command::group(api, &group, &ty::ident(client))));
    }
    files
}

/// The schemes whose credentials the client sends.
pub(crate) fn schemes(api: &Api) -> impl Iterator<Item = &SecurityScheme> {
    Section::paths(api).security_schemes().into_iter().filter(|scheme| scheme.kind != CredentialKind::Other)
}

/// The end of the name of the environment variable of a credential: `BEARER_AUTH`
pub(crate) fn variable(scheme: &SecurityScheme) -> String {
    scheme.name.rust.trim_start_matches("r#").trim_end_matches('_').to_uppercase()
}

/// `arguments.json`
fn schemas(api: &Api) -> String {
    let groups = groups(api);
    let commands = groups.iter().flat_map(|group| &group.commands);
    let commands: Vec<_> = commands.map(|Command { words, operation, .. }| (words.clone(), *operation)).collect();
    arguments::schemas(api, &commands)
}

/// `main.rs`
fn program(api: &Api, client: &Ident) -> TokenStream {
    let title = api.title.split_whitespace().collect::<Vec<_>>().join(" ");
    let about = doc::own_inner(&format!("The operations of {title} as commands."));
    let url = mcp::server(api).map_or_else(|| quote!(None), |url| quote!(Some(#url)));
    let credentials = schemes(api).map(|scheme| {
        let (constant, variable) = (scheme::name(scheme), variable(scheme));
        quote!(cli::Credential { scheme: &#client::security::#constant, variable: #variable })
    });
    quote! {
        #about

        use std::process::ExitCode;

        use specwright_runtime as runtime;
        use crate::runtime::cli;

        mod commands;

        static PROGRAM: cli::Program = cli::Program {
            name: env!("CARGO_BIN_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            agent: concat!(env!("CARGO_BIN_NAME"), "/", env!("CARGO_PKG_VERSION")),
            about: include_str!("about.md"),
            url: #url,
            credentials: &[#(#credentials),*],
            groups: commands::GROUPS,
            schemas: include_str!("arguments.json"),
        };

        fn main() -> ExitCode {
            cli::run(&PROGRAM)
        }
    }
}

/// `commands.rs`
fn list(groups: &[Group<'_>]) -> TokenStream {
    let about = doc::own_inner("The commands, by tag.");
    let modules: Vec<_> = groups.iter().map(|group| ty::ident(&group.tag.module)).collect();
    quote! {
        #about

        #(mod #modules;)*

        /// All commands.
        pub(crate) static GROUPS: &[crate::runtime::cli::Group] = &[#(#modules::GROUP),*];
    }
}
