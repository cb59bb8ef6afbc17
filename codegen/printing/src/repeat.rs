//! What a name in `#(…)*` stands for: iterators and lists give one item after the other, anything else itself each time.
//!
//! Methods are looked for by value first, so that of an iterator, which could be put in as it is, the items are.

use std::collections::BTreeSet;
use std::ops::BitOr;
use std::slice;

use crate::ToTokens;

/// It ends.
#[derive(Clone, Copy)]
pub struct Ends;

/// It goes on for ever, so that something beside it has to end.
#[derive(Clone, Copy)]
pub struct GoesOn;

impl BitOr for Ends {
    type Output = Self;

    fn bitor(self, _: Self) -> Self {
        self
    }
}

impl BitOr<GoesOn> for Ends {
    type Output = Self;

    fn bitor(self, _: GoesOn) -> Self {
        self
    }
}

impl BitOr<Ends> for GoesOn {
    type Output = Ends;

    fn bitor(self, ends: Ends) -> Ends {
        ends
    }
}

impl BitOr for GoesOn {
    type Output = Self;

    fn bitor(self, _: Self) -> Self {
        self
    }
}

pub trait OfIterator: Iterator + Sized {
    fn repeated(self) -> (Self, Ends) {
        (self, Ends)
    }
}

impl<T: Iterator> OfIterator for T {}

pub trait OfList<'a> {
    type Items: Iterator;

    fn repeated(&'a self) -> (Self::Items, Ends);
}

impl<'a, T: 'a> OfList<'a> for [T] {
    type Items = slice::Iter<'a, T>;

    fn repeated(&'a self) -> (Self::Items, Ends) {
        (self.iter(), Ends)
    }
}

impl<'a, T: 'a, const N: usize> OfList<'a> for [T; N] {
    type Items = slice::Iter<'a, T>;

    fn repeated(&'a self) -> (Self::Items, Ends) {
        (self.iter(), Ends)
    }
}

impl<'a, T: 'a> OfList<'a> for Vec<T> {
    type Items = slice::Iter<'a, T>;

    fn repeated(&'a self) -> (Self::Items, Ends) {
        (self.iter(), Ends)
    }
}

impl<'a, T: 'a> OfList<'a> for BTreeSet<T> {
    type Items = std::collections::btree_set::Iter<'a, T>;

    fn repeated(&'a self) -> (Self::Items, Ends) {
        (self.iter(), Ends)
    }
}

pub trait OfOne: ToTokens {
    fn repeated(&self) -> (Same<'_, Self>, GoesOn) {
        (Same(self), GoesOn)
    }
}

impl<T: ToTokens + ?Sized> OfOne for T {}

/// The same item each time.
pub struct Same<'a, T: ?Sized>(&'a T);

impl<'a, T: ?Sized> Iterator for Same<'a, T> {
    type Item = &'a T;

    fn next(&mut self) -> Option<&'a T> {
        Some(self.0)
    }
}
