//! The multipart bodies of an operation: the sender fills a struct, the receiver reads one part after the other.

mod reader;
mod writer;

use super::content::{self, Direction};
use crate::emit::{Side, ty};
use crate::ir::{Api, Content, ContentKind, Multipart, Operation, Part, PartKind, Type, Value};
use proc_macro2::TokenStream;
use quote::quote;

pub(crate) use reader::parts;

/// A multipart body with the name of its type.
struct Body<'a> {
    rust: String,
    multipart: &'a Multipart,
    direction: Direction,
}

impl Body<'_> {
    /// What it is the body of, for documentation.
    fn of(&self, operation: &Operation) -> String {
        let of = match self.direction {
            Direction::Request => "of",
            Direction::Response => "of a response to",
        };
        format!("{of} [`{}`]", operation.name.rust)
    }

    /// Whether this side reads it.
    fn is_read(&self, side: Side) -> bool {
        (self.direction == Direction::Request) == (side == Side::Server)
    }
}

/// The types of the bodies and their parts.
pub(crate) fn items(api: &Api, side: Side, operation: &Operation) -> TokenStream {
    let items = bodies(operation).into_iter().map(|body| {
        if body.is_read(side) {
            reader::items(api, side, operation, &body)
        } else {
            writer::items(api, operation, &body)
        }
    });
    items.collect()
}

/// The names of these types.
pub(crate) fn names(side: Side, operation: &Operation) -> Vec<String> {
    let names = |body: Body<'_>| match body.multipart.item() {
        None if body.is_read(side) => vec![body.multipart.part_rust.clone(), body.rust],
        _ => vec![body.rust],
    };
    bodies(operation).into_iter().flat_map(names).collect()
}

fn bodies(operation: &Operation) -> Vec<Body<'_>> {
    let request = operation.request_body.iter().flat_map(|body| of(&body.contents, &body.rust, Direction::Request));
    let responses = operation.responses.all();
    let responses = responses.flat_map(|response| of(&response.contents, &response.body_rust, Direction::Response));
    request.chain(responses).collect()
}

fn of<'a>(contents: &'a [Content], rust: &str, direction: Direction) -> Vec<Body<'a>> {
    let name = |content| if contents.len() > 1 { content::variant_rust(content, rust) } else { rust.to_owned() };
    let multipart = contents.iter().filter_map(|content| match &content.kind {
        ContentKind::Multipart(multipart) => Some(Body { rust: name(content), multipart, direction }),
        ContentKind::Json(_)
        | ContentKind::Xml(_)
        | ContentKind::Text(_)
        | ContentKind::Bytes
        | ContentKind::Form(_)
        | ContentKind::Events(_)
        | ContentKind::JsonLines(_) => None,
    });
    multipart.collect()
}

/// The type of one part; `file` is that of a file.
fn held(api: &Api, part: &Part, file: TokenStream) -> TokenStream {
    let held = match part.kind {
        PartKind::File => file,
        PartKind::Text | PartKind::Json => ty::present(api, value(part)),
    };
    if part.has_headers() { quote!(multipart::WithHeaders<#held>) } else { held }
}

/// The value of one part.
fn value(part: &Part) -> &Value {
    match &part.field.value.ty {
        // The items of a list are parts of their own.
        Type::Array(item) if part.repeated => item,
        _ => &part.field.value,
    }
}
