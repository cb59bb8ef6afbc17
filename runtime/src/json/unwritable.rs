//! Numbers that JSON cannot represent.

use std::error::Error;
use std::fmt;

use jiter::Jiter;

/// A value contains an infinity or NaN, which JSON cannot represent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// The JSON Pointer of the number.
    pub pointer: String,
}

impl fmt::Display for Unwritable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.pointer.as_str() {
            "" => formatter.write_str("the number is infinite or NaN"),
            pointer => write!(formatter, "the number at {pointer} is infinite or NaN"),
        }
    }
}

impl Error for Unwritable {}

/// The JSON Pointer of the next value in an unfinished document.
pub(super) fn pointer_to_end(document: &[u8]) -> String {
    enum Open {
        Array(usize),
        Object(String),
    }
    let mut open = Vec::new();
    let mut index = 0;
    while let Some(byte) = document.get(index) {
        index += 1;
        match byte {
            b'[' => open.push(Open::Array(0)),
            b'{' => open.push(Open::Object(String::new())),
            b']' | b'}' => {
                open.pop();
            }
            b',' => {
                if let Some(Open::Array(items)) = open.last_mut() {
                    *items += 1;
                }
            }
            b'"' => {
                let text = Jiter::new(&document[index - 1..]).next_str().unwrap_or_default().to_owned();
                while document.get(index).is_some_and(|byte| *byte != b'"') {
                    index += if document[index] == b'\\' { 2 } else { 1 };
                }
                index += 1;
                if let (Some(Open::Object(name)), Some(b':')) = (open.last_mut(), document.get(index)) {
                    *name = text;
                }
            }
            _ => {}
        }
    }
    let steps = open.into_iter().map(|open| match open {
        Open::Array(items) => format!("/{items}"),
        Open::Object(name) => format!("/{}", name.replace('~', "~0").replace('/', "~1")),
    });
    steps.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_that_of_the_value_that_is_missing() {
        for (document, pointer) in [
            ("", ""),
            ("[", "/0"),
            (r#"[1,[],{"a":"b,c\"]"},"#, "/3"),
            (r#"{"a":[1,2],"b/c":{"d\"e":["#, r#"/b~1c/d"e/0"#),
        ] {
            assert_eq!(pointer_to_end(document.as_bytes()), pointer, "{document}");
        }
    }
}
