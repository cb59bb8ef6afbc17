//! Breaks the rules of valid requests, one at a time, and expects the server to name the violated place.

mod parameter;

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use http::header::CONTENT_LENGTH;
use http::{Method, Request};
use serde_json::Value;
use specwright_exchange::{Broken, Hidden, broken_rule, is_stream, mutations};
use tower::ServiceExt as _;

use crate::capture::Exchange;
use crate::report::Outcome;
use crate::scene::Problem;
use crate::{Place, Stage};

pub(crate) use parameter::parameters;

/// Maximum number of mutations of one body.
const TRIED: usize = 150;

/// Breaks each rule of a body in JSON or XML once per operation. A changed body may be valid for another operation that
/// cannot be distinguished from this one.
pub(crate) async fn body(
    stage: &Stage,
    router: &Router,
    exchange: &Exchange,
    (place, same): (Place, &[&'static str]),
    seed: u64,
    outcome: &mut Outcome,
) {
    // A single item of a stream is JSON too, but it is only read once the service has been called.
    if is_stream(place.media_type()) {
        return;
    }
    let value = if place.is_xml() {
        stage.lock().value_in_xml(place, &exchange.request_body).ok()
    } else {
        serde_json::from_slice::<Value>(&exchange.request_body).ok()
    };
    let Some(value) = value else { return };
    let Some(validator) = stage.lock().validator(place, Hidden::Absent) else { return };
    let Ok(validator) = Arc::as_ref(&validator) else { return };
    let mut random = fastrand::Rng::with_seed(seed);
    let mut mutations = mutations(&value);
    random.shuffle(&mut mutations);
    for mutation in mutations.into_iter().take(TRIED) {
        let Some(broken) = mutation.apply(&value) else { continue };
        let Some(Broken { rule, pointer, in_union, .. }) = broken_rule(validator, &broken) else { continue };
        if outcome.rules.contains(&rule) || in_union && is_another_variant(stage, place, &broken) {
            continue;
        }
        let Some(written) = stage.lock().written(place, &broken) else { continue };
        outcome.rules.insert(rule.clone());
        let mut changed = exchange.clone();
        changed.request_body = written.into();
        let refusal = send(stage, router, &changed).await;
        if refusal.arrived.is_some_and(|arrived| same.contains(&arrived)) {
            continue;
        }
        outcome.broken += 1;
        let expected = |found: &str| {
            let below = found.strip_prefix(pointer.as_str()).is_some_and(|rest| {
                rest.is_empty() || rest.starts_with('/') && (in_union || rest.matches('/').count() == 1)
            });
            below || found == mutation.pointer
        };
        let told = refusal.places.iter().any(|(part, found)| part == "body" && expected(found));
        if let Some(text) = refusal.fault(told) {
            let text = format!("{text}; {rule} at {pointer:?} broken by {}: {broken}", mutation.name);
            let kind = if refusal.arrived.is_some() { "violation accepted" } else { "violation elsewhere" };
            outcome.problems.push((seed, Problem { kind, text }));
        }
    }
}

/// Whether the value is valid for another variant, whose read-only members are ignored in requests.
fn is_another_variant(stage: &Stage, place: Place, value: &Value) -> bool {
    let validator = stage.lock().validator(place, Hidden::Ignored);
    validator.is_some_and(|validator| validator.as_ref().as_ref().is_ok_and(|validator| validator.is_valid(value)))
}

/// The server's answer to a request that breaks a rule.
#[derive(Debug)]
struct Refusal {
    status: u16,
    /// The operation that was called nevertheless, if any.
    arrived: Option<&'static str>,
    has_body: bool,
    /// The part of the message and the pointer or the name, for each reported violation.
    places: BTreeSet<(String, String)>,
    text: String,
}

impl Refusal {
    /// Whether the server asks for credentials and called no operation.
    fn is_unauthorized(&self) -> bool {
        self.status == 401 && self.arrived.is_none()
    }

    /// What is wrong with the refusal. `told`: the place was named. The answer to `HEAD` has no body that
    /// could name it.
    fn fault(&self, told: bool) -> Option<String> {
        let Self { status, text, has_body, .. } = self;
        if self.arrived.is_some() {
            return Some("the server accepts it".to_owned());
        }
        if !matches!(status, 400 | 422) {
            return Some(format!("the server answers {status}: {text}"));
        }
        (!told && *has_body).then(|| format!("the server names another place: {text}"))
    }
}

/// Sends a request to the server, without a client and without a network.
async fn send(stage: &Stage, router: &Router, exchange: &Exchange) -> Refusal {
    stage.lock().arrived = None;
    let mut request = Request::new(Body::from(exchange.request_body.clone()));
    *request.method_mut() = exchange.method.clone();
    *request.uri_mut() = exchange.uri.clone();
    *request.headers_mut() = exchange.headers.clone();
    request.headers_mut().remove(CONTENT_LENGTH);
    let response = match router.clone().oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    };
    let status = response.status().as_u16();
    let bytes = to_bytes(response.into_body(), 1 << 24).await.unwrap_or_default();
    let problem: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let errors = problem["errors"].as_array().cloned().unwrap_or_default();
    let places = errors.iter().map(|error| {
        let text = |name: &str| error[name].as_str().map(str::to_owned);
        (text("in").unwrap_or_default(), text("name").or_else(|| text("pointer")).unwrap_or_default())
    });
    let mut scene = stage.lock();
    scene.problems.clear();
    Refusal {
        status,
        arrived: scene.arrived,
        has_body: exchange.method != Method::HEAD,
        places: places.collect(),
        text: String::from_utf8_lossy(&bytes).into_owned(),
    }
}
