//! Parameters that are one of several types.

use super::{Raw, ToParameter};
use crate::violation::Notes;

/// The name of a variant, and how it is read.
type Attempt<T> = (&'static str, fn(Raw<'_>, &mut Notes) -> Option<T>);

impl Notes {
    /// The value that was read from `raw`, if the same is written for it: where a text may stand in the place of a number,
    /// `007` is one.
    pub fn exact<T: ToParameter>(&mut self, raw: &Raw<'_>, value: T) -> Option<T> {
        if value.to_parameter() == *raw {
            return Some(value);
        }
        self.note("type", "is not written as a number is");
        None
    }

    /// Reads the first of `variants`, each with its name, that can be read.
    pub fn first_of<T>(&mut self, raw: &Raw<'_>, variants: &[Attempt<T>]) -> Option<T> {
        let mut detail = "fits no variant".to_owned();
        for (index, (variant, read)) in variants.iter().enumerate() {
            let before = self.violations().len();
            let value = read(raw.clone(), self);
            // A value may be complete and have members that are not allowed.
            if let Some(value) = value.filter(|_| self.violations().len() == before) {
                return Some(value);
            }
            detail.push_str(if index == 0 { ": not " } else { "; not " });
            detail.push_str(variant);
            for violation in self.take_back(before).iter().take(1) {
                detail.push_str(", because it ");
                detail.push_str(&violation.detail);
            }
        }
        self.note("oneOf", detail);
        None
    }
}
