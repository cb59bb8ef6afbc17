//! Attachments and the contents they stand for.

use std::fmt;

use jiff::Timestamp;

/// The SHA-256 of a content.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash(pub [u8; 32]);

impl fmt::Display for ContentHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// What an attachment or a temporary upload holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// The hash of its bytes.
    pub hash: ContentHash,
    /// The name of the blob that holds them.
    pub blob: String,
    /// How many there are.
    pub size: u64,
    /// Its media type, as found in its first bytes.
    pub media_type: String,
}

/// A position among the contents of a tenant, by when they were last claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContentPosition {
    /// When it was claimed, in microseconds since 1970.
    pub claimed_on: i64,
    /// Its hash.
    pub hash: ContentHash,
}

/// Contents that nothing refers to, among some that were looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnusedContents {
    /// Their hashes.
    pub hashes: Vec<ContentHash>,
    /// The last one that was looked at; none when there are no more.
    pub next: Option<ContentPosition>,
}

/// An attachment to create.
#[derive(Clone, Debug, PartialEq)]
pub struct NewAttachment {
    /// `ModuleId`
    pub module_id: i32,
    /// `ObjectId`
    pub object_id: i32,
    /// `OriginalFileName`
    pub original_file_name: String,
    /// `AliasName`, unlike any other.
    pub alias_name: String,
    /// `FileType`
    pub file_type: Option<String>,
    /// What it holds.
    pub content: Content,
}

/// An attachment to create of a temporary upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UploadToAttach {
    /// The module of the object, which the upload was meant for.
    pub module_id: i32,
    /// The object to attach it to.
    pub object_id: i32,
    /// The `Alias` of the upload.
    pub alias: String,
}

/// The place of an attachment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttachmentKey {
    /// The module of the object.
    pub module_id: i32,
    /// The object it is attached to.
    pub object_id: i32,
    /// Its own id.
    pub id: i32,
}

/// A temporary upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemporaryUpload {
    /// `Alias`, unlike any other.
    pub alias: String,
    /// The module it is meant for.
    pub module_id: i32,
    /// `Name`
    pub name: String,
    /// `FileType`
    pub file_type: Option<String>,
    /// When it is removed by itself.
    pub expires_on: Timestamp,
    /// What it holds.
    pub content: Content,
}
