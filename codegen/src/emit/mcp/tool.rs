//! A row of the table of tools.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::emit::{arguments, doc, ty};
use crate::ir::{Api, Operation, Tag, Tier, Tool};

/// `mcp::Tool { … }`; `client` is the name of the client crate in code.
pub(super) fn tool(api: &Api, tag: &Tag, operation: &Operation, tool: &Tool, client: &Ident) -> TokenStream {
    let name = &tool.name;
    let route = format!("`{} {}`", operation.method.as_str(), operation.path);
    let own = doc::paragraphs([operation.summary.as_deref(), operation.doc.as_deref()]);
    let own = if own.is_empty() { route } else { own };
    let description = tool.description.as_ref().unwrap_or(&own);
    let tier = ty::ident(match tool.tier {
        Tier::Read => "Read",
        Tier::Write => "Write",
        Tier::Destructive => "Destructive",
    });
    let destructive = tool.destructive;
    let arguments = arguments::table(api, tag, operation, client);
    quote! {
        mcp::Tool {
            name: #name,
            description: #description,
            tier: mcp::Tier::#tier,
            destructive: #destructive,
            arguments: #arguments,
        }
    }
}
