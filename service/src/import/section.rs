//! Determines the kinds of records in files.

use std::{fmt, path::Path};

use generated_server::runtime::text::nearest;
use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{problem::Problems, row};
use crate::store::{
    record::{Origin, Record, Resource},
    resource::RESOURCES,
};

/// A file that has been read.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// Its name, for messages and for its kind of records.
    pub(crate) file: String,
    /// Its content.
    pub(crate) bytes: Vec<u8>,
}

/// Records of one kind in a file.
#[derive(Debug)]
pub(super) struct Section<'a> {
    /// The kind.
    pub(super) resource: &'static Resource,
    file: u32,
    format: Format<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Format<'a> {
    /// The text of the file, and its array.
    Json { file: &'a str, array: &'a str },
    /// The text of the file, and the delimiter of cells.
    Csv { file: &'a str, delimiter: u8 },
}

/// Knows the line of a part of a text.
struct Lines<'a> {
    text: &'a str,
    /// How far lines have been counted, and the line there.
    counted: (usize, u32),
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, counted: (0, 1) }
    }

    /// The line where a part of the text begins.
    fn line(&mut self, part: &str) -> u32 {
        let offset = part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr()).min(self.text.len());
        if offset < self.counted.0 {
            self.counted = (0, 1);
        }
        let (counted, line) = self.counted;
        let breaks = self.text[counted..offset].matches('\n').count();
        self.counted = (offset, line.saturating_add(u32::try_from(breaks).unwrap_or(u32::MAX)));
        self.counted.1
    }
}

/// Every section of the files, each after those that it refers to.
pub(super) fn all<'a>(sources: &'a [Source], kind: Option<&str>, problems: &mut Problems) -> Vec<Section<'a>> {
    let mut sections = Vec::new();
    for (file, source) in (0..).zip(sources) {
        let bytes = source.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&source.bytes);
        match std::str::from_utf8(bytes) {
            Ok(text) => read((file, &source.file), text, kind, &mut sections, problems),
            Err(error) => {
                let line = bytes[..error.valid_up_to()].split(|byte| *byte == b'\n').count();
                let line = u32::try_from(line).unwrap_or(u32::MAX);
                problems.add(Origin { file, line }, None, "the file is not text in UTF-8");
            }
        }
    }
    sections.sort_by_key(|section| RESOURCES.iter().position(|resource| resource.name == section.resource.name));
    sections
}

fn read<'a>(
    (file, path): (u32, &str),
    text: &'a str,
    kind: Option<&str>,
    sections: &mut Vec<Section<'a>>,
    problems: &mut Problems,
) {
    let first = Origin { file, line: 1 };
    let begin = text.trim_start();
    if begin.starts_with('{') {
        let mut lines = Lines::of(text);
        let result = members(text, &mut |name, array| match resource(name) {
            Ok(resource) if array.starts_with('[') => {
                sections.push(Section { resource, file, format: Format::Json { file: text, array } });
            }
            Ok(resource) => {
                let origin = Origin { file, line: lines.line(array) };
                problems.add(origin, Some(resource), format!("{} is not a list of records", resource.name));
            }
            Err(detail) => problems.add(Origin { file, line: lines.line(array) }, None, detail),
        });
        return report(result, file, problems);
    }
    let stem = Path::new(path).file_stem().unwrap_or_default().to_string_lossy();
    let resource = match resource(kind.unwrap_or(&stem)) {
        Ok(resource) => resource,
        Err(detail) => {
            let hint = if kind.is_none() { "; `--kind` says what is in the file" } else { "" };
            return problems.add(first, None, format!("{detail}{hint}"));
        }
    };
    if begin.starts_with('[') {
        let result = serde_json::from_str::<Vec<&RawValue>>(text).map(drop);
        if result.is_ok() {
            sections.push(Section { resource, file, format: Format::Json { file: text, array: text.trim() } });
        }
        return report(result, file, problems);
    }
    let header = text.lines().next().unwrap_or_default();
    let delimiter = [b',', b';', b'\t'].into_iter().find(|delimiter| header.as_bytes().contains(delimiter));
    sections.push(Section { resource, file, format: Format::Csv { file: text, delimiter: delimiter.unwrap_or(b',') } });
}

fn report(result: serde_json::Result<()>, file: u32, problems: &mut Problems) {
    if let Err(error) = result {
        let origin = Origin { file, line: u32::try_from(error.line()).unwrap_or(u32::MAX) };
        let text = error.to_string();
        let reason = text.split(" at line ").next().unwrap_or_default();
        problems.add(origin, None, format!("the JSON is broken at column {}: {reason}", error.column()));
    }
}

/// The resource with this name, ignoring letter case, spaces, dashes and underscores.
fn resource(name: &str) -> Result<&'static Resource, String> {
    let plain: String = name.chars().filter(|character| !matches!(character, ' ' | '-' | '_')).collect();
    let names = || RESOURCES.iter().map(|resource| resource.name);
    RESOURCES.iter().copied().find(|resource| resource.name.eq_ignore_ascii_case(&plain)).ok_or_else(|| {
        let hint = nearest(&plain, &mut names()).map_or_else(String::new, |near| format!("; perhaps `{near}`"));
        format!("there are no records called `{name}`{hint}")
    })
}

impl Section<'_> {
    /// Calls `visit` for each record that is valid by itself.
    pub(super) fn each(&self, problems: &mut Problems, visit: &mut dyn FnMut(Record, &mut Problems)) {
        match self.format {
            Format::Json { file, array } => {
                let mut lines = Lines::of(file);
                // It has been read before, as a whole.
                for record in serde_json::from_str::<Vec<&RawValue>>(array).unwrap_or_default() {
                    let origin = Origin { file: self.file, line: lines.line(record.get()) };
                    if let Some(record) = row::object(self.resource, origin, record.get(), problems) {
                        visit(record, problems);
                    }
                }
            }
            Format::Csv { file, delimiter } => self.rows(file, delimiter, problems, visit),
        }
    }

    fn rows(&self, text: &str, delimiter: u8, problems: &mut Problems, visit: &mut dyn FnMut(Record, &mut Problems)) {
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .flexible(true)
            .has_headers(true)
            .from_reader(text.as_bytes());
        let mut origin = Origin { file: self.file, line: 1 };
        let header = match reader.headers() {
            Ok(header) => header.clone(),
            Err(error) => return problems.add(origin, Some(self.resource), format!("the header is broken: {error}")),
        };
        let mut cells = csv::StringRecord::new();
        loop {
            match reader.read_record(&mut cells) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => return problems.add(origin, Some(self.resource), format!("the CSV is broken: {error}")),
            }
            origin.line = cells.position().map_or(origin.line, |at| u32::try_from(at.line()).unwrap_or(u32::MAX));
            if cells.len() != header.len() {
                let detail = format!("the row has {} cells, the header has {}", cells.len(), header.len());
                problems.add(origin, Some(self.resource), detail);
                continue;
            }
            let named = header.iter().map(str::trim).zip(&cells);
            if let Some(record) = row::cells(self.resource, origin, named, problems) {
                visit(record, problems);
            }
        }
        // An unclosed quotation mark would swallow the rest of the file.
        if !text.bytes().filter(|byte| *byte == b'"').count().is_multiple_of(2) {
            problems.add(origin, Some(self.resource), "a quotation mark is opened here and never closed");
        }
    }
}

/// Passes each member of a JSON object to `visit`.
fn members<'t>(text: &'t str, visit: &mut dyn FnMut(&str, &'t str)) -> serde_json::Result<()> {
    struct Walk<'v, 't>(&'v mut dyn FnMut(&str, &'t str));
    impl<'t> Visitor<'t> for Walk<'_, 't> {
        type Value = ();

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("an object")
        }

        fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<(), A::Error> {
            while let Some((name, value)) = map.next_entry::<String, &'t RawValue>()? {
                self.0(&name, value.get());
            }
            Ok(())
        }
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.deserialize_map(Walk(visit))?;
    deserializer.end()
}
