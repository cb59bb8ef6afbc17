//! How a struct is made without naming all of its fields.

use super::{Api, Type};

/// How a caller writes a struct without naming every field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShortForm {
    /// Nothing is required: `()` becomes a request.
    Unit,
    /// One value is required, and converts into a request.
    Value,
    /// `new` takes the required values, which have distinct types.
    New,
    /// Some required values have the same type, so only names tell them apart.
    None,
}

impl ShortForm {
    /// The form of a struct that requires values of these types. One that has no type of the description differs from all others.
    pub(super) fn of<'a>(api: &'a Api, types: impl Iterator<Item = Option<&'a Type>>) -> Self {
        const MOST_ARGUMENTS: usize = 7;
        let types: Vec<_> = types.map(|ty| ty.map(|ty| api.resolved(ty))).collect();
        // A literal of a number fits numbers of all widths.
        let are_alike = |one: &Type, other: &Type| one == other || one.is_number() && other.is_number();
        let is_repeated = |(index, ty): (usize, Option<&Type>)| {
            ty.is_some_and(|ty| types[..index].iter().flatten().any(|other| are_alike(ty, other)))
        };
        match types.len() {
            0 => Self::Unit,
            1 => Self::Value,
            2..=MOST_ARGUMENTS if !types.iter().copied().enumerate().any(is_repeated) => Self::New,
            _ => Self::None,
        }
    }
}
