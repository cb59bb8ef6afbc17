//! Tuples: arrays with a type per position.

use super::{Read, Reader, Write, Writer};

macro_rules! tuple {
    ($count:literal: $($name:ident $place:tt),+) => {
        impl<$($name: Read),+> Read for ($($name,)+) {
            fn read(json: &mut Reader<'_>) -> Option<Self> {
                let mut places: ($(Option<$name>,)+) = Default::default();
                let mut count = 0;
                json.array(&mut |json| {
                    match count {
                        $($place => places.$place = $name::read(json),)+
                        // Surplus items are reported for the whole array.
                        _ => json.skip(),
                    }
                    count += 1;
                })?;
                json.counts($count, count)?;
                Some(($(places.$place?,)+))
            }
        }

        impl<$($name: Write),+> Write for ($($name,)+) {
            fn write(&self, json: &mut Writer) {
                json.begin_array();
                $(json.item(&self.$place);)+
                json.end_array();
            }
        }
    };
}

tuple!(2: A 0, B 1);
tuple!(3: A 0, B 1, C 2);
tuple!(4: A 0, B 1, C 2, D 3);
tuple!(5: A 0, B 1, C 2, D 3, E 4);
tuple!(6: A 0, B 1, C 2, D 3, E 4, F 5);
tuple!(7: A 0, B 1, C 2, D 3, E 4, F 5, G 6);
tuple!(8: A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);

impl Reader<'_> {
    /// Notes too few or too many items; a tolerant reader ignores surplus ones.
    fn counts(&mut self, wanted: usize, found: usize) -> Option<()> {
        if found < wanted {
            self.note("minItems", format!("has {found} of {wanted} items"));
            return None;
        }
        if found > wanted {
            if !self.is_tolerant() {
                self.note("maxItems", format!("has {found} items, at most {wanted}"));
                return None;
            }
            self.overlook();
        }
        Some(())
    }
}
