//! Keys of `responses`.

/// The status, the range such as `2XX`, or `default` that a key means; `None` if it is not a status (W0207).
pub(crate) fn meant(key: &str) -> Option<String> {
    match key.as_bytes() {
        [b'1'..=b'5', b'X' | b'x', b'X' | b'x'] => Some(key.to_ascii_uppercase()),
        [b'1'..=b'9', b'0'..=b'9', b'0'..=b'9'] => Some(key.to_owned()),
        // `200 OK`
        [b'1'..=b'5', b'0'..=b'9', b'0'..=b'9', b' ', ..] => Some(key[..3].to_owned()),
        _ => key.eq_ignore_ascii_case("default").then(|| "default".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::meant;

    #[test]
    fn a_key_means_a_status() {
        for (key, expected) in [
            ("204", Some("204")),
            ("4xx", Some("4XX")),
            ("Default", Some("default")),
            ("200 OK", Some("200")),
            ("200,201", None),
            ("20X", None),
            ("success", None),
            ("x-note", None),
        ] {
            assert_eq!(meant(key).as_deref(), expected, "{key}");
        }
    }
}
