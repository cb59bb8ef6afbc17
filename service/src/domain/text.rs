//! Rules for texts.

use crate::domain::refusal::Refusal;

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

/// The violation of a name that is blank or contains U+0000.
pub fn refuse_name(pointer: impl Into<String>, name: &str) -> Option<Refusal> {
    if is_blank(name) {
        Some(Refusal::new(pointer, "minLength", "is blank"))
    } else if has_nul(name) {
        Some(Refusal::new(pointer, "pattern", "holds U+0000"))
    } else {
        None
    }
}
