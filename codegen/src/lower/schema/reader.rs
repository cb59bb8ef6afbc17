//! What reading a schema needs, which may lead to any other schema.

use super::inheritance::Inheritance;
use super::nullable::Nullable;
use crate::diagnostic::{Code, Diagnostic};
use crate::location::Location;
use crate::lower::models::Models;
use crate::lower::overrides::Overrides;
use crate::lower::reference::Resolver;

/// What the functions share that read schemas, and call each other for the schemas inside of schemas.
pub(crate) struct Reader<'a> {
    pub(crate) resolver: Resolver<'a>,
    pub(crate) overrides: Overrides<'a>,
    pub(crate) models: Models<'a>,
    pub(super) inheritance: Inheritance<'a>,
    pub(super) nullable: Nullable,
    pub(super) unfolding: Unfolding,
}

/// How deep the reader is in schemas that have no name.
#[derive(Default)]
pub(super) struct Unfolding {
    /// The schemas that are being read, the outer ones first: where they are, which of their types is meant, and the lists of
    /// variants that have been dealt with.
    pub(super) open: Vec<(Location, Option<&'static str>, Vec<String>)>,
    /// How many variants have been put together with others beside them, while the outermost of them is read.
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
            unfolding: Unfolding::default(),
        }
    }

    /// Reports a problem, as [`Reporter::report`](crate::lower::reporter::Reporter::report) does.
    pub(crate) fn report(&mut self, code: Code, location: &Location, message: impl Into<String>) -> &mut Diagnostic {
        self.resolver.report(code, location, message)
    }
}
