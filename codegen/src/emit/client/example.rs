//! The first call, as an example in the documentation of the crate.

use std::fmt::Write as _;

use super::entry;
use crate::emit::section::Section;
use crate::ir::{Api, CredentialKind, Method, Operation, Pagination, Tag};
use crate::tokens::Ident;

/// Markdown with code that compiles; `crate_name` is what the crate is called in it.
pub(crate) fn example(api: &Api, crate_name: &str) -> String {
    format!("## A first call\n\n```no_run\n{}```", code(api, crate_name))
}

/// The same code without what only a compiler needs.
pub(crate) fn call(api: &Api, crate_name: &str) -> String {
    code(api, crate_name)
        .lines()
        .filter(|line| !line.starts_with("# "))
        .fold(String::new(), |text, line| text + line + "\n")
}

/// Lines that start with `#` are not shown in documentation.
fn code(api: &Api, crate_name: &str) -> String {
    let call = first(api);
    let mut code = format!("use {crate_name}::Client;\n");
    if let Some((tag, operation)) = call.filter(|(_, operation)| !super::operation::takes_nothing(operation)) {
        let _ = writeln!(code, "use {crate_name}::{}::{};", module(&tag.module), operation.name.rust);
    }
    code.push_str("\n# async fn first_call() -> Result<(), Box<dyn std::error::Error>> {\n");
    let _ = writeln!(code, "let client = Client::builder({:?})?{}.build()?;", url(api), credential(api));
    if let Some((tag, operation)) = call {
        let request = if super::operation::takes_nothing(operation) {
            String::new()
        } else {
            format!("{}::default()", operation.name.rust)
        };
        let (tag, method) = (entry::method(tag), &operation.method_rust);
        let _ = writeln!(code, "let answer = client.{tag}().{method}({request}).await?;\nprintln!(\"{{answer:?}}\");");
    } else {
        code.push_str("# let _ = client;\n");
    }
    code.push_str("# Ok(())\n# }\n");
    code
}

/// The first operation that only asks for something, and that can be called without saying anything.
fn first(api: &Api) -> Option<(&Tag, &Operation)> {
    let operations = api.tags.iter().flat_map(|tag| tag.operations.iter().map(move |operation| (tag, operation)));
    let mut simple = operations.filter(|(_, operation)| {
        operation.method == Method::Get
            && operation.request_body.is_none()
            && operation.default
            && !operation.deprecated
    });
    let first = simple.clone().next();
    // A list that says how long it is shows more than a single thing.
    let counts = |operation: &Operation| match &operation.pagination {
        Some(Pagination::PageNumber { total, .. } | Pagination::Offset { total, .. }) => total.is_some(),
        Some(Pagination::Cursor { .. } | Pagination::Link { .. }) | None => false,
    };
    simple.find(|(_, operation)| counts(operation)).or(first)
}

fn url(api: &Api) -> &str {
    let absolute = |server: &&String| server.starts_with("https://") || server.starts_with("http://");
    api.servers.iter().find(absolute).map_or("https://api.example.com", String::as_str)
}

/// The call of the builder that takes a token, a key, or a user and a password.
fn credential(api: &Api) -> String {
    let schemes = Section::paths(api).security_schemes();
    let Some(scheme) = schemes.first() else { return String::new() };
    let method = super::credentials::method(scheme);
    match &scheme.kind {
        CredentialKind::Bearer => format!(".{method}(\"token\")"),
        CredentialKind::Basic => format!(".{method}(\"user\", \"password\")"),
        CredentialKind::ApiKeyHeader(_) | CredentialKind::ApiKeyQuery(_) | CredentialKind::ApiKeyCookie(_) => {
            format!(".{method}(\"key\")")
        }
        CredentialKind::Other => String::new(),
    }
}

fn module(name: &str) -> Ident {
    crate::emit::ty::module(name)
}
