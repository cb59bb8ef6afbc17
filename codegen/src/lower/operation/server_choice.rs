//! The servers that a client may choose: their names and variables.

use serde_json::Value;

use super::server;
use crate::ir::{Server, ServerChoice, ServerPiece, ServerVariable};
use crate::lower::name::{Scope, pascal, snake, unique};
use crate::upgrade::Document;

/// The longest description that is a name.
const LONGEST: usize = 30;

/// The servers with a whole URL, without those whose URL is one variable. Empty for a single server without variables.
pub(crate) fn choices(document: &Document) -> Vec<Server> {
    let described: Vec<_> = document
        .openapi
        .servers
        .iter()
        .enumerate()
        .filter(|(_, server)| is_whole(&server::url(server)) && !is_variable(server))
        .collect();
    let wanted: Vec<_> = described.iter().map(|(index, server)| name(document, *index, server)).collect();
    let names = unique(&wanted, &mut Scope::default());
    let mut enums = Enums { taken: Scope::of_types(&["Server"]), made: Vec::new() };
    let servers: Vec<_> =
        described.into_iter().zip(names).map(|((_, server), rust)| choice(server, rust, &mut enums)).collect();
    match &servers[..] {
        [only] if only.variables.is_empty() => Vec::new(),
        _ => servers,
    }
}

/// Whether requests can be sent to the URL.
fn is_whole(url: &str) -> bool {
    (url.starts_with("https://") || url.starts_with("http://")) && !url.contains(['{', '}', '?', '#'])
}

fn is_variable(server: &openapiv3::Server) -> bool {
    let inner = server.url.strip_prefix('{').and_then(|url| url.strip_suffix('}'));
    inner.is_some_and(|name| !name.contains(['{', '}']))
}

/// `name`, a short description, or the host; without a word that says that it is a server.
fn name(document: &Document, index: usize, server: &openapiv3::Server) -> String {
    let named = document.tree.pointer(&format!("/servers/{index}/name")).and_then(Value::as_str);
    let described = server.description.as_deref().filter(|text| text.len() <= LONGEST);
    let host = server.url.split_once("://").map_or("", |(_, rest)| rest).split('/').next().unwrap_or_default();
    // Variables and the port tell little.
    let host = host.split(['{', '}']).step_by(2).collect::<String>();
    let host = host.split(':').next().unwrap_or_default().trim_matches('.').to_owned();
    let text = named.or(described).unwrap_or(&host);
    let name = pascal(text.trim());
    let short = ["Server", "Environment"].into_iter().find_map(|word| name.strip_suffix(word));
    let name = short.filter(|short| !short.is_empty()).unwrap_or(&name);
    if text.trim().is_empty() { "Main".to_owned() } else { name.to_owned() }
}

/// The enums of variables, shared by those with equal names and values.
struct Enums {
    taken: Scope,
    made: Vec<(String, ServerChoice)>,
}

impl Enums {
    fn choice(&mut self, server: &str, variable: &str, values: &[String]) -> ServerChoice {
        let is_same = |(name, choice): &&(String, ServerChoice)| {
            name == variable && choice.values.iter().map(|(value, _)| value).eq(values)
        };
        if let Some((_, choice)) = self.made.iter().find(is_same) {
            return choice.clone();
        }
        let variable_rust = pascal(variable);
        let rust = self.taken.claim(&format!("Server{variable_rust}"), &[format!("Server{server}{variable_rust}")]);
        let wanted: Vec<_> = values.iter().map(|value| pascal(value)).collect();
        let variants = unique(&wanted, &mut Scope::default());
        let choice = ServerChoice { rust, values: values.iter().cloned().zip(variants).collect() };
        self.made.push((variable.to_owned(), choice.clone()));
        choice
    }
}

fn choice(server: &openapiv3::Server, rust: String, enums: &mut Enums) -> Server {
    let all = server.variables.iter().flatten();
    let used: Vec<_> = all.filter(|(name, _)| server.url.contains(&format!("{{{name}}}"))).collect();
    let wanted: Vec<_> = used.iter().map(|(name, _)| snake(name)).collect();
    let fields = unique(&wanted, &mut Scope::default());
    let variables = used.iter().zip(fields).map(|((name, variable), field)| {
        let mut values = variable.enumeration.clone();
        if !values.is_empty() && !values.contains(&variable.default) {
            values.push(variable.default.clone());
        }
        let choice = (!values.is_empty()).then(|| enums.choice(&rust, name, &values));
        ServerVariable { rust: field, doc: variable.description.clone(), default: variable.default.clone(), choice }
    });
    let variables = variables.collect();
    let names: Vec<_> = used.iter().map(|(name, _)| name.as_str()).collect();
    Server {
        doc: server.description.clone(),
        url: server.url.clone(),
        pieces: pieces(&server.url, &names),
        variables,
        rust,
    }
}

fn pieces(url: &str, names: &[&str]) -> Vec<ServerPiece> {
    let mut pieces = Vec::new();
    let mut rest = url;
    let next = |rest: &str| {
        let places =
            names.iter().enumerate().filter_map(|(index, name)| Some((rest.find(&format!("{{{name}}}"))?, index)));
        places.min()
    };
    while let Some((place, index)) = next(rest) {
        if place > 0 {
            pieces.push(ServerPiece::Literal(rest[..place].to_owned()));
        }
        pieces.push(ServerPiece::Variable(index));
        rest = &rest[place + names[index].len() + 2..];
    }
    if !rest.is_empty() {
        pieces.push(ServerPiece::Literal(rest.to_owned()));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use crate::lower::tests::lowered::document;

    fn names(servers: &str) -> Vec<String> {
        let yaml = format!("openapi: 3.2.0\ninfo: {{ title: T, version: '1' }}\nservers: {servers}\npaths: {{}}\n");
        document(&yaml).api.server_choices.into_iter().map(|server| server.rust).collect()
    }

    #[test]
    fn a_server_is_called_by_its_name_its_description_or_its_host() {
        for (servers, expected) in [
            ("[{ url: 'https://a.b' }]", vec![]),
            ("[{ url: '{base}', variables: { base: { default: 'http://a.b' } } }]", vec![]),
            ("[{ url: /v1 }, { url: 'https://a.b' }]", vec![]),
            ("[{ url: 'https://{a}.b.c/{a}', variables: { a: { default: x } } }]", vec!["BC"]),
            ("[{ url: 'https://a.b' }, { url: 'http://localhost:80/x' }]", vec!["AB", "Localhost"]),
            (
                "[{ url: 'https://a.b', name: prod, description: Ours }, { url: 'https://a.c', description: Test server }]",
                vec!["Prod", "Test"],
            ),
            ("[{ url: 'https://a.b/v1' }, { url: 'https://a.b/v2' }]", vec!["AB", "AB2"]),
            (
                "[{ url: 'https://a.b', description: Server }, { url: 'http://{h}/x', variables: { h: { default: a } } }]",
                vec!["Server", "Main"],
            ),
        ] {
            assert_eq!(names(servers), expected, "{servers}");
        }
    }
}
