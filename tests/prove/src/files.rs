//! Upload requests, and handmade images.

const BOUNDARY: &str = "prove-7d1f0c";

/// An upload of one file; the raw name is put into the part's header, so that it can be malformed.
pub fn upload(path: &str, token: &str, part: &str, name: &[u8], media_type: &str, bytes: &[u8]) -> Vec<u8> {
    let mut head = format!("name=\"{part}\"; filename=\"").into_bytes();
    head.extend_from_slice(name);
    head.extend_from_slice(format!("\"\r\ncontent-type: {media_type}").as_bytes());
    form(path, token, &head, bytes)
}

/// Attaches a temporary upload.
pub fn attach(path: &str, token: &str, alias: &str) -> Vec<u8> {
    form(path, token, b"name=\"alias\"", alias.as_bytes())
}

/// The request with another header.
pub fn with_header(mut request: Vec<u8>, name: &str, value: &str) -> Vec<u8> {
    let line = request.windows(2).position(|window| window == b"\r\n").map_or(0, |end| end + 2);
    request.splice(line..line, format!("{name}: {value}\r\n").bytes());
    request
}

/// A form with one part; `head` follows `form-data` in its header.
fn form(path: &str, token: &str, head: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut body = format!("--{BOUNDARY}\r\ncontent-disposition: form-data; ").into_bytes();
    body.extend_from_slice(head);
    body.extend_from_slice(b"\r\n\r\n");
    body.extend_from_slice(bytes);
    body.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
    let mut request = format!(
        "POST {path} HTTP/1.1\r\nhost: prove\r\nauthorization: Bearer {token}\r\n\
         content-type: multipart/form-data; boundary={BOUNDARY}\r\ncontent-length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    request.extend(body);
    request
}

/// A PNG with these chunks and correct checksums.
pub fn png(chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, data) in chunks {
        bytes.extend(u32::try_from(data.len()).unwrap_or(u32::MAX).to_be_bytes());
        let chunk = [name.as_slice(), data].concat();
        bytes.extend(&chunk);
        bytes.extend(crc(&chunk).to_be_bytes());
    }
    bytes
}

/// The head of a PNG: 8 bits a channel; `color` is 0 for gray, 2 for RGB, 6 for RGBA.
pub fn png_head(width: u32, height: u32, color: u8) -> Vec<u8> {
    [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, color, 0, 0, 0]].concat()
}

/// This many zero bytes as a zlib stream, about a thousandth of their size.
pub fn zeros(length: usize) -> Vec<u8> {
    let mut bits = Bits::default();
    // One block with fixed codes: the literal 0, then matches of 258 bytes at distance 1.
    bits.put(0b1, 1);
    bits.put(0b01, 2);
    bits.code(0x30, 8);
    for _ in 0..(length.saturating_sub(1)) / 258 {
        bits.code(0b1100_0101, 8);
        bits.code(0, 5);
    }
    for _ in 0..(length.saturating_sub(1)) % 258 {
        bits.code(0x30, 8);
    }
    bits.code(0, 7);
    let mut bytes = vec![0x78, 0x01];
    bytes.extend(bits.end());
    // For zeros, the first sum of Adler-32 stays 1 and the second counts them.
    let sum = u32::try_from(length % 65_521).unwrap_or_default() << 16 | 1;
    bytes.extend(sum.to_be_bytes());
    bytes
}

#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    pending: u32,
    count: u32,
}

impl Bits {
    /// Least significant bit first.
    fn put(&mut self, value: u32, bits: u32) {
        self.pending |= value << self.count;
        self.count += bits;
        while self.count >= 8 {
            self.bytes.push(self.pending.to_le_bytes()[0]);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    /// A Huffman code: most significant bit first.
    fn code(&mut self, code: u32, bits: u32) {
        self.put(code.reverse_bits() >> (32 - bits), bits);
    }

    fn end(mut self) -> Vec<u8> {
        self.put(0, 7);
        self.bytes
    }
}

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ if sum & 1 == 1 { 0xEDB8_8320 } else { 0 })
    })
}
