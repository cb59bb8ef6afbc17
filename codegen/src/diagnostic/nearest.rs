//! Spelling suggestions.

/// Longer names are not suggested.
const LONGEST: usize = 200;

/// The candidate with the smallest edit distance to `name`, if it is small.
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    let name = name.to_ascii_lowercase();
    let letters = name.chars().count();
    let most = letters.div_ceil(4).min(3);
    // A character has at most four bytes.
    let similar = |candidate: &&str| candidate.len() <= 4 * (letters + most) && candidate.len() + most >= letters;
    let distances = candidates
        .into_iter()
        .filter(similar)
        .map(|candidate| (strsim::osa_distance(&name, &candidate.to_ascii_lowercase()), candidate));
    distances.filter(|(distance, _)| *distance <= most).min_by_key(|(distance, _)| *distance).map(|(_, best)| best)
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
