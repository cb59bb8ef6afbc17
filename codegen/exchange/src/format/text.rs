//! Texts in the formats that the generated server reads.

use std::borrow::Cow;
use std::net::{Ipv4Addr, Ipv6Addr};

use base64::Engine as _;
use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use jiff::Timestamp;
use jiff::civil::{DateTime, Time};
use jiff::fmt::temporal::SpanParser;

const CONFIG: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, CONFIG);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, CONFIG);

/// The standard or the URL-safe alphabet, with or without padding.
pub(super) fn is_base64(text: &str) -> bool {
    let engine = if text.contains(['-', '_']) { &URL_SAFE } else { &STANDARD };
    engine.decode(text).is_ok()
}

/// A date and a time in UTC, in another zone, or without one; decision 16 says why.
pub(super) fn is_date_time(text: &str) -> bool {
    let text = in_nanoseconds(text);
    let clock = text.get("0000-00-00".len()..).unwrap_or_default();
    let hour = clock.rsplit_once(['+', '-']).and_then(|(_, offset)| offset.get(..2)?.parse().ok());
    // RFC 3339 has offsets below a day. The end of the year 9999 means "never"; a `Timestamp` ends before it.
    let is_below_a_day = hour.is_none_or(|hour: u8| hour < 24);
    let local = text.strip_suffix(['Z', 'z']).unwrap_or(&text);
    is_below_a_day && (text.parse::<Timestamp>().is_ok() || local.parse::<DateTime>().is_ok())
}

/// The text with at most nine digits of a fraction.
fn in_nanoseconds(text: &str) -> Cow<'_, str> {
    const MOST: usize = 9;
    let Some((before, after)) = text.split_once('.') else { return text.into() };
    let digits = after.bytes().take_while(u8::is_ascii_digit).count();
    if digits <= MOST { text.into() } else { format!("{before}.{}{}", &after[..MOST], &after[digits..]).into() }
}

/// A date and a time with seconds, without a zone.
pub(super) fn is_local(text: &str) -> bool {
    let has_seconds = text.get(16..17) == Some(":");
    let is_zone = |sign: char| !sign.is_ascii_digit() && !matches!(sign, 'T' | 't' | ' ' | ':' | '.');
    let clock = text.get("0000-00-00".len()..).unwrap_or_default();
    has_seconds && !clock.contains(is_zone) && text.parse::<DateTime>().is_ok()
}

/// A time with seconds, in UTC or without a zone.
pub(super) fn is_time_of_day(text: &str) -> bool {
    let local = ["Z", "z", "+00:00", "-00:00"].iter().find_map(|utc| text.strip_suffix(utc)).unwrap_or(text);
    local.get(5..6) == Some(":") && !local.contains(['+', '-']) && local.parse::<Time>().is_ok()
}

/// ISO 8601 without a sign.
pub(super) fn is_duration(text: &str) -> bool {
    text.starts_with(['P', 'p']) && SpanParser::new().parse_span(text).is_ok()
}

/// A number of at most 28 digits.
pub(super) fn is_decimal(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole, fraction].concat();
    let is_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let exponent = exponent.parse::<i32>().ok().filter(|exponent| (-28..=28).contains(exponent));
    let count = digits.trim_start_matches('0').len();
    is_digits && exponent.is_some() && count <= 28 && fraction.len() <= 28
}

/// RFC 5321 without quoted names, but with letters of any language.
pub(super) fn is_email(text: &str) -> bool {
    let Some((name, host)) = text.rsplit_once('@') else { return false };
    let is_sign = |sign: char| sign.is_ascii_alphanumeric() || !sign.is_ascii() || "!#$%&'*+-/=?^_`{|}~".contains(sign);
    let is_word = |word: &str| !word.is_empty() && word.chars().all(is_sign);
    let is_host = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(address) => match address.strip_prefix("IPv6:") {
            Some(address) => address.parse::<Ipv6Addr>().is_ok(),
            None => address.parse::<Ipv4Addr>().is_ok(),
        },
        None => has_labels(host, |sign| !sign.is_ascii()),
    };
    text.len() <= 254 && name.len() <= 64 && name.split('.').all(is_word) && is_host
}

/// RFC 1123.
pub(super) fn is_hostname(text: &str) -> bool {
    has_labels(text, |_| false)
}

/// Whether the text is labels of letters, digits, hyphens and what else is allowed.
fn has_labels(text: &str, is_allowed: impl Fn(char) -> bool) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|sign| sign == '-' || sign.is_ascii_alphanumeric() || is_allowed(sign))
    };
    text.len() <= 253 && text.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_the_format_that_the_server_accepts() {
        for (is_valid, kept, broken) in [
            (
                is_date_time as fn(&str) -> bool,
                &["2024-02-29T12:00:00Z", "2024-02-29 12:00", "2024-02-29", "2024-02-29T12:00:00.5+0130"][..],
                &["2023-02-29", "2024-02-29T24:00:00Z", "2024-02-29T12:00:00+25:00", "2024-02-29T12:00:00+01:60"][..],
            ),
            (
                is_local,
                &["2024-02-29T12:00:00.5"],
                &["2024-02-29T12:00:00Z", "2024-02-29T12:00:00+01:00", "2024-02-29T12:00"],
            ),
            (is_time_of_day, &["12:00:00", "12:00:00Z"], &["12:00", "24:00:00", "12:00:00+01:00", "T12:00:00"]),
            (is_duration, &["P1D", "p1w", "PT1.5S", "P1Y2M3DT4H5M6S"], &["P", "PT", "-P1D", "P1H", "P1.5D", "P1D1Y"]),
            (is_base64, &["", "YQ==", "YQ", "YWI=", "YW-_", "YWJj"], &["Y", "YR==", "YQ===", "YQ ==", "Y+-_", "===="]),
            (is_decimal, &["1.50", "+1", ".5", "1e5", "5."], &["", "-", "1_0", "1e400", "NaN"]),
            (is_email, &["a@b", "ü@b.c", "a@[1.2.3.4]"], &["a", "@b", "a..b@c", "\"a\"@b.c", "a@-b"]),
            (is_hostname, &["a.b", "a-b"], &["", "a_b", "-a", "a..b"]),
        ] {
            for text in kept {
                assert!(is_valid(text), "{text}");
            }
            for text in broken {
                assert!(!is_valid(text), "{text}");
            }
        }
    }
}
