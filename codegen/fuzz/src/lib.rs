//! Shared by the targets: descriptions in memory, and their mutation.

pub mod mutate;
pub mod names;

use std::io;

use specwright::{Diagnostics, Files, Generator, Policies, Policy, Severity, Style};

/// Separates the files of an input. Descriptions never contain it.
pub const SEPARATOR: char = '\u{1e}';

/// The files of an input: a description, a file that it may refer to, and an overlay.
pub struct Documents<'a>(Vec<(&'static str, &'a str)>);

impl<'a> Documents<'a> {
    /// Splits an input into its files.
    pub fn of(input: &'a str) -> Self {
        Self(["a.yaml", "b.yaml", "c.yaml"].into_iter().zip(input.split(SEPARATOR)).collect())
    }

    /// The entry file.
    pub const ENTRY: &'static str = "a.yaml";

    /// A generator with the overlay, if there is one. Operations with errors are skipped, so that the rest is
    /// generated.
    pub fn generator(&self) -> Generator {
        let mut policies = Policies::default();
        policies.set_all(Severity::Error, Policy::Skip).expect("every error costs an operation at most");
        let overlays = self.0.iter().skip(2).map(|(name, _)| *name);
        overlays.fold(Generator::new().policies(policies), Generator::overlay)
    }
}

impl Files for Documents<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let found = self.0.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// Checks that every problem has a location that can be shown.
pub fn show(files: &dyn Files, diagnostics: &Diagnostics) {
    for located in diagnostics.locate(files) {
        if let Some(range) = located.range {
            assert!(range.start <= range.end && range.start.line > 0 && range.start.column > 0, "{range:?}");
        }
    }
    // As many as a command shows: an excerpt may be as long as its file.
    let shown = diagnostics.render_first(100, files, Style::Plain);
    assert_eq!(shown.is_empty(), diagnostics.is_empty());
}
