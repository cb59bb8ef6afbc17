//! Varies Rust by its tokens, so that much of what comes out is Rust; libFuzzer alone would vary bytes.

use std::ops::Range;

use libfuzzer_sys::fuzzer_mutate;
use printing::{Kind, Token};

use crate::mutate::Random;

/// What makes a line longer, or its layout another one.
const PARTS: &[&str] = &[
    "a", "a_name_that_is_longer_than_most", "A", "Self", "self", "1", "\"text\"", "'a", "()", "(a, b)", "[a]", "{ a }", "{ a; }",
    "|a| a", "|a, b| { a }", "|a| match a { _ => b }", "move || a", ".a", ".a()", ".await", "?", "&", "&mut", "*", "-", "!", "==", "&&",
    "||", "+", "=", "=>", "->", "::", "::<A>", "<A, B>", "<'a>", ":", ";", ",", "..", "match a { _ => {} }", "if a { b } else { c }",
    "if let A(b) = c { d }", "for a in b {}", "let a = b;", "return a", "async move { a }", "A { a, b: c }", "#[a]", "#[a(b, c = \"d\")]",
    "pub", "pub(crate)", "const A: B = c;", "fn a(&self) -> A { b }", "where A: B,", "dyn A + B", "impl A", "as A", "mut", "ref",
];

/// Changes the input in `data`, of which `size` bytes count, and gives its new size.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut random = Random::new(seed);
    let code = str::from_utf8(&data[..size]).ok().filter(|_| !random.one_in(16)).map(str::to_owned);
    let Some(mut code) = code else { return fuzzer_mutate(data, size, max_size) };
    for _ in 0..=random.below(3) {
        let Some(changed) = change(&code, &mut random) else { return fuzzer_mutate(data, size, max_size) };
        code = changed;
    }
    if code.len() > max_size {
        return fuzzer_mutate(data, size, max_size);
    }
    data[..code.len()].copy_from_slice(code.as_bytes());
    code.len()
}

/// Takes a group or a token away, or puts another one in its place, before it or behind it.
fn change(code: &str, random: &mut Random) -> Option<String> {
    let tokens = printing::tokens(code)?;
    let place = part(&tokens, code, random)?;
    let part = match random.below(3) {
        0 => (*random.pick(PARTS)).to_owned(),
        1 => code[self::part(&tokens, code, random)?].to_owned(),
        _ => String::new(),
    };
    let (start, end) = match random.below(3) {
        0 => (place.start, place.start),
        1 => (place.end, place.end),
        _ => (place.start, place.end),
    };
    Some(format!("{} {part} {}", &code[..start], &code[end..]))
}

/// Where some token is, a group with all that stands in it.
fn part(tokens: &[Token<'_>], code: &str, random: &mut Random) -> Option<Range<usize>> {
    let token = tokens[random.below(tokens.len())];
    let last = match token.kind {
        Kind::Open => tokens[token.mate],
        Kind::Close | Kind::End => return None,
        Kind::Word | Kind::Lifetime | Kind::Literal | Kind::Punctuation => token,
    };
    let range = token.start..last.start + last.text.len();
    code.get(range.clone()).map(|_| range)
}
