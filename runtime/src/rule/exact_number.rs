//! Compares numbers without rounding.

use std::cmp::Ordering;
use std::fmt;

use super::Bound;

/// A number to check.
#[derive(Clone, Copy, Debug)]
pub enum Numeric<'a> {
    /// An integer.
    Integer(i128),
    /// A binary floating-point number; it means the shortest decimal number that it prints as.
    Double(f64),
    /// The same in single precision.
    Single(f32),
    /// The text of a decimal number.
    Decimal(&'a str),
}

impl Numeric<'_> {
    /// How the number compares with `bound`.
    pub(super) fn compare(&self, bound: Bound) -> Ordering {
        if let (Self::Integer(number), Bound::Integer(bound)) = (self, bound) {
            return number.cmp(&bound);
        }
        if let (Self::Double(number), Bound::Integer(bound)) = (self, bound)
            && let Ok(bound) = i32::try_from(bound)
        {
            // The sum turns minus zero into zero.
            return (number + 0.0).total_cmp(&f64::from(bound));
        }
        self.exact().compare(&Exact::of(bound))
    }

    /// Whether both are the same number, however written.
    pub(super) fn is_same(&self, other: Numeric<'_>) -> bool {
        self.exact().compare(&other.exact()).is_eq()
    }

    /// Whether the number is a multiple of `bound`.
    pub(super) fn is_multiple_of(&self, bound: Bound) -> bool {
        if let (Self::Integer(number), Bound::Integer(bound)) = (self, bound) {
            return number.checked_rem(bound).is_none_or(|rest| rest == 0);
        }
        self.exact().is_multiple_of(&Exact::of(bound))
    }

    fn exact(&self) -> Exact {
        match self {
            Self::Integer(number) => Exact { negative: *number < 0, digits: number.unsigned_abs(), exponent: 0 },
            Self::Double(number) => Exact::parse(&format!("{number:e}")),
            Self::Single(number) => Exact::parse(&format!("{number:e}")),
            Self::Decimal(text) => Exact::parse(text),
        }
    }
}

impl fmt::Display for Numeric<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(number) => number.fmt(f),
            Self::Double(number) if (1e-5..1e16).contains(&number.abs()) || *number == 0.0 => number.fmt(f),
            Self::Double(number) => write!(f, "{number:e}"),
            Self::Single(number) => number.fmt(f),
            Self::Decimal(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(number) => number.fmt(f),
            Self::Decimal(text) => f.write_str(text),
        }
    }
}

/// `digits * 10^exponent`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Exact {
    negative: bool,
    digits: u128,
    exponent: i64,
}

impl Exact {
    fn of(bound: Bound) -> Self {
        match bound {
            Bound::Integer(number) => Numeric::Integer(number).exact(),
            Bound::Decimal(text) => Self::parse(text),
        }
    }

    /// Parses a JSON number; digits after the 38th only shift the exponent.
    fn parse(text: &str) -> Self {
        let (negative, unsigned) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let limit = if exponent.starts_with('-') { -1_000_000 } else { 1_000_000 };
        let mut exact =
            Self { negative, digits: 0, exponent: exponent.parse().unwrap_or(limit).clamp(-1_000_000, 1_000_000) };
        let mut after_point = false;
        let mut full = false;
        for byte in mantissa.bytes() {
            if byte == b'.' {
                after_point = true;
            } else if byte.is_ascii_digit() {
                let next = exact.digits.checked_mul(10).and_then(|digits| digits.checked_add(u128::from(byte - b'0')));
                match next {
                    Some(digits) if !full => {
                        exact.digits = digits;
                        exact.exponent -= i64::from(after_point);
                    }
                    _ => {
                        full = true;
                        exact.exponent += i64::from(!after_point);
                    }
                }
            }
        }
        exact
    }

    fn compare(&self, other: &Self) -> Ordering {
        match (self.sign(), other.sign()) {
            (1, 1) => self.compare_magnitude(other),
            (-1, -1) => other.compare_magnitude(self),
            (left, right) => left.cmp(&right),
        }
    }

    fn sign(&self) -> i32 {
        match (self.digits, self.negative) {
            (0, _) => 0,
            (_, true) => -1,
            (_, false) => 1,
        }
    }

    fn compare_magnitude(&self, other: &Self) -> Ordering {
        let shift = self.exponent - other.exponent;
        if shift < 0 {
            return other.compare_magnitude(self).reverse();
        }
        match scaled(self.digits, shift) {
            Some(digits) => digits.cmp(&other.digits),
            // More than 38 digits exceed any number that was not scaled.
            None => Ordering::Greater,
        }
    }

    fn is_multiple_of(&self, divisor: &Self) -> bool {
        let (number, divisor) = (self.normal(), divisor.normal());
        // Without trailing zeros, a number with more decimal places is not a multiple of one with fewer.
        let (Ok(shift), Ok(modulus)) =
            (u32::try_from(number.exponent - divisor.exponent), u64::try_from(divisor.digits))
        else {
            return number.digits == 0 || divisor.digits > u128::from(u64::MAX);
        };
        if modulus == 0 {
            return true;
        }
        let modulus = u128::from(modulus);
        ((number.digits % modulus) * power_of_ten(shift, modulus)).is_multiple_of(modulus)
    }

    fn normal(mut self) -> Self {
        if self.digits == 0 {
            return Self { exponent: 0, ..self };
        }
        while self.digits.is_multiple_of(10) {
            self.digits /= 10;
            self.exponent += 1;
        }
        self
    }
}

fn scaled(digits: u128, shift: i64) -> Option<u128> {
    10_u128.checked_pow(u32::try_from(shift).ok()?)?.checked_mul(digits)
}

/// `10^exponent % modulus`, for a modulus below 2^64.
fn power_of_ten(mut exponent: u32, modulus: u128) -> u128 {
    let mut power = 1 % modulus;
    let mut base = 10 % modulus;
    while exponent > 0 {
        if exponent % 2 == 1 {
            power = power * base % modulus;
        }
        base = base * base % modulus;
        exponent /= 2;
    }
    power
}
