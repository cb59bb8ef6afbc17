//! Percent-encoding.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::text::Refusal;

/// All but the unreserved characters of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
/// Also the full stop, which separates the items of a label.
const RESERVED_IN_LABEL: &AsciiSet = &RESERVED.add(b'.');
/// What `allowReserved` cannot spare in a query: separators of the query, and the plus sign, which is read as a space.
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
/// The same in a list that commas separate.
const ESSENTIAL_IN_LIST: &AsciiSet = &ESSENTIAL.add(b',');

/// What would end the name of a cookie, or be taken for an encoded one. Names such as `ids[]` are sent as they are.
const OF_COOKIES: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'%').add(b',').add(b';').add(b'=').add(b'\\');

/// Which characters are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    /// None: in headers.
    Plain,
    /// All that are reserved.
    Reserved,
    /// All that are reserved, and the full stop.
    Label,
    /// As few as possible.
    Essential,
    /// As few as possible, and the comma.
    EssentialInList,
    /// As few as possible in the name of a cookie.
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

/// Undoes the encoding.
pub(super) fn decode(text: &str) -> Result<Cow<'_, str>, Refusal> {
    percent_decode_str(text)
        .decode_utf8()
        .map_err(|_| Refusal { code: "syntax", detail: "is not UTF-8 after percent-decoding".to_owned() })
}

/// Undoes the encoding of a query or a form, in which a plus sign is a space.
pub(super) fn decode_form(text: &str) -> Result<Cow<'_, str>, Refusal> {
    if text.contains('+') {
        return decode(&text.replace('+', " ")).map(|text| Cow::Owned(text.into_owned()));
    }
    decode(text)
}
