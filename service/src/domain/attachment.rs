//! Attachments and their contents.

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

/// The content of an attachment or a temporary upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// The hash of its bytes.
    pub hash: ContentHash,
    /// The name of the blob that holds them.
    pub blob: String,
    /// Size in bytes.
    pub size: u64,
    /// Its media type, detected from the first bytes.
    pub media_type: String,
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
    /// `AliasName`, unique.
    pub alias_name: String,
    /// `FileType`
    pub file_type: Option<String>,
    /// Its content.
    pub content: Content,
}

/// An attachment to create from a temporary upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UploadToAttach {
    /// The module of the object, the same as the upload's.
    pub module_id: i32,
    /// The object to attach it to.
    pub object_id: i32,
    /// The `Alias` of the upload.
    pub alias: String,
}

/// Identifies an attachment.
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
    /// `Alias`, unique.
    pub alias: String,
    /// The module it is intended for.
    pub module_id: i32,
    /// `Name`
    pub name: String,
    /// `FileType`
    pub file_type: Option<String>,
    /// When it expires.
    pub expires_on: Timestamp,
    /// Its content.
    pub content: Content,
}
