//! Values that JSON cannot represent.

use std::error::Error;
use std::fmt;

use jiter::Jiter;

/// A value contains something that JSON cannot represent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unwritable {
    /// The JSON Pointer of the number or of the member.
    pub pointer: String,
    /// What is wrong with it.
    pub reason: Reason,
}

/// Why JSON cannot represent a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// A number is infinite or NaN.
    Number,
    /// An additional member has the name of a described one, so that the object would have two of this name.
    Repeated,
}

impl fmt::Display for Unwritable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.reason {
            Reason::Number => "number",
            Reason::Repeated => "additional member",
        };
        match self.pointer.as_str() {
            "" => write!(formatter, "the {what} {}", self.reason.text()),
            pointer => write!(formatter, "the {what} at {pointer} {}", self.reason.text()),
        }
    }
}

impl Reason {
    /// The end of a sentence.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Number => "is infinite or NaN",
            Self::Repeated => "has the name of a described member",
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
