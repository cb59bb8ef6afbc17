//! `README.md`.

use crate::emit::Side;
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
    format!("<!-- {marker} -->\n\n# {name}\n\n{about}\n\n{use_}\n{}{webhooks}", example.unwrap_or_default())
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
