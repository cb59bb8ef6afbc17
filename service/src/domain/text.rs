//! What texts hold.

use crate::domain::refusal::Refusal;

/// Whether a text has nothing but spaces, as any of Rust, ECMAScript and Python understand them: the description says it by a
/// pattern, which callers check in their own language.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|char| char.is_whitespace() || matches!(char, '\u{1c}'..='\u{1f}' | '\u{feff}'))
}

/// Whether a text has U+0000, which PostgreSQL cannot keep, so that no store does.
pub fn has_nul(text: &str) -> bool {
    text.contains('\0')
}

/// A name as it stands in a JSON Pointer.
pub fn pointer_token(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// What is wrong with a name, which is not blank and has no U+0000.
pub fn refuse_name(pointer: impl Into<String>, name: &str) -> Option<Refusal> {
    if is_blank(name) {
        Some(Refusal::new(pointer, "minLength", "is blank"))
    } else if has_nul(name) {
        Some(Refusal::new(pointer, "pattern", "holds U+0000"))
    } else {
        None
    }
}
