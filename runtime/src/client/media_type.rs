//! Selects the declared content for a `Content-Type`.

use super::operation::Content;
use crate::media_type::{essence, fit, is_json};

const BYTES: &str = "application/octet-stream";
const EVENTS: &str = "text/event-stream";

/// The content that matches `content_type` most exactly: by name, by a range such as `image/*`, or by `*/*`; of these,
/// the one with most of its parameters.
///
/// A single declared content is taken whatever the header is, because servers often mislabel bodies. Events are the
/// exception: another text, such as an error page, would be read as a stream without events.
pub(super) fn choose(contents: &[Content], content_type: Option<&str>) -> Option<usize> {
    let only = if let [only] = contents { Some(only) } else { None };
    if only.is_some_and(|only| !only.media_types.contains(&EVENTS)) {
        return Some(0);
    }
    let essence = essence(content_type.unwrap_or_default()).to_ascii_lowercase();
    if only.is_some() {
        return matches!(essence.as_str(), "" | EVENTS | BYTES | "text/plain").then_some(0);
    }
    let precision = |content: &Content| {
        let ranges = content.media_types.iter();
        ranges.filter_map(|range| Some((matches(range, &essence)?, fit(range, content_type.unwrap_or_default())))).max()
    };
    let precise = contents
        .iter()
        .enumerate()
        .filter_map(|(index, content)| Some((precision(content)?, std::cmp::Reverse(index))))
        .max();
    match precise {
        Some((_, first)) => Some(first.0),
        // It says only that there are bytes.
        None if essence == BYTES => contents.iter().position(|content| content.streamed),
        None => None,
    }
}

/// How exactly `range` matches `essence`; `None` if it does not.
fn matches(range: &str, essence: &str) -> Option<u8> {
    let range = crate::media_type::essence(range).to_ascii_lowercase();
    if range == essence {
        return Some(5);
    }
    let (kind, subtype) = essence.split_once('/')?;
    match range.split_once('/')? {
        ("*", "*") => Some(0),
        (range, "*") => (range == kind).then_some(1),
        (range, suffix) if suffix.starts_with("*+") => (range == kind && subtype.ends_with(&suffix[1..])).then_some(4),
        // A reader of `application/json` can read `application/problem+json`.
        ("application", "json") => is_json(essence).then_some(3),
        // Servers often send one for the other.
        _ => (is_json(&range) && is_json(essence)).then_some(2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_told_by_its_exact_name_and_else_by_any() {
        const CONTENTS: &[Content] =
            &[Content::whole(&["application/problem+json"]), Content::whole(&["application/json", "text/plain"])];
        for (content_type, expected) in [
            ("application/problem+json", Some(0)),
            ("application/json; charset=utf-8", Some(1)),
            ("application/hal+json", Some(1)),
            ("text/plain", Some(1)),
            ("text/html", None),
        ] {
            assert_eq!(choose(CONTENTS, Some(content_type)), expected, "{content_type}");
        }
        let contents = [CONTENTS[0], Content::whole(&["text/plain"])];
        assert_eq!(choose(&contents, Some("application/json")), Some(0));
    }

    #[test]
    fn parameters_choose_among_contents_of_one_name() {
        const CONTENTS: &[Content] =
            &[Content::whole(&["application/json;version=1"]), Content::whole(&["application/json;version=2"])];
        for (content_type, expected) in [
            ("application/json; version=2; charset=utf-8", Some(1)),
            ("application/json", Some(0)),
            ("application/json;version=3", Some(0)),
        ] {
            assert_eq!(choose(CONTENTS, Some(content_type)), expected, "{content_type}");
        }
    }

    #[test]
    fn events_are_no_json_and_no_page() {
        let contents = [Content::streamed(&[EVENTS])];
        for (content_type, expected) in [
            (Some("text/event-stream; charset=utf-8"), Some(0)),
            (Some("text/plain"), Some(0)),
            (None, Some(0)),
            (Some("application/json"), None),
            (Some("text/html"), None),
        ] {
            assert_eq!(choose(&contents, content_type), expected, "{content_type:?}");
        }
        assert_eq!(choose(&[Content::streamed(&["application/pdf"])], Some("text/html")), Some(0));
    }

    #[test]
    fn bytes_without_a_name_are_a_stream() {
        let image = Content { streamed: true, ..Content::whole(&["image/*"]) };
        let contents = [Content::whole(&["application/json"]), image];
        for (content_type, expected) in [("image/png", Some(1)), (BYTES, Some(1)), ("text/html", None)] {
            assert_eq!(choose(&contents, Some(content_type)), expected, "{content_type}");
        }
        assert_eq!(choose(&contents, None), None);
    }
}
