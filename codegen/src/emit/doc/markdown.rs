//! Markdown from strangers, made harmless for rustdoc and clippy.

use super::inline;

/// The same text, in which rustdoc and clippy find nothing to complain about.
pub(super) fn safe(text: &str) -> String {
    let lines: Vec<_> = text.trim().lines().map(|line| inline::safe(line.trim())).collect();
    lines.join("\n")
}
