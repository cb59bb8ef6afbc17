//! `specwright watch`

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::config;
use super::description::Description;
use super::{Failure, generate};

/// How long no file may change before the crates are generated; editors write in several steps.
const QUIET: Duration = Duration::from_millis(50);

/// Generates whenever a file that was read changes, until it is interrupted.
pub(super) fn run(arguments: &generate::Arguments) -> Result<ExitCode, Failure> {
    let input = &arguments.input;
    if arguments.check {
        return Err(Failure::usage("`watch` writes what is stale; `specwright generate --check` reports it"));
    }
    if Description::plain(&input.described.document).is_remote() {
        return Err(Failure::usage("a URL cannot be watched; `specwright generate` reads it once"));
    }
    let named: Vec<_> = [&input.described.document]
        .into_iter()
        .chain(&input.described.config)
        .chain(&input.described.overlays)
        .cloned()
        .collect();
    let mut changes = Changes::new()?;
    changes.watch(&named)?;
    loop {
        let mut files = named.clone();
        if let Err(failure) = generate(arguments, &mut files) {
            failure.report();
        }
        changes.watch(&files)?;
        eprintln!("waiting for a change of {}", input.described.document.display());
        changes.wait(&files)?;
    }
}

/// Generates once, and adds the files that were read to `read`.
fn generate(arguments: &generate::Arguments, read: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let config = config::read(arguments.input.described.config.as_deref())?;
    let description = Description::new(&arguments.input, &config)?;
    let result = generate::generate(arguments, &config, &description);
    read.extend(description.files());
    result.map(drop)
}

/// Changes of files.
struct Changes {
    watcher: RecommendedWatcher,
    events: Receiver<notify::Result<Event>>,
}

impl Changes {
    fn new() -> Result<Self, Failure> {
        let (sender, events) = channel();
        let watcher = notify::recommended_watcher(sender)?;
        Ok(Self { watcher, events })
    }

    /// Watches the folders of the files: editors put a new file in place of the old one.
    fn watch(&mut self, files: &[PathBuf]) -> Result<(), Failure> {
        let mut paths = self.watcher.paths_mut();
        for folder in files.iter().map(|file| folder(file)).filter(|folder| folder.is_dir()) {
            paths.add(folder, RecursiveMode::NonRecursive)?;
        }
        Ok(paths.commit()?)
    }

    /// Returns when one of the files has changed.
    fn wait(&self, files: &[PathBuf]) -> Result<(), Failure> {
        let files: Vec<_> = files.iter().map(|file| absolute(file)).collect();
        let concerns = |event: &Event| {
            !matches!(event.kind, EventKind::Access(_))
                && event.paths.iter().any(|path| files.contains(&absolute(path)))
        };
        loop {
            let event = self.events.recv().map_err(|error| Failure::usage(error.to_string()))?;
            if concerns(&event?) {
                while self.events.recv_timeout(QUIET).is_ok() {}
                return Ok(());
            }
        }
    }
}

/// The folder that a file is in.
fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The path of a file that may not exist, with the folder's links resolved.
fn absolute(file: &Path) -> PathBuf {
    let folder = folder(file).canonicalize().unwrap_or_else(|_| folder(file).to_owned());
    file.file_name().map_or_else(|| folder.clone(), |name| folder.join(name))
}

impl From<notify::Error> for Failure {
    fn from(error: notify::Error) -> Self {
        Self::usage(error.to_string())
    }
}
