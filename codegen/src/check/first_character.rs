//! The characters that texts of a pattern begin with.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look};

/// Whether no text has both patterns, because the texts begin with different characters.
pub(super) fn exclude_each_other(one: &str, other: &str) -> bool {
    let (Some(mut one), Some(other)) = (of_pattern(one), of_pattern(other)) else { return false };
    one.intersect(&other);
    one.ranges().is_empty()
}

/// `None` if texts can begin with any character, or if the pattern is not of this syntax.
fn of_pattern(pattern: &str) -> Option<ClassUnicode> {
    let pattern = regex_syntax::parse(pattern).ok()?;
    let HirKind::Concat(parts) = pattern.kind() else { return None };
    match parts.as_slice() {
        [start, first, ..] if *start.kind() == HirKind::Look(Look::Start) => first_of(first),
        _ => None,
    }
}

/// `None` if the part may be empty.
fn first_of(part: &Hir) -> Option<ClassUnicode> {
    match part.kind() {
        HirKind::Literal(literal) => {
            let first = str::from_utf8(&literal.0).ok()?.chars().next()?;
            Some(ClassUnicode::new([ClassUnicodeRange::new(first, first)]))
        }
        HirKind::Class(Class::Unicode(class)) => Some(class.clone()),
        HirKind::Repetition(repetition) if repetition.min > 0 => first_of(&repetition.sub),
        HirKind::Capture(capture) => first_of(&capture.sub),
        HirKind::Concat(parts) => first_of(parts.first()?),
        HirKind::Alternation(parts) => {
            let mut all = ClassUnicode::empty();
            for part in parts {
                all.union(&first_of(part)?);
            }
            Some(all)
        }
        HirKind::Repetition(_) | HirKind::Empty | HirKind::Look(_) | HirKind::Class(Class::Bytes(_)) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::exclude_each_other;

    #[test]
    fn patterns_may_exclude_each_other() {
        for (one, other, expected) in [
            ("^[0-9]+$", "^[a-z_]+$", true),
            (r"^\d{4}$", "^x-", true),
            ("^a", "^b", true),
            ("^(a|b)c", "^[^ab]", true),
            ("^[a-f0-9]+$", "^[a-z]+$", false),
            ("^[0-9]*$", "^[a-z]+$", false),
            ("^[0-9]{0,2}$", "^[a-z]+$", false),
            ("[0-9]+", "^[a-z]+$", false),
            ("^[0-9]+$|^x", "^[a-z]+$", false),
            ("^[^a]", "^b", false),
            (r"^[\w]", "^a", false),
            ("^[a-]", "^-", false),
            ("^(?=a)", "^b", false),
        ] {
            assert_eq!(exclude_each_other(one, other), expected, "{one} {other}");
            assert_eq!(exclude_each_other(other, one), expected, "{other} {one}");
        }
    }
}
