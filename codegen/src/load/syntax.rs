//! Text → tree, by the JSON or the YAML parser.

use serde::de::DeserializeSeed;
use serde_json::Value;

use super::tree::{Problem, Reading, Syntax};
use crate::diagnostic::{Code, Diagnostics};
use crate::files::looks_like_json;
use crate::location::Location;

/// What serde_json and serde_yaml report beyond 128 levels.
const TOO_DEEP: &str = "recursion limit exceeded";

/// The end of serde_yaml's message about a text with several documents.
const SECOND_DOCUMENT: &str = "more than one document is not supported";

/// Parses the text of the file at `path`; `diagnostics` are those of this text alone.
pub(super) fn parse(path: &str, text: &str, diagnostics: &mut Diagnostics) -> Option<Value> {
    let (reading, result) = if looks_like_json(text) {
        // A text that starts like JSON may be YAML in flow style; if it is neither, report it as JSON.
        let (reading, result) = json(text);
        match result {
            Ok(_) => (reading, result),
            // The YAML parser has the same limit but finds it slowly.
            Err(as_json) if as_json.message == TOO_DEEP => (reading, Err(as_json)),
            Err(as_json) => match yaml(text) {
                (reading, Ok(tree)) => (reading, Ok(tree)),
                (_, Err(_)) => (reading, Err(as_json)),
            },
        }
    } else {
        yaml(text)
    };

    for problem in reading.problems() {
        report(path, problem, diagnostics);
    }
    match result {
        Ok(tree) if !diagnostics.has_errors() => Some(tree),
        Ok(_) => None,
        Err(error) => {
            // The reading stops by itself when the document is too large, and has reported it.
            if !diagnostics.has_errors() {
                match error.message.as_str() {
                    // The parser has its own bound for alias expansion.
                    "repetition limit exceeded" => report(path, Problem::TooLarge, diagnostics),
                    TOO_DEEP => {
                        let location = Location::byte(path, error.offset);
                        let diagnostic =
                            diagnostics.report(Code::InvalidSyntax, &location, "this is nested too deeply to be read");
                        if !looks_like_json(text) {
                            diagnostic.help("an alias within its own anchor never ends; `$ref` may lead in circles");
                        }
                    }
                    // The message has no location.
                    message if message.ends_with(SECOND_DOCUMENT) => {
                        let location = Location::byte(path, second_document(text).unwrap_or(error.offset));
                        diagnostics
                            .report(Code::InvalidSyntax, &location, "a second document starts here")
                            .help("save it in a separate file");
                    }
                    message => {
                        let location = Location::byte(path, error.offset);
                        let diagnostic = diagnostics.report(Code::InvalidSyntax, &location, message);
                        let rest = text.get(error.offset..).unwrap_or_default();
                        if !looks_like_json(text) && rest.starts_with('\t') {
                            diagnostic.label("a tab").help("YAML allows no tabs for indentation: write spaces");
                        }
                    }
                }
            }
            None
        }
    }
}

fn report(path: &str, problem: Problem, diagnostics: &mut Diagnostics) {
    match problem {
        Problem::Duplicate(pointer, name) => {
            diagnostics
                .report(
                    Code::DuplicateName,
                    &Location::at(path, pointer.clone()).second_name(),
                    format!("`{name}` is there twice"),
                )
                .label("again here")
                .related(&Location::at(path, pointer).name(), "first here")
                .help("remove one of them, or give it another name");
        }
        Problem::Merge(pointer) => {
            diagnostics
                .report(
                    Code::InvalidSyntax,
                    &Location::at(path, pointer),
                    "`<<` takes an object or a list of objects to merge",
                )
                .help("quote nothing else `<<`; it is the merge key of YAML 1.1");
        }
        Problem::TooLarge => {
            diagnostics
                .report(Code::TooManyAliases, &Location::root(path), "aliases make this document far larger than it is")
                .help("write the repeated parts as components and refer to them with `$ref`");
        }
    }
}

/// A syntax error.
struct SyntaxError {
    offset: usize,
    message: String,
}

fn json(text: &str) -> (Reading, Result<Value, SyntaxError>) {
    let reading = Reading::new(Syntax::Json, text.len());
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let result = reading.root().deserialize(&mut deserializer).and_then(|tree| deserializer.end().map(|()| tree));
    let result = result.map_err(|error| SyntaxError {
        offset: offset(text, error.line(), error.column()),
        message: without_place(&error.to_string()),
    });
    (reading, result)
}

/// Where the text opens far more brackets than can be parsed: the YAML parser needs quadratic time for them.
/// Brackets in quoted text count, too, so the bound is far above any real text.
fn too_deep(text: &str) -> Option<usize> {
    const MOST: i32 = 10_000;
    let mut open = 0;
    text.bytes().position(|byte| {
        open += i32::from(matches!(byte, b'[' | b'{')) - i32::from(matches!(byte, b']' | b'}'));
        open > MOST
    })
}

fn yaml(text: &str) -> (Reading, Result<Value, SyntaxError>) {
    let reading = Reading::new(Syntax::Yaml, text.len());
    if let Some(offset) = too_deep(text) {
        return (reading, Err(SyntaxError { offset, message: TOO_DEEP.to_owned() }));
    }
    let result = reading.root().deserialize(serde_yaml::Deserializer::from_str(text));
    let result = result.map_err(|error| SyntaxError {
        offset: error.location().map_or(0, |location| offset(text, location.line(), location.column())),
        message: without_place(&error.to_string()),
    });
    (reading, result)
}

/// The byte offset of a line and a column, both counted from 1.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = text.get(start..).unwrap_or_default();
    let within = rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(index, _)| index);
    start + within
}

/// Where the second document of a text starts: at a line of `---` after content.
fn second_document(text: &str) -> Option<usize> {
    let mut offset = 0;
    let mut has_first = false;
    for line in text.split_inclusive('\n') {
        let is_marker =
            line.strip_prefix("---").is_some_and(|rest| rest.trim_start().len() < rest.len() || rest.is_empty());
        if is_marker && has_first {
            return Some(offset);
        }
        has_first |= !line.trim().is_empty() && !line.starts_with(['%', '#']);
        offset += line.len();
    }
    None
}

/// Removes the location from a message; the excerpt shows it.
fn without_place(message: &str) -> String {
    let end = message.find(" at line ").unwrap_or(message.len());
    message[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn codes(text: &str) -> Vec<Code> {
        let mut diagnostics = Diagnostics::default();
        assert!(parse("a.yaml", text, &mut diagnostics).is_none());
        diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
    }

    #[test]
    fn syntax_is_seen_not_told() {
        for text in ["{\"a\":\t[1]}", "\r\n{a: [1]}", "a:\r\n- 1\r\n", "a:\t[1]"] {
            let tree = parse("a.txt", text, &mut Diagnostics::default());
            assert_eq!(tree, Some(json!({"a": [1]})), "{text:?}");
        }
    }

    #[test]
    fn mistakes_have_their_code() {
        assert_eq!(codes("{\"a\": 1, }x"), [Code::InvalidSyntax]);
        assert_eq!(codes("a: b: c"), [Code::InvalidSyntax]);
        assert_eq!(codes("a: 1\n---\nb: 1\n"), [Code::InvalidSyntax]);
        assert_eq!(codes("{\"a\": {\"b\": 1, \"b\": 1}}"), [Code::DuplicateName]);
        assert_eq!(codes("a: &a [*a]"), [Code::InvalidSyntax]);
        for deep in ["{\"a\":", "[", "a: [", "a: {b: ["] {
            assert_eq!(codes(&deep.repeat(100_000)), [Code::InvalidSyntax]);
        }
    }

    #[test]
    fn the_second_document_of_a_text_is_found() {
        for (text, expected) in [
            ("a: 1\n---\nb: 1\n", Some(5)),
            ("# First.\n%YAML 1.2\n---\na: 1\n--- # Second.\nb: 1\n", Some(28)),
            ("a: 1\r\n---\r\nb: 1\r\n", Some(6)),
            ("--- a\n---", Some(6)),
            ("---\na: ---\n---b: 1\n", None),
        ] {
            assert_eq!(second_document(text), expected, "{text:?}");
        }
    }

    #[test]
    fn alias_bombs_are_refused() {
        let mut text = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n".to_owned();
        for level in 1..10 {
            let alias = format!("*a{},", level - 1).repeat(10);
            text = format!("{text}a{level}: &a{level} [{alias}]\n");
        }
        assert_eq!(codes(&text), [Code::TooManyAliases]);
    }
}
