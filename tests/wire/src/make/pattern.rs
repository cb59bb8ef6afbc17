//! Random texts that match a pattern.

use fastrand::Rng;
use regex_syntax::hir::{Class, Hir, HirKind};

/// How often something is repeated beyond what it has to be.
const MORE: u32 = 4;

/// A text that matches; none when the pattern says what regular expressions cannot, such as a look-ahead.
pub(super) fn text(random: &mut Rng, pattern: &str) -> Option<String> {
    // In ECMA-262 these classes are those of ASCII.
    let pattern =
        pattern.replace(r"\d", "[0-9]").replace(r"\w", "[A-Za-z0-9_]").replace(r"\s", r"[ \t]").replace(r"\/", "/");
    let hir = regex_syntax::parse(&pattern).ok()?;
    let mut text = String::new();
    write(random, &hir, &mut text)?;
    Some(text)
}

fn write(random: &mut Rng, hir: &Hir, text: &mut String) -> Option<()> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(Class::Unicode(class)) => {
            let ranges: Vec<(u32, u32)> =
                class.ranges().iter().map(|range| (range.start().into(), range.end().into())).collect();
            // A character that can be seen, if there is one.
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
