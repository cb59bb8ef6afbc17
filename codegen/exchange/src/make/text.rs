//! Random texts.

use fastrand::Rng;
use serde_json::{Map, Value};

use super::{Maker, Written, length, pattern};
use crate::schema::usual;

/// Characters with a special meaning in JSON, forms, queries or Rust, and characters that are long in UTF-8.
const HARD: &[char] =
    &['"', '\\', '/', '\n', '\t', '&', '=', '+', '%', '#', '?', ';', ',', ' ', '<', '\u{e4}', '\u{1f980}', '\u{7f}'];

/// Words of plain texts.
const WORDS: &[&str] = &[
    "amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "harbor", "island", "juniper", "lagoon", "meadow",
    "north", "orchid", "pebble", "quartz", "river", "summit", "tundra", "valley", "willow",
];

/// Whether the format belongs to numbers.
pub(super) fn is_of_numbers(format: &str) -> bool {
    matches!(format, "decimal" | "int32" | "int64" | "integer" | "uint32" | "uint64")
}

impl Maker<'_> {
    pub(super) fn string(&mut self, flat: &Map<String, Value>, depth: usize) -> Option<String> {
        let pattern = flat.get("pattern").and_then(Value::as_str);
        let encoded = flat.get("contentEncoding").is_some_and(|encoding| encoding == "base64").then_some("byte");
        let format = encoded.or(flat.get("format").and_then(Value::as_str));
        // The pattern of a UUID may ask for a version.
        if let (Some("uuid"), Some(pattern)) = (format, pattern)
            && let Some(text) = pattern::text(&mut self.random, pattern).filter(|text| text.len() == 36)
        {
            return Some(text);
        }
        if let Some(format) = format
            && let Some(text) = formatted(&mut self.random, format)
        {
            return Some(text);
        }
        let least = length(flat, "minLength").unwrap_or(0);
        let most = length(flat, "maxLength").unwrap_or(usize::MAX);
        if let Some(pattern) = pattern {
            let mut short = None;
            for _ in 0..30 {
                let text = pattern::text(&mut self.random, pattern)?;
                // An empty text is not a segment, and `.` and `..` are relative segments.
                let is_step = self.written == Written::Path && matches!(text.as_str(), "" | "." | "..");
                if (least..=most).contains(&text.chars().count()) && !is_step {
                    return Some(text);
                }
                short = Some(text).filter(|text| text.chars().count() < least);
            }
            // A pattern without `$` allows any text after the match.
            return short.map(|text| format!("{text:0<least$}"));
        }
        let least = if self.written == Written::Json || (depth == 0 && self.written == Written::Form) {
            least
        } else {
            least.max(1)
        };
        if self.plain {
            return Some(self.words(least, most));
        }
        let count = least.saturating_add(self.random.usize(0..12)).min(most.max(least)).min(10_000.max(least));
        let mut text: String = (0..count).map(|_| self.character()).collect();
        if matches!(self.written, Written::Header | Written::Path) {
            // A space at an end would be lost, and `.` and `..` are relative segments.
            text = text.replace(' ', "-");
        }
        Some(text)
    }

    /// One or two words, as many more as the text must have characters for, cut to its maximum length.
    fn words(&mut self, least: usize, most: usize) -> String {
        let separator = if matches!(self.written, Written::Header | Written::Path) { "-" } else { " " };
        let count = self.random.usize(1..3);
        let mut text = String::new();
        for index in 0.. {
            if index >= count && text.len() >= least {
                break;
            }
            let separator = if index > 0 { separator } else { "" };
            text.extend([separator, self.random.choice(WORDS).unwrap_or(&"word")]);
        }
        text.truncate(most);
        // A space at the end may be trimmed on the way.
        if text.ends_with(' ') {
            text.replace_range(text.len() - 1.., "s");
        }
        text
    }

    /// A short text of any kind.
    pub(super) fn word(&mut self, depth: usize) -> String {
        self.string(&Map::new(), depth).unwrap_or_default()
    }

    fn character(&mut self) -> char {
        if self.random.u8(0..4) > 0 || matches!(self.written, Written::Header | Written::Path) {
            return self.random.alphanumeric();
        }
        self.random.choice(HARD).copied().unwrap_or('a')
    }
}

/// A random text of a known format; `None` for other formats.
pub fn formatted(random: &mut Rng, format: &str) -> Option<String> {
    let date = format!("{}-{:02}-{:02}", random.u16(1970..2100), random.u8(1..13), random.u8(1..29));
    let time = format!("{:02}:{:02}:{:02}", random.u8(0..24), random.u8(0..60), random.u8(0..60));
    Some(match usual(format) {
        "date" => date,
        "time" => time,
        "date-time" if random.bool() => format!("{date}T{time}Z"),
        "date-time" => format!("{date}T{time}.{:03}Z", random.u16(1..1000)),
        "date-time-local" => format!("{date}T{time}"),
        "duration" => format!("P{}DT{}H{}M", random.u8(1..30), random.u8(1..24), random.u8(1..60)),
        "uuid" => {
            let mut hex = |count: usize| (0..count).map(|_| random.digit(16)).collect::<String>();
            format!("{}-{}-4{}-8{}-{}", hex(8), hex(4), hex(3), hex(3), hex(12))
        }
        "email" => format!("{}@example.com", random.lowercase()),
        "uri" | "url" => format!("https://example.com/{}?q={}", random.alphanumeric(), random.u8(..)),
        "uri-reference" => format!("../{}", random.alphanumeric()),
        "hostname" => format!("{}.example.com", random.lowercase()),
        "ipv4" => format!("{}.{}.{}.{}", random.u8(..), random.u8(..), random.u8(..), random.u8(..)),
        "ipv6" => format!("2001:db8::{:x}", random.u16(1..)),
        "byte" => {
            let groups = random.usize(1..5);
            (0..groups * 4).map(|_| random.alphanumeric()).collect()
        }
        "decimal" => format!("{}.{:02}", random.u16(..), random.u8(1..100)),
        "int32" | "int64" | "integer" => random.i32(..).to_string(),
        "uint32" | "uint64" => random.u32(..).to_string(),
        _ => return None,
    })
}
