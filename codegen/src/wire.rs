//! Functions for the wire proof (`tests/wire/program`), which depends on names and shapes of generated code.
//! Not part of the public interface.

use proc_macro2::TokenStream;

pub use crate::emit::client::{credential_method, entry_method};
pub use crate::emit::doc::own_inner as file_doc;
pub use crate::emit::model::default_literal;
pub use crate::emit::operation::content::variant_rust;
pub use crate::emit::operation::response::{has_fields, has_status, success as success_type};
pub use crate::emit::section::about;
pub use crate::emit::ty::{ident, number, value as value_type};
use crate::emit::{self, Places, Section, Side};
use crate::ir::{Api, SecurityScheme, Type};
use crate::render::{self, File};
use crate::{Generator, location, package};

/// The files of the server crate and of the client crate, with those of their packages.
pub fn crates(generator: &Generator, api: &Api) -> [Vec<File>; 2] {
    let options = &generator.options;
    [Side::Server, Side::Client].map(|side| {
        let name = options.crate_name(side);
        let mut files = render::render(&emit::files(api, side, &name), &options.marker, None);
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

/// The text of a file, with the `use` lines that types of the generated crates need.
pub fn code(tokens: TokenStream) -> String {
    render::code(tokens, Places::default())
}

/// The schemes that some operation asks for.
pub fn security_schemes(api: &Api) -> Vec<&SecurityScheme> {
    Section::paths(api).security_schemes()
}

/// Some operation asks who calls.
pub fn is_secured(api: &Api) -> bool {
    !Section::paths(api).credentials().is_empty()
}

/// What the type is when names for other types are followed.
pub fn resolved<'a>(api: &'a Api, ty: &'a Type) -> &'a Type {
    api.resolved(ty)
}

/// The reference tokens of a JSON Pointer, unescaped.
pub fn pointer_tokens(pointer: &str) -> Vec<String> {
    location::tokens(pointer).collect()
}
