//! Tracing spans of calls and requests.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use crate::client_side::runtime::client::Retry;
use crate::client_side::{Client, streams::Complete};
use crate::server_side::runtime::server::Options;
use crate::server_side::streams::router;
use tracing::Dispatch;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::{DefaultGuard, NoSubscriber};
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::registry::{LookupSpan, Registry};

use crate::client_side::models::Prompt;
use crate::serve::client_in_memory;
use crate::streams::service;

/// Closed spans: name, and fields with values; `parent` is the name of the parent span.
#[derive(Clone, Default)]
struct Closed(Arc<Mutex<Vec<(&'static str, Fields)>>>);

#[derive(Clone, Debug, Default, PartialEq)]
struct Fields(BTreeMap<&'static str, String>);

impl Closed {
    fn taken(&self) -> Vec<(&'static str, Fields)> {
        std::mem::take(&mut self.0.lock().expect("not poisoned"))
    }
}

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.0.insert(field.name(), format!("{value:?}").trim_matches('"').to_owned());
    }
}

impl<S: tracing::Subscriber + for<'a> LookupSpan<'a>> tracing_subscriber::Layer<S> for Closed {
    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let span = context.span(id).expect("it is there");
        let mut fields = Fields::default();
        attributes.record(&mut fields);
        fields.0.extend(span.parent().map(|parent| ("parent", parent.name().to_owned())));
        span.extensions_mut().insert(fields);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let span = context.span(id).expect("it is there");
        values.record(span.extensions_mut().get_mut::<Fields>().expect("it has some"));
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        let span = context.span(&id).expect("it is there");
        let fields = span.extensions().get::<Fields>().cloned().unwrap_or_default();
        self.0.lock().expect("not poisoned").push((span.name(), fields));
    }
}

fn fields<const N: usize>(expected: [(&'static str, &str); N]) -> Fields {
    Fields(expected.into_iter().map(|(name, value)| (name, value.to_owned())).collect())
}

/// Records spans that close on this thread while the guard exists. With only one subscriber in the process,
/// `tracing` caches the interest of the thread that first reaches a span, and a thread without a subscriber
/// disables it for all; with two subscribers it asks both.
fn subscribed() -> (Closed, DefaultGuard) {
    static SECOND: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(NoSubscriber::new()));
    LazyLock::force(&SECOND);
    let closed = Closed::default();
    (closed.clone(), tracing::subscriber::set_default(Registry::default().with(closed)))
}

#[tokio::test]
async fn a_call_and_its_request_are_spans() {
    let (closed, _guard) = subscribed();
    let (service, ..) = service();
    let client = client_in_memory(router(service, &Options::default()));

    let first = client.streams().watch_ticks(()).await.expect("a stream");
    let request = [
        ("parent", "call"),
        ("operation.id", "watchTicks"),
        ("otel.name", "GET /ticks"),
        ("otel.kind", "server"),
        ("http.request.method", "GET"),
        ("http.route", "/ticks"),
        ("http.response.status_code", "200"),
    ];
    let call = [
        ("operation.id", "watchTicks"),
        ("otel.name", "GET /ticks"),
        ("otel.kind", "client"),
        ("http.request.method", "GET"),
        ("url.template", "/ticks"),
        ("http.response.status_code", "200"),
        ("http.request.resend_count", "0"),
    ];
    assert_eq!(closed.taken(), [("request", fields(request)), ("call", fields(call))]);
    drop(first);

    client
        .streams()
        .watch_ticks(())
        .header("authorization", "secret")
        .query("secret", "1")
        .await
        .expect_err("only one");
    let failed = closed.taken();
    assert!(!format!("{failed:?}").contains("secret"), "{failed:?}");
    let field = |index: usize, name: &str| failed[index].1.0.get(name).map(String::as_str);
    assert_eq!((field(0, "http.response.status_code"), field(0, "error.type")), (Some("400"), None));
    assert_eq!((field(1, "error.type"), field(1, "otel.status_code")), (Some("400"), Some("ERROR")));
}

#[tokio::test]
async fn a_call_without_an_answer_says_how_often_it_was_sent() {
    let (closed, _guard) = subscribed();
    let client = Client::builder("http://in.memory").expect("a URL");
    let client = client.transport(tower::service_fn(|_: http::Request<reqwest::Body>| async {
        tracing::info_span!("try").in_scope(|| Err::<http::Response<String>, _>(std::io::Error::other("unplugged")))
    }));
    let client = client.build().expect("a client");
    let retry = Retry { first_delay: Duration::from_millis(1), ..Retry::default() };
    client.streams().watch_ticks(()).retry(retry.clone()).await.expect_err("it fails");
    let request = Complete { body: Prompt { words: 2, stream: None } };
    client.streams().complete(request).retry(retry).await.expect_err("it fails");

    let seen = closed.taken();
    let names: Vec<_> = seen.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["try", "try", "try", "call", "try", "call"]);
    assert_eq!(seen[0].1, fields([("parent", "call")]));
    for (index, expected) in [(3, "2"), (5, "0")] {
        let call = &seen[index].1.0;
        assert_eq!((call["http.request.resend_count"].as_str(), call["error.type"].as_str()), (expected, "transport"));
    }
}
