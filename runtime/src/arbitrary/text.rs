//! Makes texts.

use fastrand::Rng;
use specwright_exchange::{formatted, matching};

use super::ATTEMPTS;
use super::maker::Maker;
use crate::rule::{Format, Pattern, Rule};

const PLAIN: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

impl Maker<'_, '_> {
    /// A text that keeps the rules.
    pub(super) fn text(&mut self, rules: &[Rule<'static>]) -> Option<String> {
        let (mut least, mut most, mut format, mut patterns) = (0, usize::MAX, None, Vec::new());
        for rule in rules {
            match *rule {
                Rule::OneOf(texts) if self.breaks() => return Some(texts.concat() + "?"),
                Rule::OneOf(texts) => return texts.get(self.index(texts.len())).map(|text| (*text).to_owned()),
                Rule::MinLength(length) => least = usize::try_from(length).ok()?,
                Rule::MaxLength(length) => most = usize::try_from(length).unwrap_or(usize::MAX),
                Rule::Format(wanted) => format = Some(wanted),
                Rule::Pattern(pattern) => patterns.push(pattern),
                _ => {}
            }
        }
        if (format.is_some() || !patterns.is_empty()) && self.breaks() {
            return self.plain(least.max(1), most, &|text| {
                format.is_none_or(|format| !format.is_kept_by(text))
                    && patterns.first().is_none_or(|pattern| !pattern.is_match(text))
            });
        }
        if format.is_some() || !patterns.is_empty() {
            let fits = |text: &String| {
                (least..=most).contains(&text.chars().count())
                    && patterns.iter().all(|pattern| pattern.is_match(text))
                    && format.is_none_or(|format| format.is_kept_by(text))
            };
            let mut random = self.random();
            let made = (0..ATTEMPTS * 2)
                .find_map(|_| Some(made(&mut random, format, patterns.first().copied(), least)?).filter(fits));
            // A pattern without anchors may match any text.
            return made.or_else(|| self.plain(least, most, &|text| fits(&text.to_owned())));
        }
        let size = self.size_within(least, most);
        Some(self.characters(size))
    }

    /// A text in a format.
    pub(super) fn formatted(&mut self, format: &str, rules: &[Rule<'static>]) -> Option<String> {
        let patterns = || {
            rules.iter().filter_map(|rule| match rule {
                Rule::Pattern(pattern) => Some(*pattern),
                _ => None,
            })
        };
        if self.breaks() {
            return Some("?".to_owned());
        }
        let mut random = self.random();
        let fits = |text: &String| patterns().all(|pattern| pattern.is_match(text));
        let of_pattern = |random: &mut Rng| patterns().next().and_then(|pattern| matching(random, pattern.text()));
        (0..ATTEMPTS).find_map(|_| formatted(&mut random, format).filter(fits)).or_else(|| of_pattern(&mut random))
    }

    /// Random numbers from the data.
    pub(super) fn random(&mut self) -> Rng {
        Rng::with_seed(self.data.arbitrary().unwrap_or_default())
    }

    fn plain(&mut self, least: usize, most: usize, fits: &dyn Fn(&str) -> bool) -> Option<String> {
        (0..ATTEMPTS).find_map(|_| {
            let size = self.size(least, most);
            Some(self.characters(size)).filter(|text| fits(text))
        })
    }

    fn characters(&mut self, count: usize) -> String {
        (0..count).map(|_| self.character()).collect()
    }

    /// A letter or a digit, sometimes any character.
    fn character(&mut self) -> char {
        if self.rarely(8) {
            return self.data.arbitrary().unwrap_or('a');
        }
        char::from(PLAIN[self.index(PLAIN.len())])
    }
}

/// A text of the format, or else one that matches the pattern.
fn made(random: &mut Rng, format: Option<Format>, pattern: Option<&Pattern>, least: usize) -> Option<String> {
    let of_format = format.and_then(|format| formatted(random, name(format)));
    // A pattern without `$` allows any text after the match.
    let of_pattern = |pattern: &Pattern| matching(random, pattern.text()).map(|text| format!("{text:0<least$}"));
    of_format.or_else(|| pattern.and_then(of_pattern))
}

fn name(format: Format) -> &'static str {
    match format {
        Format::Email => "email",
        Format::Uri => "uri",
        Format::UriReference => "uri-reference",
        Format::Hostname => "hostname",
        Format::Date => "date",
        Format::Time => "time",
        Format::DateTime => "date-time",
        Format::Duration => "duration",
        Format::Uuid => "uuid",
        Format::Ipv4 => "ipv4",
        Format::Ipv6 => "ipv6",
    }
}
