//! Strings between quotes.

/// Appends `text` as a JSON string.
pub(super) fn escape(bytes: &mut Vec<u8>, text: &str) {
    bytes.reserve(text.len() + 2);
    bytes.push(b'"');
    let mut rest = text.as_bytes();
    while let Some(index) = find(rest) {
        bytes.extend_from_slice(&rest[..index]);
        push_escape(bytes, rest[index]);
        rest = &rest[index + 1..];
    }
    bytes.extend_from_slice(rest);
    bytes.push(b'"');
}

/// The first byte that has to be escaped, looked for eight at a time.
fn find(bytes: &[u8]) -> Option<usize> {
    let (words, last) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        if may_need_escape(u64::from_le_bytes(*word)) {
            return find_one(&bytes[index * 8..]).map(|found| index * 8 + found);
        }
    }
    find_one(last).map(|found| words.len() * 8 + found)
}

fn find_one(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| ESCAPES[usize::from(*byte)] != 0)
}

/// One of the eight bytes is a control character, a quote, or a backslash; rarely true without that.
fn may_need_escape(word: u64) -> bool {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let zero_in = |word: u64| word.wrapping_sub(ONES) & !word;
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let found = control | zero_in(word ^ (ONES * 0x22)) | zero_in(word ^ (ONES * 0x5C));
    found & (ONES * 0x80) != 0
}

/// What follows the backslash; 0 for what stands for itself.
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

#[cold]
fn push_escape(bytes: &mut Vec<u8>, byte: u8) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let letter = ESCAPES[usize::from(byte)];
    bytes.extend_from_slice(&[b'\\', letter]);
    if letter == b'u' {
        bytes.extend_from_slice(&[b'0', b'0', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
    }
}
