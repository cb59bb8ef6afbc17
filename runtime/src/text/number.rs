//! Numbers as text.

use std::borrow::Cow;

use super::{FromText, NO_TEXT, Refusal, ToText};

/// A decimal text as an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whole {
    /// An integer; `1.0` and `1e3` are integers, too.
    Number(i128),
    /// An integer with more than 38 digits.
    Huge,
    /// Not an integer.
    Fraction,
}

/// Parses text in the format of a JSON number.
pub(crate) fn whole(text: &str) -> Whole {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent_of(exponent)),
        None => (unsigned, 0),
    };
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits = || integer.bytes().chain(fraction.bytes());

    let mut shift = exponent.saturating_sub(i64::try_from(fraction.len()).unwrap_or(i64::MAX));
    let zeros = digits().rev().take_while(|digit| *digit == b'0').count();
    let length = integer.len() + fraction.len();
    if zeros == length {
        return Whole::Number(0);
    }
    if shift < 0 && shift.unsigned_abs() > zeros as u64 {
        return Whole::Fraction;
    }
    let mut number: i128 = 0;
    for digit in digits().take(length - zeros) {
        match number.checked_mul(10).and_then(|number| number.checked_add(i128::from(digit - b'0'))) {
            Some(next) => number = next,
            None => return Whole::Huge,
        }
    }
    shift = shift.saturating_add(i64::try_from(zeros).unwrap_or(i64::MAX));
    match u32::try_from(shift)
        .ok()
        .and_then(|shift| 10_i128.checked_pow(shift))
        .and_then(|power| number.checked_mul(power))
    {
        Some(number) => Whole::Number(if negative { -number } else { number }),
        None => Whole::Huge,
    }
}

/// The shortest spelling of a number: `2` for `2.0` and `2e0`.
pub fn canonical(text: &str) -> Cow<'_, str> {
    match whole(text) {
        Whole::Number(number) => Cow::Owned(number.to_string()),
        Whole::Huge | Whole::Fraction => match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Cow::Owned(number.to_string()),
            _ => Cow::Borrowed(text),
        },
    }
}

fn exponent_of(text: &str) -> i64 {
    // Only digits, so parsing fails only for numbers that are too large.
    let limit = if text.starts_with('-') { i64::MIN / 2 } else { i64::MAX / 2 };
    text.parse().unwrap_or(limit)
}

fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

macro_rules! integer {
    ($($type:ty),*) => {$(
        impl FromText for $type {
            fn from_text(text: &str) -> Result<Self, Refusal> {
                if !is_integer(text) {
                    return Err(Refusal::new("type", text, "a whole number"));
                }
                text.parse().map_err(|_| {
                    let expected = format!("between {} and {}", Self::MIN, Self::MAX);
                    Refusal::new("format", text, &expected)
                })
            }
        }

        impl ToText for $type {
            fn to_text(&self) -> Cow<'_, str> {
                Cow::Owned(itoa::Buffer::new().format(*self).to_owned())
            }
        }
    )*};
}

integer!(i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! float {
    ($($type:ty),*) => {$(
        impl FromText for $type {
            /// Accepts decimal numbers only: Rust also parses `inf` and `NaN`.
            fn from_text(text: &str) -> Result<Self, Refusal> {
                if !text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')) {
                    return Err(Refusal::new("type", text, "a number"));
                }
                match text.parse::<Self>() {
                    Ok(number) if number.is_finite() => Ok(number),
                    Ok(_) => Err(Refusal::new("format", text, "a number that fits")),
                    Err(_) => Err(Refusal::new("type", text, "a number")),
                }
            }
        }

        impl ToText for $type {
            fn to_text(&self) -> Cow<'_, str> {
                if self.is_finite() { Cow::Owned(self.to_string()) } else { Cow::Borrowed(NO_TEXT) }
            }
        }
    )*};
}

float!(f32, f64);
