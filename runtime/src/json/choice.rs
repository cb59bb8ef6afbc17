//! Enums and constants.

use std::str::FromStr;

use super::{Read, Reader};
use crate::text::{self, Refusal};

impl Reader<'_> {
    /// Reads a string and returns its entry in `choices`.
    pub fn choice<T: Copy>(&mut self, choices: &[(&'static str, T)]) -> Option<T> {
        match text::choice(&self.text()?, choices) {
            Ok(value) => Some(value),
            Err(refusal) => {
                self.notes.note(refusal.code, refusal.detail);
                None
            }
        }
    }

    /// Reads an integer and returns its entry in `choices`.
    pub fn integer_choice<T: Copy>(&mut self, choices: &[(i64, T)]) -> Option<T> {
        let number = self.integer(i64::MIN.into(), i64::MAX.into())?;
        if let Some((_, value)) = choices.iter().find(|(choice, _)| i128::from(*choice) == number) {
            return Some(*value);
        }
        let numbers: Vec<String> = choices.iter().map(|(choice, _)| choice.to_string()).collect();
        let refusal = text::not_one_of(&number.to_string(), &mut numbers.iter().map(String::as_str));
        self.notes.note(refusal.code, refusal.detail);
        None
    }

    /// Reads a string of an extensible enum: a tolerant reader accepts values that `of` does not know.
    pub fn open_choice<T: FromStr<Err = Refusal>>(&mut self, of: fn(&str) -> T) -> Option<T> {
        let text = self.text()?;
        match text.parse() {
            Ok(known) => Some(known),
            Err(refusal) => {
                self.pass_over(refusal)?;
                Some(of(&text))
            }
        }
    }

    /// The same for numbers.
    pub fn open_integer_choice<N, T>(&mut self, of: fn(N) -> T) -> Option<T>
    where
        N: Read + Copy,
        T: TryFrom<N, Error = Refusal>,
    {
        let number = N::read(self)?;
        match T::try_from(number) {
            Ok(known) => Some(known),
            Err(refusal) => {
                self.pass_over(refusal)?;
                Some(of(number))
            }
        }
    }

    /// Reads a string that must be `constant`; a tolerant reader ignores another value, here and below.
    pub fn constant(&mut self, constant: &str) {
        self.only(|json| {
            let found = json.text()?;
            if found == constant {
                return Some(());
            }
            let refusal = text::not_one_of(&found, &mut std::iter::once(constant));
            json.notes.note(refusal.code, refusal.detail);
            None
        });
    }

    /// Reads an integer that must be `constant`.
    pub fn constant_integer(&mut self, constant: i64) {
        self.only(|json| json.integer_choice(&[(constant, ())]));
    }

    /// Reads a boolean that must be `constant`.
    pub fn constant_boolean(&mut self, constant: bool) {
        self.only(|json| {
            let found = json.boolean()?;
            if found == constant {
                return Some(());
            }
            json.notes.note("enum", format!("is {found}, not {constant}"));
            None
        });
    }

    /// Reads a constant with `read`.
    fn only(&mut self, read: impl FnOnce(&mut Self) -> Option<()>) {
        let count = self.notes.violations().len();
        if read(self).is_none() && self.is_tolerant() && !self.notes.is_broken() {
            self.notes.take_back(count);
            self.overlook();
        }
    }

    /// Ignores an unknown value; `None` if the reader is strict and has noted a violation.
    fn pass_over(&mut self, refusal: Refusal) -> Option<()> {
        if self.is_tolerant() {
            self.overlook();
            return Some(());
        }
        self.note(refusal.code, refusal.detail);
        None
    }
}
