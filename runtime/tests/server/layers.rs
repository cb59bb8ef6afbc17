//! Layers that see the operation.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state, map_response};
use axum::response::Response;
use axum::routing::MethodRouter;
use http::{HeaderValue, StatusCode};
use tower::Layer;

use crate::runtime::server::{Operation, Options};
use crate::service::{Doorkeeper, Service, request, send_to};

const TOKEN: &str = "Authorization: Bearer secret";
const JSON: &str = "Content-Type: application/json";

type Seen = Arc<Mutex<Vec<String>>>;

async fn note(State(seen): State<Seen>, request: Request, next: Next) -> Response {
    let operation = *request.extensions().get::<&'static Operation>().expect("it is known");
    let response = next.run(request).await;
    seen.lock().expect("not poisoned").push(format!("{} {}", operation.id, response.status().as_u16()));
    response
}

/// An app with a layer that records operations and statuses.
fn app(seen: &Seen) -> Router {
    let seen = Arc::clone(seen);
    let options =
        Options::default().wrap_operations(move |route, _| route.layer(from_fn_with_state(Arc::clone(&seen), note)));
    crate::router::router(Service, Doorkeeper, &options)
}

#[tokio::test]
async fn a_layer_sees_operations_and_all_answers_for_them() {
    let seen = Seen::default();
    let app = app(&seen);
    let cases = [
        ("GET /accounts", &[TOKEN][..], "", "listAccounts 200"),
        ("HEAD /accounts", &[TOKEN], "", "listAccounts 200"),
        ("GET /accounts?pageSize=x", &[TOKEN], "", "listAccounts 400"),
        ("GET /accounts", &[], "", "listAccounts 401"),
        ("POST /accounts", &[TOKEN, JSON], r#"{"Name":"acme"}"#, "createAccount 201"),
        ("POST /accounts", &[TOKEN, JSON], r#"{"Name":"broken"}"#, "createAccount 500"),
        ("POST /accounts", &[TOKEN, JSON], r#"{"Name":5}"#, "createAccount 422"),
        ("POST /accounts", &[TOKEN, "Content-Type: text/plain"], "acme", "createAccount 415"),
        ("POST /jobs/7:start", &[], "", "startJob 204"),
        ("QUERY /jobs/7:start", &[], "", "queryJob 204"),
        ("DELETE /jobs/7:cancel", &[], "", "cancelJob 501"),
    ];
    for (route, headers, body, expected) in cases {
        let answer = send_to(app.clone(), request(route, headers, body)).await;
        let seen = std::mem::take(&mut *seen.lock().expect("not poisoned"));
        assert_eq!(seen, [expected], "{route}: {}", answer.text);
        assert!(expected.ends_with(answer.status.as_str()), "{route}");
    }
    for (route, status) in [("GET /nowhere", 404), ("PATCH /accounts", 405), ("POST /jobs/7:cancel", 405)] {
        assert_eq!(send_to(app.clone(), request(route, &[TOKEN], "")).await.status.as_u16(), status, "{route}");
    }
    assert_eq!(seen.lock().expect("not poisoned").as_slice(), [""; 0]);
}

#[tokio::test]
async fn operations_can_have_layers_of_their_own() {
    let append = |value: &'static str| {
        move |route: MethodRouter, operation: &'static Operation| match operation.id {
            "cancelJob" => route,
            _ => route.layer(map_response(move |mut response: Response| async move {
                response.headers_mut().append("x-layer", HeaderValue::from_static(value));
                response
            })),
        }
    };
    let options = Options::default().wrap_operations(append("inner")).wrap_operations(append("outer"));
    let app = crate::router::router(Service, Doorkeeper, &options);
    let answer = send_to(app.clone(), request("POST /jobs/7:start", &[], "")).await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT);
    assert_eq!(answer.headers.get_all("x-layer").iter().collect::<Vec<_>>(), ["inner", "outer"]);
    let answer = send_to(app, request("DELETE /jobs/7:cancel", &[], "")).await;
    assert_eq!((answer.status, answer.header("x-layer")), (StatusCode::NOT_IMPLEMENTED, ""));
}

/// A layer that counts how often it builds a service.
#[derive(Clone, Default)]
struct Counted(Arc<Mutex<u32>>);

impl<S> Layer<S> for Counted {
    type Service = S;

    fn layer(&self, inner: S) -> S {
        *self.0.lock().expect("not poisoned") += 1;
        inner
    }
}

#[tokio::test]
async fn a_layer_makes_its_service_once() {
    let counted = Counted::default();
    let layer = counted.clone();
    let options = Options::default().wrap_operations(move |route, operation| match operation.id {
        "startJob" => route.layer(layer.clone()),
        _ => route,
    });
    let app = crate::router::router(Service, Doorkeeper, &options);
    let before = *counted.0.lock().expect("not poisoned");
    for _ in 0..3 {
        send_to(app.clone(), request("POST /jobs/7:start", &[], "")).await;
    }
    let after = *counted.0.lock().expect("not poisoned");
    assert_eq!((before, after), (1, 1));
}
