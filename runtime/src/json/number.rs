//! Numbers with their exact text.

use std::fmt;

use jiter::Jiter;

use super::{Kind, Read, Reader, Write, Writer};
use crate::text::{Whole, quoted, whole};

/// Any JSON number, without rounding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number(Repr);

#[derive(Clone, Debug, PartialEq)]
enum Repr {
    Integer(i64),
    Unsigned(u64),
    /// Finite, with few enough digits that formatting it gives the text that was read.
    Float(f64),
    /// The text of any other number.
    Text(Box<str>),
}

impl Eq for Repr {}

impl Number {
    /// The number as an `i64`, if it is one.
    pub fn as_i64(&self) -> Option<i64> {
        match self.whole() {
            Whole::Number(number) => number.try_into().ok(),
            Whole::Huge | Whole::Fraction => None,
        }
    }

    /// The number as a `u64`, if it is one.
    pub fn as_u64(&self) -> Option<u64> {
        match self.whole() {
            Whole::Number(number) => number.try_into().ok(),
            Whole::Huge | Whole::Fraction => None,
        }
    }

    /// The nearest `f64`; infinite if out of range.
    #[expect(clippy::cast_precision_loss, reason = "the nearest is what is asked for")]
    pub fn as_f64(&self) -> f64 {
        match &self.0 {
            Repr::Integer(number) => *number as f64,
            Repr::Unsigned(number) => *number as f64,
            Repr::Float(number) => *number,
            Repr::Text(text) => text.parse().unwrap_or(f64::NAN),
        }
    }

    /// The number for a finite `f64`.
    pub fn from_f64(number: f64) -> Option<Self> {
        number.is_finite().then_some(Self(Repr::Float(number)))
    }

    fn of_text(text: &str) -> Self {
        if text != "-0" {
            if let Ok(number) = text.parse() {
                return Self(Repr::Integer(number));
            }
            if let Ok(number) = text.parse() {
                return Self(Repr::Unsigned(number));
            }
        }
        // 15 digits survive the conversion to an f64 and back.
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        let plain = !text.contains(['e', 'E']);
        match text.parse() {
            Ok(number) if digits <= 15 && plain => Self(Repr::Float(number)),
            _ => Self(Repr::Text(text.into())),
        }
    }

    fn whole(&self) -> Whole {
        match &self.0 {
            Repr::Integer(number) => Whole::Number(i128::from(*number)),
            Repr::Unsigned(number) => Whole::Number(i128::from(*number)),
            Repr::Float(number) => whole(&number.to_string()),
            Repr::Text(text) => whole(text),
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Integer(number) => number.fmt(f),
            Repr::Unsigned(number) => number.fmt(f),
            Repr::Float(number) => fmt::Debug::fmt(number, f),
            Repr::Text(text) => f.write_str(text),
        }
    }
}

impl From<i64> for Number {
    fn from(number: i64) -> Self {
        Self(Repr::Integer(number))
    }
}

impl From<i32> for Number {
    fn from(number: i32) -> Self {
        Self(Repr::Integer(number.into()))
    }
}

impl From<u64> for Number {
    fn from(number: u64) -> Self {
        i64::try_from(number).map_or(Self(Repr::Unsigned(number)), Self::from)
    }
}

impl Read for Number {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        Some(match json.numeral("a number")? {
            Numeral::Small(number) => Self::from(number),
            Numeral::Text(text) => Self::of_text(text),
        })
    }
}

impl Write for Number {
    fn write(&self, json: &mut Writer) {
        match &self.0 {
            Repr::Integer(number) => number.write(json),
            Repr::Unsigned(number) => number.write(json),
            Repr::Float(number) => json.double(*number),
            Repr::Text(text) => json.raw(text),
        }
    }
}

/// For the decimals that a small number may have.
const POWERS_OF_TEN: [f64; 16] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

/// A number in a document.
enum Numeral<'j> {
    Small(i64),
    Text(&'j str),
}

impl<'j> Reader<'j> {
    /// Reads an integer between `least` and `most`.
    pub fn integer(&mut self, least: i128, most: i128) -> Option<i128> {
        let numeral = self.numeral("a whole number")?;
        if let Numeral::Small(number) = numeral
            && (least..=most).contains(&number.into())
        {
            return Some(number.into());
        }
        self.other_integer(&numeral, least, most)
    }

    fn other_integer(&mut self, numeral: &Numeral<'_>, least: i128, most: i128) -> Option<i128> {
        let number = match *numeral {
            Numeral::Small(number) => Whole::Number(number.into()),
            Numeral::Text(text) => whole(text),
        };
        match number {
            Whole::Number(number) if (least..=most).contains(&number) => return Some(number),
            Whole::Fraction => self.notes.note("type", format!("is {numeral}, not a whole number")),
            Whole::Number(_) | Whole::Huge => {
                self.notes.note("format", format!("is {numeral}, not between {least} and {most}"));
            }
        }
        None
    }

    /// Reads a number as the nearest `f64`.
    #[expect(clippy::cast_precision_loss, reason = "a small number has few digits")]
    pub fn double(&mut self) -> Option<f64> {
        self.cursor.peek();
        if let Some((number, decimals)) = self.cursor.small_number() {
            // Both are exact, so the quotient is the nearest.
            return POWERS_OF_TEN.get(decimals).map(|power| number as f64 / power);
        }
        let start = self.peek_number("a number")?;
        match self.cursor.with_jiter(Jiter::next_float) {
            Ok(number) if number.is_finite() => Some(number),
            Ok(_) => self.refuse_range(ascii(self.cursor.slice_from(start))),
            Err(error) => self.break_off(&error),
        }
    }

    /// Reads a number as the nearest `f32`.
    pub fn single(&mut self) -> Option<f32> {
        let text = self.number_text()?;
        match text.parse::<f32>() {
            Ok(number) if number.is_finite() => Some(number),
            _ => self.refuse_range(text),
        }
    }

    /// Reads a number as text.
    pub fn number_text(&mut self) -> Option<&'j str> {
        self.exact_number("a number")
    }

    fn exact_number(&mut self, expected: &str) -> Option<&'j str> {
        let start = self.peek_number(expected)?;
        if let Err(error) = self.cursor.with_jiter(|jiter| jiter.next_number_bytes().map(drop)) {
            return self.break_off(&error);
        }
        Some(ascii(self.cursor.slice_from(start)))
    }

    fn numeral(&mut self, expected: &str) -> Option<Numeral<'j>> {
        self.cursor.peek();
        let start = self.cursor.index();
        match self.cursor.small_number() {
            Some((number, 0)) => Some(Numeral::Small(number)),
            Some(_) => Some(Numeral::Text(ascii(self.cursor.slice_from(start)))),
            None => self.exact_number(expected).map(Numeral::Text),
        }
    }

    fn refuse_range<T>(&mut self, text: &str) -> Option<T> {
        self.notes.note("format", format!("is {}, beyond the range of the type", quoted(text)));
        None
    }

    /// The position of the next number.
    fn peek_number(&mut self, expected: &str) -> Option<usize> {
        let found = self.kind();
        if found != Kind::Number {
            return self.refuse_kind(found, expected);
        }
        Some(self.cursor.index())
    }
}

/// The text of a number (ASCII).
fn ascii(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or("0")
}

impl fmt::Display for Numeral<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Small(number) => number.fmt(f),
            Self::Text(text) => f.write_str(&quoted(text)),
        }
    }
}
