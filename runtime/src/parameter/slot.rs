//! Where the members of an object are kept while the object is read from a parameter.

use super::{FromParameter, Member, Raw};
use crate::json::{Constant, Entries, Others, Read};
use crate::text::{ToText, not_one_of};
use crate::violation::Notes;

/// The place of one member.
pub trait Slot {
    /// Reads the texts of the member; what is not allowed is noted.
    fn read(&mut self, raw: Raw<'_>, at: &mut Notes);
}

impl<T: FromParameter> Slot for Member<T> {
    fn read(&mut self, raw: Raw<'_>, at: &mut Notes) {
        *self = Self::of(T::from_parameter(raw, at));
    }
}

impl<T: FromParameter> Slot for Entries<T> {
    fn read(&mut self, raw: Raw<'_>, at: &mut Notes) {
        let value = T::from_parameter(raw, at);
        self.add(at.key().unwrap_or_default().to_owned(), value);
    }
}

/// The member is in a box, because the object would contain itself without.
#[doc(hidden)]
pub struct Boxed<'a, T>(pub &'a mut Member<Box<T>>);

impl<T: FromParameter> Slot for Boxed<'_, T> {
    fn read(&mut self, raw: Raw<'_>, at: &mut Notes) {
        *self.0 = Member::of(T::from_parameter(raw, at).map(Box::new));
    }
}

/// The member has no form as text: it is JSON in a text.
#[doc(hidden)]
pub struct Json<'a, S>(pub &'a mut S);

impl<T: Read> Slot for Json<'_, Member<T>> {
    fn read(&mut self, raw: Raw<'_>, at: &mut Notes) {
        *self.0 = Member::of(at.json_text(&raw));
    }
}

impl<T: Read> Slot for Json<'_, Entries<T>> {
    fn read(&mut self, raw: Raw<'_>, at: &mut Notes) {
        let value = at.json_text(&raw);
        self.0.add(at.key().unwrap_or_default().to_owned(), value);
    }
}

impl<T: ToText> Slot for Constant<T> {
    fn read(&mut self, raw: Raw<'_>, at: &mut Notes) {
        let Some(text) = String::from_parameter(raw, at) else { return };
        let constant = self.0.to_text();
        if constant != text {
            let refusal = not_one_of(&text, &mut [constant.as_ref()].into_iter());
            at.note(refusal.code, refusal.detail);
        }
    }
}

impl Slot for Others {
    fn read(&mut self, _raw: Raw<'_>, at: &mut Notes) {
        match self {
            Self::Open => {}
            Self::Closed => {
                let name = at.key().unwrap_or_default().to_owned();
                at.refuse(name);
            }
        }
    }
}
