//! Checks tuples: arrays with a type per position.

use super::{Check, Rule};
use crate::violation::{Notes, Step};

macro_rules! tuple {
    ($($name:ident $place:tt),+) => {
        impl<$($name: Check),+> Check for ($($name,)+) {
            fn check(&self, rules: &[Rule<'_>], at: &mut Notes) -> bool {
                let mut kept = true;
                for rule in rules {
                    if let Rule::Places(places) = rule {
                        $(kept &= check_place(&self.$place, $place, places, at);)+
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

fn check_place<T: Check>(value: &T, index: usize, places: &[&[Rule<'_>]], at: &mut Notes) -> bool {
    let Some(rules) = places.get(index) else { return true };
    at.enter(Step::Item(index));
    let kept = value.check(rules, at);
    at.leave();
    kept
}
