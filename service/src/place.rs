//! The location of a service's data: store, contents of attachments, and folder.

use std::{collections::HashMap, fs::File, path::PathBuf};

use anyhow::{Context as _, Error, Result};

use crate::{
    blob::{self, Blobs},
    config::{Aws, Config},
    folder::{self, ATTACHMENTS},
    start,
    store::{self, KeptContents, Location, Store},
};

/// The location of a service's data.
#[derive(Clone, Debug)]
pub struct Place {
    /// The folder of data.
    pub data: PathBuf,
    /// The store.
    pub store: Location,
    /// How it is opened.
    pub options: store::Options,
    /// The contents of attachments.
    pub attachments: blob::Location,
    variables: Aws,
}

impl Place {
    /// The place of the settings, or an error.
    pub fn of(config: &Config) -> Result<Self> {
        Ok(Self {
            data: config.data.clone(),
            store: config.location()?,
            options: start::store_options(config),
            attachments: config.attachments()?,
            variables: config.aws.clone(),
        })
    }

    /// A store and attachments that differ from those of the settings. By default, attachments are next to an SQLite store.
    pub fn other(config: &Config, store: Option<&str>, attachments: Option<&str>) -> Result<Self> {
        let mut place = Self::of(config)?;
        if let Some(text) = store {
            place.store = Location::parse(text).map_err(Error::msg)?;
        }
        if place.store != config.location()? {
            // It owns the tables of the settings' store.
            place.options.owner = None;
        }
        if let Location::Sqlite(file) = &place.store {
            place.data = file.parent().map(PathBuf::from).unwrap_or_default();
            place.attachments = blob::Location::Folder(place.data.join(ATTACHMENTS));
        }
        match attachments {
            Some(text) if text.starts_with("s3://") => {
                place.attachments = blob::Location::parse(text).map_err(Error::msg)?;
            }
            Some(folder) => place.attachments = blob::Location::Folder(folder.into()),
            None => {}
        }
        Ok(place)
    }

    /// Whether the store is a file in the data folder.
    pub fn is_embedded(&self) -> bool {
        matches!(self.store, Location::Sqlite(_))
    }

    /// The contents; creates a missing folder.
    pub fn blobs(&self) -> Result<Blobs, blob::Error> {
        Blobs::open(&self.attachments, &self.variables.0)
    }

    /// The contents; `None` if their folder is missing.
    pub fn blobs_that_are_there(&self) -> Result<Option<Blobs>, blob::Error> {
        let is_there = self.attachments.folder().is_none_or(std::path::Path::exists);
        is_there.then(|| self.blobs()).transpose()
    }

    /// Keeps contents from being forgotten until both guards are dropped, whichever process sweeps.
    pub async fn keep_contents(&self) -> Result<(Option<File>, KeptContents)> {
        let file = self.is_embedded().then(|| folder::keep_contents(&self.data)).transpose();
        let file = file.context("the folder of data cannot be locked")?;
        Ok((file, KeptContents::keep(&self.store, &self.options).await?))
    }
}

/// The names of the contents that records refer to and that are not there.
pub(crate) async fn missing_contents(store: &Store, blobs: Option<&Blobs>) -> Result<Vec<String>> {
    let there = match blobs {
        None => HashMap::new(),
        Some(blobs) => blobs.sizes().await.context("the attachments cannot be listed")?,
    };
    let mut missing = Vec::new();
    for tenant in store.tenants().await? {
        let used = store.tenant(tenant.id).used_blobs().await?;
        missing.extend(used.into_iter().filter(|name| !there.contains_key(name)));
    }
    Ok(missing)
}
