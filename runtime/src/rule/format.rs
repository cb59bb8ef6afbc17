//! `format` of strings that stay strings.

use std::net::{Ipv4Addr, Ipv6Addr};

use jiff::{SpanFieldwise, Timestamp, civil};

use crate::text::FromText;

/// The formats that are checked, each in one pass over the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `email`
    Email,
    /// `uri`
    Uri,
    /// `uri-reference`
    UriReference,
    /// `hostname`
    Hostname,
    /// `date`
    Date,
    /// `time`
    Time,
    /// `date-time`
    DateTime,
    /// `duration`
    Duration,
    /// `uuid`
    Uuid,
    /// `ipv4`
    Ipv4,
    /// `ipv6`
    Ipv6,
}

impl Format {
    pub(super) fn noun(self) -> &'static str {
        match self {
            Self::Email => "an email address",
            Self::Uri => "a URI",
            Self::UriReference => "a URI reference",
            Self::Hostname => "a host name",
            Self::Date => "a date",
            Self::Time => "a time",
            Self::DateTime => "a date and time",
            Self::Duration => "a duration",
            Self::Uuid => "a UUID",
            Self::Ipv4 => "an IPv4 address",
            Self::Ipv6 => "an IPv6 address",
        }
    }

    pub(crate) fn is_kept_by(self, text: &str) -> bool {
        match self {
            Self::Email => is_email(text),
            Self::Uri => is_uri(text),
            Self::UriReference => is_uri_reference(text),
            Self::Hostname => is_hostname(text),
            Self::Date => is_exact::<civil::Date>(text),
            Self::Time => is_exact::<civil::Time>(text),
            Self::DateTime => is_exact::<Timestamp>(text),
            Self::Duration => is_exact::<SpanFieldwise>(text),
            Self::Uuid => is_uuid(text),
            Self::Ipv4 => is_exact::<Ipv4Addr>(text),
            Self::Ipv6 => is_exact::<Ipv6Addr>(text),
        }
    }
}

fn is_exact<T: FromText>(text: &str) -> bool {
    T::is_exact(text) && T::from_text(text).is_ok()
}

/// RFC 9562, in hexadecimal digits of either case.
fn is_uuid(text: &str) -> bool {
    let lengths = text.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12]) && text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

/// A deliverable address: RFC 5321 without quoted names, but with letters of any language.
fn is_email(text: &str) -> bool {
    let Some((name, host)) = text.rsplit_once('@') else { return false };
    let is_word = |word: &str| !word.is_empty() && word.chars().all(is_word_character);
    let is_host = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(address) => is_address(address),
        None => host.len() <= 253 && host.split('.').all(is_international_label),
    };
    text.len() <= 254 && name.len() <= 64 && name.split('.').all(is_word) && is_host
}

fn is_word_character(character: char) -> bool {
    character.is_alphanumeric() || !character.is_ascii() || "!#$%&'*+-/=?^_`{|}~".contains(character)
}

fn is_address(text: &str) -> bool {
    match text.strip_prefix("IPv6:") {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => text.parse::<std::net::Ipv4Addr>().is_ok(),
    }
}

fn is_international_label(label: &str) -> bool {
    is_label_of(label, |character| character.is_ascii_alphanumeric() || !character.is_ascii())
}

/// RFC 1123.
fn is_hostname(text: &str) -> bool {
    text.len() <= 253 && text.split('.').all(|label| is_label_of(label, |character| character.is_ascii_alphanumeric()))
}

fn is_label_of(label: &str, allowed: impl Fn(char) -> bool) -> bool {
    (1..=63).contains(&label.len())
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.chars().all(|character| character == '-' || allowed(character))
}

/// RFC 3986: a scheme, then the characters of a reference.
fn is_uri(text: &str) -> bool {
    text.split_once(':').is_some_and(|(scheme, rest)| is_scheme(scheme) && has_uri_characters(rest))
}

fn is_uri_reference(text: &str) -> bool {
    if !has_uri_characters(text) {
        return false;
    }
    // A colon in the first segment would end a scheme.
    let first = text.split(['/', '?', '#']).next().unwrap_or_default();
    first.split_once(':').is_none_or(|(scheme, _)| is_scheme(scheme))
}

fn is_scheme(scheme: &str) -> bool {
    scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

fn has_uri_characters(text: &str) -> bool {
    let mut bytes = text.bytes();
    let mut fragments = 0;
    while let Some(byte) = bytes.next() {
        let allowed = match byte {
            b'%' => {
                matches!((bytes.next(), bytes.next()), (Some(high), Some(low)) if high.is_ascii_hexdigit() && low.is_ascii_hexdigit())
            }
            b'#' => {
                fragments += 1;
                fragments == 1
            }
            other => other.is_ascii_alphanumeric() || b"-._~:/?[]@!$&'()*+,;=".contains(&other),
        };
        if !allowed {
            return false;
        }
    }
    true
}
