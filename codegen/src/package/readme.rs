//! `README.md`.

use std::fmt::Write as _;

use crate::emit::{Section, Side};
use crate::ir::Api;

/// The text of the file, with `example` as the first code to write.
pub(super) fn readme(
    api: &Api,
    crate_name: &str,
    about: &str,
    side: Side,
    example: Option<&str>,
    marker: &str,
) -> String {
    let name = crate_name.replace('_', "-");
    let about = escaped(about);
    let use_ = match side {
        Side::Server => {
            "It has a trait for each tag of the description, with typed requests and answers. What arrives is checked \
             against the description before a method is called. Implement the traits, and hand the implementation to \
             `router`, which makes an `axum::Router` of it."
        }
        Side::Client => {
            "It has a method for each operation of the description, with typed requests and answers. Values and \
             members that the description does not know are kept or skipped: a server may learn something new without \
             breaking its callers."
        }
    };
    let heading = match side {
        Side::Server => "An implementation to start from",
        Side::Client => "A first call",
    };
    let example = example.map(|example| format!("\n## {heading}\n\n```rust\n{}\n```\n", example.trim_end()));
    let webhooks = if api.webhooks.is_empty() { String::new() } else { webhooks(side) };
    let features = features(api, &name, side);
    let example = example.unwrap_or_default();
    let serving = if side == Side::Server { serving(api, crate_name) } else { String::new() };
    let serde = if api.models.is_empty() { "" } else { SERDE };
    format!("<!-- {marker} -->\n\n# {name}\n\n{about}\n\n{use_}\n{example}{serving}{features}{serde}{webhooks}")
}

/// The program around an implementation.
fn serving(api: &Api, crate_name: &str) -> String {
    let (arguments, who) = if Section::paths(api).credentials().is_empty() {
        ("Service", String::new())
    } else {
        let who = "\nThe authenticator says who calls: it implements `security::Authenticator`. Without an answer of it \
                   nobody gets in.\n";
        ("Service, authenticator", who.to_owned())
    };
    format!(
        "\n## Serving it\n\n```sh\ncargo add axum\ncargo add tokio --features macros,net,rt-multi-thread\n```\n\n\
         ```rust\nuse {crate_name}::runtime::server::Options;\n\n#[tokio::main]\n\
         async fn main() -> std::io::Result<()> {{\n    \
         let app = {crate_name}::router({arguments}, &Options::default());\n    \
         let listener = tokio::net::TcpListener::bind(\"127.0.0.1:8080\").await?;\n    \
         axum::serve(listener, app).await\n}}\n```\n{who}"
    )
}

const SERDE: &str = "
## Serde

With the cargo feature `serde` the types in `models` implement `serde::Serialize` and `serde::Deserialize`, over the same code
that reads and writes the bodies of messages: what is wrong with a value is told all at once.
";

/// How to have some of the tags only; nothing when they have no features.
fn features(api: &Api, name: &str, side: Side) -> String {
    let Some((tag, feature)) = api.tags.iter().find_map(|tag| Some((tag, tag.feature.as_ref()?))) else {
        return String::new();
    };
    let mut text = format!(
        "\n## Some of the tags\n\nEvery tag is a cargo feature, and all of them are default features. A crate that needs a \
         few says which, and compiles only their operations and the types that these reach:\n\n\
         ```toml\n{name} = {{ version = \"0.1\", default-features = false, features = [{feature:?}] }}\n```\n"
    );
    if side == Side::Server {
        let second = if Section::paths(api).credentials().is_empty() { "()" } else { "authenticator" };
        let _ = write!(
            text,
            "\n`router` asks for the traits of all tags, so it is there with the default features only. Without them the \
             router is put together from its tags:\n\n\
             ```rust,ignore\nlet mut routes = Routes::new(service, {second});\n{}::add_routes(&mut routes);\n\
             let app: axum::Router = routes.into_router(&options);\n```\n",
            tag.module
        );
    }
    text
}

fn webhooks(side: Side) -> String {
    let text = match side {
        Side::Server => {
            "With the cargo feature `webhooks` it has the module `webhooks`: a client, `Client::sender()`, with a method \
             for each webhook and callback, which sends it to the URL that its receiver has given."
        }
        Side::Client => {
            "With the cargo feature `webhooks` it has the module `webhooks`: the traits of a receiver, and a `router` \
             that checks what arrives against the description before it calls them."
        }
    };
    format!("\n## Webhooks and callbacks\n\n{text}\n")
}

/// Markdown that shows the text as it is.
fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut escaped, character| {
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|') {
            escaped.push('\\');
        }
        escaped.push(character);
        escaped
    })
}
