//! Texts as they are stored.

mod fold;
pub(super) mod text;

pub(super) use fold::fold;
