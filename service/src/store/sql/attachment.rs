//! What lists of attachments are read from.

use generated_server::{
    models::{Attachment, TempAttachment},
    runtime::json::Maybe,
};

use super::{Conditions, Index, Resource, Viewer, column};
use crate::domain::change::Subject;

pub(in crate::store) static ATTACHMENT: Resource<Attachment> = Resource {
    table: "attachments",
    key: Index::Key,
    counters: None,
    narrow: Index::Key,
    columns: &[
        column!("Id", id, "id", key),
        column!("OriginalFileName", original_file_name, "original_file_name", by "attachments_by_name" on "original_file_name_folded"),
        column!("AliasName", alias_name, "alias_name"),
        column!("FileType", file_type, "file_type"),
        column!("ObjectId", object_id, "object_id"),
        column!("ModuleId", module_id, "module_id"),
        column!("Url", url, "'/v2/system/attachments/' || module_id || '/' || object_id || '/' || id || '/download'"),
        column!("WebUrl", web_url, "NULL"),
        column!("CreatedById", created_by_id, "created_by_id"),
        column!("CreatedByName", created_by_name, "created_by_name"),
        column!("CreatedOn", created_on, "created_on", by "attachments_by_created"),
        column!("IsUploadedToBlob", is_uploaded_to_blob, "1"),
    ],
};

/// The attachments of an object.
pub(in crate::store) fn of_object(viewer: Viewer<'_>, module: i32, object: i32) -> Conditions {
    viewer.conditions_of(&[("module_id", module.into()), ("object_id", object.into())])
}

/// A temporary upload, as it is answered.
pub(in crate::store) fn temporary_output(name: String, alias: String, file_type: Option<String>) -> TempAttachment {
    TempAttachment {
        name: Maybe::Value(name),
        alias: Maybe::Value(alias),
        file_type: file_type.into(),
        is_uploaded_to_blob: Maybe::Value(true),
    }
}

/// What a temporary upload is called when it changes.
pub(in crate::store) fn temporary_subject(alias: &str) -> Subject {
    Subject::new("TemporaryAttachment", alias)
}
