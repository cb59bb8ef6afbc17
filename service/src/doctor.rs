//! Examines a store and its attachments, and reports problems with solutions.

mod contents;

use std::{
    fs,
    path::{Path, PathBuf},
};

use jiff::{SignedDuration, Timestamp};

use crate::{
    causes::with_causes,
    folder::{self, STORE},
    place::Place,
    private,
    store::{self, Snapshot},
};

pub use crate::store::Finding;

/// By how much the clocks of two machines may differ.
const CLOCK: SignedDuration = SignedDuration::from_mins(5);

/// Errors that prevent the examination.
type Error = Box<dyn std::error::Error + Send + Sync>;

/// Examines a place, which may be in use. `full` reads every content and compares its hash.
pub async fn examine(place: &Place, full: bool) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    if let Err(error) = examine_store(place, full, &mut findings).await {
        findings.push(unreadable(place, &*error));
    }
    if place.data.exists() {
        if place.is_embedded() {
            findings.extend(room(&place.data)?);
        }
        findings.extend(rights(&place.data)?);
    }
    Ok(findings)
}

async fn examine_store(place: &Place, full: bool, findings: &mut Vec<Finding>) -> Result<(), Error> {
    let store = Snapshot::open(&place.store, &place.options).await?;
    for problem in store.integrity(full).await? {
        findings.push(Finding::new(format!("the store is damaged: {problem}"), restore(place)));
    }
    if place.is_embedded() {
        references(&store, findings).await?;
    }
    let (found, known) = match store.migration().await {
        Ok(migration) => migration,
        Err(error) => {
            findings.push(Finding::new(error.to_string(), remedy(place, &error)));
            return Ok(());
        }
    };
    if found < known {
        let what = format!("the store has migration {found}, this program {known}; the rest is examined afterwards");
        findings.push(Finding::new(what, "`service migrate`, after a backup"));
        return Ok(());
    }
    if !place.is_embedded() {
        findings.extend(store.server(&place.options).await?);
        references(&store, findings).await?;
    }
    for (migration, name) in store.missing().await? {
        let what = format!("`{name}` is not there, which the migration `{migration}` has made");
        findings.push(Finding::new(what, format!("run what `{migration}.sql` says of it, as the owner of the tables")));
    }
    numbers(&store, findings).await?;
    let now = Timestamp::now();
    for (column, moment) in store.latest().await? {
        if moment.duration_since(now) > CLOCK {
            let what = format!("{column} says {moment:.0}, and it is {now:.0} now");
            findings.push(Finding::new(what, "set the clock of this machine; the record itself does no harm"));
        }
    }
    drop(store);
    // Protect contents from removal while store and contents are compared.
    let (_lock, kept) = place.keep_contents().await?;
    let store = Snapshot::open(&place.store, &place.options).await?;
    findings.extend(contents::examine(&store, place, full).await?);
    Ok(kept.end().await?)
}

async fn references(store: &Snapshot, findings: &mut Vec<Finding>) -> Result<(), Error> {
    for (from, to, count) in store.foreign_keys().await? {
        let what = format!("{count} records of {from} refer to records of {to} that are not there");
        findings.push(Finding::new(what, "restore a backup, or export, repair and import into a new store"));
    }
    Ok(())
}

/// Checks stored counters against the data.
async fn numbers(store: &Snapshot, findings: &mut Vec<Finding>) -> Result<(), Error> {
    const REMEDY: &str = "export the store and import it into a new one, which counts anew";
    for store::Mismatch { tenant, name, kept, seen } in store.counters().await? {
        let what = format!("the counter `{name}` of tenant {tenant} says {kept}, and there are {seen}");
        findings.push(Finding::new(what, REMEDY));
    }
    for store::Mismatch { tenant, name, kept, seen } in store.sequences().await? {
        let what = format!("the next number of {name} of tenant {tenant} is {kept}, and {seen} is in use");
        findings.push(Finding::new(what, REMEDY));
    }
    Ok(())
}

fn unreadable(place: &Place, error: &(dyn std::error::Error + Send + Sync + 'static)) -> Finding {
    let remedy = match error.downcast_ref::<store::Error>() {
        Some(error) => remedy(place, error),
        None => restore(place),
    };
    Finding::new(format!("the store cannot be read: {}", with_causes(error)), remedy)
}

fn remedy(place: &Place, error: &store::Error) -> &'static str {
    match error {
        store::Error::Fenced => "`service doctor` with `SERVICE_STORE_OWNER` set",
        store::Error::Unfinished => "go on with the copy or the restore that was cut off, by the same command",
        store::Error::NoStore => "`service init`, or let the settings name the place of the store",
        store::Error::NotKept => "`service doctor` again",
        store::Error::Newer { .. } | store::Error::Altered(_) | store::Error::Foreign(_) => {
            "use the program that wrote the store, or a newer one"
        }
        _ => restore(place),
    }
}

fn restore(place: &Place) -> &'static str {
    if place.is_embedded() {
        "stop the service, keep the folder, and `service restore` the last good backup into an empty one"
    } else {
        "see to the server and its log; if nothing else helps, `service restore` the last good backup into an empty database"
    }
}

/// Finds that a copy of the store would not fit next to it, which is what a backup and a migration make.
fn room(data: &Path) -> std::io::Result<Option<Finding>> {
    let needed = fs::metadata(data.join(STORE)).map_or(0, |metadata| metadata.len());
    let free = fs4::available_space(data)?;
    let what = || format!("{} MiB are free, and a copy of the store takes {} MiB", free >> 20, needed >> 20);
    let remedy = "make room: backups and migrations copy the store in its folder first";
    Ok((free < needed).then(|| Finding::new(what(), remedy)))
}

/// What others than the owner can use, and what was left behind.
fn rights(data: &Path) -> std::io::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    let mut open: Vec<PathBuf> = Vec::new();
    walk(data, &mut |path, metadata| {
        if private::is_open_to_others(metadata) {
            open.push(path.to_owned());
        }
        Ok(())
    })?;
    if let Some(first) = open.first() {
        let what = format!(
            "{} files and folders are open to others than their owner, such as {}",
            open.len(),
            first.display()
        );
        findings.push(Finding::new(what, format!("`chmod -R go= {}`", data.display())));
    }
    for entry in fs::read_dir(data)? {
        if entry?.file_name() == folder::RESTORING {
            let what =
                format!("`{}` is left of a restore that was cut off, unless one is running now", folder::RESTORING);
            findings.push(Finding::new(what, "delete it when no `service restore` is running"));
        }
    }
    for copy in folder::left_copy(data)? {
        let what = format!("{} is left of a backup that was cut off", copy.display());
        findings.push(Finding::new(what, "delete it, or leave it to the next `service backup`"));
    }
    Ok(findings)
}

/// Calls `visit` for a path and everything below it. Files that disappear are skipped.
fn walk(path: &Path, visit: &mut dyn FnMut(&Path, &fs::Metadata) -> std::io::Result<()>) -> std::io::Result<()> {
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    visit(path, &metadata)?;
    if metadata.is_dir() {
        for entry in fs::read_dir(path)? {
            walk(&entry?.path(), visit)?;
        }
    }
    Ok(())
}
