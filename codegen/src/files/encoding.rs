//! Bytes → text, with any byte-order mark.

/// The text without its byte-order mark.
pub(crate) fn decode(bytes: Vec<u8>) -> Result<String, String> {
    match &bytes[..] {
        [0xEF, 0xBB, 0xBF, rest @ ..] => utf_8(rest.to_vec()),
        [0xFF, 0xFE, rest @ ..] => utf_16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => utf_16(rest, u16::from_be_bytes),
        _ => utf_8(bytes),
    }
}

fn utf_8(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

fn utf_16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, String> {
    let (pairs, rest) = bytes.as_chunks();
    if !rest.is_empty() {
        return Err("UTF-16 with half a character at its end".to_owned());
    }
    char::decode_utf16(pairs.iter().map(|pair| unit(*pair)))
        .collect::<Result<String, _>>()
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_order_marks_are_dropped() {
        let decode = |bytes: &[u8]| decode(bytes.to_vec());
        assert_eq!(decode(b"\xEF\xBB\xBFa: \xC3\xA4").unwrap(), "a: ä");
        assert_eq!(decode(b"\xFF\xFEa\0:\0").unwrap(), "a:");
        assert_eq!(decode(b"\xFE\xFF\0a\0:").unwrap(), "a:");
        assert!(decode(b"a\xFF").is_err());
        assert!(decode(b"\xFF\xFEa").is_err());
    }
}
