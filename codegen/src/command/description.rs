//! The files of a description on disk.

use std::fs;
use std::io;
use std::iter;
use std::path::{Component, Path};

use codegen::{Code, Diagnostics, DocumentFolder, Files, Generator, Source};

use super::config::Config;
use super::offline::{Mirror, Offline, is_url};
use super::{Failure, Input, policies, progress};

/// A description in a folder; other files are read when it refers to them.
pub(super) struct Description {
    folder: DocumentFolder,
    /// The name of the file it starts in.
    pub(super) entry: String,
    /// What reads it.
    pub(super) generator: Generator,
    /// What the overlays are called that change it.
    pub(super) overlays: Vec<String>,
    offline: Offline,
}

impl Description {
    /// The description and the options that the command line and the configuration name.
    pub(super) fn new(input: &Input, config: &Config) -> Result<Self, Failure> {
        let mut description = Self::plain(&input.document);
        let overlays = config.overlays.iter().chain(&input.overlays);
        description.overlays = overlays.map(|overlay| from(description.folder.path(), overlay)).collect();
        description.folder.name(description.overlays.iter().cloned());
        description.generator = config.generator().policies(policies::policies(&input.policies, &config.diagnostics)?);
        if let Some(config) = &input.config {
            let settings = from(description.folder.path(), config);
            description.folder.name([settings.clone()]);
            description.generator = description.generator.settings_file(settings);
        }
        for overlay in &description.overlays {
            description.generator = description.generator.overlay(overlay);
        }
        let mirrors = config.offline.iter().map(|(prefix, folder)| Mirror::new(prefix, folder.clone()));
        let mirrors: Vec<Mirror> = mirrors.collect::<Result<_, _>>().map_err(Failure::usage)?;
        // Of two folders for the same URLs the one of the command line counts.
        description.offline = Offline::new(mirrors.into_iter().chain(input.offline.iter().cloned()));
        Ok(description)
    }

    /// The description that starts in the file at `path`, as it is written.
    pub(super) fn plain(path: &Path) -> Self {
        let (folder, entry) = DocumentFolder::of(path);
        Self { folder, entry, generator: Generator::new(), overlays: Vec::new(), offline: Offline::default() }
    }

    /// Reads it.
    pub(super) fn read(&self) -> Result<codegen::Description, Diagnostics> {
        progress::during("reading", || self.generator.read(&self.source()))
    }

    /// What the library reads.
    pub(super) fn source(&self) -> Source<'_> {
        Source::files(self, &self.entry)
    }

    /// Why it is of no use, as far as the exit code tells: what it refers to is its own fault, what was named is not.
    pub(super) fn failure(&self, diagnostics: &Diagnostics) -> Failure {
        let mut named = iter::once(&self.entry).chain(&self.overlays);
        let is_unreadable = diagnostics.errors().any(|error| error.code == Code::UnreadableFile)
            && named.any(|file| Files::read(self, file).is_err());
        if is_unreadable { Failure::Unreadable } else { Failure::Document }
    }

    /// How its files are called from here; `None` when that is how they call each other.
    pub(super) fn folder(&self) -> Option<String> {
        self.folder.prefix()
    }

    /// What the copy of a URL is called from here.
    pub(super) fn copy(&self, url: &str) -> Option<String> {
        self.offline.path(url).map(|path| path.to_string_lossy().replace('\\', "/"))
    }
}

impl Files for Description {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if is_url(path) { self.offline.read(path) } else { self.folder.read(path) }
    }
}

/// What a file is called from a folder.
fn from(folder: &Path, file: &Path) -> String {
    let names: Vec<Component<'_>> = folder.components().filter(|part| *part != Component::CurDir).collect();
    let path = if let Ok(inside) = file.strip_prefix(folder) {
        inside.to_owned()
    } else if file.is_relative() && names.iter().all(|part| matches!(part, Component::Normal(_))) {
        names.iter().map(|_| Component::ParentDir).chain(file.components()).collect()
    } else {
        std::path::absolute(file).unwrap_or_else(|_| file.to_owned())
    };
    path.to_string_lossy().replace('\\', "/")
}

/// Files as they are called from here.
pub(super) struct Here;

impl Files for Here {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        fs::read(path)
    }
}
