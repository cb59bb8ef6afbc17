//! Media types: names, ranges, and parameters such as `version=2`.

use std::cmp::Reverse;

/// `type/subtype` of a `Content-Type`, without its parameters.
pub(crate) fn essence(content_type: &str) -> &str {
    content_type.split(';').next().unwrap_or_default().trim()
}

/// Whether it is `application/json` or ends with `+json`.
pub(crate) fn is_json(content_type: &str) -> bool {
    let essence = essence(content_type).to_ascii_lowercase();
    essence.ends_with("/json") || essence.ends_with("+json")
}

/// Whether `range` (`application/json`, `application/*+json`, `text/*`, `*/*`) covers `media_type`, whatever their
/// parameters are.
#[cfg(any(feature = "multipart-read", feature = "server"))]
pub(crate) fn covers(range: &str, media_type: &str) -> bool {
    let (range, media_type) = (essence(range), essence(media_type));
    if range.eq_ignore_ascii_case(media_type) || range == "*/*" {
        return true;
    }
    let (Some((range, range_subtype)), Some((ty, subtype))) = (range.split_once('/'), media_type.split_once('/'))
    else {
        return false;
    };
    if !range.eq_ignore_ascii_case(ty) {
        return false;
    }
    match range_subtype.strip_prefix('*') {
        Some("") => true,
        // `*+json` covers `problem+json`, but not a bare `+json`.
        Some(suffix) => {
            subtype.len() > suffix.len()
                && subtype.get(subtype.len() - suffix.len()..).is_some_and(|end| end.eq_ignore_ascii_case(suffix))
        }
        None => false,
    }
}

/// How well a media type with parameters fits: the number of parameters that both have, and of those that only the
/// declared one has.
pub(crate) type Fit = (usize, Reverse<usize>);

/// How well the parameters fit those of `declared`; `None` if one has another value.
pub(crate) fn fit(declared: &str, found: &str) -> Option<Fit> {
    let (mut same, mut lacking) = (0, 0);
    for (name, value) in parameters(declared) {
        match parameters(found).find(|(found, _)| found.eq_ignore_ascii_case(name)) {
            Some((_, found)) if found.eq_ignore_ascii_case(value) => same += 1,
            Some(_) => return None,
            None => lacking += 1,
        }
    }
    Some((same, Reverse(lacking)))
}

/// The parameters that tell a media type from others with its name.
fn parameters(media_type: &str) -> impl Iterator<Item = (&str, &str)> {
    let pairs = media_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let pairs = pairs.map(|(name, value)| (name.trim(), value.trim().trim_matches('"')));
    pairs.filter(|(name, _)| !["boundary", "charset", "q"].iter().any(|other| name.eq_ignore_ascii_case(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_told_apart() {
        let declared = "application/json;version=2";
        for (found, expected) in [
            ("application/json; charset=utf-8; Version=\"2\"", Some((1, Reverse(0)))),
            ("application/json", Some((0, Reverse(1)))),
            ("application/json;version=1", None),
        ] {
            assert_eq!(fit(declared, found), expected, "{found}");
        }
        assert_eq!(fit("text/plain", "text/plain;format=flowed"), Some((0, Reverse(0))));
    }
}
