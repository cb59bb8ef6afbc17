//! Parameters with several types.

use super::{Raw, ToParameter};
use crate::violation::Notes;

/// The name of a variant, and the function that reads it.
type Attempt<T> = (&'static str, fn(Raw<'_>, &mut Notes) -> Option<T>);

impl Notes {
    /// The value read from `raw` if it is written the same way: `007` is a string rather than a number, where
    /// both are allowed.
    pub fn exact<T: ToParameter>(&mut self, raw: &Raw<'_>, value: T) -> Option<T> {
        if value.to_parameter() == *raw {
            return Some(value);
        }
        self.note("type", "is not written as a number is");
        None
    }

    /// Reads the first of the named `variants` that matches.
    pub fn first_of<T>(&mut self, raw: &Raw<'_>, variants: &[Attempt<T>]) -> Option<T> {
        let mut detail = "fits no variant".to_owned();
        for (index, (variant, read)) in variants.iter().enumerate() {
            let before = self.violations().len();
            let value = read(raw.clone(), self);
            // A value may be complete although some members are not allowed.
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
