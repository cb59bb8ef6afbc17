//! File names of uploads: made safe to store, display and use in headers.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// Maximum length in bytes, that of file systems.
const LONGEST: usize = 255;

/// `attr-char` of RFC 8187: characters allowed unencoded in an extended header value.
const EXTENDED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'!')
    .remove(b'#')
    .remove(b'$')
    .remove(b'&')
    .remove(b'+')
    .remove(b'-')
    .remove(b'.')
    .remove(b'^')
    .remove(b'_')
    .remove(b'`')
    .remove(b'|')
    .remove(b'~');

/// The name without folders, control characters and bidirectional marks, at most 255 bytes including its
/// extension; `None` if nothing is left.
pub fn safe(name: &str) -> Option<String> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let clean: String =
        last.chars().filter(|character| !character.is_control() && !turns_direction(*character)).collect();
    let clean = clean.trim().trim_end_matches(['.', ' ']);
    if clean.trim_matches(['.', ' ']).is_empty() {
        return None;
    }
    if clean.len() <= LONGEST {
        return Some(clean.to_owned());
    }
    let extension = extension(clean);
    let stem = &clean[..clean.floor_char_boundary(LONGEST - extension.len())];
    Some(format!("{stem}{extension}"))
}

/// The extension in lower case with its dot, or an empty text; at most 16 letters and digits.
pub fn extension(name: &str) -> String {
    match name.rsplit_once('.') {
        Some((stem, extension))
            if !stem.is_empty()
                && (1..=16).contains(&extension.len())
                && extension.bytes().all(|byte| byte.is_ascii_alphanumeric()) =>
        {
            format!(".{}", extension.to_ascii_lowercase())
        }
        _ => String::new(),
    }
}

/// `Content-Disposition: attachment` with the name in ASCII for old clients and in UTF-8 (RFC 6266, RFC
/// 8187).
pub fn content_disposition(name: &str) -> String {
    let fallback: String = name
        .chars()
        .map(|character| match character {
            '"' | '\\' | '%' => '_',
            ' '..='~' => character,
            _ => '_',
        })
        .collect();
    if fallback == name {
        return format!("attachment; filename=\"{name}\"");
    }
    format!("attachment; filename=\"{fallback}\"; filename*=UTF-8''{}", utf8_percent_encode(name, EXTENDED))
}

/// Bidirectional marks, embeddings, overrides and isolates: `exe.fdp` must not be displayed as `pdf.exe`.
fn turns_direction(character: char) -> bool {
    matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{061c}')
}
