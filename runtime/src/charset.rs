//! Texts in other charsets than UTF-8.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

/// Converts a text to UTF-8 by the `charset` of its `Content-Type`. The error is a sentence fragment about
/// the text.
///
/// A text without a charset is returned as it is, and so is ASCII, which is often declared for UTF-8.
pub(crate) fn utf8<'b>(content_type: Option<&str>, bytes: &'b [u8]) -> Result<Cow<'b, [u8]>, String> {
    let Some(label) = content_type.and_then(charset).filter(|label| !is_ascii(label)) else {
        return Ok(Cow::Borrowed(bytes));
    };
    let Some(encoding) = Encoding::for_label(label.as_bytes()) else {
        return Err(format!("is in the charset `{label}`, which is not known"));
    };
    if encoding == UTF_8 {
        return Ok(Cow::Borrowed(bytes));
    }
    match encoding.decode(bytes) {
        (text, _, false) => Ok(Cow::Owned(text.into_owned().into_bytes())),
        (_, encoding, true) => Err(format!("is not a text in {}", encoding.name())),
    }
}

fn is_ascii(label: &str) -> bool {
    ["ascii", "us-ascii"].iter().any(|ascii| label.eq_ignore_ascii_case(ascii))
}

/// The parameter `charset` of a media type.
fn charset(content_type: &str) -> Option<&str> {
    let mut parameters = content_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let (_, value) = parameters.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
    Some(value.trim().trim_matches(['"', '\'']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_decoded_by_their_charset() {
        for (content_type, bytes, expected) in [
            ("text/plain", &b"h\xFC"[..], Ok(&b"h\xFC"[..])),
            ("text/plain; charset=utf-8", "hü".as_bytes(), Ok("hü".as_bytes())),
            ("text/plain; charset=us-ascii", "hü".as_bytes(), Ok("hü".as_bytes())),
            ("text/plain; Charset=\"ISO-8859-1\"", b"h\xFC", Ok("hü".as_bytes())),
            ("text/plain;charset=utf-16le", b"h\0\xFC\0", Ok("hü".as_bytes())),
            ("text/plain; charset=utf-16", b"\xFE\xFF\0h\0\xFC", Ok("hü".as_bytes())),
            ("text/plain; charset=utf-16le", b"h", Err("is not a text in UTF-16LE")),
            ("text/plain; charset=klingon", b"h", Err("is in the charset `klingon`, which is not known")),
        ] {
            let found = utf8(Some(content_type), bytes);
            assert_eq!(found.as_deref().map_err(String::as_str), expected, "{content_type}");
        }
    }
}
