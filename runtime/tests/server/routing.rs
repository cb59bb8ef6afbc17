//! Routing: the operation of a request.

use axum::Router;
use http::StatusCode;

use crate::runtime::server::{
    Answer, Call, Content, Fails, Failure, Fit, Limits, Operation, Options, Reply, Request, RequestBody, RequestReader,
    Routes, Target,
};
use crate::runtime::text::{FromText, Refusal};
use crate::service::{Doorkeeper, Service, app, request, send, send_to};

#[tokio::test]
async fn parameters_of_the_path_are_decoded_after_it_is_taken_apart() {
    let answer = send("GET /reports/a%2Fb%2Ec.tar.gz", &[], "").await;
    assert_eq!(answer.text, "a/b.c.tar as gz");
}

#[tokio::test]
async fn a_nested_router_finds_its_parameters() {
    let app = Router::new().nest("/api/{tenant}", app());
    let answer = send_to(app, request("GET /api/7/reports/a.b", &[], "")).await;
    assert_eq!(answer.text, "a as b");
}

#[tokio::test]
async fn routers_of_tags_can_be_merged() {
    let part = || crate::accounts::router(Service, Doorkeeper, &Options::default());
    let app = Router::new().merge(part()).nest("/again", part()).fallback(|| async { "somewhere else" });
    assert_eq!(send_to(app.clone(), request("GET /reports/a.b", &[], "")).await.text, "a as b");
    assert_eq!(send_to(app.clone(), request("GET /again/reports/a.b", &[], "")).await.text, "a as b");
    assert_eq!(send_to(app, request("GET /nowhere", &[], "")).await.text, "somewhere else");
}

#[tokio::test]
async fn literals_next_to_a_parameter_tell_operations_apart() {
    assert_eq!(send("POST /jobs/7:start", &[], "").await.status, StatusCode::NO_CONTENT);
    assert_eq!(send("POST /jobs/8:start", &[], "").await.status, StatusCode::NOT_FOUND);
    assert_eq!(send("DELETE /jobs/7:cancel", &[], "").await.status, StatusCode::NOT_IMPLEMENTED);

    let answer = send("POST /jobs/7:cancel", &[], "").await;
    assert_eq!((answer.status, answer.header("allow")), (StatusCode::METHOD_NOT_ALLOWED, "DELETE"));
    assert_eq!(send("POST /jobs/7:stop", &[], "").await.status, StatusCode::NOT_FOUND);
}

const fn get(id: &'static str, path: &'static str) -> Operation {
    of(id, "GET", path)
}

const fn of(id: &'static str, method: &'static str, path: &'static str) -> Operation {
    Operation {
        id,
        method,
        path,
        numbers: &[],
        tag: "notes",
        deprecated: false,
        any_case: false,
        security: &[],
        body: None,
        produces: &[],
        failure: None,
    }
}

static BY_NAME: Operation = get("byName", "/notes/{name}");
static BY_ID: Operation = get("byId", "/notes/{id}");

/// Adds an operation that answers, before anything is read, what `$answer` fails with.
macro_rules! add {
    ($routes:ident, $operation:ident, $answer:ident $(, |$target:ident| $fits:expr)?) => {
        add!(@ $routes, $operation, $answer, false $(, |$target| $fits)?);
    };
    ($routes:ident, $operation:ident, $answer:ident, by body |$target:ident| $fits:expr) => {
        add!(@ $routes, $operation, $answer, true, |$target| $fits);
    };
    (@ $routes:ident, $operation:ident, $answer:ident, $by_body:literal $(, |$target:ident| $fits:expr)?) => {{
        struct Asked;

        impl Fails for Asked {
            type With = ();
        }

        impl Request for Asked {
            const OPERATION: &'static Operation = &$operation;
            const FITS_BY_BODY: bool = $by_body;
            type Success = ();

            fn read(_: &mut RequestReader<'_>) -> Option<Self> {
                None
            }

            fn answer((): (), _: Reply) -> Answer {
                Answer::empty(StatusCode::OK)
            }

            $(fn fits($target: &Target<'_>) -> Option<Fit> {
                $fits
            })?
        }

        $routes.serve::<Asked, ()>($answer, serve);
    }};
}

async fn serve<R: Request<Success = ()>>((): &(), _: Call<()>, _: R) -> Result<(), Failure<R>> {
    Ok(())
}

async fn found((): &(), _: Call<()>) -> Result<Call<()>, Failure> {
    Err(Failure::answer(Answer::empty(StatusCode::OK)))
}

async fn by_name((): &(), _: Call<()>) -> Result<Call<()>, Failure> {
    Err(Failure::answer(Answer::empty(StatusCode::ACCEPTED)))
}

async fn by_id((): &(), _: Call<()>) -> Result<Call<()>, Failure> {
    Err(Failure::answer(Answer::empty(StatusCode::NO_CONTENT)))
}

#[tokio::test]
async fn types_tell_operations_of_one_route_apart() {
    let mut routes = Routes::new((), ());
    add!(routes, BY_NAME, by_name);
    add!(routes, BY_ID, by_id, |target| target.has_in_path::<i64>(BY_ID.path, "id"));
    let app = routes.into_router(&Options::default());
    assert_eq!(send_to(app.clone(), request("GET /notes/%2D7", &[], "")).await.status, StatusCode::NO_CONTENT);
    assert_eq!(send_to(app, request("GET /notes/7a", &[], "")).await.status, StatusCode::ACCEPTED);
}

static PUT_LATEST: Operation = of("putLatest", "PUT", "/notes/latest");
static PUT_NUMBERED: Operation = of("putNumbered", "PUT", "/notes/v{number}");
static DELETE_NAMED: Operation = of("deleteNamed", "DELETE", "/notes/{name}");
static QUERY_ANY: Operation = of("queryAny", "QUERY", "/{list}/{name}");
static PUT_ANY: Operation = of("putAny", "PUT", "/{list}/{name}");

/// Responds with the name of the operation that was chosen.
async fn say((): &(), call: Call<()>) -> Result<Call<()>, Failure> {
    Err(Failure::not_implemented(call.operation().id).into())
}

#[tokio::test]
async fn a_method_that_a_concrete_path_lacks_is_that_of_a_template() {
    let mut routes = Routes::new((), ());
    add!(routes, QUERY_ANY, say);
    add!(routes, PUT_ANY, say);
    add!(routes, BY_NAME, say);
    add!(routes, DELETE_NAMED, say);
    add!(routes, PUT_NUMBERED, say);
    add!(routes, PUT_LATEST, say);
    let app = Router::new().nest("/v1", routes.into_router(&Options::default()));
    let asked = async |line| send_to(app.clone(), request(line, &[], "")).await;
    for (line, operation) in [
        ("PUT /v1/notes/latest", "putLatest"),
        ("DELETE /v1/notes/latest", "deleteNamed"),
        ("GET /v1/notes/latest", "byName"),
        ("HEAD /v1/notes/latest", ""),
        ("QUERY /v1/notes/latest", "queryAny"),
        ("PUT /v1/notes/v1", "putNumbered"),
        ("PUT /v1/notes/first", "putAny"),
        ("PUT /v1/lists/v1", "putAny"),
    ] {
        let answer = asked(line).await;
        assert_eq!(answer.status, StatusCode::NOT_IMPLEMENTED, "{line}");
        assert!(answer.text.contains(operation), "{line} is {}", answer.text);
    }
    for line in ["POST /v1/notes/latest", "OPTIONS /v1/notes/v1"] {
        let answer = asked(line).await;
        let allow = (answer.status, answer.header("allow"));
        assert_eq!(allow, (StatusCode::METHOD_NOT_ALLOWED, "DELETE,GET,PUT,QUERY"), "{line}");
    }
}

static PUT_NUMBER: Operation = Operation { numbers: &["id"], ..of("putNumber", "PUT", "/notes/{id}") };

#[tokio::test]
async fn a_number_does_not_stand_for_a_word_of_a_concrete_path() {
    let mut routes = Routes::new((), ());
    add!(routes, LATEST, say);
    add!(routes, PUT_NUMBER, say);
    let app = routes.into_router(&Options::default());
    let answer = send_to(app.clone(), request("PUT /notes/latest", &[], "")).await;
    assert_eq!((answer.status, answer.header("allow")), (StatusCode::METHOD_NOT_ALLOWED, "GET,HEAD"));
    assert!(send_to(app, request("PUT /notes/7", &[], "")).await.text.contains("putNumber"));
}

#[tokio::test]
async fn a_concrete_path_refuses_what_fits_none_of_its_operations() {
    let mut routes = Routes::new((), ());
    add!(routes, BY_NAME, by_name);
    add!(routes, LATEST, by_id, |target| target.has_in_query::<Only<'c'>>("Do"));
    let app = routes.into_router(&Options::default());
    assert_eq!(send_to(app, request("GET /notes/latest", &[], "")).await.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn parts_that_share_a_concrete_path_can_be_merged() {
    let mut routes = Routes::new((), ());
    add!(routes, PUT_LATEST, say);
    add!(routes, BY_NAME, say);
    let mut others = Routes::new((), ());
    add!(others, LATEST, say);
    add!(others, PUT_ANY, say);
    let options = Options::default();
    let app = routes.into_part(&options).merge(others.into_part(&options));
    assert!(send_to(app, request("GET /notes/latest", &[], "")).await.text.contains("latest"));
}

static LATEST: Operation = get("latest", "/notes/latest");
static COPY: Operation = get("copy", "/");
static MOVE: Operation = get("move", "/");
static LIST: Operation = get("list", "/");

/// The type of a required parameter that accepts texts with one first character.
struct Only<const FIRST: char>;

impl<const FIRST: char> FromText for Only<FIRST> {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        if text.starts_with(FIRST) { Ok(Self) } else { Err(Refusal::new("enum", text, "it")) }
    }
}

#[tokio::test]
async fn values_in_the_query_and_in_headers_tell_operations_of_one_route_apart() {
    let mut routes = Routes::new((), ());
    add!(routes, LIST, found);
    add!(routes, COPY, by_id, |target| target.has_in_query::<Only<'c'>>("Do"));
    add!(routes, MOVE, by_name, |target| target.has_in_header::<Only<'m'>>("X-Do"));
    let app = routes.into_router(&Options::default());
    let status = async |line, headers| send_to(app.clone(), request(line, headers, "")).await.status;
    assert_eq!(status("GET /?a=1&Do=%63opy", &[]).await, StatusCode::NO_CONTENT);
    assert_eq!(status("GET /?Do=copy&Do=copy", &[]).await, StatusCode::OK);
    assert_eq!(status("GET /?Do=move", &["x-do: move"]).await, StatusCode::ACCEPTED);
    assert_eq!(status("GET /?do=copy", &[]).await, StatusCode::OK);
}

#[tokio::test]
async fn a_value_that_no_operation_accepts_is_refused() {
    let mut routes = Routes::new((), ());
    add!(routes, LIST, found);
    add!(routes, COPY, by_id, |target| target.chooses_in_query::<Only<'c'>>("Do"));
    add!(routes, MOVE, by_name, |target| Some(
        target.chooses_in_query::<Only<'c'>>("Do")? + target.has_in_query::<String>("To")?
    ));
    let app = routes.into_router(&Options::default());
    let status = async |line| send_to(app.clone(), request(line, &[], "")).await.status;
    assert_eq!(status("GET /?To=x").await, StatusCode::OK);
    assert_eq!(status("GET /?Do=other").await, StatusCode::NO_CONTENT, "it is left to COPY to refuse it");
    assert_eq!(status("GET /?Do=copy").await, StatusCode::NO_CONTENT);
    assert_eq!(status("GET /?Do=copy&To=x").await, StatusCode::ACCEPTED, "it asks for more");
}

#[tokio::test]
async fn parameters_that_others_may_have_count_last() {
    let mut routes = Routes::new((), ());
    add!(routes, LIST, found);
    add!(routes, COPY, by_id, |target| Some(target.needs_in_query("To")? + target.lacks_in_query(&["Tag", "Page"])?));
    add!(routes, MOVE, by_name, |target| target.has_in_query::<Only<'m'>>("Do"));
    let app = routes.into_router(&Options::default());
    let status = async |line| send_to(app.clone(), request(line, &[], "")).await.status;
    assert_eq!(status("GET /").await, StatusCode::OK);
    assert_eq!(status("GET /?To=x").await, StatusCode::NO_CONTENT, "it asks for more");
    assert_eq!(status("GET /?To=x&Page=1").await, StatusCode::OK, "only that one has pages");
    assert_eq!(status("GET /?Tag=a&To=x&Tag=b").await, StatusCode::OK, "or tags");
    assert_eq!(status("GET /?Do=move&To=x").await, StatusCode::ACCEPTED, "it may have both");
    assert_eq!(status("GET /?Do=other").await, StatusCode::OK);
}

static ADD: Operation = speaking("add", &[content(&["application/json", FORM])], &[]);
static CLEAR: Operation = speaking("clear", &[content(&["application/json", FORM])], &[]);
static PHOTO: Operation = speaking("photo", &[STREAM], &[]);

const FORM: &str = "application/x-www-form-urlencoded";
const STREAM: Content = Content { streamed: true, ..content(&["image/png"]) };

#[tokio::test]
async fn members_of_the_body_tell_operations_of_one_route_apart() {
    let mut routes = Routes::new((), ());
    add!(routes, ADD, by_id, by body |target| target.has_value_in_body("do", &["add", "1", "true"]));
    add!(routes, CLEAR, by_name, by body |target| Some(target.has_value_in_body("do", &["clear", "add"])? + target.has_in_body("all")?));
    let app = routes.into_router(&Options::default());
    let status = async |media_type: &str, body: &'static str| {
        let headers = [format!("content-type: {media_type}")];
        send_to(app.clone(), request("POST /images", &[&headers[0]], body)).await.status
    };
    let json = async |body: &'static str| status("application/json; charset=utf-8", body).await;
    for body in [r#"{"a":{"do":"clear"},"do":"add"}"#, r#"{"do":1}"#, r#"{"do":true}"#] {
        assert_eq!(json(body).await, StatusCode::NO_CONTENT, "{body}");
    }
    assert_eq!(json(r#"{"do":"clear","all":[]}"#).await, StatusCode::ACCEPTED);
    assert_eq!(json(r#"{"do":"add","all":null}"#).await, StatusCode::ACCEPTED, "it asks for more");
    for body in [r#"{"do":"clear"}"#, r#"{"do":["clear"],"all":1}"#, "[]", "{", ""] {
        assert_eq!(json(body).await, StatusCode::NO_CONTENT, "it is left to the first to refuse {body}");
    }
    assert_eq!(status(FORM, "all=&do=cle%61r").await, StatusCode::ACCEPTED);
    assert_eq!(status(FORM, "do=add").await, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn a_stream_is_not_received_to_tell_operations_apart() {
    let mut routes = Routes::new((), ());
    add!(routes, ADD, by_id, by body |target| target.has_in_body("do"));
    add!(routes, PHOTO, found);
    let app = routes.into_router(&Options::default().limits(Limits { body: 12, ..Limits::default() }));
    let status = async |headers, body| send_to(app.clone(), request("POST /images", headers, body)).await.status;
    assert_eq!(status(&["content-type: image/png"], "more than twelve").await, StatusCode::OK);
    assert_eq!(status(&["content-type: application/json"], r#"{"do": 1}"#).await, StatusCode::NO_CONTENT);
    let long = status(&["content-type: application/json"], r#"{"do": 1, "a": 2}"#).await;
    assert_eq!(long, StatusCode::PAYLOAD_TOO_LARGE);
}

static URL: Operation = speaking("url", &[content(&["application/json"])], &["application/json"]);
static IMAGE: Operation = speaking("image", &[content(&["image/png"])], &["application/json"]);
static EVENTS: Operation = speaking("events", &[content(&["application/json"])], &["text/event-stream"]);

const fn content(media_types: &'static [&'static str]) -> Content {
    Content { media_types, streamed: false, empty: false }
}

const fn speaking(id: &'static str, contents: &'static [Content], produces: &'static [&'static str]) -> Operation {
    Operation { body: Some(RequestBody { required: true, contents }), produces, ..of(id, "POST", "/images") }
}

#[tokio::test]
async fn media_types_tell_operations_of_one_route_apart() {
    let mut routes = Routes::new((), ());
    add!(routes, URL, found);
    add!(routes, IMAGE, by_id);
    add!(routes, EVENTS, by_name);
    let app = routes.into_router(&Options::default());
    let status = async |headers| send_to(app.clone(), request("POST /images", headers, "{}")).await.status;
    assert_eq!(status(&["content-type: application/json"]).await, StatusCode::OK);
    assert_eq!(status(&["content-type: image/png", "accept: */*"]).await, StatusCode::NO_CONTENT);
    assert_eq!(status(&["content-type: application/json", "accept: text/event-stream"]).await, StatusCode::ACCEPTED);
    let rated = &["content-type: application/json", "accept: text/event-stream, application/json;q=0.9"];
    assert_eq!(status(rated).await, StatusCode::ACCEPTED);
    assert_eq!(status(&["content-type: text/plain"]).await, StatusCode::OK, "it is left to the first to refuse it");
}

#[tokio::test]
async fn a_path_that_fits_no_operation_of_its_route_is_given_to_the_first() {
    let mut routes = Routes::new((), ());
    add!(routes, BY_ID, by_id, |target| target.has_in_path::<i64>(BY_ID.path, "id"));
    add!(routes, BY_NAME, by_name, |target| target.has_in_path::<bool>(BY_NAME.path, "name"));
    let app = routes.into_router(&Options::default());
    assert_eq!(send_to(app.clone(), request("GET /notes/true", &[], "")).await.status, StatusCode::ACCEPTED);
    assert_eq!(send_to(app, request("GET /notes/7a", &[], "")).await.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn a_query_is_a_method_like_others() {
    assert_eq!(send("QUERY /jobs/7:start", &[], "").await.status, StatusCode::NO_CONTENT);
    let answer = send("PATCH /jobs/7:start", &[], "").await;
    assert_eq!((answer.status, answer.header("allow")), (StatusCode::METHOD_NOT_ALLOWED, "POST,QUERY"));
}

#[tokio::test]
async fn unknown_paths_and_methods_are_problems_too() {
    let answer = send("GET /nowhere", &[], "").await;
    assert_eq!(
        (answer.status, answer.text.as_str()),
        (StatusCode::NOT_FOUND, r#"{"type":"about:blank","title":"Not Found","status":404}"#)
    );
    assert_eq!(answer.header("content-type"), "application/problem+json");

    let answer = send("PATCH /accounts", &[], "").await;
    assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(answer.header("allow"), "GET,HEAD,POST");
    assert_eq!(answer.header("content-type"), "application/problem+json");
}

#[tokio::test]
async fn head_is_get_without_the_body() {
    let answer = send("HEAD /accounts", &[], "").await;
    assert_eq!((answer.status, answer.text.as_str()), (StatusCode::OK, ""));
    assert_eq!(answer.header("content-type"), "application/json");
}

#[tokio::test]
async fn the_id_of_a_request_is_sent_back() {
    let answer = send("GET /nowhere", &["X-Request-Id: 7"], "").await;
    assert_eq!(answer.header("x-request-id"), "", "only operations know the request");
    let answer = send("GET /accounts?PageSize=x", &["X-Request-Id: 7"], "").await;
    assert_eq!(answer.header("x-request-id"), "7");
}
