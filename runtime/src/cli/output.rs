//! How a response is printed.

use std::io::{self, IsTerminal, Stdout, Write};

use clap::ArgMatches;

use super::failure::Failure;
use super::{table, text};
use crate::arguments::answer::{Received, chain};
use crate::media_type::is_json;

/// The formats of `--output`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Json,
    Table,
    Ndjson,
    Raw,
}

impl Format {
    /// Each format with its name and what it does.
    pub(super) const ALL: &[(&str, Self, &str)] = &[
        ("json", Self::Json, "JSON, in lines on a terminal; other responses as they are"),
        ("table", Self::Table, "A table of the items of a list, or of the members of an object"),
        ("ndjson", Self::Ndjson, "Each item of a list in a line"),
        ("raw", Self::Raw, "The response as it is"),
    ];
}

/// Standard output.
pub(super) struct Output {
    pub(super) format: Format,
    stdout: Stdout,
    is_terminal: bool,
    include: bool,
}

impl Output {
    pub(super) fn new(matches: &ArgMatches) -> Self {
        let name = matches.get_one::<String>("output");
        let format = Format::ALL.iter().find(|(known, ..)| name.is_some_and(|name| name == known));
        let stdout = io::stdout();
        Self {
            format: format.map_or(Format::Json, |(_, format, _)| *format),
            is_terminal: stdout.is_terminal(),
            stdout,
            include: matches.get_flag("include"),
        }
    }

    /// Prints status and headers, if they are asked for.
    pub(super) fn head(&mut self, received: &Received) -> Result<(), Failure> {
        if !self.include {
            return Ok(());
        }
        writeln!(self.stdout, "HTTP {}", received.status)?;
        for (name, value) in &received.headers {
            writeln!(self.stdout, "{name}: {}", String::from_utf8_lossy(value.as_bytes()))?;
        }
        Ok(writeln!(self.stdout)?)
    }

    /// Prints a body that is not JSON, or that is asked for as it is, in the parts in which it comes.
    pub(super) async fn stream(&mut self, received: &mut Received) -> Result<(), Failure> {
        let mut last = None;
        while let Some(chunk) = received.chunk().await.map_err(|error| Failure::unanswered(chain(&error)))? {
            // A cut may split a character.
            let is_binary = std::str::from_utf8(&chunk).is_err_and(|error| error.error_len().is_some());
            if self.is_terminal && (is_binary || chunk.contains(&0)) {
                let media_type = received.media_type();
                return Err(Failure::usage(format!(
                    "the response is `{media_type}`, which is not for a terminal: name a file with `--out`, or redirect the output"
                )));
            }
            self.stdout.write_all(&chunk)?;
            self.stdout.flush()?;
            last = chunk.last().copied().or(last);
        }
        if self.is_terminal && last.is_some_and(|last| last != b'\n') {
            writeln!(self.stdout)?;
        }
        Ok(())
    }

    /// Prints a body of JSON.
    pub(super) fn json(&mut self, body: &str, items: &[&str]) -> Result<(), Failure> {
        if !text::is_json(body) {
            return Ok(writeln!(self.stdout, "{body}")?);
        }
        match (self.format, table::rows(body, items)) {
            (Format::Table, Some(rows)) => self.table(&rows),
            (Format::Table, None) => {
                let table = table::of_object(body);
                Ok(self.stdout.write_all(table.unwrap_or_else(|| format!("{}\n", text::plain(body))).as_bytes())?)
            }
            (Format::Ndjson, Some(rows)) => self.lines(&rows),
            (Format::Ndjson, None) => self.lines(&[body]),
            (Format::Json | Format::Raw, _) => {
                Ok(writeln!(self.stdout, "{}", text::layout(body, self.is_terminal, 0))?)
            }
        }
    }

    /// Prints items as a table that fits the terminal.
    pub(super) fn table(&mut self, rows: &[&str]) -> Result<(), Failure> {
        let width = self.is_terminal.then(terminal_size::terminal_size).flatten().map(|(width, _)| width.0.into());
        Ok(self.stdout.write_all(table::table(rows, width).as_bytes())?)
    }

    /// Prints each item in a line.
    pub(super) fn lines(&mut self, items: &[&str]) -> Result<(), Failure> {
        for item in items {
            writeln!(self.stdout, "{}", text::layout(item, false, 0))?;
        }
        Ok(self.stdout.flush()?)
    }

    /// Prints items of an array that several pages make. `before` is the number of items that are printed.
    pub(super) fn array_items(&mut self, items: &[&str], before: u64) -> Result<(), Failure> {
        let mut separator = if before == 0 { "[" } else { "," };
        for item in items {
            write!(self.stdout, "{separator}")?;
            if self.is_terminal {
                write!(self.stdout, "\n  ")?;
            }
            write!(self.stdout, "{}", text::layout(item, self.is_terminal, 1))?;
            separator = ",";
        }
        Ok(())
    }

    /// Ends the array of `count` items.
    pub(super) fn array_end(&mut self, count: u64) -> Result<(), Failure> {
        let end = match count {
            0 => "[]",
            _ if self.is_terminal => "\n]",
            _ => "]",
        };
        Ok(writeln!(self.stdout, "{end}")?)
    }
}

/// The body as text; the client has no more than its limit in memory.
pub(super) async fn whole(received: &mut Received) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    while let Some(chunk) = received.chunk().await.map_err(|error| Failure::unanswered(chain(&error)))? {
        bytes.extend_from_slice(&chunk);
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether the body is one JSON value.
pub(super) fn is_value(received: &Received) -> bool {
    is_json(&received.media_type())
}
