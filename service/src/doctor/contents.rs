//! The contents of attachments beside the records that refer to them.

use std::{
    collections::HashSet,
    fs, io,
    path::Path,
    time::{Duration, SystemTime},
};

use sha2::{Digest as _, Sha256};

use super::{Finding, walk};
use crate::{blob, store::StoreFile};

/// What is younger may still be on its way: an upload is written before its record is.
const YOUNG: Duration = Duration::from_hours(2);

/// Compares the records with the files; `full` reads every file and compares its hash.
pub(super) fn examine(
    store: &StoreFile,
    folder: &Path,
    full: bool,
) -> Result<Vec<Finding>, Box<dyn std::error::Error + Send + Sync>> {
    let mut findings = Vec::new();
    for blob in store.used_blobs()? {
        let lost = |what: &str| {
            let remedy = "take it from a backup, or have the attachment uploaded again";
            Finding::new(format!("the content {}, which attachments refer to, {what}", blob.name), remedy)
        };
        let path = blob::file(folder, &blob.name);
        match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => findings.push(lost("is not there")),
            Err(error) => findings.push(lost(&format!("cannot be read: {error}"))),
            Ok(metadata) if metadata.len() != blob.size => {
                findings.push(lost(&format!("has {} bytes instead of {}", metadata.len(), blob.size)));
            }
            Ok(_) if full => match hash_of(&path) {
                Ok(found) if found == blob.hash.0 => {}
                Ok(_) => findings.push(lost("has other bytes than were uploaded")),
                Err(error) => findings.push(lost(&format!("cannot be read: {error}"))),
            },
            Ok(_) => {}
        }
    }

    let known: HashSet<String> = store.known_blobs()?.into_iter().collect();
    let (mut orphans, mut staged) = (Vec::new(), Vec::new());
    if folder.exists() {
        walk(folder, &mut |path, metadata| {
            let age = SystemTime::now().duration_since(metadata.modified()?).unwrap_or_default();
            if !metadata.is_file() || age < YOUNG {
                return Ok(());
            }
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if blob::file(folder, &name) != path {
                staged.push(path.to_owned());
            } else if !known.contains(&*name) {
                orphans.push(path.to_owned());
            }
            Ok(())
        })?;
    }
    if let Some(first) = orphans.first() {
        let what = format!("{} contents belong to no record, such as {}", orphans.len(), first.display());
        findings.push(Finding::new(what, "they only take space: delete them once a backup has been verified"));
    }
    if let Some(first) = staged.first() {
        let what = format!("{} uploads were cut off long ago, such as {}", staged.len(), first.display());
        findings.push(Finding::new(what, "a running service removes them within minutes; else delete them"));
    }
    Ok(findings)
}

fn hash_of(path: &Path) -> io::Result<[u8; 32]> {
    let mut hash = Sha256::new();
    let mut file = fs::File::open(path)?;
    let mut buffer = vec![0; 64 << 10];
    loop {
        match io::Read::read(&mut file, &mut buffer)? {
            0 => return Ok(hash.finalize().into()),
            count => hash.update(&buffer[..count]),
        }
    }
}
