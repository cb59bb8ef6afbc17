//! File names in `Content-Disposition`, in all their encodings.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderMap;
use http::header::CONTENT_DISPOSITION;
use percent_encoding::percent_decode_str;

/// The name in `filename*` (RFC 8187), which overrides `filename`.
pub(super) fn extended(headers: &HeaderMap) -> Option<String> {
    let header = String::from_utf8_lossy(headers.get(CONTENT_DISPOSITION)?.as_bytes());
    let value = parameter(&header, "filename*")?;
    let (charset, rest) = value.split_once('\'')?;
    let (_, text) = rest.split_once('\'')?;
    text_of(charset, percent_decode_str(text).collect())
}

/// The name in `filename`. Some programs, such as .NET, use encoded words (RFC 2047).
pub(super) fn decoded(name: &str) -> String {
    let words: Option<Vec<String>> = name.split_ascii_whitespace().map(word).collect();
    // White space between encoded words is ignored. A name with anything else is used unchanged.
    words.filter(|words| !words.is_empty()).map_or_else(|| name.to_owned(), |words| words.concat())
}

/// The value of a parameter of a header.
fn parameter<'h>(header: &'h str, name: &str) -> Option<&'h str> {
    let mut quoted = false;
    let mut escaped = false;
    let pieces = header.split(|character| {
        quoted ^= character == '"' && !escaped;
        escaped = quoted && character == '\\' && !escaped;
        character == ';' && !quoted
    });
    let mut parameters = pieces.filter_map(|piece| piece.split_once('='));
    let (_, value) = parameters.find(|(found, _)| found.trim().eq_ignore_ascii_case(name))?;
    Some(value.trim().trim_matches('"'))
}

/// The text of an encoded word: `=?utf-8?B?…?=` or `=?utf-8?Q?…?=`.
fn word(word: &str) -> Option<String> {
    let mut pieces = word.strip_prefix("=?")?.strip_suffix("?=")?.split('?');
    let (charset, encoding, text) = (pieces.next()?, pieces.next()?, pieces.next()?);
    let bytes = match encoding {
        "B" | "b" => STANDARD.decode(text).ok()?,
        "Q" | "q" => percent_decode_str(&text.replace('%', "%25").replace('=', "%").replace('_', " ")).collect(),
        _ => return None,
    };
    // A language may follow the charset (RFC 2231).
    let charset = charset.split('*').next().unwrap_or_default();
    pieces.next().is_none().then(|| text_of(charset, bytes)).flatten()
}

fn text_of(charset: &str, bytes: Vec<u8>) -> Option<String> {
    match charset.to_ascii_lowercase().as_str() {
        "utf-8" | "us-ascii" => String::from_utf8(bytes).ok(),
        "iso-8859-1" => Some(bytes.into_iter().map(char::from).collect()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn extended_names_are_decoded() {
        for (header, expected) in [
            ("form-data; name=\"f\"; filename*=utf-8''%C3%84%20b.txt", Some("Ä b.txt")),
            ("form-data; filename=\"a;filename*=x\"; FileName* = UTF-8'de'%e2%82%ac.txt", Some("€.txt")),
            ("form-data; filename=\"a\\\"; b\"; filename*=utf-8''c.txt", Some("c.txt")),
            ("form-data; filename*=\"utf-8''quoted.txt\"", Some("quoted.txt")),
            ("form-data; filename*=iso-8859-1'en'%A3.txt", Some("£.txt")),
            ("form-data; filename*=utf-8''%FF.txt", None),
            ("form-data; filename*=klingon''a.txt", None),
            ("form-data; filename*=a.txt", None),
            ("form-data; filename=\"filename*=utf-8''a.txt\"", None),
        ] {
            let headers = [(CONTENT_DISPOSITION, HeaderValue::from_static(header))].into_iter().collect();
            assert_eq!(extended(&headers).as_deref(), expected, "{header}");
        }
    }

    #[test]
    fn encoded_words_are_decoded() {
        for (name, expected) in [
            ("=?utf-8?B?w4RyZ2VyLnR4dA==?=", "Ärger.txt"),
            ("=?UTF-8?q?=C3=84_b%.txt?=", "Ä b%.txt"),
            ("=?iso-8859-1*de?Q?=C4.txt?=", "Ä.txt"),
            ("=?utf-8?B?w4Ry?= =?utf-8?B?Z2VyLnR4dA==?=", "Ärger.txt"),
            ("=?utf-8?B?w4Ry?= a.txt", "=?utf-8?B?w4Ry?= a.txt"),
            ("=?utf-8?B?%?=", "=?utf-8?B?%?="),
            ("=?utf-8?X?a?=", "=?utf-8?X?a?="),
            ("a b.txt", "a b.txt"),
            ("", ""),
        ] {
            assert_eq!(decoded(name), expected, "{name}");
        }
    }
}
