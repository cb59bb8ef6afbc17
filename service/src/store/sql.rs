//! Stored texts.

mod fold;
pub(super) mod text;

pub(super) use fold::fold;
