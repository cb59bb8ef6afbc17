//! Rules for texts.

/// Whether a text consists of white space as defined by Rust, ECMAScript and Python: the description has a
/// pattern that callers check in their own language.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|char| char.is_whitespace() || matches!(char, '\u{1c}'..='\u{1f}' | '\u{feff}'))
}

/// Whether a text contains U+0000, which PostgreSQL cannot store.
pub fn has_nul(text: &str) -> bool {
    text.contains('\0')
}

/// A name escaped for a JSON Pointer.
pub fn pointer_token(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
