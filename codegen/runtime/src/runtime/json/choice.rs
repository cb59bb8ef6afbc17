//! Values out of a list.

use std::str::FromStr;

use super::{Read, Reader};
use crate::runtime::text::{self, Refusal};

impl Reader<'_> {
    /// Reads a string and gives what `choices` has for it.
    pub fn choice<T: Copy>(&mut self, choices: &[(&'static str, T)]) -> Option<T> {
        match text::choice(self.text()?, choices) {
            Ok(value) => Some(value),
            Err(refusal) => {
                self.notes.note(refusal.code, refusal.detail);
                None
            }
        }
    }

    /// Reads a whole number and gives what `choices` has for it.
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

    /// Reads a string out of a list that may have grown since: only a tolerant reader takes one that `of` does not know.
    pub fn open_choice<T: FromStr<Err = Refusal>>(&mut self, of: fn(&str) -> T) -> Option<T> {
        if self.is_tolerant() {
            return self.text().map(of);
        }
        let known = self.text()?.parse();
        known.map_err(|refusal: Refusal| self.note(refusal.code, refusal.detail)).ok()
    }

    /// The same for a number.
    pub fn open_integer_choice<N, T>(&mut self, of: fn(N) -> T) -> Option<T>
    where
        N: Read,
        T: TryFrom<N, Error = Refusal>,
    {
        let number = N::read(self)?;
        if self.is_tolerant() {
            return Some(of(number));
        }
        T::try_from(number).map_err(|refusal| self.note(refusal.code, refusal.detail)).ok()
    }

    /// Reads a string that must be `constant`.
    pub fn constant(&mut self, constant: &str) -> Option<()> {
        let found = self.text()?;
        if found == constant {
            return Some(());
        }
        let refusal = text::not_one_of(found, &mut std::iter::once(constant));
        self.notes.note(refusal.code, refusal.detail);
        None
    }

    /// Reads a whole number that must be `constant`.
    pub fn constant_integer(&mut self, constant: i64) -> Option<()> {
        self.integer_choice(&[(constant, ())])
    }

    /// Reads a boolean that must be `constant`.
    pub fn constant_boolean(&mut self, constant: bool) -> Option<()> {
        let found = self.boolean()?;
        if found == constant {
            return Some(());
        }
        self.notes.note("enum", format!("is {found}, not {constant}"));
        None
    }
}
