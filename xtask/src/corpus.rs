//! Generates both crates from every document of a folder, compiles them, and reports the results.

mod check;
pub(crate) mod document;
mod generate;
mod report;
mod row;
mod wire;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context as _, Result, ensure};
use specwright::Runtime;

use check::Workspace;
pub(crate) use generate::{Arguments as OneArguments, here as generate_one};
use row::Row;

/// Options of the corpus run.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A folder of OpenAPI documents with a `manifest.tsv`: name, entry file and more, separated by tabs.
    folder: PathBuf,
    /// Only the documents with these names.
    #[arg(long, num_args = 1.., value_name = "NAME")]
    only: Vec<String>,
    /// Number of documents generated at once.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// Keeps the completed rows of an earlier run.
    #[arg(long)]
    resume: bool,
    /// Does not compile the crates; the wire proof has its own crates and compiles those.
    #[arg(long)]
    no_check: bool,
    /// Leaves out operations with errors instead of refusing the document.
    #[arg(long)]
    skip_errors: bool,
    /// Where the crates get their runtime from, as in `specwright generate --runtime`; by default, this
    /// repository.
    #[arg(long, default_value = "path=../../../runtime", value_parser = runtime)]
    runtime: String,
    /// Sends random values through each client into its server and back.
    #[arg(long, conflicts_with = "skip_errors")]
    wire: bool,
    /// Number of calls of each operation with `--wire`.
    #[arg(long, default_value_t = 20, requires = "wire")]
    samples: u16,
}

/// Validates the argument, which is passed on to generating processes as text.
fn runtime(text: &str) -> Result<String, String> {
    text.parse().map(|_: Runtime| text.to_owned())
}

/// Processes the documents, and writes crates, diagnostics and the table to `target/corpus`.
pub(crate) fn run(root: &Path, arguments: &Arguments) -> Result<()> {
    let output = root.join("target/corpus");
    fs::create_dir_all(&output)?;
    let mut documents = document::list(&arguments.folder)?;
    for name in &arguments.only {
        ensure!(documents.iter().any(|document| document.name == *name), "the manifest has no document `{name}`");
    }
    documents.retain(|document| arguments.only.is_empty() || arguments.only.contains(&document.name));

    let saved = output.join("rows.json");
    let mut rows: BTreeMap<String, Row> = match fs::read(&saved) {
        Ok(text) => {
            serde_json::from_slice(&text).with_context(|| format!("{} is of another version", saved.display()))?
        }
        Err(_) => BTreeMap::new(),
    };
    if arguments.resume {
        documents.retain(|document| !rows.contains_key(&document.name));
    }
    let mut workspace = Workspace::new(root, &output)?;
    let program = std::env::current_exe()?;

    let mut done = BTreeSet::new();
    println!("{}", row::HEADING);
    let all = &documents;
    let (waiting, (sender, receiver)) = (Mutex::new(documents.iter()), mpsc::channel());
    thread::scope(|scope| -> Result<()> {
        for _ in 0..arguments.jobs {
            let (sender, waiting, program, output) = (sender.clone(), &waiting, &program, &output);
            scope.spawn(move || {
                let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
                while let Some(document) = next() {
                    if sender.send(generate::in_a_process(program, document, output, arguments)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for row in receiver {
            let mut row = row?;
            if row.is_generated() && !arguments.no_check {
                workspace.check(&mut row)?;
            }
            if arguments.wire && (row.is_compiled() || row.is_generated()) {
                let document = all.iter().find(|document| document.name == row.document);
                let document = document.context("the row is of a document")?;
                wire::prove(&mut workspace, &program, document, arguments, &mut row)?;
            }
            println!("{row}");
            done.insert(row.document.clone());
            rows.insert(row.document.clone(), row);
            fs::write(&saved, serde_json::to_vec_pretty(&rows)?)?;
        }
        Ok(())
    })?;

    let table = report::table(rows.values());
    fs::write(output.join("table.md"), &table)?;
    println!("\n{}", report::summary(rows.values()));
    println!("the table is in {}", output.join("table.md").display());
    let failing: Vec<_> = rows.values().filter(|row| done.contains(&row.document) && row.fails_on_the_wire()).collect();
    let names: Vec<_> = failing.iter().map(|row| row.document.as_str()).collect();
    ensure!(names.is_empty(), "operations fail on the wire: {}", names.join(", "));
    Ok(())
}
