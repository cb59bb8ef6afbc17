//! `Api` → source files of the crates.

mod arguments;
pub(crate) mod cli;
pub(crate) mod client;
mod constructor;
mod crate_root;
pub(crate) mod doc;
mod feature;
mod foreign;
pub(crate) mod mcp;
mod member;
pub(crate) mod model;
pub(crate) mod operation;
mod parameter;
pub(crate) mod prelude;
mod runtime;
mod scheme;
pub(crate) mod section;
pub(crate) mod server;
mod side;
pub(crate) mod ty;
mod webhooks;
mod xml;

use std::borrow::Cow;

use crate::ir::Api;
pub(crate) use client::{call, snippet};
#[cfg(feature = "build")]
pub(crate) use crate_root::recursion_limit;
pub(crate) use feature::{ARBITRARY, BLOCKING, CHECK_RESPONSES, SERDE, SIGNATURES, TRACING, WEBHOOKS, is_webhook};
pub(crate) use foreign::names_type_of;
use proc_macro2::TokenStream;
pub(crate) use runtime::{CRATE as RUNTIME, features as runtime_features};
pub(crate) use section::Section;
pub(crate) use server::{program, scaffold};
pub use side::Side;

/// One file of a generated crate; its tokens are created in the thread that renders it.
pub(crate) struct SourceFile<'api> {
    /// Path in the crate's folder: `src/models/account.rs`.
    pub(crate) path: String,
    /// What it holds.
    pub(crate) content: Content<'api>,
    /// Which side and section its names refer to.
    pub(crate) places: Places,
}

/// Which side and section names refer to, for emitters that serve both.
#[derive(Clone, Copy)]
pub(crate) struct Places {
    /// The side of `Body` and `Download`.
    pub(crate) side: Side,
    /// The module of `Client` and `security`.
    pub(crate) section: &'static str,
}

impl Default for Places {
    fn default() -> Self {
        Self { side: Side::Server, section: "crate" }
    }
}

/// The content of a generated file.
pub(crate) enum Content<'api> {
    /// Code to be rendered.
    Tokens(Box<dyn Fn() -> TokenStream + Send + Sync + 'api>),
    /// A verbatim file, such as the description.
    Verbatim(Cow<'api, str>),
}

impl<'api> SourceFile<'api> {
    /// A file with the tokens that `tokens` returns.
    pub(crate) fn new(path: impl Into<String>, tokens: impl Fn() -> TokenStream + Send + Sync + 'api) -> Self {
        Self { path: path.into(), content: Content::Tokens(Box::new(tokens)), places: Places::default() }
    }

    /// Sets the side and section of names.
    pub(crate) fn with(self, places: Places) -> Self {
        Self { places, ..self }
    }

    /// A file copied unchanged.
    pub(crate) fn verbatim(path: impl Into<String>, text: impl Into<Cow<'api, str>>) -> Self {
        Self { path: path.into(), content: Content::Verbatim(text.into()), places: Places::default() }
    }
}

/// What a side is made of: the description, or its models without operations.
pub(crate) fn part(api: &Api, side: Side) -> Cow<'_, Api> {
    match side {
        Side::Server | Side::Client => Cow::Borrowed(api),
        Side::Models => Cow::Owned(api.models_alone()),
    }
}

/// The files of a side, from its [`part`]; `crate_name` is used in the example of a client.
pub(crate) fn files<'api>(api: &'api Api, side: Side, crate_name: &str) -> Vec<SourceFile<'api>> {
    match side {
        Side::Server => server(api),
        Side::Client => client(api, crate_name),
        Side::Models => shared(api, side, None),
    }
}

/// The files of the server crate.
fn server(api: &Api) -> Vec<SourceFile<'_>> {
    let mut files = shared(api, Side::Server, None);
    files.extend(server::files(Section::paths(api)));
    files.extend(webhooks::files(api, Side::Server));
    files.push(SourceFile::verbatim("src/openapi.json", api.source.as_str()));
    files
}

/// The files of the client crate.
fn client<'api>(api: &'api Api, crate_name: &str) -> Vec<SourceFile<'api>> {
    let mut files = shared(api, Side::Client, Some(client::example(api, crate_name)));
    files.extend(client::files(Section::paths(api)));
    files.extend(webhooks::files(api, Side::Client));
    files
}

/// The root and the models, shared by all sides.
fn shared(api: &Api, side: Side, example: Option<String>) -> Vec<SourceFile<'_>> {
    let mut files = vec![crate_root::file(api, side, example)];
    files.extend(model::files(api, side));
    files.extend(foreign::file(api));
    files.extend(xml::file(api));
    files
}
