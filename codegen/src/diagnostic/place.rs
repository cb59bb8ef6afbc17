//! Finds the byte ranges of nodes in a text; runs only to report a problem.

mod json;
#[cfg(feature = "build")]
mod toml;
mod yaml;

use std::ops::Range;
use std::path::Path;

use foldhash::HashMap;

use crate::files::looks_like_json;
use crate::location::{Location, Spot};

/// The byte range of each location, cut to one line.
pub(super) fn find(text: &str, locations: &[&Location]) -> Vec<Range<usize>> {
    let mut wanted = Wanted::default();
    for location in locations {
        wanted.add(location.pointer());
    }
    let is_toml = locations.first().is_some_and(|location| {
        Path::new(location.file()).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
    });
    if is_toml {
        #[cfg(feature = "build")]
        toml::walk(text, &mut wanted);
    } else if looks_like_json(text) {
        json::walk(text, &mut wanted);
    } else {
        yaml::walk(text, &mut wanted);
    }
    locations.iter().map(|location| first_line(text, wanted.range(text, location.spot()))).collect()
}

/// The requested pointers, and their ancestors.
#[derive(Default)]
struct Wanted {
    nodes: HashMap<String, Node>,
}

/// Where a node was found.
#[derive(Default)]
struct Node {
    name: Option<Range<usize>>,
    second_name: Option<Range<usize>>,
    value: Option<Range<usize>>,
    is_scalar: bool,
}

impl Wanted {
    fn add(&mut self, pointer: &str) {
        if self.nodes.contains_key(pointer) {
            return;
        }
        self.nodes.insert(pointer.to_owned(), Node::default());
        if let Some(end) = pointer.rfind('/') {
            self.add(&pointer[..end]);
        }
    }

    /// Whether this pointer or one below it is requested.
    fn contains(&self, pointer: &str) -> bool {
        self.nodes.contains_key(pointer)
    }

    fn name(&mut self, pointer: &str, range: Range<usize>) {
        if let Some(node) = self.nodes.get_mut(pointer) {
            match node.name {
                None => node.name = Some(range),
                Some(_) => node.second_name = Some(range),
            }
        }
    }

    fn value(&mut self, pointer: &str, range: Range<usize>, is_scalar: bool) {
        if let Some(node) = self.nodes.get_mut(pointer)
            && node.value.is_none()
        {
            (node.value, node.is_scalar) = (Some(range), is_scalar);
        }
    }

    fn range(&self, text: &str, spot: &Spot) -> Range<usize> {
        let pointer = match spot {
            Spot::Byte(offset) => return around(text, *offset),
            Spot::Value(pointer) | Spot::Name(pointer) | Spot::SecondName(pointer) => pointer,
        };
        let node = &self.nodes[&**pointer];
        let found = match spot {
            Spot::Byte(_) => None,
            // An object or array is shown by its name, or else by its first line.
            Spot::Value(_) if node.is_scalar => node.value.clone(),
            Spot::Value(_) | Spot::Name(_) => node.name.clone().or_else(|| node.value.clone()),
            Spot::SecondName(_) => node.second_name.clone().or_else(|| node.name.clone()),
        };
        // Nodes from aliases, merges and repairs have no text of their own; their parent has.
        found.unwrap_or_else(|| match pointer.rfind('/') {
            Some(end) => self.range(text, &Spot::Value(pointer[..end].into())),
            None => 0..0,
        })
    }
}

/// The character at an offset, or the last one when the text ends there.
fn around(text: &str, offset: usize) -> Range<usize> {
    let offset = offset.min(text.trim_end().len());
    let start = (0..=offset).rev().find(|index| text.is_char_boundary(*index)).unwrap_or_default();
    let length = text[start..].chars().next().filter(|character| *character != '\n').map_or(0, char::len_utf8);
    start..start + length
}

/// Cuts a range at the end of its first line; an empty range becomes its whole line.
fn first_line(text: &str, range: Range<usize>) -> Range<usize> {
    let range = if range == (0..0) { 0..text.len() } else { range };
    let line = text[range.clone()].lines().next().unwrap_or_default();
    range.start..range.start + line.trim_end().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpts(text: &str, locations: &[Location]) -> Vec<String> {
        let locations: Vec<&Location> = locations.iter().collect();
        find(text, &locations).into_iter().map(|range| text[range].to_owned()).collect()
    }

    fn at(pointer: &str) -> Location {
        Location::at("a", pointer)
    }

    #[test]
    fn yaml_nodes_are_found() {
        let text =
            "a: &x\n  ä: 'o''n\\' # two\n  c:\n  - d: 1\n    e: 2\n  - {f: [3, 4]}\nb: *x\ng: |\n  long\n  text\n";
        let locations =
            [at("/a/ä"), at("/a"), at("/a/c/0"), at("/a/c/1/f/1"), at("/a/ä").name(), at("/b/ä"), at("/g"), at("")];
        let expected = ["'o''n\\'", "a", "d: 1", "4", "ä", "*x", "long", "a: &x"];
        assert_eq!(excerpts(text, &locations), expected);
    }

    #[test]
    fn json_nodes_are_found() {
        let text = "{\r\n\t\"a\": {\"b/c\": \"\\\"x\\\"\", \"\\u00e4\": [1, {\"d\": null}]},\r\n\t\"a\": -1.5e3\r\n}";
        let locations = [at("/a/b~1c"), at("/a/ä/1/d"), at("/a/ä/1"), at("/a").second_name(), at("/a"), at("/a/x")];
        let expected = ["\"\\\"x\\\"\"", "null", "{\"d\": null}]},", "\"a\"", "\"a\"", "\"a\""];
        assert_eq!(excerpts(text, &locations), expected);
    }

    #[cfg(feature = "build")]
    #[test]
    fn toml_nodes_are_found() {
        let text = "a = 'x'\n[b.'c/d']\ne = [1, 'f']\n[g]\nh = { i = 2 }\n";
        let at = |pointer: &str| Location::at("a.toml", pointer);
        let locations = [at("/a"), at("/b/c~1d/e/1"), at("/b/c~1d").name(), at("/g"), at("/g/h/i"), at("/g/x")];
        assert_eq!(excerpts(text, &locations), ["'x'", "'f'", "'c/d'", "g", "2", "g"]);
        assert_eq!(excerpts("a = ", &[at("/a")]), ["a ="]);
    }

    #[test]
    fn any_text_has_places() {
        for text in ["", "\n", "{", "{\"a", "[1,", "a: [", "\t", "a: b: c", "- - -\n -", "{\"a\": {]", "*x"] {
            for offset in 0..=text.len() + 1 {
                let ranges = find(text, &[&Location::byte("a", offset), &at("/a/0")]);
                assert!(ranges.into_iter().all(|range| text.get(range).is_some()), "{text:?}");
            }
        }
    }
}
