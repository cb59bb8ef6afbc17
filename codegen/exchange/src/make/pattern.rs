//! Random texts that match a pattern.

use fastrand::Rng;
use regex_syntax::hir::{Class, Hir, HirKind};

use crate::schema::anchored;

/// The maximum number of repetitions beyond the minimum.
const MORE: u32 = 4;

/// A random text that matches the pattern. Look-around is ignored, so the caller has to check the result.
/// Returns `None` if the pattern uses a feature that is not regular, such as a back-reference.
pub fn text(random: &mut Rng, pattern: &str) -> Option<String> {
    let hir = regex_syntax::parse(&without_looks(&of_ascii(&anchored(pattern)))).ok()?;
    let mut text = String::new();
    write(random, &hir, &mut text)?;
    Some(text)
}

/// The pattern with ASCII classes, as in ECMA-262.
fn of_ascii(pattern: &str) -> String {
    let mut written = String::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            written.push(character);
            continue;
        }
        match characters.next() {
            Some('d') => written.push_str("[0-9]"),
            Some('w') => written.push_str("[A-Za-z0-9_]"),
            Some('s') => written.push_str(r"[ \t]"),
            Some('/') => written.push('/'),
            escaped => written.extend(std::iter::once('\\').chain(escaped)),
        }
    }
    written
}

/// The pattern without `(?=…)`, `(?!…)`, `(?<=…)` and `(?<!…)`.
fn without_looks(pattern: &str) -> String {
    let mut kept = String::new();
    let mut rest = pattern;
    while let Some(character) = rest.chars().next() {
        if ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|look| rest.starts_with(look)) {
            rest = &rest[group(rest)..];
            continue;
        }
        // An escaped bracket opens no group.
        let length =
            if character == '\\' { rest.chars().take(2).map(char::len_utf8).sum() } else { character.len_utf8() };
        let (piece, after) = rest.split_at(length);
        kept.push_str(piece);
        rest = after;
    }
    kept
}

/// The length of the group at the start of `pattern`.
fn group(pattern: &str) -> usize {
    let (mut depth, mut escaped, mut in_class) = (0_usize, false, false);
    for (index, character) in pattern.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => depth += 1,
            ')' if !in_class => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index + character.len_utf8();
        }
    }
    pattern.len()
}

fn write(random: &mut Rng, hir: &Hir, text: &mut String) -> Option<()> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(Class::Unicode(class)) => {
            let ranges: Vec<(u32, u32)> =
                class.ranges().iter().map(|range| (range.start().into(), range.end().into())).collect();
            // Prefer a visible character.
            let seen: Vec<(u32, u32)> = ranges
                .iter()
                .map(|(start, end)| ((*start).max(0x21), (*end).min(0x7e)))
                .filter(|(start, end)| start <= end)
                .collect();
            let (start, end) = random.choice(if seen.is_empty() { ranges } else { seen })?;
            text.push(char::from_u32(random.u32(start..=end))?);
        }
        HirKind::Class(Class::Bytes(class)) => {
            let range = random.choice(class.ranges())?;
            text.push(char::from(random.u8(range.start()..=range.end())));
        }
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(u32::MAX).min(repetition.min.saturating_add(MORE));
            for _ in 0..random.u32(repetition.min..=most.max(repetition.min)) {
                write(random, &repetition.sub, text)?;
            }
        }
        HirKind::Capture(capture) => write(random, &capture.sub, text)?,
        HirKind::Concat(parts) => {
            for part in parts {
                write(random, part, text)?;
            }
        }
        HirKind::Alternation(choices) => {
            let choice = random.choice(choices)?;
            write(random, choice, text)?;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::{of_ascii, text, without_looks};

    #[test]
    fn an_escaped_backslash_escapes_nothing() {
        assert_eq!(of_ascii(r"^[\\w-]+\d\/\\$"), r"^[\\w-]+[0-9]/\\$");
        let made = text(&mut fastrand::Rng::with_seed(1), r"^[\\w]{9}$").expect("it is a pattern");
        assert!(made.chars().all(|character| matches!(character, '\\' | 'w')), "{made}");
    }

    #[test]
    fn looks_are_left_out() {
        assert_eq!(without_looks("^(?!(api|feed)/).*"), "^.*");
        assert_eq!(without_looks(r"^(?=.*[)(])\(?a(?<!\)b)(c)$"), r"^\(?a(c)$");
        assert_eq!(without_looks("(?:a|b)"), "(?:a|b)");
    }
}
