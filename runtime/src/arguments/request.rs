//! From values to the request of an operation.

use super::table::{Form, PartKind, Place};
use super::{Arguments, Body, BodyKind, Parameter, Part, TextForm};
use crate::client::{self, Client, JsonItems, JsonText, Request};
use crate::json::{Base64, Unwritable, Value};
use crate::multipart::{self, MultipartWriter};
use crate::parameter::{Given, Style, ToParameter};
use crate::stream::{Event, json_writer, write_json_event, write_text_event};
use crate::text::FromText;

/// Files by the place of the argument that they are the value of, such as `body.file`.
pub(crate) type Files = Vec<(String, multipart::Part)>;

impl Arguments {
    /// The request with these values, or what is wrong with them. They match the schema of the arguments. What is in
    /// `files` takes the place of the value there.
    pub(crate) fn request(&self, client: &Client, values: &Value, mut files: Files) -> Result<Request, String> {
        let mut request = Request::new(client, self.operation);
        if let Some(server) = self.server {
            request = request.server(server);
        }
        for parameter in self.parameters {
            if let Some(value) = values.get(parameter.argument) {
                request = add(request, parameter, value);
            }
        }
        match self.body.and_then(|body| Some((body, values.get(body.argument)?))) {
            Some((body, value)) => add_body(request, &body, value, &mut files),
            None => Ok(request),
        }
    }
}

fn add(request: Request, parameter: &Parameter, value: &Value) -> Request {
    match (parameter.form, value) {
        (Form::JsonItems, Value::Array(items)) => styled(request, parameter, Style::FORM, &JsonItems(items)),
        (Form::Json | Form::JsonItems, value) => {
            let style = match parameter.place {
                Place::Query | Place::Cookie => Style::FORM,
                Place::Path | Place::Header | Place::QueryString => Style::SIMPLE,
            };
            styled(request, parameter, style, &JsonText(value))
        }
        (Form::Style(style, form), value) => styled(request, parameter, style, &Given { value, form: &form }),
    }
}

fn styled<T: ToParameter>(request: Request, parameter: &Parameter, style: Style, value: &T) -> Request {
    let name = parameter.name;
    match parameter.place {
        Place::Path => request.styled_path(name, style, value),
        Place::Query => request.styled_query(name, style, value),
        Place::Header => request.styled_header(name, style, value),
        Place::Cookie => request.styled_cookie(name, style, value),
        Place::QueryString => request.query_string(value),
    }
}

fn add_body(request: Request, body: &Body, value: &Value, files: &mut Files) -> Result<Request, String> {
    let Body { argument, media_type, kind } = *body;
    Ok(match kind {
        BodyKind::Json => request.json(media_type, value),
        BodyKind::Text => request.text(media_type, &text(value)),
        BodyKind::Form { styles, form } => request.form_with(styles, media_type, &Given { value, form: &form }),
        BodyKind::Bytes => {
            let file = file(value, argument, argument, files)?;
            request.body(media_type, file.into())
        }
        BodyKind::TextEvents | BodyKind::JsonEvents | BodyKind::JsonLines => {
            let bytes = stream(kind, media_type, items(value)).map_err(|error| error.to_string())?;
            request.body(media_type, client::Body::bytes(bytes))
        }
        BodyKind::Multipart(parts) | BodyKind::Positional(parts) => {
            let is_positional = matches!(kind, BodyKind::Positional(_));
            let mut writer = if is_positional { MultipartWriter::positional() } else { MultipartWriter::new() };
            for (index, part) in parts.iter().enumerate() {
                let Some(value) = value.get(part.name) else { continue };
                let values = if part.repeated { items(value) } else { std::slice::from_ref(value) };
                let place = format!("{argument}.{}", part.name);
                let position = is_positional.then(|| index.to_string());
                for value in values {
                    let name = position.as_deref().unwrap_or(part.name);
                    writer = add_part(writer, part, name, value, &place, files)?;
                }
            }
            request.multipart(media_type, writer)
        }
    })
}

fn add_part(
    writer: MultipartWriter,
    part: &Part,
    name: &str,
    value: &Value,
    place: &str,
    files: &mut Files,
) -> Result<MultipartWriter, String> {
    let Part { kind, content_type, style, .. } = *part;
    if let Some(style) = style {
        return Ok(writer.text_with(part.name, style, &Given { value, form: &TextForm::Plain }));
    }
    Ok(match (kind, content_type) {
        (PartKind::Text, None) => writer.text(name, &text(value)),
        (PartKind::Text, Some(content_type)) => writer.typed_text(name, content_type, &text(value)),
        (PartKind::Json, content_type) => writer.json(name, content_type.unwrap_or("application/json"), value),
        (PartKind::File, content_type) => {
            let file = file(value, part.name, place, files)?;
            writer.file(name, content_type.unwrap_or("application/octet-stream"), file)
        }
    })
}

/// The items of a stream, one after the other.
fn stream(kind: BodyKind, media_type: &str, items: &[Value]) -> Result<Vec<u8>, Unwritable> {
    let mut bytes = Vec::new();
    for item in items {
        match (kind, item) {
            (BodyKind::TextEvents, Value::String(text)) => write_text_event(&Event::new(text.clone()), &mut bytes)?,
            (BodyKind::TextEvents | BodyKind::JsonEvents, item) => write_json_event(&Event::new(item), &mut bytes)?,
            (_, item) => json_writer(media_type)(item, &mut bytes)?,
        }
    }
    Ok(bytes)
}

fn items(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_default()
}

/// A text as it is, another value as JSON.
fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The next file of this place, or the one that the value describes.
fn file(value: &Value, name: &str, place: &str, files: &mut Files) -> Result<multipart::Part, String> {
    if let Some(index) = files.iter().position(|(of, _)| of == place) {
        return Ok(files.remove(index).1);
    }
    let member = |name: &str| value.get(name).and_then(Value::as_str);
    let bytes = match (member("text"), member("base64")) {
        (Some(text), None) => text.as_bytes().to_vec(),
        (None, Some(text)) => {
            Base64::from_text(text).map_err(|refusal| format!("`{place}.base64` {}", refusal.detail))?.0
        }
        (None, None) | (Some(_), Some(_)) => {
            return Err(format!("`{place}` has its content in `text` or in `base64`, in one of them"));
        }
    };
    let file = multipart::Part::bytes(member("fileName").unwrap_or(name), bytes);
    Ok(member("mediaType").into_iter().fold(file, multipart::Part::content_type))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_break_does_not_end_an_event() {
        let items = [Value::String("a\rid: 7\r\nb".to_owned())];
        let bytes = stream(BodyKind::TextEvents, "text/event-stream", &items).unwrap();
        assert_eq!(String::from_utf8(bytes).unwrap(), "data: a\ndata: id: 7\ndata: b\n\n");
    }
}
