//! A row of the table of tools.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::client::media_type;
use crate::emit::operation::content;
use crate::emit::{doc, parameter, ty};
use crate::ir::{
    Api, Content, ContentKind, ModelKind, Operation, Parameter, ParameterEncoding, ParameterLocation, PartKind,
    RequestBody, TextForm, Tier, Tool, Type, Value,
};

/// `mcp::Tool { … }`; `tag` is the path of the module of the tag in the client crate.
pub(super) fn tool(api: &Api, operation: &Operation, tool: &Tool, tag: &TokenStream) -> TokenStream {
    let name = &tool.name;
    let route = format!("`{} {}`", operation.method.as_str(), operation.path);
    let own = doc::paragraphs([operation.summary.as_deref(), operation.doc.as_deref()]);
    let own = if own.is_empty() { route } else { own };
    let description = tool.description.as_ref().unwrap_or(&own);
    let module = ty::ident(&operation.module);
    let tier = ty::ident(match tool.tier {
        Tier::Read => "Read",
        Tier::Write => "Write",
        Tier::Destructive => "Destructive",
    });
    let destructive = tool.destructive;
    let server = match &operation.server {
        None => quote!(None),
        Some(server) => quote!(Some(#server)),
    };
    let parameters = operation
        .parameters
        .iter()
        .zip(&tool.arguments)
        .map(|(parameter, argument)| self::parameter(api, parameter, argument));
    let body = if let (Some(body), Some((argument, content))) = (&operation.request_body, &tool.body) {
        self::body(api, body, argument, *content)
    } else {
        quote!(None)
    };
    quote! {
        mcp::Tool {
            name: #name,
            description: #description,
            tier: mcp::Tier::#tier,
            destructive: #destructive,
            operation: &#tag::#module::OPERATION,
            server: #server,
            parameters: &[#(#parameters),*],
            body: #body,
        }
    }
}

/// `mcp::Parameter::query("Sort")`, with what differs from the usual.
fn parameter(api: &Api, parameter: &Parameter, argument: &str) -> TokenStream {
    let wire = &parameter.name.wire;
    let method = ty::ident(match parameter.location {
        ParameterLocation::Path => "path",
        ParameterLocation::Query => "query",
        ParameterLocation::Header => "header",
        ParameterLocation::Cookie => "cookie",
        ParameterLocation::QueryString => "query_string",
    });
    let argument = (argument != wire).then(|| quote!(.argument(#argument)));
    let form = match parameter.encoding {
        ParameterEncoding::Json => Some(quote!(.json())),
        ParameterEncoding::JsonItems => Some(quote!(.json_items())),
        ParameterEncoding::Style { .. } => {
            let style = parameter::sending_style(parameter).map(|style| quote!(.style(#style)));
            let json = json_members(api, &parameter.value);
            let json = (!json.is_empty()).then(|| quote!(.json_members(&[#(#json),*])));
            Some(quote!(#style #json))
        }
    };
    quote!(mcp::Parameter::#method(#wire) #argument #form)
}

fn body(api: &Api, body: &RequestBody, argument: &str, content: usize) -> TokenStream {
    let Some(content) = body.contents.get(content) else { return quote!(None) };
    let media_type = media_type(content);
    let kind = kind(api, content);
    quote!(Some(mcp::Body { argument: #argument, media_type: #media_type, kind: #kind }))
}

fn kind(api: &Api, content: &Content) -> TokenStream {
    match &content.kind {
        ContentKind::Json(_) => quote!(mcp::BodyKind::Json),
        ContentKind::Text(_) => quote!(mcp::BodyKind::Text),
        ContentKind::Bytes => quote!(mcp::BodyKind::Bytes),
        ContentKind::Events(None) => quote!(mcp::BodyKind::TextEvents),
        ContentKind::Events(Some(_)) => quote!(mcp::BodyKind::JsonEvents),
        ContentKind::JsonLines(_) => quote!(mcp::BodyKind::JsonLines),
        ContentKind::Form(form) => {
            let lists = content::lists(form).unwrap_or_else(|| quote!(&[]));
            let json = json_members(api, &form.value);
            quote!(mcp::BodyKind::Form { lists: #lists, json: &[#(#json),*] })
        }
        ContentKind::Multipart(multipart) => {
            let parts = multipart.parts.iter().map(|part| {
                let name = &part.field.name.wire;
                let kind = ty::ident(match part.kind {
                    PartKind::File => "file",
                    PartKind::Text => "text",
                    PartKind::Json => "json",
                });
                let declared = part.content_types.iter().find(|content_type| !content_type.contains('*'));
                let content_type = declared.map(|content_type| quote!(.content_type(#content_type)));
                let repeated = part.repeated.then(|| quote!(.repeated()));
                quote!(mcp::Part::#kind(#name) #repeated #content_type)
            });
            quote!(mcp::BodyKind::Multipart(&[#(#parts),*]))
        }
    }
}

/// The members of an object that are JSON in a parameter or a form.
fn json_members<'api>(api: &'api Api, value: &Value) -> Vec<&'api str> {
    let Type::Model(id) = api.resolved(&value.ty) else { return Vec::new() };
    let ModelKind::Struct(struct_) = &api.models[id.0].kind else { return Vec::new() };
    let fields = struct_.fields.iter().filter(|field| field.form == TextForm::Json);
    fields.map(|field| field.name.wire.as_str()).collect()
}
