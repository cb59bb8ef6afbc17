//! The features table of a `Cargo.toml` that is otherwise written by hand.

/// The first line of the table.
const FEATURES: &str = "[features]\n";
/// The first line after the table.
const NEXT: &str = "[dependencies]\n";

/// `ours` with the features table of `generated`.
pub(crate) fn with_features_of(ours: &str, generated: &str) -> String {
    let (before, old) = split(ours);
    let (_, new) = split(generated);
    let rest = &ours[before.len() + old.len()..];
    format!("{before}{new}{rest}")
}

/// Splits a manifest before the features table or, without one, before the dependencies.
fn split(manifest: &str) -> (&str, &str) {
    let end = manifest.find(NEXT).unwrap_or(manifest.len());
    let start = manifest.find(FEATURES).filter(|start| *start < end).unwrap_or(end);
    (&manifest[..start], &manifest[start..end])
}

#[cfg(test)]
mod tests {
    use super::with_features_of;

    #[test]
    fn only_the_features_change() {
        let with = "[package]\n\n[features]\na = []\n\n[dependencies]\nx = \"1\"\n";
        let without = "[lints]\n\n[dependencies]\ny = \"1\"\n";
        let expected = "[lints]\n\n[features]\na = []\n\n[dependencies]\ny = \"1\"\n";
        assert_eq!(with_features_of(without, with), expected);
        assert_eq!(with_features_of(expected, with), expected);
        assert_eq!(with_features_of(expected, without), without);
    }
}
