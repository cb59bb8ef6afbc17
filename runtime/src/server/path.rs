//! Path templates such as `/files/{name}.{extension}`, matched against paths as they were sent.

/// Stands for a segment that has a parameter.
const PARAMETER: &str = "{}";

/// The template without the query that some descriptions write behind it, as in `/oauth/token?refresh`.
pub(super) fn without_query(template: &str) -> &str {
    template.split_once('?').map_or(template, |(template, _)| template)
}

/// The names in the query that is written behind a template.
pub(super) fn query_names(template: &'static str) -> impl Iterator<Item = &'static str> {
    let pairs = template.split_once('?').map_or("", |(_, wanted)| wanted).split('&');
    pairs.map(|pair| pair.split('=').next().unwrap_or_default())
}

/// Whether a query has everything that the one behind the template has.
pub(super) fn matches_query(template: &str, query: Option<&str>) -> bool {
    let wanted = template.split_once('?').map_or("", |(_, wanted)| wanted);
    let has = |pair: &str| query.is_some_and(|query| query.split('&').any(|found| found == pair));
    wanted.split('&').filter(|pair| !pair.is_empty()).all(has)
}

/// Whether the segments of a path, still percent-encoded, are such as the template describes.
///
/// Segments are counted from the end, so it does not matter whether a prefix that the router is nested under has been
/// taken off the path.
pub(super) fn matches(template: &str, path: &str) -> bool {
    let template = without_query(template).trim_start_matches('/');
    template.rsplit('/').zip(path.rsplit('/')).all(|(template, segment)| capture(template, segment, "").is_some())
}

/// The text that stands for `{name}`, still percent-encoded, if it is the same wherever the name stands; segments are
/// counted from the end here too.
pub(super) fn parameter<'p>(template: &str, path: &'p str, name: &str) -> Option<&'p str> {
    let segments = without_query(template).rsplit('/').zip(path.rsplit('/'));
    let mut texts = segments
        .filter(|(template, _)| names(template).any(|found| found == name))
        .filter_map(|(template, segment)| capture(template, segment, name));
    let text = texts.next()?;
    texts.all(|other| other == text).then_some(text)
}

/// The segments of a template, every one with a parameter as `{}`: what axum tells routes apart by.
pub(super) fn shape(template: &'static str) -> Vec<&'static str> {
    without_query(template).split('/').map(|segment| if segment.contains('{') { PARAMETER } else { segment }).collect()
}

/// Whether the paths of one shape are some of those of another one.
pub(super) fn is_wider(shape: &[&str], narrow: &[&str]) -> bool {
    let has = |(wide, narrow): (&&str, &&str)| wide == narrow || (*wide == PARAMETER && !narrow.is_empty());
    shape != narrow && shape.len() == narrow.len() && shape.iter().zip(narrow).all(has)
}

/// Whether no number of the wider template would have to be a word such as `latest` in a path of the narrow one.
pub(super) fn has_numbers(wide: &str, numbers: &[&str], narrow: &[&str]) -> bool {
    let is_number = |segment: &str| segment == PARAMETER || segment.parse().is_ok_and(f64::is_finite);
    without_query(wide).split('/').zip(narrow).all(|(wide, segment)| {
        let name = wide.strip_prefix('{').and_then(|wide| wide.strip_suffix('}'));
        name.is_none_or(|name| !numbers.contains(&name) || is_number(segment))
    })
}

/// Where shapes that match the same path differ first, axum prefers the one that has a literal there: the lesser one of these.
pub(super) fn precedence(shape: &[&str]) -> Vec<bool> {
    shape.iter().map(|segment| *segment == PARAMETER).collect()
}

/// The names between braces in a template.
pub(super) fn names(template: &str) -> impl Iterator<Item = &str> {
    template.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name)
}

/// Whether a segment of a template is literal, one parameter, or a mixture that a plain router cannot tell apart.
pub(super) fn is_mixed(template: &str) -> bool {
    template.contains('{') && !(template.starts_with('{') && template.find('}') == Some(template.len() - 1))
}

/// Matches one segment; gives what stands for `{name}`, or an empty text if the segment has no such parameter.
///
/// A parameter is at least one character, and as much as leaves something for what follows it, like `(.+)` in a regular
/// expression: `{name}.{extension}` takes `a.tar.gz` apart at the last full stop. Seen from the end that is each literal at its
/// last occurrence, which needs no second try. With nothing between two parameters the second is what looks like an extension,
/// `.json`, else one character.
fn capture<'p>(mut template: &str, segment: &'p str, name: &str) -> Option<&'p str> {
    let mut captured = &segment[..0];
    let mut rest = segment;
    while let Some((before, inside)) = template.rsplit_once('{') {
        let Some((parameter, literal)) = inside.split_once('}') else { break };
        rest = rest.strip_suffix(literal)?;
        let start = match before.rsplit_once('}') {
            Some((_, literal)) => {
                let (last, _) = rest.char_indices().next_back()?;
                match literal {
                    "" => rest.rfind('.').filter(|dot| *dot > 0).unwrap_or(last),
                    literal => rest[..last].rfind(literal)? + literal.len(),
                }
            }
            None => rest.strip_prefix(before).map(|_| before.len())?,
        };
        let (earlier, value) = rest.split_at(start);
        if value.is_empty() {
            return None;
        }
        if parameter == name {
            captured = value;
        }
        (template, rest) = (before, earlier);
    }
    (rest == template).then_some(captured)
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
