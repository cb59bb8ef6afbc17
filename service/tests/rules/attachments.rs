//! Contents in a real folder, where they are kept, and the names of files.

use std::{io, ops::Range, path::Path, time::Duration};

use bytes::Bytes;
use futures_util::TryStreamExt as _;
use service::{
    blob::{Blobs, Error, Location, hash_of, name},
    disk::Reserve,
    domain::file_name::{content_disposition, extension, safe},
};

/// Identifies a stored upload.
#[derive(Debug, PartialEq)]
struct Stored {
    name: String,
    size: u64,
    head: Vec<u8>,
}

async fn store(blobs: &Blobs, chunks: &[&[u8]]) -> Result<Stored, Error> {
    let mut upload = blobs.upload(64 << 20, None);
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

    let mut upload = blobs.upload(6 << 20, None);
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
    let beside = folder.path().join("content").join(&kept.name[..2]).join(format!("{}#1", kept.name));
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

#[tokio::test]
async fn an_upload_ends_when_the_reserve_of_the_disk_is_touched() {
    let folder = tempfile::tempdir().expect("a folder");
    let blobs = Blobs::local(folder.path()).expect("a store");
    let beside = |bytes| blobs.upload(u64::MAX, Some(Reserve::new(folder.path().to_owned(), bytes)));
    let large = Bytes::from(vec![0; 1 << 20]);
    beside(1).write(large.clone()).await.expect("there is room");
    assert!(beside(u64::MAX).write(large).await.expect_err("no room").is_full());
    assert!(beside(u64::MAX).seal().await.expect_err("no room").is_full(), "a small one, too");
}

#[test]
fn it_is_touched_when_less_is_free() {
    let folder = tempfile::tempdir().expect("a folder");
    let reserve = |bytes| Reserve::new(folder.path().to_owned(), bytes);
    assert!(reserve(u64::MAX).is_touched().expect("the system answers"));
    assert!(!reserve(1).is_touched().expect("the system answers"));
    assert!(!reserve(0).is_touched().expect("the system is not asked"));
    assert!(Reserve::new("/not/there".into(), 1).is_touched().is_err());
}

#[test]
fn buckets_are_read_with_and_without_a_prefix() {
    let shown = |text: &str| Location::parse(text).map(|location| location.to_string());
    for text in ["s3://bucket", "s3://my.bucket-2/of/the service"] {
        assert_eq!(shown(text), Ok(text.to_owned()));
    }
    assert_eq!(shown("s3://bucket/prefix/"), Ok("s3://bucket/prefix".to_owned()));
    for text in [
        "",
        "s3://",
        "s3:///prefix",
        "s3://a b/c",
        "s3://a@b/c",
        "s3://bucket/../up",
        "data/attachments",
        "gs://bucket",
    ] {
        assert!(shown(text).is_err(), "{text}");
    }
}

#[test]
fn names_lose_folders_controls_and_direction_marks() {
    for (name, expected) in [
        ("report.pdf", Some("report.pdf")),
        ("../../etc/passwd", Some("passwd")),
        (r"..\..\boot.ini", Some("boot.ini")),
        (r"C:\x\y.txt", Some("y.txt")),
        ("a\r\nb\0.txt", Some("ab.txt")),
        ("evil\u{202e}fdp.exe", Some("evilfdp.exe")),
        ("  spaced .txt. ", Some("spaced .txt")),
        ("..", None),
        ("", None),
        ("folder/", None),
    ] {
        assert_eq!(safe(name).as_deref(), expected, "{name:?}");
    }
    let long = safe(&format!("{}.PDF", "é".repeat(300))).expect("a name");
    assert!(long.len() <= 255 && extension(&long) == ".pdf", "{long}");
}

#[test]
fn extensions_are_short_and_lower_case() {
    for (name, expected) in [("a.PDF", ".pdf"), ("a.tar.gz", ".gz"), ("none", ""), (".hidden", ""), ("a.b c", "")] {
        assert_eq!(extension(name), expected, "{name}");
    }
}

#[test]
fn headers_hold_ascii_and_the_real_name() {
    assert_eq!(content_disposition("a b.pdf"), "attachment; filename=\"a b.pdf\"");
    let expected = "attachment; filename=\"_rger__x.txt\"; filename*=UTF-8''%C3%84rger%22%E2%82%ACx.txt";
    assert_eq!(content_disposition("Ärger\"€x.txt"), expected);
}
