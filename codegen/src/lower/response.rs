//! Responses: statuses, success and failure, typed headers.

use openapiv3::{ReferenceOr, StatusCode};

use super::operation::Site;
use super::schema::plain;
use super::{Context, name, status};
use crate::diagnostic::Code;
use crate::ir::{ContentKind, Header, Method, Name, Response, Responses, Status, Type, Value};
use crate::location::Location;

impl Context<'_> {
    /// What an operation answers.
    pub(crate) fn responses(&mut self, operation: &openapiv3::Operation, site: &Site<'_>) -> Responses {
        let mut declared = Vec::new();
        let list = self.node(&site.location.member("responses"));
        for (key, node) in list.map(|list| list.own_members()).unwrap_or_default() {
            let Some(status) = status::status(key) else { continue };
            let response = match status {
                Status::Code(code) => operation.responses.responses.get(&StatusCode::Code(code)),
                Status::Range(first) => operation.responses.responses.get(&StatusCode::Range(first.into())),
                Status::Default => operation.responses.default.as_ref(),
            };
            declared.extend(response.and_then(|response| self.response(response, status, &node.location, site)));
        }
        let succeeds = declared.iter().any(|response| status::is_success(response.status));
        let (mut success, failure): (Vec<_>, Vec<_>) = declared.into_iter().partition(|response| {
            status::is_success(response.status) || (response.status == Status::Default && !succeeds)
        });
        if success.is_empty() {
            self.report(
                Code::NoSuccess,
                &site.location.member("responses").name(),
                "no response says that this operation succeeds",
            )
            .label("an empty answer with status 200 is assumed")
            .help("declare the status it answers with, such as `\"204\": { description: Done. }`");
            success.push(empty(Status::Code(200)));
        }
        let shared_failure = shared(&failure);
        let mut responses = Responses {
            success,
            failure,
            success_rust: format!("{}Response", site.rust),
            failure_rust: format!("{}Error", site.rust),
            shared_failure,
        };
        name_variants(&mut responses, &site.rust);
        responses
    }

    fn response(
        &mut self,
        response: &ReferenceOr<openapiv3::Response>,
        status: Status,
        location: &Location,
        site: &Site<'_>,
    ) -> Option<Response> {
        let (response, location) = self.object(response, location)?;
        let shared = location.pointer().strip_prefix("/components/responses/").map(name::pascal);
        let content = self.node(&location.member("content"));
        let has_no_body = matches!(status, Status::Code(100..=199 | 204 | 205 | 304)) || site.method == Method::Head;
        let hint = shared.unwrap_or_else(|| {
            let variant = if status == Status::Code(200) { String::new() } else { status::variant(status) };
            format!("{}{variant}Response", site.rust)
        });
        let contents = match content {
            Some(content) if !has_no_body => self.contents(&content, &hint),
            Some(content) if site.method != Method::Head && !content.own_members().is_empty() => {
                self.report(Code::NotUsed, &content.location.name(), "HTTP allows no body with this status")
                    .label("the content is left out");
                Vec::new()
            }
            Some(_) | None => Vec::new(),
        };
        let mut headers = Vec::new();
        for (wire, header) in &response.headers {
            // The specification has the media type declared in `content`.
            if !wire.eq_ignore_ascii_case("content-type") {
                headers.extend(self.header(wire, header, &location.members(&["headers", wire]), &hint));
            }
        }
        let reserved: &[&str] = &["body", "status"];
        let wanted: Vec<_> = headers.iter().map(|header| name::snake(&header.name.wire)).collect();
        for (header, rust) in headers.iter_mut().zip(name::unique(&wanted, &mut name::Scope::reserving(reserved))) {
            header.name.rust = rust;
        }
        let doc = Some(response.description.trim().to_owned()).filter(|text| !text.is_empty());
        Some(Response { doc, headers, contents, ..empty(status) })
    }

    fn header(
        &mut self,
        wire: &str,
        header: &ReferenceOr<openapiv3::Header>,
        location: &Location,
        hint: &str,
    ) -> Option<Header> {
        let (header, location) = self.object(header, location)?;
        let shared = location.pointer().strip_prefix("/components/headers/").map(name::pascal);
        let hint = shared.unwrap_or_else(|| format!("{hint}{}", name::pascal(wire)));
        let schema = self.node(&location.member("schema"));
        let mut value = schema.as_ref().map_or_else(|| plain(Type::String), |schema| self.value(schema, &hint));
        if value.ty == Type::Any || header_is_content(&header) {
            value = plain(Type::String);
        }
        let shape = self.parameter_shape(&mut value, wire, &location);
        let explode = self.node(&location).is_some_and(|node| node.flag("explode"));
        let described = header.description.clone().filter(|text| !text.trim().is_empty());
        let schema = schema.map(|schema| self.schema(&schema));
        Some(Header {
            name: Name { wire: wire.to_ascii_lowercase(), rust: String::new() },
            doc: described.or_else(|| schema.and_then(|schema| schema.text("description").map(str::to_owned))),
            value: Value { nullable: false, ..value },
            shape,
            explode,
            required: header.required,
        })
    }
}

fn header_is_content(header: &openapiv3::Header) -> bool {
    matches!(header.format, openapiv3::ParameterSchemaOrContent::Content(_))
}

fn empty(status: Status) -> Response {
    Response {
        status,
        rust: String::new(),
        doc: None,
        headers: Vec::new(),
        contents: Vec::new(),
        body_rust: String::new(),
    }
}

/// The body that all failures carry, alone.
fn shared(failure: &[Response]) -> Option<Value> {
    let body = |response: &Response| match &response.contents[..] {
        [content] if response.headers.is_empty() => match &content.kind {
            ContentKind::Json(value) => Some(value.clone()),
            ContentKind::Text | ContentKind::Bytes | ContentKind::Form(_) | ContentKind::Multipart(_) => None,
        },
        _ => None,
    };
    let (first, rest) = failure.split_first()?;
    let value = body(first)?;
    rest.iter().all(|response| body(response).as_ref() == Some(&value)).then_some(value)
}

fn name_variants(responses: &mut Responses, operation: &str) {
    for list in [&mut responses.success, &mut responses.failure] {
        let wanted: Vec<_> = list.iter().map(|response| status::variant(response.status)).collect();
        let names = name::unique(&wanted, &mut name::Scope::default());
        for (response, rust) in list.iter_mut().zip(names) {
            response.body_rust = format!("{operation}{rust}Body");
            response.rust = rust;
        }
    }
}
