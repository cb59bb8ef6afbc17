//! The files of a description on disk.

use std::fs;
use std::io;
use std::iter;
use std::path::{Component, Path};

use codegen::ir::Api;
use codegen::{Code, Diagnostics, DocumentFolder, Files, Options};

use super::config::Config;
use super::offline::{Mirror, Offline, is_url};
use super::{Failure, Input, policies, progress};

/// A description in a folder; other files are read when it refers to them.
pub(super) struct Description {
    folder: DocumentFolder,
    /// The name of the file it starts in.
    pub(super) entry: String,
    /// What it is read with.
    pub(super) options: Options,
    offline: Offline,
}

impl Description {
    /// The description and the options that the command line and the configuration name.
    pub(super) fn new(input: &Input, config: &Config) -> Result<Self, Failure> {
        let mut description = Self::plain(&input.document);
        let overlays = config.overlays.iter().chain(&input.overlays);
        description.options.overlays = overlays.map(|overlay| from(description.folder.path(), overlay)).collect();
        description.folder.name(description.options.overlays.iter().cloned());
        description.options.include = config.include.clone();
        description.options.exclude = config.exclude.clone();
        description.options.rename = config.rename.clone();
        description.options.types = config.types.clone();
        description.options.derives = config.derives.clone();
        description.options.dependencies = config.dependencies.clone();
        description.options.runtime = config.runtime.clone();
        description.options.policies = policies::policies(&input.policies, &config.diagnostics)?;
        let mirrors = config.offline.iter().map(|(prefix, folder)| Mirror::new(prefix, folder.clone()));
        let mirrors: Vec<Mirror> = mirrors.collect::<Result<_, _>>().map_err(Failure::usage)?;
        // Of two folders for the same URLs the one of the command line counts.
        description.offline = Offline::new(mirrors.into_iter().chain(input.offline.iter().cloned()));
        Ok(description)
    }

    /// The description that starts in the file at `path`, as it is written.
    pub(super) fn plain(path: &Path) -> Self {
        let (folder, entry) = DocumentFolder::of(path);
        Self { folder, entry, options: Options::default(), offline: Offline::default() }
    }

    /// Reads it.
    pub(super) fn read(&self) -> Result<(Api, Diagnostics), Diagnostics> {
        progress::during("reading", || codegen::read(self, &self.entry, &self.options))
    }

    /// Why it is of no use, as far as the exit code tells: what it refers to is its own fault, what was named is not.
    pub(super) fn failure(&self, diagnostics: &Diagnostics) -> Failure {
        let mut named = iter::once(&self.entry).chain(&self.options.overlays);
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
