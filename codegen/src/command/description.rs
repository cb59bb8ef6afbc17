//! The files of a description on disk.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use specwright::{Code, Diagnostics, DocumentFolder, Files, Generator, Source};

use super::config::Config;
use super::offline::{Mirror, Offline, is_url, with_scheme};
use super::{Failure, Input, policies, remote, report};

/// A description in a folder; other files are read when it refers to them.
pub(super) struct Description {
    folder: DocumentFolder,
    /// The name of its entry file.
    pub(super) entry: String,
    /// The generator that reads it.
    pub(super) generator: Generator,
    /// The names of the overlays that change it.
    pub(super) overlays: Vec<String>,
    /// The name of its configuration.
    settings: Option<String>,
    offline: Offline,
    /// The files that were read.
    read: Mutex<BTreeSet<PathBuf>>,
    /// The URLs that were fetched.
    fetched: Mutex<BTreeSet<String>>,
}

impl Description {
    /// The description with the options of the command line and the configuration.
    pub(super) fn new(input: &Input, config: &Config) -> Result<Self, Failure> {
        report::name_report(&input.described.document);
        let mut description = Self::plain(&input.described.document);
        if let Some((scheme, _)) = description.entry.split_once("://")
            && !description.is_remote()
        {
            let message = format!("the scheme `{scheme}` is not supported; `https` and `http` are");
            return Err(Failure::usage(message).in_file(&input.described.document));
        }
        let overlays = config.overlays.iter().chain(&input.described.overlays);
        description.overlays = overlays.map(|overlay| description.folder.path_of(overlay)).collect();
        description.folder.name(description.overlays.iter().cloned());
        description.generator = config.generator().policies(policies::policies(&input.policies, &config.diagnostics)?);
        if let Some(config) = &input.described.config {
            let settings = description.folder.path_of(config);
            description.folder.name([settings.clone()]);
            description.generator = description.generator.settings_file(&settings);
            description.settings = Some(settings);
        }
        for overlay in &description.overlays {
            description.generator = description.generator.overlay(overlay);
        }
        let mirrors = config.offline.iter().map(|(prefix, folder)| Mirror::new(prefix, folder.clone()));
        let mirrors: Vec<Mirror> = mirrors.collect::<Result<_, _>>().map_err(Failure::usage)?;
        // The command line overrides the configuration.
        description.offline = Offline::new(mirrors.into_iter().chain(input.offline.iter().cloned()));
        Ok(description)
    }

    /// The description in the file at `path`, which may be a URL, without settings.
    pub(super) fn plain(path: &Path) -> Self {
        let (folder, entry) = match path.to_str().and_then(with_scheme) {
            Some(url) => (DocumentFolder::of(Path::new("")).0, url.split('#').next().unwrap_or_default().to_owned()),
            None => DocumentFolder::of(path),
        };
        Self {
            folder,
            entry,
            generator: Generator::new(),
            overlays: Vec::new(),
            settings: None,
            offline: Offline::default(),
            read: Mutex::default(),
            fetched: Mutex::default(),
        }
    }

    /// Whether a file is an overlay or the configuration.
    pub(super) fn is_setting(&self, file: &str) -> bool {
        self.settings.iter().chain(&self.overlays).any(|setting| setting == file)
    }

    /// Reads the description.
    pub(super) fn read(&self) -> Result<specwright::Description, Diagnostics> {
        self.generator.read(&self.source())
    }

    /// The source that the library reads.
    pub(super) fn source(&self) -> Source<'_> {
        Source::files(self, &self.entry)
    }

    /// The failure, for the exit code: an unreadable file is a usage error if the caller named it, and an
    /// error of the document if the document refers to it.
    pub(super) fn failure(&self, diagnostics: &Diagnostics) -> Failure {
        let mut named = iter::once(&self.entry).chain(&self.overlays);
        let is_unreadable = diagnostics.errors().any(|error| error.code == Code::UnreadableFile)
            && named.any(|file| Files::read(self, file).is_err());
        if is_unreadable { Failure::Unreadable } else { Failure::Document }
    }

    /// Whether it is at a URL. Only then are references to other URLs fetched.
    pub(super) fn is_remote(&self) -> bool {
        is_url(&self.entry)
    }

    /// The URLs that were fetched.
    pub(super) fn fetched(&self) -> Vec<String> {
        self.fetched.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// The files that were read, or looked for.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// The path from the working directory to its folder; `None` if they are the same.
    pub(super) fn folder(&self) -> Option<String> {
        self.folder.prefix()
    }

    /// The path from the working directory to the copy of a URL.
    pub(super) fn copy(&self, url: &str) -> Option<String> {
        self.offline.path(url).map(|path| path.to_string_lossy().replace('\\', "/"))
    }
}

impl Files for Description {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let is_url = is_url(path);
        let file = if is_url { self.offline.path(path) } else { Some(self.folder.path().join(path)) };
        if is_url && file.is_none() && self.is_remote() {
            self.fetched.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
            return remote::fetch(path, self.entry.starts_with("https://"));
        }
        self.read.lock().unwrap_or_else(PoisonError::into_inner).extend(file);
        if is_url { self.offline.read(path) } else { self.folder.read(path) }
    }
}

/// Files by paths relative to the working directory, and what was fetched.
pub(super) struct Here;

impl Files for Here {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        remote::content(path).map_or_else(|| fs::read(path), Ok)
    }
}
