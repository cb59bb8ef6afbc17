//! `in: formData` → urlencoded and multipart request bodies.

use serde_json::{Value, json};

use super::operation::Payload;
use super::parameter::style;
use super::request_body::is_required;
use super::{MediaTypes, Members, Upgrade};
use crate::diagnostic::Code;
use crate::location::joined;

const URLENCODED: &str = "application/x-www-form-urlencoded";
const MULTIPART: &str = "multipart/form-data";

impl Upgrade<'_> {
    /// A form with these fields.
    pub(super) fn form(&mut self, fields: &[&Payload<'_>], consumes: &MediaTypes, to: &str) -> Value {
        if let Some(first) = fields.first() {
            self.moves.add(to, &first.listed);
        }
        let has_file = fields.iter().any(|field| field.members.get("type").is_some_and(|ty| ty == "file"));
        let mut content = Members::new();
        for media_type in self.form_media_types(has_file, consumes) {
            let to = joined(to, &["content", &media_type, "schema"]);
            let mut value = Members::new();
            value.insert("schema".to_owned(), self.object_schema(fields, &to));
            let encoding = self.encoding(fields, &media_type);
            if !encoding.is_empty() {
                value.insert("encoding".to_owned(), Value::Object(encoding));
            }
            content.insert(media_type, Value::Object(value));
        }
        json!({"content": content, "required": fields.iter().any(|field| is_required(field.members))})
    }

    /// The media types that can hold the form and its files.
    fn form_media_types(&mut self, has_file: bool, consumes: &MediaTypes) -> Vec<String> {
        let is_fit = |media_type: &&String| {
            media_type.starts_with("multipart/") || (!has_file && media_type.starts_with(URLENCODED))
        };
        let (fit, others): (Vec<String>, Vec<String>) =
            consumes.list.iter().cloned().partition(|media_type| is_fit(&media_type));
        if let Some(own) = &consumes.own {
            let what = if has_file { "a form with a file" } else { "a form" };
            for other in others {
                let index = self.old.pointer(own).and_then(Value::as_array);
                let index = index.and_then(|list| list.iter().position(|media_type| *media_type == other));
                let from = joined(own, &[&index.unwrap_or_default().to_string()]);
                self.report(Code::NotUsed, &from, format!("{what} is not sent as `{other}`"))
                    .help(format!("`{MULTIPART}` and, without files, `{URLENCODED}` are the media types of forms"));
            }
        }
        if fit.is_empty() { vec![if has_file { MULTIPART } else { URLENCODED }.to_owned()] } else { fit }
    }

    /// The serialization of lists.
    fn encoding(&mut self, fields: &[&Payload<'_>], media_type: &str) -> Members {
        let mut encoding = Members::new();
        for field in fields {
            let style = style(field.members, "formData");
            if !style.is_empty() {
                if media_type.starts_with("multipart/") {
                    self.report(
                        Code::NotUsed,
                        &field.listed,
                        format!("the list `{}` is not put into one part", field.name()),
                    )
                    .label("it is a part for each item, as with `collectionFormat: multi`");
                }
                encoding.insert(field.name().to_owned(), Value::Object(style));
            }
        }
        encoding
    }
}
