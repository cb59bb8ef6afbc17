//! `service copy`.

use std::path::PathBuf;

use anyhow::{Context as _, Error, Result, bail};

use super::progress::Bar;
use crate::{
    blob::{self, Blobs},
    cli,
    config::Config,
    folder::{ATTACHMENTS, Lock},
    private, start,
    store::{
        self, KnownBlob, Location,
        transfer::{Progress as _, Transfer},
    },
};

/// Copies a store and its contents, or continues an interrupted copy.
pub async fn copy(config: &Config, arguments: &cli::Copy) -> Result<()> {
    let (from, to) = (location(config, arguments.from.as_deref())?, location(config, arguments.to.as_deref())?);
    if from == to {
        bail!("{from} cannot be copied into itself");
    }
    let places = [(&from, &arguments.attachments_from), (&to, &arguments.attachments_to)];
    let [source, target] = places.map(|(location, said)| attachments(config, location, said.as_deref()));
    let (source, target) = (source?, target?);

    // Lock folders against running services; for PostgreSQL, concurrent writes are detected at the end.
    let mut locks = Vec::new();
    for location in [&from, &to] {
        locks.extend(folder(location).map(|folder| Lock::take(&folder)).transpose()?);
    }
    let bar = Bar::new(arguments.quiet);
    let [from_options, to_options] = [&from, &to].map(|location| options(config, location));
    let wrong = |location: &Location| format!("the store {location}");
    let opened = Transfer::open((&from, &from_options), (&to, &to_options)).await;
    let mut transfer = opened.with_context(|| format!("{from} cannot be copied into {to}"))?;
    let blobs = transfer.blobs().await.with_context(|| wrong(&from))?;
    transfer.copy(&bar).await.with_context(|| wrong(&to))?;
    bar.finish();
    let lost = copy_blobs(config, &source, &target, &blobs, &bar).await?;
    let tables = transfer.verify(&bar).await.with_context(|| wrong(&to))?;
    bar.finish();
    transfer.finish().await.with_context(|| wrong(&to))?;
    if let Location::Sqlite(file) = &to {
        private::mend(file).with_context(|| file.display().to_string())?;
    }

    for table in tables.iter().filter(|table| table.rows > 0) {
        println!("{:<24} {:>10} rows  sha256 {}", table.table, table.rows, table.sha256);
    }
    let used = blobs.iter().filter(|blob| blob.is_used).count();
    println!("{to} has everything of {from}; {used} contents of attachments are in {target}");
    match lost.first() {
        None => Ok(()),
        Some(first) => bail!("{} contents were lost or damaged before, such as {first}", lost.len()),
    }
}

/// Copies the missing blobs; returns the names of referenced ones that cannot be copied.
async fn copy_blobs(
    config: &Config,
    from: &blob::Location,
    to: &blob::Location,
    blobs: &[KnownBlob],
    bar: &Bar,
) -> Result<Vec<String>> {
    let open = |location: &blob::Location| Blobs::open(location, &config.aws.0).with_context(|| location.to_string());
    let (source, target) = (open(from)?, open(to)?);
    bar.begin("attachments");
    let all = blobs.iter().map(|blob| (&*blob.name, blob.size));
    let copied = target.copy_missing(&source, all, || bar.rows(1)).await;
    let lost = copied.with_context(|| format!("copying {from} into {to}"))?;
    bar.finish();
    let is_used = |name: &String| blobs.iter().any(|blob| blob.is_used && blob.name == *name);
    Ok(lost.into_iter().filter(is_used).collect())
}

/// The given location, or that of the settings.
fn location(config: &Config, said: Option<&str>) -> Result<Location> {
    said.map_or_else(|| config.location(), |text| Location::parse(text).map_err(Error::msg))
}

/// How a store is opened: the owner in the settings belongs to the store in the settings.
fn options(config: &Config, location: &Location) -> store::Options {
    let mut options = start::store_options(config);
    options.owner = options.owner.filter(|_| config.location().is_ok_and(|settings| settings == *location));
    options
}

/// The folder of an embedded store.
fn folder(location: &Location) -> Option<PathBuf> {
    match location {
        Location::Sqlite(file) => Some(file.parent().map(PathBuf::from).unwrap_or_default()),
        Location::Postgres(_) => None,
    }
}

/// The attachments of a store: the given ones, else those next to an embedded store, else those of the
/// settings.
fn attachments(config: &Config, location: &Location, said: Option<&str>) -> Result<blob::Location> {
    match (said, folder(location)) {
        (Some(text), _) if text.starts_with("s3://") => blob::Location::parse(text).map_err(Error::msg),
        (Some(folder), _) => Ok(blob::Location::Folder(folder.into())),
        (None, Some(folder)) => Ok(blob::Location::Folder(folder.join(ATTACHMENTS))),
        (None, None) => config.attachments(),
    }
}
