//! Spelling suggestions.

/// Longer names are not suggested.
const LONGEST: usize = 200;

/// The candidate with the smallest edit distance to `name`, if it is small.
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    let name = letters(name);
    let mut allowed = name.len().div_ceil(4).min(3);
    let mut best = None;
    for candidate in candidates {
        // A character has at most four bytes.
        if candidate.len() > 4 * (name.len() + allowed) || candidate.len() + allowed < name.len() {
            continue;
        }
        if let Some(distance) = distance(&name, &letters(candidate), allowed) {
            best = Some(candidate);
            let Some(less) = distance.checked_sub(1) else { break };
            allowed = less;
        }
    }
    best
}

fn letters(name: &str) -> Vec<char> {
    name.chars().map(|letter| letter.to_ascii_lowercase()).collect()
}

/// The edit distance (insert, delete, replace, swap neighbours), if it is at most `most`.
fn distance(left: &[char], right: &[char], most: usize) -> Option<usize> {
    if left.len().abs_diff(right.len()) > most {
        return None;
    }
    let far = most + 1;
    let first: Vec<usize> = (0..=right.len()).map(|j| j.min(far)).collect();
    // The two previous rows of the table. Only cells near the diagonal can stay below the limit.
    let (mut above, mut before) = (first, vec![far; right.len() + 1]);
    for i in 1..=left.len() {
        let mut row = vec![far; right.len() + 1];
        if i <= most {
            row[0] = i;
        }
        for j in i.saturating_sub(most).max(1)..=(i + most).min(right.len()) {
            let changed = above[j - 1] + usize::from(left[i - 1] != right[j - 1]);
            let mut best = changed.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row[j] = best.min(far);
        }
        before = std::mem::replace(&mut above, row);
    }
    above.last().copied().filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_mistakes_are_seen() {
        let names = ["operationId", "parameters", "responses", "in"];
        assert_eq!(nearest("operationID", names), Some("operationId"));
        assert_eq!(nearest("paramters", names), Some("parameters"));
        assert_eq!(nearest("repsonse", names), Some("responses"));
        assert_eq!(nearest("produces", names), None);
        assert_eq!(nearest("on", names), Some("in"));
        assert_eq!(nearest("abdc", ["abcd", "dc", "xabdcx"]), Some("abcd"));
        assert_eq!(nearest("Größen", ["Grösen", "größen"]), Some("größen"));
    }

    #[test]
    fn long_names_and_many_take_no_time() {
        let names: Vec<String> = (0..100_000).map(|number| format!("{number}-{}", "x".repeat(number % 500))).collect();
        assert_eq!(nearest(&"x".repeat(1_000_000), names.iter().map(String::as_str)), None);
        assert_eq!(nearest("90000", names.iter().map(String::as_str)), Some("9000-"));
    }
}
