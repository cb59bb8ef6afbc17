//! Diagnostics as text, in the format of rustc.

use std::error::Error;
use std::fmt;

use annotate_snippets::{Group, Level, Renderer};

use super::excerpt::{self, Sources};
use super::{Diagnostic, Diagnostics, Severity};
use crate::files::Files;

/// How messages are styled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Text only.
    Plain,
    /// With the escape sequences of a terminal.
    Coloured,
}

impl Style {
    /// Renders a message.
    pub(crate) fn render(self, message: Group<'_>) -> String {
        let renderer = match self {
            Self::Plain => Renderer::plain(),
            Self::Coloured => Renderer::styled(),
        };
        excerpt::without_place_in_piece(&renderer.render(&[message]))
    }
}

impl Diagnostics {
    /// Renders every problem with its source lines, in the order of the text; `files` are those of the
    /// description.
    pub fn render(&self, files: &dyn Files, style: Style) -> String {
        self.render_first(usize::MAX, files, style)
    }

    /// Renders at most `count` problems, errors before warnings.
    pub fn render_first(&self, count: usize, files: &dyn Files, style: Style) -> String {
        let sources = Sources::new(self.locations(), files);
        let place = |found: &&Diagnostic| (found.location.file().to_owned(), sources.start(&found.location));
        let mut list: Vec<&Diagnostic> = self.iter().collect();
        list.sort_by_cached_key(place);
        if list.len() > count {
            list.sort_by_key(|found| found.severity);
            list.truncate(count);
            list.sort_by_cached_key(place);
        }
        let mut text = String::new();
        for diagnostic in list {
            text.push_str(&style.render(message(diagnostic, &sources)));
            text.push_str("\n\n");
        }
        text
    }
}

/// A line for each problem, `error[E0202] openapi.yaml#/info: …`, and one for each help, without source
/// lines.
impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.iter().enumerate() {
            let Diagnostic { code, severity, message, location, help, .. } = diagnostic;
            let end = if index > 0 { "\n" } else { "" };
            let severity = match severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            write!(f, "{end}{severity}[{}] {location}: {message}", code.number())?;
            for help in help {
                write!(f, "\n  help: {help}")?;
            }
        }
        Ok(())
    }
}

/// The same as `Display`, because `main` shows an error with `Debug`.
impl fmt::Debug for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error for Diagnostics {}

fn message<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.number());
    let mut elements = sources.excerpts(&diagnostic.location, diagnostic.label.as_deref(), &diagnostic.related);
    elements.extend(diagnostic.help.iter().map(|text| Level::HELP.message(text.as_str()).into()));
    elements.extend(diagnostic.notes.iter().map(|text| Level::NOTE.message(text.as_str()).into()));
    title.elements(elements)
}
