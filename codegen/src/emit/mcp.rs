//! The crate that serves the operations as tools of the Model Context Protocol, over the client crate.

mod program;
mod tool;

use proc_macro2::TokenStream;
use quote::quote;

use super::{SourceFile, arguments, doc, section, ty};
use crate::ir::{Api, Operation, Tag, Tool};

/// The files; `client` is the name of the client crate in code, and `name` the base name of both.
pub(crate) fn files<'api>(api: &'api Api, name: &'api str, client: &'api str) -> Vec<SourceFile<'api>> {
    let mut files = vec![
        SourceFile::new("src/main.rs", move || program::program(api, name, client)),
        SourceFile::new("src/tools.rs", move || list(api)),
        SourceFile::verbatim("src/arguments.json", schemas(api)),
        SourceFile::verbatim("src/instructions.md", program::instructions(api)),
    ];
    for tag in tags(api) {
        files.push(SourceFile::new(format!("src/tools/{}.rs", tag.module), move || file(api, tag, client)));
    }
    files
}

/// The settings that a program takes for its credentials.
pub(crate) use program::{Setting, instructions, server, settings, url_variable};

/// The tags with a tool.
fn tags(api: &Api) -> impl Iterator<Item = &Tag> {
    api.tags.iter().filter(|tag| tools(tag).next().is_some())
}

/// The tools of a tag.
pub(crate) fn tools(tag: &Tag) -> impl Iterator<Item = (&Operation, &Tool)> {
    tag.operations.iter().filter_map(|operation| Some((operation, operation.tool.as_ref()?)))
}

/// `arguments.json`
fn schemas(api: &Api) -> String {
    let tools = tags(api).flat_map(tools).map(|(operation, tool)| (tool.name.clone(), operation));
    arguments::schemas(api, &tools.collect::<Vec<_>>())
}

/// `tools.rs`
fn list(api: &Api) -> TokenStream {
    let about = doc::own_inner("The tools, by tag.");
    let modules: Vec<_> = tags(api).map(|tag| ty::ident(&tag.module)).collect();
    quote! {
        #about

        #(mod #modules;)*

        /// All tools.
        pub(crate) static TOOLS: &[&[crate::runtime::mcp::Tool]] = &[#(#modules::TOOLS),*];
    }
}

/// The file of a tag.
fn file(api: &Api, tag: &Tag, client: &str) -> TokenStream {
    let about = doc::own_inner(&section::about(tag));
    let client = ty::ident(client);
    let tools = tools(tag).map(|(operation, tool)| tool::tool(api, tag, operation, tool, &client));
    quote! {
        #about

        use crate::runtime::{arguments, mcp};

        pub(super) static TOOLS: &[mcp::Tool] = &[#(#tools),*];
    }
}
