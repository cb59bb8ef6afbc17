//! `service backup` and `service restore`.

use std::{
    fs::File,
    io::{self, IsTerminal as _},
    path::Path,
};

use anyhow::{Context as _, Result, bail};
use jiff::Timestamp;
use tokio::runtime::Handle;

use super::{ensure_store, replace::replace};
use crate::{
    backup::{self, Restored, Written},
    config::Config,
    folder::Lock,
    place::Place,
    private,
};

/// Writes an archive of the store and its attachments.
pub fn backup(config: &Config, output: Option<&Path>, runtime: &Handle) -> Result<()> {
    let place = Place::of(config)?;
    if place.is_embedded() {
        ensure_store(config)?;
    }
    let (written, place) = match output {
        None if io::stdout().is_terminal() => {
            bail!("say where to: `service backup -o FILE`, or `service backup > FILE`")
        }
        None => (backup::write(&place, &mut io::stdout().lock(), runtime)?, "standard output".to_owned()),
        Some(output) => {
            let path = if output.is_dir() {
                output.join(format!("service-{}.tar", Timestamp::now().strftime("%Y%m%dT%H%M%SZ")))
            } else {
                output.to_owned()
            };
            let mut written = None;
            replace(&path, |file| {
                written = Some(backup::write(&place, file, runtime)?);
                Ok(())
            })?;
            private::mend(&path).with_context(|| path.display().to_string())?;
            (written.context("nothing has been written")?, path.display().to_string())
        }
    };
    let Written { bytes, contents, lost } = written;
    // Standard output may contain the archive.
    eprintln!("{place}: the store and {contents} contents of attachments, {} MiB", bytes.div_ceil(1 << 20));
    if let Some(first) = lost.first() {
        bail!(
            "the backup is whole, but {} contents were lost or damaged before it, such as {first}; `service doctor` says more",
            lost.len()
        );
    }
    Ok(())
}

/// Verifies an archive, and restores it to the place of the settings unless only verification is requested.
pub fn restore(config: &Config, path: &Path, only_verifies: bool, runtime: &Handle) -> Result<()> {
    let place = Place::of(config)?;
    let shown = path.display();
    let mut archive: Box<dyn io::Read> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(path).with_context(|| shown.to_string())?)
    };
    let restored = if only_verifies {
        backup::verify(&mut archive, runtime).with_context(|| shown.to_string())?
    } else {
        // Lock the folder against a running service. An incomplete database cannot be served.
        let _lock = place.is_embedded().then(|| Lock::take(&config.data)).transpose()?;
        backup::restore(&mut archive, &place, runtime).with_context(|| shown.to_string())?
    };
    let Restored { manifest, known_migration } = restored;
    println!(
        "{shown}: a backup of {:.0} by program {}, migration {}, {} files; every hash is right, the store is whole",
        manifest.made_on,
        manifest.program,
        manifest.migration,
        manifest.files.len()
    );
    if manifest.migration < known_migration && (only_verifies || place.is_embedded()) {
        println!("this program has migration {known_migration}: `service serve` or `service migrate` migrates it");
    }
    if !only_verifies {
        println!("it is in {}, its attachments are in {}", place.store, place.attachments);
    }
    match manifest.lost.first() {
        None => Ok(()),
        Some(first) => bail!(
            "{} contents of attachments were lost before the backup was made, such as {first}",
            manifest.lost.len()
        ),
    }
}
