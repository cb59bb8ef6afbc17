//! Texts that show nothing.

/// Whether a text has nothing but spaces, as any of Rust, ECMAScript and Python understand them: the description says it by a
/// pattern, which callers check in their own language.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|char| char.is_whitespace() || matches!(char, '\u{1c}'..='\u{1f}' | '\u{feff}'))
}
