//! Checks tuples: arrays with a type per position.

use super::{Check, Rule};
use crate::json::{FurtherItems, OptionalItem};
use crate::violation::Notes;

macro_rules! tuple {
    ($($name:ident $place:tt),+) => {
        impl<$($name: Check),+> Check for ($($name,)+) {
            fn check(&self, rules: &[Rule<'_>], at: &mut Notes) -> bool {
                let mut kept = true;
                for rule in rules {
                    match rule {
                        Rule::Places(places) => {
                            $(kept &= places.get($place).is_none_or(|rules| self.$place.check_place($place, rules, at));)+
                        }
                        Rule::Items(rules) => {
                            $(kept &= self.$place.check_further_items($place, rules, at);)+
                        }
                        _ => {}
                    }
                }
                kept
            }
        }
    };
}

tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
tuple!(A 0, B 1, C 2, D 3, E 4);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);

impl<T: Check> Check for OptionalItem<T> {
    fn check(&self, rules: &[Rule<'_>], at: &mut Notes) -> bool {
        self.0.as_ref().is_none_or(|item| item.check(rules, at))
    }
}

impl<T: Check> Check for FurtherItems<T> {
    fn check_further_items(&self, index: usize, rules: &[Rule<'_>], at: &mut Notes) -> bool {
        let mut kept = true;
        for (index, item) in (index..).zip(&self.0) {
            kept &= item.check_place(index, rules, at);
        }
        kept
    }
}
