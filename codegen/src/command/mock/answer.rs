//! Requests → answers.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{
    ACCEPT, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_REQUEST_METHOD, ALLOW, CONTENT_TYPE, WWW_AUTHENTICATE,
};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use serde_json::Value;
use specwright_exchange::{
    Answer, Credential, Operation, Received, Response as Described, Values, Violation, Wanted, is_json, negotiate,
    status_of_refusal,
};

use super::last::Last;
use super::prefer::Prefer;
use super::problem::{self, PROBLEM};
use super::records::{Known, Records};
use crate::command::exchange::{self, LARGEST_BODY, route};

/// Number of answers that are made until one has items in its lists.
const MADE: usize = 8;

/// What answers requests.
pub(super) struct Mock {
    operations: &'static [Operation],
    values: Mutex<Values<'static>>,
    base_path: String,
    seed: u64,
    delay: Duration,
    last: Last,
    records: Mutex<Records>,
}

impl Mock {
    pub(super) fn new(
        operations: &'static [Operation],
        values: Values<'static>,
        base_path: String,
        seed: u64,
        delay: Duration,
    ) -> Self {
        Self {
            operations,
            values: Mutex::new(values),
            base_path,
            seed,
            delay,
            last: Last::default(),
            records: Mutex::default(),
        }
    }
}

/// Answers a request.
pub(super) async fn answer(State(mock): State<Arc<Mock>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    if let Some(list) = mock.last.at(parts.uri.path(), &parts.headers) {
        return list;
    }
    let prefer = Prefer::of(&parts.headers);
    let wait = prefer.as_ref().ok().and_then(|prefer| prefer.wait).unwrap_or(mock.delay);
    if !wait.is_zero() {
        tokio::time::sleep(wait).await;
    }
    let (mut response, violations) = match (prefer, to_bytes(body, LARGEST_BODY).await) {
        (Ok(prefer), Ok(body)) => mock.decide(&parts, &body, &prefer),
        (Ok(_), Err(_)) => (refusal(StatusCode::PAYLOAD_TOO_LARGE, "the body is too large"), Vec::new()),
        (Err(wrong), _) => (refusal(StatusCode::BAD_REQUEST, &wrong), Vec::new()),
    };
    // A page in a browser may call it, whatever its origin is.
    response.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    mock.last.add(parts.method.as_str(), &parts.uri.to_string(), response.status().as_u16(), violations);
    response
}

/// A response, and the violations that it reports.
type Decided = (Response, Vec<Violation>);

fn refusal(status: StatusCode, detail: &str) -> Response {
    problem::response(status, &problem::document(status, detail, &[]))
}

impl Mock {
    /// The path without that of the server, and the operations that may be meant; or the response if there are none.
    fn route<'p>(&self, parts: &'p Parts) -> Result<(&'p str, Vec<&'static Operation>), Box<Response>> {
        let Some((path, found)) = route::at(self.operations, &self.base_path, parts.uri.path()) else {
            return Err(Box::new(refusal(StatusCode::NOT_FOUND, "the description has no such path")));
        };
        if parts.method == "OPTIONS" && parts.headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD) {
            return Err(Box::new(preflight(parts, &found)));
        }
        let allowed = methods(&found);
        let found = route::called(found, parts.method.as_str(), parts.uri.query());
        if found.is_empty() {
            let mut response = refusal(StatusCode::METHOD_NOT_ALLOWED, "");
            let allowed = HeaderValue::try_from(allowed).unwrap_or(HeaderValue::from_static(""));
            response.headers_mut().insert(ALLOW, allowed);
            return Err(Box::new(response));
        }
        Ok((path, found))
    }

    fn decide(&self, parts: &Parts, body: &[u8], prefer: &Prefer) -> Decided {
        let (path, found) = match self.route(parts) {
            Ok(found) => found,
            Err(response) => return (*response, Vec::new()),
        };
        let received = Received { path, query: parts.uri.query(), headers: &parts.headers, body };
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        // Several operations may have the same path: the first whose rules are kept is called.
        let kept = route::kept(found, |operation| values.check_request(operation, &received));
        let Some((operation, violations)) = kept else {
            return (refusal(StatusCode::NOT_FOUND, "the description has no such path"), Vec::new());
        };
        if !operation.is_authorized(&received) {
            let mut response = refusal(StatusCode::UNAUTHORIZED, "credentials are missing");
            for credential in operation.security.iter().flatten() {
                if let Credential::Authorization(scheme) = credential
                    && let Ok(scheme) = HeaderValue::try_from(scheme)
                {
                    response.headers_mut().append(WWW_AUTHENTICATE, scheme);
                }
            }
            return (response, Vec::new());
        }
        if !violations.is_empty() {
            let status = StatusCode::from_u16(status_of_refusal(&violations)).unwrap_or(StatusCode::BAD_REQUEST);
            let document = problem::document(status, "The request is not valid", &violations);
            let broken =
                values.check_response_body(operation, status.as_u16(), PROBLEM, document.to_string().as_bytes());
            if broken.is_empty() {
                return (problem::response(status, &document), violations);
            }
            // The description has problem documents of another form.
            let code = Some(status.as_u16());
            let (answered, _) =
                self.described(&mut values, operation, code, parts, &Prefer::default(), &Known::Nothing);
            return (answered, violations);
        }
        if prefer.code.is_some() || prefer.example.is_some() || prefer.dynamic {
            return (self.described(&mut values, operation, prefer.code, parts, prefer, &Known::Nothing).0, violations);
        }
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        let content_type = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let sent = values.value_of_request(operation, content_type, body);
        let (path, known) = records.known(self.operations, operation, path, sent, &mut values, self.seed);
        let is_missing = matches!(known, Known::Deleted) && operation.responses.iter().any(|found| found.key == "404");
        let code = is_missing.then_some(404);
        let (response, answered) = self.described(&mut values, operation, code, parts, prefer, &known);
        if response.status().is_success() {
            records.learn(self.operations, operation, path, known, answered);
        }
        (response, violations)
    }

    /// The response that the description has for a status, by default the first successful one that has a value, and its value.
    fn described(
        &self,
        values: &mut Values<'static>,
        operation: &'static Operation,
        code: Option<u16>,
        parts: &Parts,
        prefer: &Prefer,
        known: &Known,
    ) -> (Response, Option<Value>) {
        if code.is_none() && operation.responses.is_empty() {
            return (StatusCode::OK.into_response(), None);
        }
        let wanted = code.map_or_else(|| "no response".to_owned(), |code| format!("no response {code}"));
        let mut refused = format!("the description has {wanted} of {}", operation.id);
        for chosen in chosen(operation, code) {
            match self.made(values, operation, chosen, parts, prefer, known) {
                Ok(made) => return made,
                Err(why) => refused = why,
            }
        }
        (refusal(StatusCode::NOT_IMPLEMENTED, &refused), None)
    }

    /// One response, and its value; or why no value was found for it.
    fn made(
        &self,
        values: &mut Values<'static>,
        operation: &'static Operation,
        (described, status): (&'static Described, StatusCode),
        parts: &Parts,
        prefer: &Prefer,
        known: &Known,
    ) -> Result<(Response, Option<Value>), String> {
        let accept = parts.headers.get(ACCEPT).and_then(|accept| accept.to_str().ok());
        let mut offers: Vec<String> = described.media_types.clone();
        offers.sort_by_key(|media_type| !is_json(media_type));
        let media_type = match negotiate(accept, &offers) {
            Some(offer) => described.media_types.iter().find(|media_type| *media_type == offer),
            None if offers.is_empty() || status.is_client_error() || status.is_server_error() => {
                described.media_types.first()
            }
            None => {
                let detail = format!("the answer is {}", offers.join(" or "));
                return Ok((refusal(StatusCode::NOT_ACCEPTABLE, &detail), None));
            }
        };
        let wanted = match &prefer.example {
            Some(name) => Wanted::Example(name),
            None if prefer.dynamic => Wanted::Random,
            None => Wanted::Any,
        };
        let seed = exchange::seed(self.seed, &format!("{} {}", operation.id, parts.uri));
        let mut random = fastrand::Rng::with_seed(seed);
        let mut answers = (0..MADE)
            .map_while(|_| values.answer(operation, described, media_type.map(String::as_str), wanted, &mut random));
        let first = answers.next();
        let has_items = |answer: &Answer| !answer.value.as_ref().is_some_and(has_empty_list);
        let answer = if first.as_ref().is_none_or(has_items) { first } else { answers.find(has_items).or(first) };
        let Some(Answer { headers, mut body, value: mut answered }) = answer else {
            let why = match wanted {
                Wanted::Example(name) => format!("the description has no example `{name}`"),
                Wanted::Any | Wanted::Random => "no valid value is found for the schema".to_owned(),
            };
            return Err(format!("{} {}: {why}", operation.id, described.key));
        };
        if let (Some(media_type), Some(made)) = (media_type, &answered) {
            // What is known is answered where the description allows it.
            let members = values.members(operation, described, media_type);
            let better = known.over(made, &members).into_iter().find_map(|better| {
                let body = values.body_of(operation, described, media_type, &better)?;
                let broken = values.check_response_body(operation, status.as_u16(), media_type, &body);
                broken.is_empty().then_some((better, body))
            });
            if let Some((better, written)) = better {
                (answered, body) = (Some(better), written);
            }
        }
        let has_body = !matches!(status.as_u16(), 204 | 205 | 304);
        let mut response = if has_body { Body::from(body) } else { Body::empty() }.into_response();
        *response.status_mut() = status;
        for (name, value) in
            headers.into_iter().filter(|(name, _)| has_body || !name.eq_ignore_ascii_case(CONTENT_TYPE.as_str()))
        {
            if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
                response.headers_mut().insert(name, value);
            }
        }
        Ok((response, answered))
    }
}

/// Whether the value, or one of its members, is a list without items.
fn has_empty_list(value: &Value) -> bool {
    let is_empty = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
    is_empty(value) || value.as_object().is_some_and(|members| members.values().any(is_empty))
}

/// The response for a status, or the successful ones, the lowest first, with the statuses that they have.
fn chosen(operation: &'static Operation, code: Option<u16>) -> Vec<(&'static Described, StatusCode)> {
    let mut found: Vec<&Described> = match code {
        Some(code) => operation.response(code).into_iter().collect(),
        None => operation.responses.iter().filter(|response| response.key.starts_with('2')).collect(),
    };
    found.sort_by_key(|response| &response.key);
    if found.is_empty() && code.is_none() {
        found.extend(operation.response(200).or(operation.responses.first()));
    }
    let status = |described: &Described| match described.key.as_str() {
        "default" => Some(200),
        range if range.ends_with("XX") => Some(range.get(..1)?.parse::<u16>().ok()? * 100),
        code => code.parse().ok(),
    };
    // A response with a status below 200 is not the last one.
    let status = |described: &Described| code.or_else(|| Some(status(described)?.max(200)));
    let with_status = |described| Some((described, StatusCode::from_u16(status(described)?).ok()?));
    found.into_iter().filter_map(with_status).collect()
}

/// The methods of the operations of a path, for `Allow`.
fn methods(operations: &[&'static Operation]) -> String {
    let mut methods: Vec<&str> = operations.iter().map(|operation| operation.method.as_str()).collect();
    if methods.contains(&"GET") {
        methods.push("HEAD");
    }
    methods.sort_unstable();
    methods.dedup();
    methods.join(", ")
}

/// The answer to a browser that asks whether a page may send a request.
fn preflight(parts: &Parts, operations: &[&'static Operation]) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    if let Ok(methods) = HeaderValue::try_from(methods(operations)) {
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, methods);
    }
    if let Some(wanted) = parts.headers.get("access-control-request-headers") {
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, wanted.clone());
    }
    response
}
