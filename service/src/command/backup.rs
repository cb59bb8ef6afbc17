//! `service backup` and `service restore`.

use std::{
    fs::File,
    io::{self, IsTerminal as _},
    path::Path,
};

use anyhow::{Context as _, Result, bail};
use jiff::Timestamp;

use super::{ensure_embedded, ensure_folder, ensure_store, replace::replace};
use crate::{
    backup::{self, Restored, Written},
    cli,
    config::Config,
    folder::Lock,
    private,
};

/// What is done with a store on PostgreSQL.
const POSTGRES: &str = "use `pg_dump` and `pg_restore` for the database, and copy the folder `attachments` after it";

/// What is done with attachments in a bucket.
const BUCKET: &str = "keep the versions of the bucket's objects, or copy the bucket after the store";

/// Writes an archive of the folder of data.
pub fn backup(config: &Config, arguments: &cli::Backup) -> Result<()> {
    ensure_embedded(config, "backup", POSTGRES)?;
    ensure_folder(config, "backup", BUCKET)?;
    ensure_store(config)?;
    let (written, place) = match &arguments.output {
        None if io::stdout().is_terminal() => {
            bail!("say where to: `service backup -o FILE`, or `service backup > FILE`")
        }
        None => (backup::write(&config.data, &mut io::stdout().lock())?, "standard output".to_owned()),
        Some(output) => {
            let path = if output.is_dir() {
                output.join(format!("service-{}.tar", Timestamp::now().strftime("%Y%m%dT%H%M%SZ")))
            } else {
                output.clone()
            };
            let mut written = None;
            replace(&path, |file| {
                written = Some(backup::write(&config.data, file)?);
                Ok(())
            })?;
            private::mend(&path).with_context(|| path.display().to_string())?;
            (written.context("nothing has been written")?, path.display().to_string())
        }
    };
    let Written { bytes, contents, lost } = written;
    // Standard output may be the archive.
    eprintln!("{place}: the store and {contents} contents of attachments, {} MiB", bytes.div_ceil(1 << 20));
    if let Some(first) = lost.first() {
        bail!(
            "the backup is whole, but {} contents were lost or damaged before it, such as {first}; `service doctor` says more",
            lost.len()
        );
    }
    Ok(())
}

/// Checks an archive, and puts it into the folder of data unless it is only to be checked.
pub fn restore(config: &Config, arguments: &cli::Restore) -> Result<()> {
    let shown = arguments.archive.display();
    let mut archive: Box<dyn io::Read> = if arguments.archive == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(&arguments.archive).with_context(|| shown.to_string())?)
    };
    let restored = if arguments.verify {
        backup::verify(&mut archive).with_context(|| shown.to_string())?
    } else {
        ensure_embedded(config, "restore", POSTGRES)?;
        ensure_folder(
            config,
            "restore",
            "restore without the setting `attachments`, then copy the folder into the bucket",
        )?;
        let _lock = Lock::take(&config.data)?;
        backup::restore(&mut archive, &config.data).with_context(|| shown.to_string())?
    };
    let Restored { manifest, known_migration } = restored;
    println!(
        "{shown}: a backup of {:.0} by program {}, migration {}, {} files; every hash is right, the store is whole",
        manifest.made_on,
        manifest.program,
        manifest.migration,
        manifest.files.len()
    );
    if manifest.migration < known_migration {
        println!(
            "this program has migration {known_migration}: the first `service serve` or `service migrate` brings it up to date"
        );
    }
    if !arguments.verify {
        println!("it is in {}", config.data.display());
    }
    match manifest.lost.first() {
        None => Ok(()),
        Some(first) => bail!(
            "{} contents of attachments were lost before the backup was made, such as {first}",
            manifest.lost.len()
        ),
    }
}
