//! Valid values of models, and broken ones, for fuzzing and property tests.
//!
//! Models of a server, or of [models alone](https://docs.rs/specwright), implement [`Arbitrary`] with the cargo feature
//! `arbitrary`. Every value keeps the rules of the description: it is made as JSON, and read strictly.

mod maker;
mod number;
mod object;
mod shape;
mod text;

pub use ::arbitrary::{Arbitrary, Error, Result, Unstructured};
pub use shape::{Member, Object, Others, Shape, Shaped, Union, Variant, reads};

use fastrand::Rng;

use crate::json::{self, Read};
use crate::violation::Violation;
use maker::Maker;

/// Maximum number of attempts to make a value that breaks no rule, such as a condition on several members.
const ATTEMPTS: usize = 30;

/// Bytes for another attempt.
const MORE: usize = 4096;

/// A valid value, made from the data of a fuzzer or of a property test.
///
/// It fails if none was found, as for a type of another crate that has an unusual form, or a condition that few values keep.
pub fn value<T: Read + Shaped>(data: &mut Unstructured<'_>) -> Result<T> {
    let bytes = data.peek_bytes(data.len()).unwrap_or_default();
    if let Some(value) = valid(data) {
        return Ok(value);
    }
    // The data may be used up, so further attempts have their own.
    let mut random = Rng::with_seed(seed(bytes));
    let found = (0..ATTEMPTS).find_map(|_| {
        let mut bytes = [0; MORE];
        random.fill(&mut bytes);
        valid(&mut Unstructured::new(&bytes))
    });
    found.ok_or(Error::IncorrectFormat)
}

fn valid<T: Read + Shaped>(data: &mut Unstructured<'_>) -> Option<T> {
    let made = Maker::new(data, None).value(&T::shape(), &[])?;
    json::from_slice_both_ways(&json::to_vec(&made)).ok()
}

/// A number that follows from the bytes (FNV-1a).
fn seed(bytes: &[u8]) -> u64 {
    let hash = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, hash)
}

/// A document that breaks one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The JSON text.
    pub json: Vec<u8>,
    /// What a strict reader reports.
    pub violation: Violation,
}

/// A document that is a `T` except for one violation.
pub fn broken<T: Read + Shaped>(data: &mut Unstructured<'_>) -> Result<Broken> {
    let bytes = data.bytes(data.len())?;
    // The same data make the same value, so a first run counts the rules that can be broken.
    let mut counting = Unstructured::new(bytes);
    let mut maker = Maker::new(&mut counting, Some(usize::MAX));
    maker.value(&T::shape(), &[]);
    let rules = maker.breakable();
    let first = Rng::with_seed(seed(bytes)).usize(..rules.max(1));
    for at in 0..rules {
        let mut data = Unstructured::new(bytes);
        let target = (first + at) % rules;
        let Some(made) = Maker::new(&mut data, Some(target)).value(&T::shape(), &[]) else { continue };
        let json = json::to_vec(&made);
        if let Err(violations) = json::from_slice_strict::<T>(&json)
            && let [violation] = &violations[..]
        {
            return Ok(Broken { violation: violation.clone(), json });
        }
    }
    Err(Error::IncorrectFormat)
}

/// Implements [`Arbitrary`] for a model.
#[doc(hidden)]
#[macro_export]
macro_rules! arbitrary_model {
    ($model:ty, $shape:expr) => {
        impl $crate::arbitrary::Shaped for $model {
            fn shape() -> $crate::arbitrary::Shape {
                $shape
            }
        }

        impl<'a> $crate::arbitrary::Arbitrary<'a> for $model {
            fn arbitrary(data: &mut $crate::arbitrary::Unstructured<'a>) -> $crate::arbitrary::Result<Self> {
                $crate::arbitrary::value(data)
            }
        }
    };
}
#[doc(hidden)]
pub use arbitrary_model as model;
