//! Media types: what they cover, and how their bodies are read.

use std::borrow::Cow;

use encoding_rs::Encoding;

pub(crate) const JSON: &str = "application/json";
pub(crate) const FORM: &str = "application/x-www-form-urlencoded";
pub(crate) const MULTIPART: &str = "multipart/form-data";
pub(crate) const RELATED: &str = "multipart/related";

/// `type/subtype` without parameters, in lower case.
pub fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Number of parameters of a declared media type that another one has; `None` if one has another value.
pub(crate) fn same_parameters(declared: &str, media_type: &str) -> Option<usize> {
    let parameters = |text: &str| -> Vec<(String, String)> {
        let pairs = text.split(';').skip(1).filter_map(|pair| pair.split_once('='));
        let pairs = pairs.map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim().replace('"', "")));
        pairs.filter(|(name, _)| !matches!(name.as_str(), "boundary" | "charset" | "q")).collect()
    };
    let found = parameters(media_type);
    let mut same = 0;
    for (name, value) in parameters(declared) {
        match found.iter().find(|(other, _)| *other == name) {
            Some((_, other)) if *other == value => same += 1,
            Some(_) => return None,
            None => {}
        }
    }
    Some(same)
}

/// The declared media type that covers another one best.
pub(crate) fn best<'d>(declared: &'d [String], media_type: &str) -> Option<&'d String> {
    let rated = declared.iter().filter(|range| covers(range, media_type)).filter_map(|range| {
        let is_exact = essence(range) == essence(media_type);
        Some((range, (is_exact, same_parameters(range, media_type)?)))
    });
    rated.reduce(|best, other| if other.1 > best.1 { other } else { best }).map(|(range, _)| range)
}

/// Whether its bodies are JSON.
pub fn is_json(media_type: &str) -> bool {
    let essence = essence(media_type);
    essence.ends_with("/json") || essence.ends_with("+json")
}

/// A media type that a range covers; the media type itself if it is not a range.
pub(crate) fn concrete(range: &str) -> String {
    match essence(range).as_str() {
        "*/*" | "application/*" => "application/octet-stream".to_owned(),
        "text/*" => "text/plain".to_owned(),
        "multipart/*" => "multipart/mixed".to_owned(),
        essence if essence.contains("/*+") => essence.replace("/*+", "/vnd.any+"),
        essence if essence.ends_with("/*") => essence.replace("/*", "/png"),
        _ => range.to_owned(),
    }
}

/// Whether its bodies have parts.
pub(crate) fn is_multipart(media_type: &str) -> bool {
    essence(media_type).starts_with("multipart/")
}

/// Whether its bodies are text of one value.
pub(crate) fn is_text(media_type: &str) -> bool {
    essence(media_type).starts_with("text/")
}

/// Whether its text is in UTF-8, as far as it says.
pub(crate) fn is_unicode(media_type: &str) -> bool {
    let charset = charset(media_type).map(str::to_ascii_lowercase);
    charset.is_none_or(|charset| charset.starts_with("utf-8") || charset.starts_with("us-ascii"))
}

/// A text in UTF-8 instead of its charset. The error is the rest of a sentence about the text.
pub(crate) fn in_utf8<'b>(media_type: &str, bytes: &'b [u8]) -> Result<Cow<'b, [u8]>, String> {
    let Some(charset) = charset(media_type).filter(|_| !is_unicode(media_type)) else { return Ok(bytes.into()) };
    let encoding = Encoding::for_label(charset.as_bytes());
    let Some(encoding) = encoding else { return Err(format!("is in the charset `{charset}`, which is not known")) };
    match encoding.decode(bytes) {
        (text, _, false) => Ok(text.into_owned().into_bytes().into()),
        (_, encoding, true) => Err(format!("is not a text in {}", encoding.name())),
    }
}

fn charset(media_type: &str) -> Option<&str> {
    let mut parameters = media_type.split(';').skip(1).filter_map(|parameter| parameter.split_once('='));
    let (_, charset) = parameters.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
    Some(charset.trim().trim_matches(['"', '\'']))
}

/// Whether a range, such as `text/*` or `application/*+json`, covers a media type.
pub fn covers(range: &str, media_type: &str) -> bool {
    let (range, media_type) = (essence(range), essence(media_type));
    // Also what is not a media type.
    if range == "*/*" {
        return true;
    }
    let (Some((ty, subtype)), Some((own, own_subtype))) = (range.split_once('/'), media_type.split_once('/')) else {
        return range == media_type;
    };
    let fits = match subtype.strip_prefix('*') {
        Some(end) => own_subtype.ends_with(end),
        None => subtype == own_subtype,
    };
    (ty == "*" || ty == own) && fits
}

/// The offer that `Accept` prefers, the first of equal ones; `None` if it allows none.
pub fn negotiate<'o>(accept: Option<&str>, offers: &'o [String]) -> Option<&'o String> {
    let Some(accept) = accept else { return offers.first() };
    let ranges: Vec<(&str, f32)> = accept
        .split(',')
        .map(|range| {
            let name = range.trim();
            let quality = range
                .split(';')
                .map(str::trim)
                .find_map(|piece| piece.strip_prefix("q="))
                .and_then(|text| text.parse().ok());
            (name, quality.unwrap_or(1.0))
        })
        .collect();
    // The most specific range decides.
    let precision = |range: &str| u8::from(!range.starts_with('*')) + u8::from(!range.contains('*'));
    let quality = |offer: &str| {
        let matching = ranges.iter().filter(|(range, _)| covers(range, offer) || covers(offer, range));
        let rated =
            matching.filter_map(|(range, quality)| Some((precision(range), same_parameters(range, offer)?, quality)));
        rated
            .max_by_key(|(precision, same, _)| (*precision, *same))
            .map_or((0.0, 0), |(_, same, quality)| (*quality, same))
    };
    let rated = offers.iter().map(|offer| (offer, quality(offer))).filter(|(_, (quality, _))| *quality > 0.0);
    rated.reduce(|best, other| if other.1 > best.1 { other } else { best }).map(|(offer, _)| offer)
}

#[cfg(test)]
mod tests {
    use super::{best, covers, negotiate};

    #[test]
    fn ranges_cover_media_types() {
        assert!(covers("application/*+json", "application/problem+json"));
        assert!(covers("text/*", "text/plain; charset=utf-8") && covers("*/*", "image/png"));
        assert!(covers("*/*", "") && !covers("text/*", ""));
        assert!(!covers("application/json", "application/problem+json"));
    }

    #[test]
    fn parameters_tell_media_types_apart() {
        let declared = ["application/json", "application/json; version=2"].map(str::to_owned);
        assert_eq!(best(&declared, "application/json;version=2; charset=utf-8"), Some(&declared[1]));
        assert_eq!(best(&declared, "application/json"), Some(&declared[0]));
        assert_eq!(best(&declared[1..], "application/json;version=3"), None);
        assert_eq!(negotiate(Some("application/json;version=2"), &declared), Some(&declared[1]));
    }

    #[test]
    fn accept_chooses_what_it_rates_highest() {
        let offers = ["application/json", "text/csv"].map(str::to_owned);
        let chosen = |accept| negotiate(accept, &offers).map(String::as_str);
        assert_eq!(chosen(None), Some("application/json"));
        assert_eq!(chosen(Some("*/*")), Some("application/json"));
        assert_eq!(chosen(Some("text/*, application/json;q=0.5")), Some("text/csv"));
        assert_eq!(chosen(Some("image/png")), None);
    }
}
