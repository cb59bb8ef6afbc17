//! String literals.

/// Appends `text` as a JSON string.
pub(super) fn escape(bytes: &mut Vec<u8>, text: &str) {
    bytes.reserve(text.len() + 2);
    bytes.push(b'"');
    if is_plain(text.as_bytes()) {
        bytes.extend_from_slice(text.as_bytes());
    } else {
        escape_each(bytes, text.as_bytes());
    }
    bytes.push(b'"');
}

/// Whether nothing needs escaping; checks eight bytes at a time, the last ones possibly twice.
fn is_plain(bytes: &[u8]) -> bool {
    if let Some(last) = bytes.last_chunk() {
        let (words, _) = bytes.as_chunks();
        return words.iter().chain([last]).all(|word| special_bytes(*word) == 0);
    }
    if let (Some([a, b, c, d]), Some([e, f, g, h])) = (bytes.first_chunk(), bytes.last_chunk()) {
        return special_bytes([*a, *b, *c, *d, *e, *f, *g, *h]) == 0;
    }
    bytes.iter().all(|byte| ESCAPES[usize::from(*byte)] == 0)
}

#[cold]
fn escape_each(bytes: &mut Vec<u8>, mut rest: &[u8]) {
    while let Some(index) = rest.iter().position(|byte| ESCAPES[usize::from(*byte)] != 0) {
        bytes.extend_from_slice(&rest[..index]);
        push_escape(bytes, rest[index]);
        rest = &rest[index + 1..];
    }
    bytes.extend_from_slice(rest);
}

/// A bit for each of the eight bytes that is a control character, a quote, or a backslash. The lowest bit is exact; after
/// it, false positives are rare.
#[inline]
pub(super) fn special_bytes(bytes: [u8; 8]) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let word = u64::from_le_bytes(bytes);
    let zero_in = |word: u64| word.wrapping_sub(ONES) & !word;
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let found = control | zero_in(word ^ (ONES * 0x22)) | zero_in(word ^ (ONES * 0x5C));
    found & (ONES * 0x80)
}

/// The letter after the backslash; 0 if no escape is needed.
static ESCAPES: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = b'u';
        byte += 1;
    }
    table[0x08] = b'b';
    table[0x09] = b't';
    table[0x0A] = b'n';
    table[0x0C] = b'f';
    table[0x0D] = b'r';
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table
};

fn push_escape(bytes: &mut Vec<u8>, byte: u8) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let letter = ESCAPES[usize::from(byte)];
    bytes.extend_from_slice(&[b'\\', letter]);
    if letter == b'u' {
        bytes.extend_from_slice(&[b'0', b'0', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
    }
}

/// Replaces each `\\uD800` to `\\uDFFF` that is half of a pair with `\\uFFFD`; `None` if there is none.
#[cold]
pub(super) fn without_lone_surrogates(document: &[u8]) -> Option<Vec<u8>> {
    let unit = |at: usize| {
        let digits = document.get(at..at + 6)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let mut mended = document.to_vec();
    let mut changed = false;
    let mut index = 0;
    while let Some(byte) = document.get(index) {
        index += match (byte, unit(index)) {
            (b'\\', Some(0xD800..=0xDBFF)) if matches!(unit(index + 6), Some(0xDC00..=0xDFFF)) => 12,
            (b'\\', Some(0xD800..=0xDFFF)) => {
                mended[index..index + 6].copy_from_slice(b"\\uFFFD");
                changed = true;
                6
            }
            (b'\\', _) => 2,
            _ => 1,
        };
    }
    changed.then_some(mended)
}
