//! Compares contents of attachments with the records that refer to them.

use std::{collections::HashMap, time::Duration};

use futures_util::{StreamExt as _, stream};

use super::{Error, Finding};
use crate::{
    causes::with_causes,
    place::Place,
    store::{KnownBlob, Snapshot},
};

/// Minimum age of unused contents: an upload is written before its record.
const YOUNG: Duration = Duration::from_hours(2);
/// Number of contents read concurrently.
const AT_ONCE: usize = 4;

/// Compares the records with the contents; `full` reads every content and compares its hash.
pub(super) async fn examine(store: &Snapshot, place: &Place, full: bool) -> Result<Vec<Finding>, Error> {
    let (used, known) = (store.used_blobs().await?, store.known_blobs().await?);
    let (mut there, mut orphans, mut staged) = (HashMap::new(), Vec::new(), Vec::new());
    let blobs = match place.blobs_that_are_there() {
        Ok(blobs) => blobs,
        Err(error) => return Ok(vec![unreachable(place, &error)]),
    };
    if let Some(blobs) = &blobs {
        let visited = blobs.visit(YOUNG, |found| match found.blob {
            Some(name) => {
                if found.is_old && !known.contains(&name) {
                    orphans.push(found.path);
                }
                there.insert(name, found.size);
            }
            None if found.is_old => staged.push(found.path),
            None => {}
        });
        if let Err(error) = visited.await {
            return Ok(vec![unreachable(place, &error)]);
        }
    }

    let look = async |blob: &KnownBlob| match (there.get(&blob.name), &blobs) {
        (None, _) | (_, None) => Some(lost(blob, "is not there")),
        (Some(size), _) if *size != blob.size => {
            Some(lost(blob, &format!("has {size} bytes instead of {}", blob.size)))
        }
        (Some(_), Some(blobs)) if full => match blobs.hash(&blob.name).await {
            Ok(hash) if hash == blob.hash.0 => None,
            Ok(_) => Some(lost(blob, "has other bytes than were uploaded")),
            Err(error) => Some(lost(blob, &format!("cannot be read: {}", with_causes(&error)))),
        },
        (Some(_), Some(_)) => None,
    };
    let looks = stream::iter(&used).map(look).buffered(AT_ONCE);
    let mut findings: Vec<Finding> = looks.filter_map(std::future::ready).collect().await;
    for (paths, what, remedy) in [
        (orphans, "contents belong to no record", "they only take space: delete them once a backup has been verified"),
        (staged, "uploads were cut off long ago", "a running service removes them within minutes; else delete them"),
    ] {
        if let Some(first) = paths.first() {
            let what = format!("{} {what}, such as {}/{first}", paths.len(), place.attachments);
            findings.push(Finding::new(what, remedy));
        }
    }
    Ok(findings)
}

fn lost(blob: &KnownBlob, what: &str) -> Finding {
    let remedy = "take it from a backup or an earlier version of the bucket, or have the attachment uploaded again";
    Finding::new(format!("the content {}, which attachments refer to, {what}", blob.name), remedy)
}

fn unreachable(place: &Place, error: &crate::blob::Error) -> Finding {
    let what = format!("the attachments in {} cannot be examined: {}", place.attachments, with_causes(error));
    Finding::new(what, "see to it that they can be reached and read, then `service doctor` again")
}
