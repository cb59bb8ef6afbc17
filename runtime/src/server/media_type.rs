//! Media types: matching, and content negotiation.

use std::cmp::Reverse;

use http::header::{ACCEPT, HeaderMap};

use super::Content;
use crate::media_type::{covers, essence, fit};

/// The content that matches `media_type` most specifically: the same type, a range with a suffix, a type
/// range, then any; of these, the one with most of its parameters.
pub(super) fn choose(contents: &[Content], media_type: &str) -> Option<usize> {
    let precision = |declared: &&str| {
        let specificity = match essence(declared) {
            range if range.eq_ignore_ascii_case(essence(media_type)) => 3,
            range if !covers(range, media_type) => return None,
            "*/*" => 0,
            range => {
                if range.ends_with("/*") {
                    1
                } else {
                    2
                }
            }
        };
        Some((specificity, fit(declared, media_type)?))
    };
    let found = contents.iter().enumerate().filter_map(|(index, content)| {
        let most = content.media_types.iter().filter_map(precision).max()?;
        Some((most, Reverse(index)))
    });
    found.max().map(|(_, Reverse(index))| index)
}

/// The media type of a problem document.
const PROBLEM: &str = "application/problem+json";

/// The offer that `Accept` rates highest; the first of equal ones, and without `Accept`.
///
/// An `Accept` with problem documents alone only describes failures; any response is allowed.
pub(super) fn negotiate(headers: &HeaderMap, offers: &'static [&'static str]) -> Option<&'static str> {
    let first = offers.first().copied();
    if accepts(headers, first) || names_problems_only(headers) {
        return first;
    }
    let mut best = None;
    // An offer of quality 0 is not allowed.
    let mut best_quality = (0, usize::MAX);
    for offer in offers {
        let quality = quality(headers, offer);
        if quality > best_quality {
            best = Some(*offer);
            best_quality = quality;
        }
    }
    best
}

/// The highest quality, in thousandths, that `Accept` gives to an offer; 1000 without offers or without
/// `Accept`.
pub(super) fn highest_quality(headers: &HeaderMap, offers: &[&str]) -> u16 {
    if offers.is_empty() || !headers.contains_key(ACCEPT) {
        return 1000;
    }
    offers.iter().map(|offer| quality(headers, offer).0).max().unwrap_or_default()
}

/// Whether nothing is preferred to the first offer: without `Accept`, or if it is `*/*` or that offer alone.
fn accepts(headers: &HeaderMap, first: Option<&str>) -> bool {
    let mut lines = headers.get_all(ACCEPT).iter();
    match (lines.next(), lines.next()) {
        (None, _) => true,
        (Some(only), None) => only == "*/*" || first.is_some_and(|first| only == first),
        (Some(_), Some(_)) => false,
    }
}

/// Whether `Accept` allows only problem documents.
fn names_problems_only(headers: &HeaderMap) -> bool {
    let mut ranges = ranges(headers).filter(|(_, quality)| *quality > 0).map(|(range, _)| range).peekable();
    ranges.peek().is_some() && ranges.all(|range| essence(range).eq_ignore_ascii_case(PROBLEM))
}

/// The ranges of `Accept` with their parameters, each with its quality in thousandths.
fn ranges(headers: &HeaderMap) -> impl Iterator<Item = (&str, u16)> {
    let lines = headers.get_all(ACCEPT).iter().filter_map(|accept| accept.to_str().ok());
    lines.flat_map(|accept| accept.split(',')).map(|range| {
        let quality = range
            .split(';')
            .skip(1)
            .filter_map(|parameter| parameter.split_once('='))
            .find(|(name, _)| name.trim().eq_ignore_ascii_case("q"))
            .map_or(1000, |(_, value)| thousandths(value.trim()));
        (range.trim(), quality)
    })
}

/// The quality, in thousandths, of an offer, by the most specific matching range of `Accept`, and how many parameters it
/// shares with that range.
fn quality(headers: &HeaderMap, offer: &str) -> (u16, usize) {
    let mut found = ((0, 0), 0);
    for (range, quality) in ranges(headers) {
        let specificity = specificity(range, offer);
        if specificity > found.0 {
            found = (specificity, quality);
        }
    }
    let ((_, same), quality) = found;
    (quality, same)
}

/// How specifically a range of `Accept` matches an offer, and how many parameters they share; 0: not at all.
fn specificity(range: &str, offer: &str) -> (u8, usize) {
    let Some((same, _)) = fit(range, offer) else { return (0, 0) };
    let (range, offer) = (essence(range), essence(offer));
    let specificity = if range.eq_ignore_ascii_case(offer) {
        3
    } else if range == "*/*" || range == "*" {
        1
    } else if covers(range, offer) || covers(offer, range) {
        // An operation that offers `image/*` can respond with `image/png`.
        2
    } else {
        return (0, 0);
    };
    (specificity, same)
}

/// A quality such as `0.7`; an invalid one counts as 1.
fn thousandths(quality: &str) -> u16 {
    let (whole, fraction) = quality.split_once('.').unwrap_or((quality, ""));
    if whole != "0" || !fraction.bytes().all(|digit| digit.is_ascii_digit()) {
        return 1000;
    }
    let mut value = 0;
    let mut weight = 100;
    for digit in fraction.bytes().take(3) {
        value += u16::from(digit - b'0') * weight;
        weight /= 10;
    }
    value
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    const OFFERS: &[&str] = &["application/json", "text/json", "text/plain"];

    fn negotiated(accept: &'static str) -> Option<&'static str> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(accept));
        negotiate(&headers, OFFERS)
    }

    #[test]
    fn the_most_exact_content_is_taken() {
        let content = |media_types| Content { media_types, streamed: false, empty: false };
        let contents = [
            content(&["*/*"]),
            content(&["application/json", "text/*"]),
            content(&["application/*+json"]),
            content(&["text/plain"]),
        ];
        for (sent, expected) in [
            ("text/plain", Some(3)),
            ("text/csv", Some(1)),
            ("application/problem+json", Some(2)),
            ("Application/JSON", Some(1)),
            ("image/png", Some(0)),
        ] {
            assert_eq!(choose(&contents, sent), expected, "{sent}");
        }
        assert_eq!(choose(&contents[2..], "image/png"), None);
    }

    #[test]
    fn parameters_choose_among_contents_of_one_name() {
        let content = |media_types| Content { media_types, streamed: false, empty: false };
        let contents = [content(&["application/json;version=1"]), content(&["application/json;version=2"])];
        for (sent, expected) in [
            ("application/json; charset=utf-8; version=2", Some(1)),
            ("application/json;version=\"1\"", Some(0)),
            ("application/json", Some(0)),
            ("application/json;version=3", None),
        ] {
            assert_eq!(choose(&contents, sent), expected, "{sent}");
        }
    }

    #[test]
    fn parameters_choose_among_offers() {
        const OFFERS: &[&str] = &["application/json", "application/json;version=1", "application/json;version=2"];
        for (accept, expected) in [
            ("application/json;version=2", Some(OFFERS[2])),
            ("application/json; version=2; q=0.5, application/json;version=1;q=0.6", Some(OFFERS[1])),
            ("application/json", Some(OFFERS[0])),
            ("application/json;version=3, text/plain", Some(OFFERS[0])),
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(accept))]);
            assert_eq!(negotiate(&headers, OFFERS), expected, "{accept}");
        }
        let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("application/json;version=3"))]);
        assert_eq!(negotiate(&headers, &OFFERS[1..]), None);
    }

    #[test]
    fn ranges_cover_what_they_name() {
        for (range, media_type, covered) in [
            ("application/json", "application/JSON", true),
            ("application/*+json", "application/problem+json", true),
            ("application/*+json", "application/json", false),
            ("application/*+json", "application/+json", false),
            ("text/*", "text/plain", true),
            ("text/*", "application/json", false),
            ("*/*", "image/png", true),
            ("application/json", "application/jsonx", false),
            ("application/json", "nonsense", false),
        ] {
            assert_eq!(covers(range, media_type), covered, "{range} {media_type}");
        }
    }

    #[test]
    fn the_best_rated_offer_is_taken() {
        assert_eq!(negotiate(&HeaderMap::new(), OFFERS), Some("application/json"));
        assert_eq!(negotiated("*/*"), Some("application/json"));
        assert_eq!(negotiated("text/plain"), Some("text/plain"));
        assert_eq!(negotiated("text/*"), Some("text/json"));
        assert_eq!(negotiated("text/plain;q=0.5, text/json;q=0.51"), Some("text/json"));
        assert_eq!(negotiated("application/json;q=0, */*;q=0.1"), Some("text/json"));
        assert_eq!(negotiated("application/json; charset=utf-8"), Some("application/json"));
        assert_eq!(negotiated("image/png"), None);
        assert_eq!(negotiated("*/*;q=0"), None);
        assert_eq!(negotiated("application/problem+json"), Some("application/json"));
        assert_eq!(negotiated("Application/Problem+json;q=0.1, text/csv;q=0"), Some("application/json"));
        assert_eq!(negotiated("application/problem+json;q=0"), None);
        assert_eq!(negotiated("application/problem+json, text/csv"), None);
    }
}
