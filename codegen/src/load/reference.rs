//! Parses a `$ref`: the file, and the fragment.

use crate::location::decoded;

/// The target of a `$ref`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reference {
    /// The same file: the fragment.
    Here(String),
    /// Another file: its path and the fragment.
    File(String, String),
    /// A remote document: a URL and the fragment.
    Network(String, String),
}

impl Reference {
    /// Parses a `$ref` of the file at `base`.
    pub(crate) fn parse(text: &str, base: &str) -> Self {
        let (file, fragment) = text.split_once('#').unwrap_or((text, ""));
        if file.is_empty() {
            return Self::Here(fragment.to_owned());
        }
        if is_url(file) || file.starts_with("//") {
            // A URL without a scheme has that of its file.
            let scheme = if is_url(file) { "" } else { base.split_once("//").map_or("", |(scheme, _)| scheme) };
            return Self::url(format!("{scheme}{file}"), base, fragment);
        }
        if is_url(base) {
            let start = base.find("://").map_or(0, |colon| colon + 3);
            let (origin, path) = base.split_at(base[start..].find('/').map_or(base.len(), |slash| start + slash));
            return Self::url(format!("{origin}{}", join(path, file)), base, fragment);
        }
        let path = join(base, &decoded(file));
        if path == join("", base) { Self::Here(fragment.to_owned()) } else { Self::File(path, fragment.to_owned()) }
    }

    fn url(url: String, base: &str, fragment: &str) -> Self {
        if url == base { Self::Here(fragment.to_owned()) } else { Self::Network(url, fragment.to_owned()) }
    }
}

fn is_url(file: &str) -> bool {
    file.contains("://")
}

/// The path of a file that another file refers to, with `.` and, where possible, `..` resolved.
fn join(base: &str, path: &str) -> String {
    let is_absolute = path.starts_with('/') || base.starts_with('/');
    let folder = match base.rsplit_once('/') {
        Some((folder, _)) if !path.starts_with('/') => folder,
        Some(_) | None => "",
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("{}{}", if is_absolute { "/" } else { "" }, parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_relative_to_their_file() {
        let file = |path: &str, fragment: &str| Reference::File(path.to_owned(), fragment.to_owned());
        let cases = [
            ("#/components/schemas/A", Reference::Here("/components/schemas/A".to_owned())),
            ("b.yaml", file("spec/b.yaml", "")),
            ("./b/../c%20d.yaml#/e", file("spec/c d.yaml", "/e")),
            ("../b.yaml#/", file("b.yaml", "/")),
            ("../../b.yaml", file("../b.yaml", "")),
            ("/b.yaml", file("/b.yaml", "")),
            ("a.yaml#/x", Reference::Here("/x".to_owned())),
            (
                "https://example.com/a.yaml#/x",
                Reference::Network("https://example.com/a.yaml".to_owned(), "/x".to_owned()),
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(Reference::parse(text, "spec/a.yaml"), expected, "{text}");
        }
        for (text, url) in [
            ("b.json#/x", "https://example.com/v1/schemas/b.json"),
            ("../b%20c.json#/x", "https://example.com/v1/b%20c.json"),
            ("/b.json#/x", "https://example.com/b.json"),
            ("//example.org/b.json#/x", "https://example.org/b.json"),
        ] {
            let network = Reference::Network(url.to_owned(), "/x".to_owned());
            assert_eq!(Reference::parse(text, "https://example.com/v1/schemas/a.json"), network);
        }
        let here = Reference::Here("/x".to_owned());
        assert_eq!(Reference::parse("a.json#/x", "https://example.com/v1/a.json"), here);
    }
}
