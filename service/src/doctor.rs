//! Looks at a folder of data and says what is wrong, and what to do about it.

mod contents;
mod space;

use std::{
    fs,
    path::{Path, PathBuf},
};

use jiff::{SignedDuration, Timestamp};

use crate::{
    folder::{self, ATTACHMENTS, STORE},
    private,
    store::{self, StoreFile},
};

/// Clocks of two machines may differ by so much.
const CLOCK: SignedDuration = SignedDuration::from_mins(5);

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was found.
    pub what: String,
    /// What to do about it.
    pub remedy: String,
}

impl Finding {
    fn new(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { what: what.into(), remedy: remedy.into() }
    }
}

/// Examines a folder of data, which may be served meanwhile. `full` reads every content and compares its hash.
pub fn examine(data: &Path, full: bool) -> Result<Vec<Finding>, Box<dyn std::error::Error + Send + Sync>> {
    // Nothing is swept away between the look at the store and the look at the contents.
    let _held = folder::keep_contents(data)?;
    let mut findings = Vec::new();
    match StoreFile::open(&data.join(STORE)) {
        Ok(store) => {
            if let Err(error) = examine_store(&store, data, full, &mut findings) {
                findings.push(unreadable(&*error));
            }
        }
        Err(error) => findings.push(unreadable(&error)),
    }
    findings.extend(space::examine(data)?);
    findings.extend(rights(data)?);
    Ok(findings)
}

fn examine_store(
    store: &StoreFile,
    data: &Path,
    full: bool,
    findings: &mut Vec<Finding>,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    for problem in store.integrity()? {
        let remedy = "stop the service, keep the folder, and `service restore` the last good backup into an empty one";
        findings.push(Finding::new(format!("the store is damaged: {problem}"), remedy));
    }
    for (from, to, count) in store.foreign_keys()? {
        let what = format!("{count} records of {from} refer to records of {to} that are not there");
        findings.push(Finding::new(what, "restore a backup, or export, repair and import into a new store"));
    }
    let (found, known) = match store.migration() {
        Ok(migration) => migration,
        Err(error) => {
            findings.push(Finding::new(error.to_string(), "use the program that wrote the store, or a newer one"));
            return Ok(());
        }
    };
    if found < known {
        let what = format!("the store has migration {found}, this program {known}; the rest is examined afterwards");
        findings.push(Finding::new(what, "`service migrate`, which keeps a copy"));
        return Ok(());
    }
    for counter in store.counters()? {
        let store::Mismatch { tenant, name, kept, seen } = counter;
        let what = format!("the counter `{name}` of tenant {tenant} says {kept}, and there are {seen}");
        findings.push(Finding::new(what, "export the store and import it into a new one, which counts anew"));
    }
    for sequence in store.sequences()? {
        let store::Mismatch { tenant, name, kept, seen } = sequence;
        let what = format!("the next number of {name} of tenant {tenant} is {kept}, and {seen} is in use");
        findings.push(Finding::new(what, "export the store and import it into a new one, which counts anew"));
    }
    let now = Timestamp::now();
    for (column, moment) in store.latest()? {
        if moment.duration_since(now) > CLOCK {
            let what = format!("{column} says {moment:.0}, and it is {now:.0} now");
            findings.push(Finding::new(what, "set the clock of this machine; the record itself does no harm"));
        }
    }
    findings.extend(contents::examine(store, &data.join(ATTACHMENTS), full)?);
    Ok(())
}

fn unreadable(error: &(dyn std::error::Error + Send + Sync + 'static)) -> Finding {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    let text = causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"));
    Finding::new(
        format!("the store cannot be read: {text}"),
        "stop the service, keep the folder, and `service restore` the last good backup into an empty one",
    )
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
        if entry?.file_name() == "restoring" {
            let what = "`restoring` is left of a restore that was cut off, unless one is running now";
            findings.push(Finding::new(what, "delete it when no `service restore` is running"));
        }
    }
    for copy in folder::left_copies(data)? {
        let what = format!("{} is left of a backup that was cut off", copy.display());
        findings.push(Finding::new(what, "delete it, or leave it to the next `service backup`"));
    }
    Ok(findings)
}

/// Calls `visit` for a path and all below it. What goes meanwhile is left out.
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
