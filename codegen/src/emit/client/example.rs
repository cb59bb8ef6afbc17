//! The first call, as an example in the documentation of the crate.

use std::fmt::Write as _;

use super::entry;
use crate::emit::section::Section;
use crate::ir::{Api, CredentialKind, Method, Operation, SecurityScheme, Tag};

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
    if let Some((tag, operation)) = call.filter(|(_, operation)| !operation.parameters.is_empty()) {
        let _ = writeln!(code, "use {crate_name}::{}::{};", tag.module, operation.name.rust);
    }
    code.push_str("\n# async fn first_call() -> Result<(), Box<dyn std::error::Error>> {\n");
    let credentials = credentials(api, call.map(|(_, operation)| operation));
    let _ = match credentials.as_slice() {
        [] | [_] => writeln!(code, "let client = Client::builder({:?})?{}.build()?;", url(api), credentials.concat()),
        _ => {
            let lines = credentials.join("\n    ");
            writeln!(code, "let client = Client::builder({:?})?\n    {lines}\n    .build()?;", url(api))
        }
    };
    if let Some((tag, operation)) = call {
        let request = match operation.parameters.as_slice() {
            [] => "()".to_owned(),
            _ => format!("{}::default()", operation.name.rust),
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
        operation.method == Method::GET
            && operation.request_body.is_none()
            && operation.default
            && !operation.deprecated
    });
    let first = simple.clone().next();
    // A list that says how long it is shows more than a single thing.
    let counts =
        |operation: &Operation| operation.pagination.as_ref().is_some_and(|pages| pages.members.total.is_some());
    simple.find(|(_, operation)| counts(operation)).or(first)
}

fn url(api: &Api) -> String {
    const UNKNOWN: &str = "https://api.example.com";
    let is_absolute = |server: &&String| server.starts_with("https://") || server.starts_with("http://");
    let is_path = |server: &&String| server.starts_with('/') && !server.starts_with("//");
    if let Some(server) = api.servers.iter().find(is_absolute) {
        return server.clone();
    }
    let path = api.servers.first().filter(is_path).map_or("", |path| path.trim_end_matches('/'));
    format!("{UNKNOWN}{path}")
}

/// The calls of the builder for all that the operation asks for together; without an operation, for the first scheme.
fn credentials(api: &Api, operation: Option<&Operation>) -> Vec<String> {
    let schemes = match operation {
        Some(operation) => operation.security.alternatives.first().map_or_else(Vec::new, |(index, _)| {
            api.credentials[*index].schemes.iter().map(|index| &api.security_schemes[*index]).collect()
        }),
        None => Section::paths(api).security_schemes().into_iter().take(1).collect(),
    };
    schemes.into_iter().filter_map(credential).collect()
}

/// The call of the builder that takes a token, a key, or a user and a password.
fn credential(scheme: &SecurityScheme) -> Option<String> {
    let method = super::credentials::method(scheme);
    match &scheme.kind {
        CredentialKind::Bearer => Some(format!(".{method}(\"token\")")),
        CredentialKind::Basic => Some(format!(".{method}(\"user\", \"password\")")),
        CredentialKind::ApiKeyHeader(_) | CredentialKind::ApiKeyQuery(_) | CredentialKind::ApiKeyCookie(_) => {
            Some(format!(".{method}(\"key\")"))
        }
        CredentialKind::Other => None,
    }
}

#[cfg(test)]
mod tests {
    use super::call;

    fn line(rest: &str) -> String {
        let yaml = format!(
            "openapi: 3.0.3
info: {{ title: Pets, version: '1' }}
components:
  securitySchemes:
    id: {{ type: apiKey, in: header, name: Id }}
    secret: {{ type: apiKey, in: header, name: Secret }}
    token: {{ type: http, scheme: bearer }}
{rest}"
        );
        let description = crate::Generator::new().read(&crate::Source::text(yaml)).expect("it is a description");
        let code = call(description.api(), "pets");
        let (_, from) = code.split_once("let client = Client::builder(").expect("it has a client");
        let (line, _) = from.split_once(".build()").expect("it builds it");
        line.split_whitespace().collect()
    }

    #[test]
    fn it_has_the_credentials_of_what_it_calls() {
        let operation = |method: &str, security: &str| {
            format!("paths:\n  /a: {{ {method}: {{ {security}, responses: {{ '204': {{ description: a }} }} }} }}\n")
        };
        let host = r#""https://api.example.com")?"#;
        let both = "security: [{ id: [], secret: [] }, { token: [] }]";
        assert_eq!(line(&operation("get", both)), format!(r#"{host}.id("key").secret("key")"#));
        assert_eq!(line(&operation("get", "security: [{ token: [] }]")), format!(r#"{host}.token("token")"#));
        assert_eq!(line(&format!("security: [{{ token: [] }}]\n{}", operation("get", "security: []"))), host);
        assert_eq!(line(&operation("delete", both)), format!(r#"{host}.id("key")"#));
    }

    #[test]
    fn a_server_without_a_host_is_on_some_host() {
        for (servers, expected) in [
            ("[]", "https://api.example.com"),
            ("[{ url: / }]", "https://api.example.com"),
            ("[{ url: /api/v1/ }]", "https://api.example.com/api/v1"),
            ("[{ url: /api/v1 }, { url: 'https://pets.io' }]", "https://pets.io"),
        ] {
            assert_eq!(line(&format!("servers: {servers}\npaths: {{}}\n")), format!("{expected:?})?"), "{servers}");
        }
    }
}
