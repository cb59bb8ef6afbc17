//! Attachments. Not part of imports and exports: contents are not records.

use generated_server::models::Attachment;

use super::{member::*, *};

/// Files of accounts and contacts.
pub static ATTACHMENTS: Resource =
    Resource::new("Attachments", "attachment", "Attachment", "attachments", "attachments", stored!(&[]));

pub static ATTACHMENT: List<Attachment> = members!(ATTACHMENTS, Attachment {
    "Id"               id                  = id().sorted();
    "OriginalFileName" original_file_name  = text("original_file_name").folded().sorted();
    "AliasName"        alias_name          = text("alias_name");
    "FileType"         file_type           = text("file_type");
    "ObjectId"         object_id           = integer("object_id", 1);
    "ModuleId"         module_id           = integer("module_id", 1);
    "Url"              url                 = sql(URL);
    "WebUrl"           web_url             = sql("NULL");
    "CreatedById"      created_by_id       = writer("created_by_id");
    "CreatedByName"    created_by_name     = text("created_by_name");
    "CreatedOn"        created_on          = written_on("created_on").sorted();
    "IsUploadedToBlob" is_uploaded_to_blob = sql("1");
});

const URL: &str = "'/v2/system/attachments/' || module_id || '/' || object_id || '/' || id || '/download'";
