//! Tokens → text: marker, `use` lines, prettyplease, blank lines.

mod blank_lines;
mod last_argument;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use proc_macro2::TokenStream;

use crate::emit::{Content, SourceFile, imports};

/// A file of a generated crate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct File {
    /// Below the crate's folder, `src/models/account.rs`.
    pub path: String,
    /// All of its text.
    pub text: String,
}

/// The text of every file, in the order of their paths; `marker` becomes the first line of all code.
pub(crate) fn render(files: &[SourceFile<'_>], marker: &str) -> Vec<File> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut rendered = Vec::new();
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            rendered.push(File { path: file.path.clone(), text: text(file, marker) });
        }
        rendered
    };

    // A description may have thousands of models, and each file stands for itself.
    let threads = thread::available_parallelism().map_or(1, usize::from).min(files.len());
    let mut rendered: Vec<File> = thread::scope(|scope| {
        let workers: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut rendered = work();
        for worker in workers {
            match worker.join() {
                Ok(more) => rendered.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        rendered
    });
    rendered.sort();
    rendered
}

fn text(file: &SourceFile<'_>, marker: &str) -> String {
    match &file.content {
        Content::Tokens(tokens) => format!("// {marker}\n\n{}", code(&tokens())),
        // Whoever cleans up knows by the marker what is generated.
        Content::Verbatim(text) if is_code(&file.path) => format!("// {marker}\n\n{text}"),
        Content::Verbatim(text) => (*text).to_owned(),
    }
}

/// The file is Rust.
pub(crate) fn is_code(path: &str) -> bool {
    std::path::Path::new(path).extension().is_some_and(|extension| extension == "rs")
}

/// Tokens as they are read.
pub(crate) fn code(tokens: &TokenStream) -> String {
    match syn::parse2(tokens.clone()) {
        Ok(mut file) => {
            imports::add(&mut file);
            let code = prettyplease::unparse(&file);
            blank_lines::add(&last_argument::draw_together(&code))
        }
        // A mistake of an emitter: the compiler of the generated crate shows where.
        Err(error) => format!("compile_error!({:?});\n{tokens}\n", error.to_string()),
    }
}
