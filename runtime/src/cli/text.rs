//! JSON as text: its values keep the order of their members and the digits of their numbers.

use jiter::Jiter;

/// The members of an object as texts; `None` for any other value.
pub(super) fn members(text: &str) -> Option<Vec<(String, &str)>> {
    let mut json = Jiter::new(text.as_bytes());
    let mut members = Vec::new();
    let mut name = json.next_object().ok()?.map(str::to_owned);
    while let Some(found) = name {
        members.push((found, skip(text, &mut json)?));
        name = json.next_key().ok()?.map(str::to_owned);
    }
    Some(members)
}

/// The items of an array as texts; `None` for any other value.
pub(super) fn items(text: &str) -> Option<Vec<&str>> {
    let mut json = Jiter::new(text.as_bytes());
    let mut items = Vec::new();
    let mut next = json.next_array().ok()?;
    while next.is_some() {
        items.push(skip(text, &mut json)?);
        next = json.array_step().ok()?;
    }
    Some(items)
}

/// The value at a path of members.
pub(super) fn at<'t>(text: &'t str, path: &[&str]) -> Option<&'t str> {
    path.iter().try_fold(text, |text, name| {
        members(text)?.into_iter().find(|(found, _)| found == name).map(|(_, value)| value)
    })
}

/// A string without its quotes and escapes, another value as it is.
pub(super) fn plain(text: &str) -> String {
    serde_json::from_str(text).unwrap_or_else(|_| text.to_owned())
}

/// Whether it is JSON.
pub(super) fn is_json(text: &str) -> bool {
    let mut json = Jiter::new(text.as_bytes());
    json.next_skip().is_ok() && json.finish().is_ok()
}

/// The value with a line for each member and item, or all in one line.
pub(super) fn layout(text: &str, in_lines: bool, depth: usize) -> String {
    let mut laid = String::with_capacity(text.len());
    let (mut depth, mut in_string, mut escaped) = (depth, false, false);
    let break_line = |laid: &mut String, depth: usize| {
        if in_lines {
            laid.push('\n');
            laid.extend(std::iter::repeat_n("  ", depth));
        }
    };
    let mut opened = false;
    for character in text.chars() {
        if in_string {
            laid.push(character);
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
            continue;
        }
        if character.is_ascii_whitespace() {
            continue;
        }
        let closes = matches!(character, ']' | '}');
        if closes {
            depth = depth.saturating_sub(1);
        }
        // An empty array or object stays in its line.
        if opened != closes {
            break_line(&mut laid, depth);
        }
        laid.push(character);
        opened = matches!(character, '[' | '{');
        if opened {
            depth += 1;
        }
        match character {
            '"' => in_string = true,
            ',' => break_line(&mut laid, depth),
            ':' if in_lines => laid.push(' '),
            _ => {}
        }
    }
    laid
}

/// The text of the next value.
fn skip<'t>(text: &'t str, json: &mut Jiter<'_>) -> Option<&'t str> {
    json.peek().ok()?;
    let start = json.current_index();
    json.next_skip().ok()?;
    text.get(start..json.current_index())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layout_keeps_order_digits_and_escapes() {
        let text = "{ \"b\":1.10, \"a\" :[ ],\"c\":[ {\"d\":\"x \\\" ]\"} , -0e5]}";
        assert_eq!(layout(text, false, 0), "{\"b\":1.10,\"a\":[],\"c\":[{\"d\":\"x \\\" ]\"},-0e5]}");
        let lines =
            "{\n  \"b\": 1.10,\n  \"a\": [],\n  \"c\": [\n    {\n      \"d\": \"x \\\" ]\"\n    },\n    -0e5\n  ]\n}";
        assert_eq!(layout(text, true, 0), lines);
        assert_eq!(at(text, &["c"]).and_then(items), Some(vec!["{\"d\":\"x \\\" ]\"}", "-0e5"]));
        assert!(is_json(text) && !is_json("{} {}"));
    }
}
