//! Durations on the command line.

use std::time::Duration;

/// A duration such as `20s`.
pub(super) fn parse(text: &str) -> Result<Duration, String> {
    let expected = "expected numbers with units, such as `200ms`, `20s` or `1m 30s`";
    humantime::parse_duration(text).map_err(|_| expected.to_owned())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::parse;

    #[test]
    fn a_duration_has_units() {
        assert_eq!(parse("1m 30s"), Ok(Duration::from_secs(90)));
        for wrong in ["", "20", "s", "soon", "-1s"] {
            assert!(parse(wrong).is_err_and(|message| message.contains("`20s`")), "{wrong}");
        }
    }
}
