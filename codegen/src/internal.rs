//! Functions for the wire proof (`tests/wire/program`), which depends on names and shapes of generated code.
//! Not part of the public interface.

use proc_macro2::{Ident, TokenStream};

use crate::emit::operation::{content, response};
use crate::emit::{self, Places, Section, Side, section};
use crate::ir::{Api, Content, Default, Operation, Response, SecurityScheme, Tag, Type, Value};
use crate::render::{self, File};
use crate::{Generator, location, package};

/// The files of the server crate and of the client crate, with those of their packages.
pub fn crates(generator: &Generator, api: &Api) -> [Vec<File>; 2] {
    let options = &generator.options;
    [Side::Server, Side::Client].map(|side| {
        let name = options.crate_name(side);
        let files = match side {
            Side::Server => emit::server(api),
            Side::Client => emit::client(api, &name),
        };
        let mut files = render::render(&files, &options.marker, None);
        files.extend(package::package(api, side, &files, options));
        files
    })
}

/// The crate name of a side in code.
pub fn crate_name(generator: &Generator, side: Side) -> String {
    generator.options.crate_name(side)
}

/// The first line of all code, without its slashes.
pub fn marker(generator: &Generator) -> &str {
    &generator.options.marker
}

/// An identifier.
pub fn ident(rust: &str) -> Ident {
    emit::ty::ident(rust)
}

/// An integer without a suffix.
pub fn number(number: usize) -> TokenStream {
    emit::ty::number(number)
}

/// The text of a file, with the `use` lines that types of the generated crates need.
pub fn code(tokens: TokenStream) -> String {
    render::code(tokens, Places::default())
}

/// The documentation of a file.
pub fn file_doc(text: &str) -> TokenStream {
    emit::doc::own_inner(text)
}

/// What the operations of a tag have in common.
pub fn about(tag: &Tag) -> String {
    section::about(tag)
}

/// The method of the client that leads to the operations of a tag.
pub fn entry_method(tag: &Tag) -> Ident {
    emit::entry_method(tag)
}

/// The method of the client's builder that takes the credential of a scheme.
pub fn credential_method(scheme: &SecurityScheme) -> Ident {
    emit::credential_method(scheme)
}

/// The schemes that some operation asks for.
pub fn security_schemes(api: &Api) -> Vec<&SecurityScheme> {
    Section::paths(api).security_schemes()
}

/// Some operation asks who calls.
pub fn is_secured(api: &Api) -> bool {
    !Section::paths(api).credentials().is_empty()
}

/// The type that the operation's methods give back.
pub fn success_type(api: &Api, operation: &Operation) -> TokenStream {
    response::success(api, operation)
}

/// The type of a value.
pub fn value_type(api: &Api, value: &Value) -> TokenStream {
    emit::ty::value(api, value)
}

/// The value that the description gives a parameter which is left out.
pub fn default_literal(api: &Api, ty: &Type, default: &Default) -> TokenStream {
    emit::model::default_literal(api, ty, default)
}

/// What the type is when names for other types are followed.
pub fn resolved<'a>(api: &'a Api, ty: &'a Type) -> &'a Type {
    api.resolved(ty)
}

/// Whether the variant of a response has named fields.
pub fn has_fields(response: &Response) -> bool {
    response::has_fields(response)
}

/// Whether the variant of a response holds the status.
pub fn has_status(response: &Response) -> bool {
    response::has_status(response)
}

/// The name of the multipart type that a variant of the body enum `rust` holds.
pub fn variant_rust(content: &Content, rust: &str) -> String {
    content::variant_rust(content, rust)
}

/// The reference tokens of a JSON Pointer, unescaped.
pub fn pointer_tokens(pointer: &str) -> Vec<String> {
    location::tokens(pointer).collect()
}
