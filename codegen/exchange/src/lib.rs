#![doc = include_str!("../README.md")]

mod answer;
mod breaks;
mod check;
mod document;
mod frames;
mod impossible;
mod make;
mod media_type;
mod mutation;
mod operation;
mod place;
mod request;
mod rule;
mod schema;
mod style;
mod template;
mod values;
mod xml;

pub use answer::{Answer, Wanted};
pub use breaks::Break;
pub use check::{Received, Violation};
pub use document::{Described, Document, Named, Parameter};
pub use frames::{is_stream, texts};
pub use impossible::{is_empty, is_impossible};
pub use make::{formatted, matching};
pub use media_type::{covers, essence, is_json, negotiate};
pub use mutation::{Mutation, mutations};
pub use operation::{Body, Credential, Header, Link, Operation, Response};
pub use place::{Direction, Place};
pub use request::{Content, Message, Part, Payload, Request, Sent};
pub use rule::{Broken, broken_rule, broken_rules};
pub use schema::{Hidden, Reading, validator};
pub use style::{Style, escaped};
pub use values::{Validator, Values};
pub use xml::{Fault, is_xml};
