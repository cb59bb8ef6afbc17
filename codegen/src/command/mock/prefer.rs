//! What a request prefers (RFC 7240).

use std::time::Duration;

use axum::http::HeaderMap;

/// The longest `wait`.
const LONGEST: Duration = Duration::from_mins(1);

/// What a request prefers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Prefer {
    /// The status of the answer.
    pub(super) code: Option<u16>,
    /// The name of an example.
    pub(super) example: Option<String>,
    /// Random values instead of examples.
    pub(super) dynamic: bool,
    /// How long the answer takes.
    pub(super) wait: Option<Duration>,
}

impl Prefer {
    /// Reads the headers. Unknown preferences are ignored. The error is a sentence about a status that no answer has.
    pub(super) fn of(headers: &HeaderMap) -> Result<Self, String> {
        let mut prefer = Self::default();
        let lines = headers.get_all("prefer").iter().filter_map(|line| line.to_str().ok());
        for (name, value) in lines.flat_map(|line| line.split([',', ';'])).filter_map(|one| one.split_once('=')) {
            let value = value.trim().trim_matches('"');
            match name.trim().to_ascii_lowercase().as_str() {
                "code" => {
                    let code = value.parse().ok().filter(|code| (200..=599).contains(code));
                    let wrong =
                        || format!("`Prefer: code={value}` is not the status of an answer: expected 200 to 599");
                    prefer.code = Some(code.ok_or_else(wrong)?);
                }
                "example" => prefer.example = Some(value.to_owned()),
                "dynamic" => prefer.dynamic = value == "true",
                "wait" => prefer.wait = value.parse().ok().map(Duration::from_secs).map(|wait| wait.min(LONGEST)),
                _ => {}
            }
        }
        Ok(prefer)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use axum::http::HeaderMap;

    use super::Prefer;

    #[test]
    fn preferences_are_read_from_all_lines() {
        let mut headers = HeaderMap::new();
        headers.append("prefer", "code=404, example=\"not found\"".parse().unwrap());
        headers.append("prefer", "dynamic=true; wait=2, respond-async".parse().unwrap());
        let example = Some("not found".to_owned());
        let expected = Prefer { code: Some(404), example, dynamic: true, wait: Some(Duration::from_secs(2)) };
        assert_eq!(Prefer::of(&headers), Ok(expected));
    }
}
