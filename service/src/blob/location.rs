//! The location of attachments' contents.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use object_store::path::Path as Key;

/// A location of contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// A local folder, created if missing.
    Folder(PathBuf),
    /// A bucket of S3 or a compatible service.
    S3 {
        /// Its name.
        bucket: String,
        /// The prefix of all keys; may be empty.
        prefix: Key,
    },
}

impl Location {
    /// Parses `s3://bucket/prefix`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!("`{text}` is not a place for attachments: use `s3://bucket/prefix`, or leave it empty for a folder")
        };
        let (bucket, prefix) = match text.strip_prefix("s3://") {
            Some(rest) => rest.split_once('/').unwrap_or((rest, "")),
            None => return Err(wrong()),
        };
        let is_name = bucket.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte));
        let prefix = Key::parse(prefix.trim_matches('/')).map_err(|_| wrong())?;
        if bucket.is_empty() || !is_name { Err(wrong()) } else { Ok(Self::S3 { bucket: bucket.to_owned(), prefix }) }
    }

    /// The folder, if it is one.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(folder) => Some(folder),
            Self::S3 { .. } => None,
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(formatter, "{}", folder.display()),
            Self::S3 { bucket, prefix } if prefix.as_ref().is_empty() => write!(formatter, "s3://{bucket}"),
            Self::S3 { bucket, prefix } => write!(formatter, "s3://{bucket}/{prefix}"),
        }
    }
}
