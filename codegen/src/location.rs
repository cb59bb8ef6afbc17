//! A location in the description: a file, and a node in it.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::sync::Arc;

/// A location in one file of the description.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    file: Arc<str>,
    spot: Spot,
}

/// The part of a file that is meant.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Spot {
    /// The value at a JSON Pointer.
    Value(Arc<str>),
    /// The member name at a JSON Pointer.
    Name(Arc<str>),
    /// The second occurrence of that member name.
    SecondName(Arc<str>),
    /// A byte offset, for text that is not a tree.
    Byte(usize),
}

impl Location {
    /// The root of a file.
    pub fn root(file: &str) -> Self {
        Self { file: file.into(), spot: Spot::Value("".into()) }
    }

    /// The node at a JSON Pointer.
    pub fn at(file: &str, pointer: impl Into<Arc<str>>) -> Self {
        Self { file: file.into(), spot: Spot::Value(pointer.into()) }
    }

    /// The node at a JSON Pointer in the same file.
    pub(crate) fn node(&self, pointer: String) -> Self {
        Self { file: Arc::clone(&self.file), spot: Spot::Value(pointer.into()) }
    }

    /// The byte at `offset`.
    pub(crate) fn byte(file: &str, offset: usize) -> Self {
        Self { file: file.into(), spot: Spot::Byte(offset) }
    }

    /// The member `name` of the object here.
    #[must_use]
    pub fn member(&self, name: &str) -> Self {
        self.members(&[name])
    }

    /// The member at a path of names, as in `location.members(&["content", "application/json"])`.
    #[must_use]
    pub fn members(&self, names: &[&str]) -> Self {
        self.node(joined(self.pointer(), names))
    }

    /// The item at `index` of the array here.
    #[must_use]
    pub fn item(&self, index: usize) -> Self {
        let pointer = self.pointer();
        let mut item = String::with_capacity(pointer.len() + 4);
        item.push_str(pointer);
        let _ = write!(item, "/{index}");
        self.node(item)
    }

    /// The name of this member instead of its value.
    #[must_use]
    pub fn name(&self) -> Self {
        Self { file: Arc::clone(&self.file), spot: Spot::Name(self.shared_pointer()) }
    }

    /// The second occurrence of this member's name.
    pub(crate) fn second_name(&self) -> Self {
        Self { file: Arc::clone(&self.file), spot: Spot::SecondName(self.shared_pointer()) }
    }

    /// The location with its path prefixed by `folder`.
    pub(crate) fn below(&self, folder: &str) -> Self {
        if self.file.starts_with('/') || self.file.contains(":/") {
            return self.clone();
        }
        let (mut folder, mut file) = (folder, &*self.file);
        while let Some(above) = file.strip_prefix("../") {
            let (outer, name) = folder.rsplit_once('/').unwrap_or(("", folder));
            if matches!(name, "" | "." | "..") || outer.is_empty() && folder.starts_with('/') {
                break;
            }
            (folder, file) = (outer, above);
        }
        let file = if folder.is_empty() { file.into() } else { format!("{folder}/{file}").into() };
        Self { file, spot: self.spot.clone() }
    }

    /// The same location in another file.
    pub(crate) fn in_file(&self, file: &str) -> Self {
        Self { file: file.into(), spot: self.spot.clone() }
    }

    /// The same part of another node.
    pub(crate) fn elsewhere(&self, file: &str, pointer: String) -> Self {
        let pointer = pointer.into();
        let spot = match &self.spot {
            Spot::Value(_) => Spot::Value(pointer),
            Spot::Name(_) => Spot::Name(pointer),
            Spot::SecondName(_) => Spot::SecondName(pointer),
            Spot::Byte(offset) => Spot::Byte(*offset),
        };
        Self { file: file.into(), spot }
    }

    /// The path of the file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The JSON Pointer; empty at the root.
    pub fn pointer(&self) -> &str {
        match &self.spot {
            Spot::Value(pointer) | Spot::Name(pointer) | Spot::SecondName(pointer) => pointer,
            Spot::Byte(_) => "",
        }
    }

    /// The JSON Pointer, shared instead of copied.
    fn shared_pointer(&self) -> Arc<str> {
        match &self.spot {
            Spot::Value(pointer) | Spot::Name(pointer) | Spot::SecondName(pointer) => Arc::clone(pointer),
            Spot::Byte(_) => "".into(),
        }
    }

    /// The part of the file that is meant.
    pub(crate) fn spot(&self) -> &Spot {
        &self.spot
    }
}

impl fmt::Display for Location {
    /// `spec/openapi.yaml#/paths/~1accounts/get`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.file, self.pointer())
    }
}

/// The path from the root to a node, as a tree walk has it on its stack; only written out for a problem.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Path<'a> {
    Root,
    /// The start of the walk, as a JSON Pointer.
    Start(&'a str),
    Member(&'a Self, &'a str),
    Item(&'a Self, usize),
}

impl Path<'_> {
    /// The path as a JSON Pointer.
    pub(crate) fn pointer(&self) -> String {
        let mut pointer = String::new();
        self.write(&mut pointer);
        pointer
    }

    fn write(&self, pointer: &mut String) {
        match self {
            Self::Root => {}
            Self::Start(start) => pointer.push_str(start),
            Self::Member(parent, name) => {
                parent.write(pointer);
                push(pointer, name);
            }
            Self::Item(parent, index) => {
                parent.write(pointer);
                push(pointer, &index.to_string());
            }
        }
    }
}

/// Appends one reference token to a JSON Pointer.
pub(crate) fn push(pointer: &mut String, token: &str) {
    pointer.push('/');
    if !token.bytes().any(|byte| matches!(byte, b'~' | b'/')) {
        pointer.push_str(token);
        return;
    }
    for character in token.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}

/// The JSON Pointer of a descendant.
pub(crate) fn joined(pointer: &str, tokens: &[&str]) -> String {
    let length = tokens.iter().map(|token| 1 + token.len()).sum::<usize>();
    let mut member = String::with_capacity(pointer.len() + length);
    member.push_str(pointer);
    for token in tokens {
        push(&mut member, token);
    }
    member
}

/// The reference tokens of a JSON Pointer, unescaped.
pub(crate) fn tokens(pointer: &str) -> impl Iterator<Item = String> {
    parts(pointer).map(Cow::into_owned)
}

/// Like [`tokens`], but copies only what needs unescaping.
pub(crate) fn parts(pointer: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let unescaped = |token: &str| token.replace("~1", "/").replace("~0", "~");
    pointer
        .split('/')
        .skip(1)
        .map(move |token| if token.contains('~') { Cow::Owned(unescaped(token)) } else { Cow::Borrowed(token) })
}

/// Percent-decodes a fragment to its JSON Pointer.
pub(crate) fn decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let digits = tail.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            Some(_) | None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(text), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped() {
        let location = Location::root("a.yaml").members(&["paths", "/a~b/{id}"]).item(3);
        assert_eq!(location.pointer(), "/paths/~1a~0b~1{id}/3");
        assert_eq!(tokens(location.pointer()).collect::<Vec<_>>(), ["paths", "/a~b/{id}", "3"]);
    }

    #[test]
    fn fragments_are_decoded() {
        assert_eq!(decoded("/paths/~1a~1%7Bid%7D"), "/paths/~1a~1{id}");
        assert_eq!(decoded("/caf%C3%A9/%2"), "/café/%2");
        assert_eq!(decoded(""), "");
    }

    #[test]
    fn files_are_called_as_from_outside() {
        for (file, folder, expected) in [
            ("a.yaml", "spec", "spec/a.yaml"),
            ("../a.yaml", "spec", "a.yaml"),
            ("../../b/a.yaml", "./spec/v1", "./b/a.yaml"),
            ("../../a.yaml", "spec", "../a.yaml"),
            ("../a.yaml", "..", "../../a.yaml"),
            ("../a.yaml", "/spec", "/spec/../a.yaml"),
            ("/a.yaml", "spec", "/a.yaml"),
            ("https://example.com/a.yaml", "spec", "https://example.com/a.yaml"),
        ] {
            assert_eq!(Location::root(file).below(folder).file(), expected, "{file} {folder}");
        }
    }
}
