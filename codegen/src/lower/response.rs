//! Responses: statuses, success and failure, typed headers.

use openapiv3::{ReferenceOr, StatusCode};

use super::operation::Site;
use super::schema::plain;
use super::{Context, name, status};
use crate::diagnostic::Code;
use crate::ir::{
    ContentKind, Header, Method, Name, ParameterShape, ParameterStyle, Response, Responses, Status, Type, Value,
};
use crate::location::Location;

/// Headers that come with every message; a service that filled them in could only contradict the message, and break it.
const OF_HTTP: &[&str] = &[
    "connection",
    "content-length",
    "date",
    "keep-alive",
    "proxy-connection",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

impl Context<'_> {
    /// What an operation answers.
    pub(crate) fn responses(&mut self, operation: &openapiv3::Operation, site: &Site<'_>) -> Responses {
        let mut declared = Vec::new();
        let list = self.node(&site.location.member("responses"));
        for (key, node) in list.map(|list| list.own_members()).unwrap_or_default() {
            let Some(status) = status::status(key) else { continue };
            if status::is_interim(status) {
                self.report(
                    Code::NotUsed,
                    &node.location.name(),
                    format!("`{key}` is no answer: another one follows it"),
                )
                .label("it is left to HTTP");
                continue;
            }
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
        let headers = self.headers(&response, &location, site, &hint);
        let doc = Some(response.description.trim().to_owned()).filter(|text| !text.is_empty());
        Some(Response { doc, headers, contents, ..empty(status) })
    }

    /// The headers that are a service's to fill in.
    fn headers(
        &mut self,
        response: &openapiv3::Response,
        location: &Location,
        site: &Site<'_>,
        hint: &str,
    ) -> Vec<Header> {
        let mut headers = Vec::new();
        for (wire, header) in &response.headers {
            let place = location.members(&["headers", wire]);
            match (wire.to_ascii_lowercase().as_str(), &site.method) {
                // The specification has the media type declared in `content`.
                ("content-type", _) => {}
                // There is no body to take the length of.
                ("content-length", Method::Head) => headers.extend(self.header(wire, header, &place, hint)),
                (name, _) if OF_HTTP.contains(&name) => self.leave_to_http(wire, &place),
                _ if !self.is_header_name(wire, &place) => {}
                _ => headers.extend(self.header(wire, header, &place, hint)),
            }
        }
        let reserved: &[&str] = &["body", "reply", "status"];
        let wanted: Vec<_> = headers.iter().map(|header| name::snake(&header.name.wire)).collect();
        for (header, rust) in headers.iter_mut().zip(name::unique(&wanted, &mut name::Scope::reserving(reserved))) {
            header.name.rust = rust;
        }
        headers
    }

    /// Reports what HTTP cannot send: the name of a header is a token (RFC 9110, section 5.6.2).
    pub(crate) fn is_header_name(&mut self, wire: &str, place: &Location) -> bool {
        let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        if !wire.is_empty() && wire.bytes().all(is_token) {
            return true;
        }
        self.report(Code::NotUsed, &place.name(), format!("`{wire}` is no name of a header"))
            .label("the header is left out");
        false
    }

    pub(crate) fn leave_to_http(&mut self, wire: &str, place: &Location) {
        let message =
            format!("`{wire}` is written and read by HTTP itself: it describes the message or its connection");
        self.report(Code::NotUsed, &place.name(), message).label("the header is left out");
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
        let mut shape = self.parameter_shape(&mut value, wire, &location);
        if !self.has_form(&value.ty, ParameterStyle::Simple) {
            self.untyped_parameter(wire, &location).label("any text is taken for it");
            (value, shape) = (plain(Type::String), ParameterShape::Primitive);
        }
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
            _ => None,
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

#[cfg(test)]
mod tests {
    use crate::ir::Operation;
    use crate::lower::testing::{document, operation};

    fn names(operation: &Operation) -> (Vec<&str>, Vec<&str>) {
        let responses = &operation.responses;
        (
            responses.success.iter().map(|found| found.rust.as_str()).collect(),
            responses.failure.iter().map(|found| found.rust.as_str()).collect(),
        )
    }

    #[test]
    fn statuses_succeed_or_fail() {
        let cases: [(&str, &[&str], &[&str]); 6] = [
            (
                "'200': { description: a }, '404': { description: b }, default: { description: c }",
                &["Ok"],
                &["NotFound", "Default"],
            ),
            ("default: { description: c }", &["Default"], &[]),
            ("4XX: { description: c }, default: { description: c }", &["Default"], &["ClientError"]),
            ("'302': { description: c }, 5xx: { description: d }", &["Found"], &["ServerError"]),
            ("2XX: { description: c }, '201': { description: d }", &["Success", "Created"], &[]),
            ("'599': { description: c }, '299': { description: d }", &["Status299"], &["Status599"]),
        ];
        for (yaml, success, failure) in cases {
            let lowered = operation(&format!("responses: {{ {yaml} }}"));
            assert_eq!(names(lowered.only()), (success.to_vec(), failure.to_vec()), "{yaml}");
            assert_eq!(lowered.problems, Vec::<String>::new(), "{yaml}");
        }
    }

    #[test]
    fn what_http_does_not_allow_is_told() {
        let lowered = operation("responses: { '404': { description: a } }");
        assert_eq!(names(lowered.only()), (vec!["Ok"], vec!["NotFound"]));
        assert_eq!(lowered.problems, ["W0315 /paths/~1/post/responses"]);
        let interim = "responses: { '100': { description: a }, '101': { description: b }, 1XX: { description: c }, '200': { description: d } }";
        let lowered = operation(interim);
        assert_eq!(names(lowered.only()), (vec!["SwitchingProtocols", "Ok"], vec![]));
        let responses = "/paths/~1/post/responses";
        assert_eq!(lowered.problems, ["100", "1XX"].map(|status| format!("W0314 {responses}/{status}")));
        let lowered = operation("responses: { '204': { description: a, content: { application/json: {} } } }");
        assert!(lowered.only().responses.success[0].contents.is_empty());
        assert_eq!(lowered.problems, ["W0314 /paths/~1/post/responses/204/content"]);
    }

    #[test]
    fn failures_with_the_same_body_share_their_type() {
        let yaml = |other: &str| {
            format!("
            openapi: 3.0.3
            info: {{ title: T, version: '1' }}
            paths:
              /:
                get:
                  operationId: look
                  responses:
                    '200': {{ description: a }}
                    '400': {{ $ref: '#/components/responses/Bad' }}
                    '404': {{ description: b, content: {{ application/json: {{ schema: {{ $ref: '#/components/schemas/Error' }} }} }} }}
                    {other}
            components:
              responses: {{ Bad: {{ description: c, content: {{ application/json: {{ schema: {{ $ref: '#/components/schemas/Error' }} }} }} }} }}
              schemas: {{ Error: {{ properties: {{ a: {{}} }} }} }}
            ")
        };
        let lowered = document(&yaml(""));
        let responses = &lowered.only().responses;
        assert_eq!((responses.shared_failure.is_some(), responses.failure_rust.as_str()), (true, "Error"));
        let lowered = document(&yaml("'500': { description: d }"));
        let responses = &lowered.only().responses;
        assert_eq!((responses.shared_failure.is_some(), responses.failure_rust.as_str()), (false, "LookError"));
    }

    #[test]
    fn headers_of_http_are_left_to_it() {
        let headers = "Transfer-Encoding: { required: true, schema: {} }, DATE: {}, Content-Length: {}, Connection: {},
            Proxy-Authenticate: {}";
        let answer = format!("responses: {{ '200': {{ description: a, headers: {{ {headers} }} }} }}");
        let names = |operation: &Operation| -> Vec<String> {
            operation.responses.success[0].headers.iter().map(|header| header.name.wire.clone()).collect()
        };
        let lowered = operation(&answer);
        assert_eq!(names(lowered.only()), ["proxy-authenticate"]);
        let left_out = ["Transfer-Encoding", "DATE", "Content-Length", "Connection"];
        let place = "/paths/~1/post/responses/200/headers";
        assert_eq!(lowered.problems, left_out.map(|header| format!("W0314 {place}/{header}")));

        let head = format!(
            "{{ openapi: 3.0.3, info: {{ title: T, version: '1' }}, paths: {{ /: {{ head: {{ operationId: a, {answer} }} }} }} }}"
        );
        assert_eq!(names(document(&head).only()), ["content-length", "proxy-authenticate"]);
    }

    #[test]
    fn names_that_no_header_has_are_told() {
        let lowered = operation(
            "
            parameters: [{ name: X Y, in: header, schema: {} }, { name: X-Näme, in: header, schema: {} }, { name: X_Y, in: header, schema: {} }]
            responses: { '200': { description: a, headers: { 'X:Y': {}, X-Y: {} } } }
            ",
        );
        let parameters = lowered.only().parameters.iter().map(|parameter| parameter.name.wire.as_str());
        assert_eq!(parameters.collect::<Vec<_>>(), ["X_Y"]);
        assert_eq!(lowered.only().responses.success[0].headers.len(), 1);
        let place = "/paths/~1/post";
        let places = ["parameters/0", "parameters/1", "responses/200/headers/X:Y"];
        assert_eq!(lowered.problems, places.map(|name| format!("W0314 {place}/{name}")));
    }

    #[test]
    fn headers_are_typed() {
        let lowered = operation(
            "
            responses:
              '200':
                description: a
                headers:
                  X-Count: { required: true, schema: { type: integer, format: int32 } }
                  Content-Type: { schema: { type: string } }
                  Link: { schema: { type: array, items: { type: string } } }
                  body: { schema: {} }
        ",
        );
        let headers: Vec<_> = lowered.only().responses.success[0]
            .headers
            .iter()
            .map(|header| {
                format!(
                    "{} {}: {} {:?} {}",
                    header.name.wire,
                    header.name.rust,
                    lowered.value(&header.value),
                    header.shape,
                    header.required
                )
            })
            .collect();
        assert_eq!(
            headers,
            [
                "x-count x_count: i32 Primitive true",
                "link link: Vec<String> Array false",
                "body body_2: String Primitive false"
            ]
        );
    }
}
