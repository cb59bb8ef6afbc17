//! Files of all sorts.

use crate::runtime::client::{Call, Client, Download, Undocumented};

mod attach;
mod get_file;
mod put_file;
mod write_note;

pub use attach::{Attach, AttachBody};
pub use get_file::{GetFile, GetFileError};
pub use put_file::PutFile;
pub use write_note::{WriteNote, WriteNoteBody};

/// The operations tagged `files`.
#[derive(Clone, Debug)]
pub struct Files {
    client: Client,
}

impl Files {
    pub(crate) fn new(client: &Client) -> Self {
        Self { client: client.clone() }
    }

    /// `PUT /files/{name}`
    pub fn put_file(&self, request: PutFile) -> Call<(), Undocumented> {
        request.call(&self.client)
    }

    /// `GET /files/{name}`
    pub fn get_file(&self, request: GetFile) -> Call<Download, GetFileError> {
        request.call(&self.client)
    }

    /// `POST /files/{name}`
    pub fn attach(&self, request: Attach) -> Call<String, Undocumented> {
        request.call(&self.client)
    }

    /// `POST /notes`
    pub fn write_note(&self, request: WriteNote) -> Call<String, Undocumented> {
        request.call(&self.client)
    }
}
