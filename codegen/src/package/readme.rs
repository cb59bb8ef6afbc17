//! `README.md`.

use crate::emit::Side;

/// The text of the file, with `example` as the first code to write.
pub(super) fn readme(crate_name: &str, about: &str, side: Side, example: Option<&str>, marker: &str) -> String {
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
    format!("<!-- {marker} -->\n\n# {name}\n\n{about}\n\n{use_}\n{}", example.unwrap_or_default())
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
