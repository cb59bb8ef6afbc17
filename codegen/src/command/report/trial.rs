//! Runs the generator on a description that is being reduced.

use std::io;
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value};
use specwright::{Diagnostics, Files, Generator, Side, Source};

use super::compile::Compiler;
use super::panics::caught;
use super::problem::Problem;
use super::{Failure, entry};
use crate::command::description::Description;
use crate::command::diagnostics;

/// The generator with the options of the caller.
pub(super) struct Trial<'a> {
    description: &'a Description,
    generator: Generator,
    compiler: Option<Compiler>,
    /// Whether crates are generated, too, which takes longer than reading.
    pub(super) generates: bool,
    /// The files of the description, the entry first.
    files: Mutex<Vec<String>>,
}

impl<'a> Trial<'a> {
    pub(super) fn new(description: &'a Description, compiler: Option<Compiler>, generates: bool) -> Self {
        let generator = description.generator.clone();
        Self { description, generator, compiler, generates, files: Mutex::default() }
    }

    /// The problems of the description as it is.
    pub(super) fn problems_of_files(&self) -> Result<Vec<Problem>, Failure> {
        let files = |path: &str| {
            let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
            if !files.iter().any(|known| known == path) && !self.description.is_setting(path) {
                files.push(path.to_owned());
            }
            drop(files);
            Files::read(self.description, path)
        };
        let entry = &self.description.entry;
        if let Err(problems) = Source::files(&files, entry).tree(entry) {
            diagnostics::print(self.description, &problems, false);
            return Err(self.description.failure(&problems));
        }
        let found = self.problems_in(&files, entry);
        match (&self.compiler, found.is_empty()) {
            (Some(compiler), true) => compiler.explain_failure().map_or(Ok(found), Err),
            _ => Ok(found),
        }
    }

    /// The content of the files that were read, by name. Those that cannot be parsed are left out.
    pub(super) fn trees(&self) -> Value {
        let source = self.description.source();
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let trees = files.iter().filter_map(|file| Some((file.clone(), source.tree(file).ok()?)));
        Value::Object(trees.collect::<Map<_, _>>())
    }

    /// The problems of a description in memory.
    pub(super) fn problems(&self, trees: &Value) -> Vec<Problem> {
        self.problems_in(&self.files_of(trees), entry(trees))
    }

    /// The problems of a description of one file.
    pub(super) fn problems_of_text(&self, file: &str, text: &str) -> Vec<Problem> {
        self.problems_in(&self.with_settings(move |path| (path == file).then(|| text.as_bytes().to_vec())), file)
    }

    /// The problems with their lines, as a terminal shows them.
    pub(super) fn rendered(&self, file: &str, text: &str) -> String {
        let files = self.with_settings(move |path| (path == file).then(|| text.as_bytes().to_vec()));
        let problems: Diagnostics = match self.generator.read(&Source::files(&files, file)) {
            Ok(read) => read.warnings().clone(),
            Err(problems) => problems,
        };
        problems.render(&files, specwright::Style::Plain)
    }

    /// Uses another generator if `is_enough` with it; returns whether it is.
    pub(super) fn works_with(&mut self, generator: Generator, is_enough: impl Fn(&Self) -> bool) -> bool {
        let before = std::mem::replace(&mut self.generator, generator);
        let is_enough = is_enough(self);
        if !is_enough {
            self.generator = before;
        }
        is_enough
    }

    fn files_of(&self, trees: &Value) -> impl Files {
        self.with_settings(move |path| trees.get(path).map(|tree| tree.to_string().into_bytes()))
    }

    /// Files in memory; overlays and the configuration are read as they are.
    fn with_settings(&self, read: impl Fn(&str) -> Option<Vec<u8>>) -> impl Files {
        move |path: &str| match read(path) {
            Some(bytes) => Ok(bytes),
            None if self.description.is_setting(path) => Files::read(self.description, path),
            None => Err(io::Error::from(io::ErrorKind::NotFound)),
        }
    }

    fn problems_in(&self, files: &dyn Files, entry: &str) -> Vec<Problem> {
        self.run(&Source::files(files, entry)).unwrap_or_else(|panic| vec![panic])
    }

    fn run(&self, source: &Source<'_>) -> Result<Vec<Problem>, Problem> {
        let list = |problems: &Diagnostics| problems.iter().map(Problem::from).collect::<Vec<_>>();
        let mut problems = match caught(|| self.generator.read(source))? {
            Ok(read) => list(read.warnings()),
            Err(problems) => return Ok(list(&problems)),
        };
        if !self.generates {
            return Ok(problems);
        }
        let generator = self.generator.clone().name("report");
        let generator = match &self.compiler {
            Some(_) => Compiler::prepare(generator),
            None => generator.sides([Side::Server, Side::Client, Side::Models]).mcp("../client").cli("../client"),
        };
        if let (Ok(generated), Some(compiler)) = (caught(|| generator.generate(source))?, &self.compiler) {
            problems.extend(compiler.problems(generated));
        }
        Ok(problems)
    }
}
