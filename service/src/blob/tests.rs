//! Contents in a real folder.

use super::*;

/// Identifies a stored upload.
#[derive(Debug, PartialEq)]
struct Stored {
    name: String,
    size: u64,
    head: Vec<u8>,
}

async fn store(blobs: &Blobs, chunks: &[&[u8]]) -> Result<Stored, Error> {
    let mut upload = blobs.upload(64 << 20);
    for chunk in chunks {
        upload.write(Bytes::copy_from_slice(chunk)).await?;
    }
    let sealed = upload.seal().await?;
    let stored = Stored { name: name(&sealed.hash), size: sealed.size, head: sealed.head.clone() };
    sealed.keep(&stored.name).await?;
    Ok(stored)
}

async fn everything(blobs: &Blobs, name: &str, range: Option<Range<u64>>) -> Vec<u8> {
    let stream = blobs.read(name, range).await.expect("the content is there");
    stream.try_fold(Vec::new(), async |all, bytes| Ok([all, bytes.to_vec()].concat())).await.expect("readable")
}

async fn names(blobs: &Blobs) -> Vec<String> {
    blobs.sizes().await.expect("listed").into_keys().collect()
}

fn files(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| if entry.path().is_dir() { files(&entry.path()) } else { 1 }).sum()
}

#[tokio::test]
async fn equal_files_are_kept_apart_and_read_back_in_whole_and_in_part() {
    let folder = tempfile::tempdir().expect("a folder");
    let blobs = Blobs::local(folder.path()).expect("a store");
    let first = store(&blobs, &[b"hello ", b"world"]).await.expect("stored");
    let second = store(&blobs, &[b"hello world"]).await.expect("stored");
    assert_ne!(first.name, second.name);
    for name in [&first.name, &second.name] {
        assert_eq!(hash_of(name), "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9");
    }
    blobs.remove(&second.name).await.expect("removed");
    assert_eq!(files(folder.path()), 1);
    assert_eq!(everything(&blobs, &first.name, None).await, b"hello world");
    assert_eq!(everything(&blobs, &first.name, Some(6..9)).await, b"wor");
}

#[tokio::test]
async fn too_large_is_refused_and_what_is_left_is_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let blobs = Blobs::local(folder.path()).expect("a store");
    let kept = store(&blobs, &[b"kept"]).await.expect("stored");
    let gone = store(&blobs, &[b"gone"]).await.expect("stored");

    let mut upload = blobs.upload(6 << 20);
    upload.write(Bytes::from(vec![0; 5 << 20])).await.expect("within the limit");
    let error = upload.write(Bytes::from(vec![0; 2 << 20])).await.expect_err("over the limit");
    assert!(matches!(error, Error::TooLarge { limit } if limit == 6 << 20));
    drop(upload);

    blobs.remove(&gone.name).await.expect("removed");
    blobs.remove(&gone.name).await.expect("removed again");
    assert_eq!(blobs.remove_staged(Duration::from_hours(1)).await.expect("swept"), 0, "all are young");
    blobs.remove_staged(Duration::ZERO).await.expect("swept");
    assert_eq!(names(&blobs).await, [kept.name.as_str()]);
    assert_eq!(files(folder.path()), 1);
}

#[tokio::test]
async fn what_a_crash_has_left_half_written_is_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let blobs = Blobs::local(folder.path()).expect("a store");
    let kept = store(&blobs, &[b"kept"]).await.expect("stored");
    let beside = folder.path().join(CONTENT).join(&kept.name[..2]).join(format!("{}#1", kept.name));
    std::fs::write(&beside, "ke").expect("written");
    assert_eq!(blobs.remove_staged(Duration::from_hours(1)).await.expect("swept"), 0, "it may be under way");
    assert_eq!(blobs.remove_staged(Duration::ZERO).await.expect("swept"), 1);
    assert!(!beside.exists());
    assert_eq!(names(&blobs).await, [kept.name]);
}

#[test]
fn a_full_disk_is_told_from_other_failures() {
    let failure =
        |kind| Error::Store(object_store::Error::Generic { store: "local", source: Box::new(io::Error::from(kind)) });
    assert!(failure(io::ErrorKind::StorageFull).is_full());
    assert!(failure(io::ErrorKind::QuotaExceeded).is_full());
    assert!(!failure(io::ErrorKind::PermissionDenied).is_full());
}

#[test]
fn a_bucket_that_is_not_there_is_told_from_a_blob_that_is_not() {
    let error = |text: &str| {
        Error::from(object_store::Error::NotFound { path: String::new(), source: Box::from(text.to_owned()) })
    };
    assert!(matches!(error("<Error><Code>NoSuchBucket</Code></Error>"), Error::Unavailable("is not there", _)));
    assert!(matches!(error("<Error><Code>NoSuchKey</Code></Error>"), Error::Store(_)));
}
