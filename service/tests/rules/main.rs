//! The rules of the service, through the public functions of its library.

mod attachments;
mod description;
mod health;
mod import;
mod json_patch;
mod limits;
mod odata;
mod schedule;
mod settings;
mod texts;
mod thumbnail;
mod tokens;
