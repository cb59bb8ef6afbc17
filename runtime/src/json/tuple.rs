//! Tuples: arrays with a type per position.

use std::mem;

use super::{Read, Reader, Write, Writer};

macro_rules! tuple {
    ($count:literal: $($name:ident $place:tt),+; $last:tt $last_name:ident) => {
        impl<$($name: Read),+> Read for ($($name,)+) {
            fn read(json: &mut Reader<'_>) -> Option<Self> {
                let mut places: ($(Option<$name>,)+) = Default::default();
                let (mut count, mut has_surplus) = (0, false);
                json.array(&mut |json| {
                    match count {
                        $($place => places.$place = $name::read(json),)+
                        // Surplus items are reported for the whole array.
                        _ => has_surplus |= !$last_name::read_further_item(&mut places.$last, json),
                    }
                    count += 1;
                })?;
                let mut least = 0;
                $(
                    if count <= $place {
                        places.$place = $name::missing_item();
                        if places.$place.is_none() {
                            least = $place + 1;
                        }
                    }
                )+
                json.counts(least, has_surplus.then_some($count), count)?;
                Some(($(places.$place?,)+))
            }
        }

        impl<$($name: Write),+> Write for ($($name,)+) {
            fn write(&self, json: &mut Writer) {
                json.begin_array();
                let mut missing = 0;
                $(json.place(&self.$place, &mut missing);)+
                json.end_array();
            }
        }
    };
}

tuple!(2: A 0, B 1; 1 B);
tuple!(3: A 0, B 1, C 2; 2 C);
tuple!(4: A 0, B 1, C 2, D 3; 3 D);
tuple!(5: A 0, B 1, C 2, D 3, E 4; 4 E);
tuple!(6: A 0, B 1, C 2, D 3, E 4, F 5; 5 F);
tuple!(7: A 0, B 1, C 2, D 3, E 4, F 5, G 6; 6 G);
tuple!(8: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7; 7 H);

impl Reader<'_> {
    /// Notes too few or too many items; a tolerant reader ignores surplus ones.
    fn counts(&mut self, least: usize, most: Option<usize>, found: usize) -> Option<()> {
        if found < least {
            self.note("minItems", format!("has {found} of {least} items"));
            return None;
        }
        if let Some(most) = most {
            if !self.is_tolerant() {
                self.note("maxItems", format!("has {found} items, at most {most}"));
                return None;
            }
            self.overlook();
        }
        Some(())
    }
}

impl Writer {
    /// Writes the items of one position, after a `null` for each of the `missing` ones before it.
    fn place<T: Write>(&mut self, item: &T, missing: &mut usize) {
        if item.is_missing_item() {
            *missing += 1;
            return;
        }
        for _ in 0..mem::take(missing) {
            self.item(&None::<bool>);
        }
        item.write_items(self);
    }
}
