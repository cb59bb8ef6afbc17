//! The characters that texts of a pattern begin with, for patterns in which they are easy to see.

use std::ops::RangeInclusive;

/// Whether no text has both patterns, because the texts begin with different characters.
pub(super) fn exclude_each_other(one: &str, other: &str) -> bool {
    let (Some(ones), Some(others)) = (first(one), first(other)) else { return false };
    let overlap = |one: &RangeInclusive<char>| {
        others.iter().any(|other| one.start() <= other.end() && other.start() <= one.end())
    };
    !ones.iter().any(overlap)
}

/// The first characters of `^[a-z]…`, `^\d…` or `^a…`.
fn first(pattern: &str) -> Option<Vec<RangeInclusive<char>>> {
    let rest = pattern.strip_prefix('^').filter(|_| !pattern.contains('|'))?;
    let (ranges, rest) = if let Some(rest) = rest.strip_prefix("\\d") {
        (vec!['0'..='9'], rest)
    } else if let Some(class) = rest.strip_prefix('[') {
        let (class, rest) = class.split_once(']')?;
        (ranges(class)?, rest)
    } else {
        let first = rest.chars().next().filter(|first| first.is_alphanumeric())?;
        (vec![first..=first], &rest[first.len_utf8()..])
    };
    let count = rest.strip_prefix('{');
    let may_be_absent = rest.starts_with(['*', '?'])
        || count.is_some_and(|count| !count.starts_with(|sign| ('1'..='9').contains(&sign)));
    (!may_be_absent).then_some(ranges)
}

/// The ranges of a class without `^` and escapes.
fn ranges(class: &str) -> Option<Vec<RangeInclusive<char>>> {
    let mut ranges = Vec::new();
    let mut rest = class.chars();
    while let Some(start) = rest.next() {
        if matches!(start, '^' | '\\' | '[') {
            return None;
        }
        let end = match rest.as_str().strip_prefix('-').and_then(|rest| rest.chars().next()) {
            Some('\\' | '[') => return None,
            Some(end) => {
                rest.nth(1);
                end
            }
            None => start,
        };
        ranges.push(start..=end);
    }
    Some(ranges)
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
            ("^[a-f0-9]+$", "^[a-z]+$", false),
            ("^[0-9]*$", "^[a-z]+$", false),
            ("^[0-9]{0,2}$", "^[a-z]+$", false),
            ("[0-9]+", "^[a-z]+$", false),
            ("^[0-9]+$|^x", "^[a-z]+$", false),
            ("^[^a]", "^a", false),
            (r"^[\w]", "^a", false),
            ("^[a-]", "^-", false),
        ] {
            assert_eq!(exclude_each_other(one, other), expected, "{one} {other}");
            assert_eq!(exclude_each_other(other, one), expected, "{other} {one}");
        }
    }
}
