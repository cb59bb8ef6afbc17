//! The state for reading schemas, which refer to each other.

use super::inheritance::Inheritance;
use super::nullable::Nullable;
use crate::diagnostic::{Code, Diagnostic};
use crate::location::Location;
use crate::lower::models::Models;
use crate::lower::operation::xml::Elements;
use crate::lower::overrides::Overrides;
use crate::lower::reference::Resolver;

/// The state shared by functions that read schemas and call each other recursively.
pub(crate) struct Reader<'a> {
    pub(crate) resolver: Resolver<'a>,
    pub(crate) overrides: Overrides<'a>,
    pub(crate) models: Models<'a>,
    pub(super) inheritance: Inheritance<'a>,
    pub(crate) nullable: Nullable,
    pub(crate) elements: Elements,
    pub(super) unfolding: Unfolding,
}

/// The nesting of unnamed schemas.
#[derive(Default)]
pub(super) struct Unfolding {
    /// The schemas being read, outermost first: location, selected type, and handled lists of variants.
    pub(super) open: Vec<(Location, Option<&'static str>, Vec<String>)>,
    /// Number of combined variants, counted within the outermost combination.
    pub(super) combinations: Option<usize>,
}

impl<'a> Reader<'a> {
    /// A reader that has read nothing.
    pub(crate) fn new(resolver: Resolver<'a>, overrides: Overrides<'a>) -> Self {
        Self {
            resolver,
            overrides,
            models: Models::default(),
            inheritance: Inheritance::default(),
            nullable: Nullable::default(),
            elements: Elements::default(),
            unfolding: Unfolding::default(),
        }
    }

    /// Reports a problem, as [`Reporter::report`](crate::lower::reporter::Reporter::report) does.
    pub(crate) fn report(&mut self, code: Code, location: &Location, message: impl Into<String>) -> &mut Diagnostic {
        self.resolver.report(code, location, message)
    }
}
