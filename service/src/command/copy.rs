//! `service copy`.

use anyhow::{Context as _, Result, bail};

use super::progress::Bar;
use crate::{
    cli,
    config::Config,
    folder::Lock,
    place::Place,
    private,
    store::{
        KnownBlob, Location,
        transfer::{Progress as _, Transfer},
    },
};

/// Copies a store and its contents, or continues an interrupted copy.
pub async fn copy(config: &Config, arguments: &cli::Copy) -> Result<()> {
    let from = Place::other(config, arguments.from.as_deref(), arguments.attachments_from.as_deref())?;
    let to = Place::other(config, arguments.to.as_deref(), arguments.attachments_to.as_deref())?;
    if from.store == to.store {
        bail!("{} cannot be copied into itself", from.store);
    }
    // Lock folders against running services; for PostgreSQL, concurrent writes are detected at the end.
    let mut locks = Vec::new();
    for place in [&from, &to].into_iter().filter(|place| place.is_embedded()) {
        locks.push(Lock::take(&place.data)?);
    }
    let bar = Bar::new(arguments.quiet);
    let wrong = |place: &Place| format!("the store {}", place.store);
    let opened = Transfer::open((&from.store, &from.options), (&to.store, &to.options)).await;
    let transfer = opened.with_context(|| format!("{} cannot be copied into {}", from.store, to.store))?;
    let blobs = transfer.blobs().await.with_context(|| wrong(&from))?;
    transfer.copy(&bar).await.with_context(|| wrong(&to))?;
    bar.finish();
    let lost = copy_blobs(&from, &to, &blobs, &bar).await?;
    let tables = transfer.finish(&bar).await.with_context(|| wrong(&to))?;
    bar.finish();
    if let Location::Sqlite(file) = &to.store {
        private::mend(file).with_context(|| file.display().to_string())?;
    }

    for table in tables.iter().filter(|table| table.rows > 0) {
        println!("{:<24} {:>10} rows  sha256 {}", table.table, table.rows, table.sha256);
    }
    let used = blobs.iter().filter(|blob| blob.is_used).count();
    println!("{} has everything of {}; {used} contents of attachments are in {}", to.store, from.store, to.attachments);
    match lost.first() {
        None => Ok(()),
        Some(first) => bail!("{} contents were lost or damaged before, such as {first}", lost.len()),
    }
}

/// Copies the missing blobs; returns the names of referenced ones that cannot be copied.
async fn copy_blobs(from: &Place, to: &Place, blobs: &[KnownBlob], bar: &Bar) -> Result<Vec<String>> {
    let open = |place: &Place| place.blobs().with_context(|| place.attachments.to_string());
    let (source, target) = (open(from)?, open(to)?);
    bar.begin("attachments");
    let all = blobs.iter().map(|blob| (&*blob.name, blob.size));
    let copied = target.copy_missing(&source, all, || bar.rows(1)).await;
    let lost = copied.with_context(|| format!("copying {} into {}", from.attachments, to.attachments))?;
    bar.finish();
    let is_used = |name: &String| blobs.iter().any(|blob| blob.is_used && blob.name == *name);
    Ok(lost.into_iter().filter(is_used).collect())
}
