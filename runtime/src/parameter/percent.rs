//! Percent-encoding.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::text::Refusal;

/// All characters except the unreserved ones of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// Also the full stop, which separates the items of a label.
const RESERVED_IN_LABEL: &AsciiSet = &RESERVED.add(b'.');
/// The characters that must be encoded in a query even with `allowReserved`: separators, and the plus sign,
/// which is read as a space.
const ESSENTIAL: &AsciiSet = &RESERVED
    .remove(b':')
    .remove(b'/')
    .remove(b'?')
    .remove(b'[')
    .remove(b']')
    .remove(b'@')
    .remove(b'!')
    .remove(b'$')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b',')
    .remove(b';')
    .remove(b'=');
/// The same for comma-separated lists.
const ESSENTIAL_IN_LIST: &AsciiSet = &ESSENTIAL.add(b',');

/// The characters that would end the name of a cookie, or look encoded. Names such as `ids[]` are sent
/// unchanged.
const OF_COOKIES: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'%').add(b',').add(b';').add(b'=').add(b'\\');

/// The characters that are encoded in the literals of a path.
#[cfg(any(feature = "client", feature = "server"))]
const LITERAL: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'<').add(b'>').add(b'`').add(b'{').add(b'}');

/// Which characters are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// No characters: in headers.
    Plain,
    /// All reserved characters.
    Reserved,
    /// All reserved characters, and the full stop.
    Label,
    /// As few characters as possible.
    Essential,
    /// As few characters as possible, and the comma.
    EssentialInList,
    /// As few characters as possible in the name of a cookie.
    NameOfCookie,
}

/// Appends `text`.
pub(super) fn encode(out: &mut String, text: &str, encoding: Encoding) {
    let set = match encoding {
        Encoding::Plain => return out.push_str(text),
        Encoding::Reserved => RESERVED,
        Encoding::Label => RESERVED_IN_LABEL,
        Encoding::Essential => ESSENTIAL,
        Encoding::EssentialInList => ESSENTIAL_IN_LIST,
        Encoding::NameOfCookie => OF_COOKIES,
    };
    out.extend(utf8_percent_encode(text, set));
}

/// A literal of a path as clients send it.
#[cfg(any(feature = "client", feature = "server"))]
pub(crate) fn encode_literal(literal: &str) -> impl Iterator<Item = &str> {
    utf8_percent_encode(literal, LITERAL)
}

/// Decodes percent-encoding.
pub(super) fn decode(text: &str) -> Result<Cow<'_, str>, Refusal> {
    percent_decode_str(text)
        .decode_utf8()
        .map_err(|_| Refusal { code: "syntax", detail: "is not UTF-8 after percent-decoding".to_owned() })
}

/// Decodes a query or a form, where a plus sign is a space.
pub(super) fn decode_form(text: &str) -> Result<Cow<'_, str>, Refusal> {
    if !text.bytes().any(|byte| matches!(byte, b'%' | b'+')) {
        return Ok(Cow::Borrowed(text));
    }
    if text.contains('+') {
        return decode(&text.replace('+', " ")).map(|text| Cow::Owned(text.into_owned()));
    }
    decode(text)
}
