//! Path templates such as `/files/{name}.{extension}`, matched against encoded paths.

use std::borrow::Cow;
use std::iter;

use percent_encoding::percent_decode_str;

/// Replaces a segment that has a parameter.
const PARAMETER: &str = "{}";

/// The template without a query, which some descriptions append, as in `/oauth/token?refresh`.
pub(super) fn without_query(template: &str) -> &str {
    template.split_once('?').map_or(template, |(template, _)| template)
}

/// The names in the query of a template.
pub(super) fn query_names(template: &'static str) -> impl Iterator<Item = &'static str> {
    let pairs = template.split_once('?').map_or("", |(_, wanted)| wanted).split('&');
    pairs.map(|pair| pair.split('=').next().unwrap_or_default())
}

/// Whether a query contains the query of the template.
pub(super) fn matches_query(template: &str, query: Option<&str>) -> bool {
    let wanted = template.split_once('?').map_or("", |(_, wanted)| wanted);
    let has = |pair: &str| query.is_some_and(|query| query.split('&').any(|found| found == pair));
    wanted.split('&').filter(|pair| !pair.is_empty()).all(has)
}

/// The segments of a path, the last first; faster than `rsplit`, because they are short.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(path);
    iter::from_fn(move || {
        let path = rest?;
        let slash = path.bytes().rposition(|byte| byte == b'/');
        rest = slash.map(|slash| &path[..slash]);
        Some(slash.map_or(path, |slash| &path[slash + 1..]))
    })
}

/// Whether the percent-encoded segments of a path match the template.
///
/// Segments are matched from the end, so a prefix that the router is nested under does not matter.
pub(super) fn matches(template: &str, path: &str) -> bool {
    if template == path {
        return true;
    }
    let template = without_query(template).trim_start_matches('/');
    segments(template).zip(segments(path)).all(|(template, segment)| {
        let is_literal = !template.contains('{');
        is_literal && (template == segment || meaning(template) == meaning(segment))
            || !is_literal && capture(template, segment, "").is_some()
    })
}

/// The same for a path with exactly the segments of the template.
pub(super) fn is_all_of(template: &str, path: &str) -> bool {
    let count = |path: &str| path.trim_start_matches('/').split('/').count();
    count(without_query(template)) == count(path) && matches(template, path)
}

/// A decoded literal, except for slashes: `~` and `%7E` are equal (RFC 3986, section 6.2.2).
fn meaning(literal: &str) -> Cow<'_, [u8]> {
    if !literal.contains('%') {
        return Cow::Borrowed(literal.as_bytes());
    }
    let pieces = literal.split("%2F").flat_map(|piece| piece.split("%2f"));
    let pieces: Vec<Vec<u8>> = pieces.map(|piece| percent_decode_str(piece).collect()).collect();
    Cow::Owned(pieces.join(&b"%2F"[..]))
}

/// The encoded text of `{name}`, if it is the same at each occurrence; segments are matched from the end
/// here, too.
pub(super) fn parameter<'p>(template: &str, path: &'p str, name: &str) -> Option<&'p str> {
    let mut texts = segments(without_query(template))
        .zip(segments(path))
        .filter(|(template, _)| template.contains('{') && names(template).any(|found| found == name))
        .filter_map(|(template, segment)| capture(template, segment, name));
    let text = texts.next()?;
    texts.all(|other| other == text).then_some(text)
}

/// The segments of a template, with `{}` for each one that has a parameter: axum distinguishes routes by it.
pub(super) fn shape(template: &str) -> Vec<String> {
    let segment = |segment: &str| {
        let shape = if segment.contains('{') { PARAMETER.as_bytes().into() } else { meaning(segment) };
        String::from_utf8_lossy(&shape).into_owned()
    };
    without_query(template).split('/').map(segment).collect()
}

/// Whether `shape` matches all paths of `narrow`, and more.
pub(super) fn is_wider(shape: &[String], narrow: &[String]) -> bool {
    let has = |(wide, narrow): (&String, &String)| wide == narrow || (*wide == PARAMETER && !narrow.is_empty());
    shape != narrow && shape.len() == narrow.len() && shape.iter().zip(narrow).all(has)
}

/// Whether no number in the wider template is a word such as `latest` in a path of the narrow one.
pub(super) fn has_numbers(wide: &str, numbers: &[&str], narrow: &[String]) -> bool {
    let is_number = |segment: &str| segment == PARAMETER || segment.parse().is_ok_and(f64::is_finite);
    without_query(wide).split('/').zip(narrow).all(|(wide, segment)| {
        let name = wide.strip_prefix('{').and_then(|wide| wide.strip_suffix('}'));
        name.is_none_or(|name| !numbers.contains(&name) || is_number(segment))
    })
}

/// The order in which axum tries shapes: at the first difference, the shape with a literal there wins.
pub(super) fn precedence(shape: &[String]) -> Vec<bool> {
    shape.iter().map(|segment| *segment == PARAMETER).collect()
}

/// The names between braces in a template.
pub(super) fn names(template: &str) -> impl Iterator<Item = &str> {
    template.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name)
}

/// Whether a segment mixes literals and parameters, which axum does not support.
pub(super) fn is_mixed(template: &str) -> bool {
    template.contains('{') && !(template.starts_with('{') && template.find('}') == Some(template.len() - 1))
}

/// Matches one segment; returns the text of `{name}`, or an empty text if the segment has no such parameter.
///
/// A parameter takes at least one character, and as many as possible, like `(.+)` in a regular expression:
/// `{name}.{extension}` splits `a.tar.gz` at the last full stop. Matching from the end, each literal is at
/// its last occurrence, so there is no backtracking. Between two adjacent parameters, the second takes what
/// looks like an extension, `.json`, or else one character.
///
/// A literal at either end may be encoded differently from the template.
fn capture<'p>(mut template: &str, segment: &'p str, name: &str) -> Option<&'p str> {
    let mut captured = &segment[..0];
    let mut rest = segment;
    while let Some((before, inside)) = template.rsplit_once('{') {
        let Some((parameter, literal)) = inside.split_once('}') else { break };
        rest = rest.strip_suffix(literal).or_else(|| without_encoded_end(rest, literal))?;
        let start = match before.rsplit_once('}') {
            Some((_, literal)) => {
                let (last, _) = rest.char_indices().next_back()?;
                match literal {
                    "" => rest.rfind('.').filter(|dot| *dot > 0).unwrap_or(last),
                    literal => rest[..last].rfind(literal)? + literal.len(),
                }
            }
            None => rest.strip_prefix(before).map(|_| before.len()).or_else(|| encoded_start(rest, before))?,
        };
        let (earlier, value) = rest.split_at(start);
        if value.is_empty() {
            return None;
        }
        if parameter == name {
            captured = value;
        }
        if !before.contains('}') {
            return Some(captured);
        }
        (template, rest) = (before, earlier);
    }
    (rest == template).then_some(captured)
}

/// The length of the start of a segment that decodes to the literal.
fn encoded_start(segment: &str, literal: &str) -> Option<usize> {
    let mut ends = segment.char_indices().map(|(index, _)| index).chain([segment.len()]);
    ends.find(|end| meaning(&segment[..*end]) == meaning(literal))
}

/// The segment without the end that decodes to the literal.
fn without_encoded_end<'p>(segment: &'p str, literal: &str) -> Option<&'p str> {
    let starts = segment.char_indices().map(|(index, _)| index).rev();
    starts
        .map(|start| segment.split_at(start))
        .find(|(_, end)| meaning(end) == meaning(literal))
        .map(|(before, _)| before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_found_by_name() {
        let template = "/accounts/{accountId}/locations/{locationId}";
        assert_eq!(parameter(template, "/accounts/7/locations/8", "accountId"), Some("7"));
        assert_eq!(parameter(template, "/accounts/7/locations/8", "locationId"), Some("8"));
        assert_eq!(parameter(template, "/nested/accounts/a%2Fb/locations/8", "accountId"), Some("a%2Fb"));
        assert_eq!(parameter(template, "/accounts/7/locations/8", "other"), None);
    }

    #[test]
    fn segments_may_mix_literals_and_parameters() {
        assert_eq!(parameter("/{name}.{extension}", "/a.b.c", "name"), Some("a.b"));
        assert_eq!(parameter("/{name}.{extension}", "/a.b.c", "extension"), Some("c"));
        assert_eq!(parameter("/{name}.{extension}", "/a..c", "name"), Some("a."));
        assert_eq!(parameter("/{name}.{extension}", "/a.b.", "extension"), Some("b."));
        assert_eq!(parameter("/{name}.{extension}", "/.c", "name"), None);
        assert_eq!(parameter("/{a}{b}", "/xyz", "a"), Some("xy"));
        let of = |name| parameter("/{page}{extension}", "/a.b.json", name);
        assert_eq!([of("page"), of("extension")], [Some("a.b"), Some(".json")]);
        assert_eq!(parameter("/{page}{extension}", "/.json", "page"), Some(".jso"));
        let template = "/v{major}-{minor}--{patch}~";
        let of = |name| parameter(template, "/v1-2-3--4-5~", name);
        assert_eq!([of("major"), of("minor"), of("patch")], [Some("1-2"), Some("3"), Some("4-5")]);
        assert_eq!(parameter("/{id}:cancel", "/a:b:cancel", "id"), Some("a:b"));
        assert!(matches("/jobs/{id}:cancel", "/jobs/7:cancel"));
        assert!(!matches("/jobs/{id}:cancel", "/jobs/7:start"));
        assert!(!matches("/jobs/{id}:cancel", "/jobs/:cancel"));
        assert!(matches("/jobs/{id}:cancel", "/nested/jobs/7:cancel"));
        assert!(matches("/{a}-{b}", "/ä-ö"));
        assert!(!matches("/{a}-{b}", "/a-"));
        assert!(!matches("/{a}-{b}", "/-b"));
        assert!(!matches("/v{a}.{b}", "/v.b"));
    }

    #[test]
    fn literals_are_compared_by_what_they_mean() {
        for (template, path) in [
            ("/größe/{id}", "/gr%C3%B6%C3%9Fe/7"),
            ("/größe/{id}", "/gr%c3%b6%c3%9fe/7"),
            ("/~{user}/it's(x)!", "/%7Eme/it%27s%28x%29%21"),
            ("/a b/{id}", "/a%20b/7"),
            ("/c%20d/{id}", "/c%20d/7"),
            ("/e%2Ff/{id}", "/e%2ff/7"),
        ] {
            assert!(matches(template, path), "{template} {path}");
        }
        assert!(!matches("/e%2Ff/{id}", "/e/f/7") && !is_all_of("/f/{id}", "/e/f/7"));
        assert_eq!(parameter("/~{user}/x", "/%7Eme%2Ftoo/x", "user"), Some("me%2Ftoo"));
        assert_eq!(shape("/gr%C3%B6%C3%9Fe/{id}"), shape("/größe/{name}"));
    }

    #[test]
    fn a_query_behind_a_template_is_asked_for() {
        assert!(matches("/tokens/{id}?refresh", "/tokens/7"));
        assert_eq!(parameter("/tokens/{id}?refresh", "/tokens/7", "id"), Some("7"));
        assert_eq!(parameter("/{id}/as/{id}", "/7/as/7", "id"), Some("7"));
        assert_eq!(parameter("/{id}/as/{id}", "/7/as/8", "id"), None);
        assert!(matches_query("/tokens?refresh&a=b", Some("a=b&c&refresh")));
        assert!(!matches_query("/tokens?refresh&a=b", Some("a=bc&refresh")));
        assert!(!matches_query("/tokens?refresh", None));
        assert!(matches_query("/tokens", None));
    }

    #[test]
    fn a_template_is_wider_than_the_paths_that_it_matches() {
        let wide = shape("/notes/{name}?all");
        assert!(is_wider(&wide, &shape("/notes/latest")));
        assert!(!is_wider(&shape("/notes/latest"), &wide));
        for other in ["/notes/v{id}", "/notes/", "/notes", "/lists/latest", "/notes/latest/text"] {
            assert!(!is_wider(&wide, &shape(other)), "{other}");
        }
        assert!(precedence(&shape("/notes/{part}")) < precedence(&shape("/{list}/latest")));
    }

    #[test]
    fn a_number_is_no_word() {
        let template = "/notes/{id}/{part}?all";
        assert!(has_numbers(template, &["id"], &shape("/notes/7/text")));
        assert!(has_numbers(template, &["id"], &shape("/notes/{name}/text")));
        for word in ["/notes/latest/text", "/notes/nan/text", "/notes/inf/text"] {
            assert!(!has_numbers(template, &["id"], &shape(word)), "{word}");
        }
        assert!(has_numbers(template, &[], &shape("/notes/latest/text")));
    }

    #[test]
    fn only_mixtures_are_mixed() {
        assert!(!is_mixed("accounts"));
        assert!(!is_mixed("{id}"));
        assert!(is_mixed("{a}-{b}"));
        assert!(is_mixed("v{version}"));
    }
}
