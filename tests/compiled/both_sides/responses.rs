//! Responses: declared ones are typed, undeclared ones keep status, headers and body.

use compiled_client::headers::{ListItemsError as SeenItemsError, ListItemsResponse as SeenItems};
use compiled_client::responses::{StartJobError as SeenError, StartJobResponse as Seen};
use compiled_client::runtime::client::Retry;
use compiled_client::{Client, Error, models as seen};
use compiled_server::headers::{AddItem, AddItemResponse, Headers, ListItems, ListItemsError, ListItemsResponse};
use compiled_server::models::{Corner, Job, JobState, ListItemsResponseXColorsItem, Mistake, Portrait};
use compiled_server::responses::{
    DeleteJob, GetJob, GetLog, GetLogDefaultBody, GetPortrait, GetPortraitError, GetPortraitOkBody, ProbeJob,
    ProbeJobError, PutJob, PutJobResponse, Responses, StartJob, StartJobError, StartJobResponse,
};
use compiled_server::runtime::server::{Call, Declares, Failure, Options};
use http::StatusCode;

use crate::echo::client_of;

/// Responds as the header `x-wanted` says.
struct Wanted;

const COOKIES: [&str; 2] = ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2"];

fn wanted(call: &Call<()>) -> &str {
    call.headers().get("x-wanted").and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Errors of a service.
#[derive(Debug)]
enum AppError {
    NoJob,
    Taken,
    Database,
}

impl std::fmt::Display for AppError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?} of secret.example.com")
    }
}

impl std::error::Error for AppError {}

impl AppError {
    fn into_failure(self) -> Failure {
        match self {
            Self::NoJob => Failure::json(StatusCode::NOT_FOUND, "application/problem+json", &mistake()),
            Self::Taken => Failure::<StartJob>::from(StartJobError::Conflict).into(),
            Self::Database => Failure::internal(self).into(),
        }
    }
}

/// A lower layer without knowledge of HTTP.
fn ask_store(answer: AppError) -> Result<(), AppError> {
    Err(answer)
}

fn mistake() -> Mistake {
    Mistake { title: "no".to_owned() }
}

impl Responses for Wanted {
    async fn start_job(&self, call: Call<()>, _: StartJob) -> Result<StartJobResponse, Failure<StartJob>> {
        Err(match wanted(&call) {
            "200" => return Ok(StartJobResponse::Ok(Job { id: 1, state: Some(JobState::Done) })),
            "202" => return Ok(StartJobResponse::Accepted),
            "303" => return Ok(StartJobResponse::SeeOther),
            "409" => Failure::from(StartJobError::Conflict),
            "taken" => return Ok(ask_store(AppError::Taken).map(|()| StartJobResponse::Accepted)?),
            "database" => return Ok(ask_store(AppError::Database).map(|()| StartJobResponse::Accepted)?),
            "number" => return Ok("secret".parse::<u8>().map(|_| StartJobResponse::Accepted)?),
            "chosen" => Failure::conflict("chosen").with_source(AppError::NoJob).into(),
            "418" => Failure::from(StartJobError::ClientError { status: StatusCode::IM_A_TEAPOT, body: mistake() }),
            _ => Failure::from(StartJobError::Default { status: StatusCode::BAD_GATEWAY, body: "ü".to_owned() }),
        })
    }

    async fn get_job(&self, _: Call<()>, request: GetJob) -> Result<Job, Failure<GetJob>> {
        if request.id < 0 {
            ask_store(AppError::NoJob)?;
        }
        if request.id == 0 {
            return Err(Failure::not_found("job", 0).with_body(&mistake()));
        }
        Ok(Job { id: request.id, state: None })
    }

    async fn put_job(&self, _: Call<()>, request: PutJob) -> Result<PutJobResponse, Failure<PutJob>> {
        let status = if request.id == 1 { StatusCode::OK } else { StatusCode::CREATED };
        Ok(PutJobResponse { status, body: Job { id: request.id, state: None } })
    }

    async fn delete_job(&self, _: Call<()>, _: DeleteJob) -> Result<(), Failure<DeleteJob>> {
        Err(Failure::bad_request("busy").with_header(http::header::RETRY_AFTER, 3).into())
    }

    async fn probe_job(&self, _: Call<()>, request: ProbeJob) -> Result<(), Failure<ProbeJob>> {
        if request.id == 1 { Ok(()) } else { Err(Failure::from(ProbeJobError::NotFound)) }
    }

    async fn get_portrait(&self, call: Call<()>, _: GetPortrait) -> Result<GetPortraitOkBody, Failure<GetPortrait>> {
        let portrait = Box::new(Portrait { name: Some("Ada & Co".to_owned()), ..Portrait::default() });
        match wanted(&call) {
            "form" => Ok(GetPortraitOkBody::Form(portrait)),
            "404" => Err(Failure::from(GetPortraitError::NotFound(portrait))),
            _ => Ok(GetPortraitOkBody::Json(portrait)),
        }
    }

    async fn get_log(&self, call: Call<()>, _: GetLog) -> Result<GetLogDefaultBody, Failure<GetLog>> {
        Ok(match wanted(&call) {
            "text" => GetLogDefaultBody::Text("a\nb".to_owned()),
            _ => GetLogDefaultBody::Json(vec!["a".to_owned()]),
        })
    }
}

/// A status that the runtime answers, too.
fn too_many<O: Declares<429>>() -> Failure<O> {
    Failure::declared::<429>("not now").into()
}

impl Headers for Wanted {
    async fn list_items(&self, call: Call<()>, _: ListItems) -> Result<ListItemsResponse, Failure<ListItems>> {
        let etag = Some("\"1\"".to_owned());
        match wanted(&call) {
            "200" => Ok(ListItemsResponse::Ok {
                x_total: -1,
                link: Some("</a>; rel=\"next\"".to_owned()),
                x_colors: Some(vec![ListItemsResponseXColorsItem::Red, ListItemsResponseXColorsItem::Green]),
                x_place: Some(Corner { x: Some(1), y: Some(-2) }),
                last_modified: None,
                etag,
                body: vec!["a".to_owned()],
            }),
            "304" => Ok(ListItemsResponse::NotModified { etag }),
            "declared" => Err(too_many()),
            _ => Err(Failure::from(ListItemsError::TooManyRequests { retry_after: 0 })),
        }
    }

    async fn add_item(&self, _: Call<()>, _: AddItem) -> Result<AddItemResponse, Failure<AddItem>> {
        let set_cookie = COOKIES.iter().map(|cookie| (*cookie).to_owned()).collect();
        Ok(AddItemResponse { location: "../items/1?a=b".to_owned(), set_cookie: Some(set_cookie) })
    }
}

async fn client() -> Client {
    let options = Options::default();
    let responses = compiled_server::responses::router(Wanted, &options);
    client_of(responses.merge(compiled_server::headers::router(Wanted, &options))).await
}

#[tokio::test]
async fn redirections_are_followed_unless_they_are_answers() {
    let to_the_job = || async { (StatusCode::SEE_OTHER, [("location", "/jobs/7")]) };
    let job = || async { ([("content-type", "application/json")], r#"{ "id": 7 }"#) };
    let moved = || async { (StatusCode::TEMPORARY_REDIRECT, [("location", "/jobs/7")]) };
    let router = axum::Router::new()
        .route("/jobs", axum::routing::post(to_the_job))
        .route("/jobs/7", axum::routing::get(job))
        .route("/jobs/1", axum::routing::get(moved));
    let client = client_of(router).await;
    assert_eq!(client.responses().start_job(()).await.expect("it is there already"), Seen::SeeOther);
    let found = client.responses().get_job(1).await;
    assert_eq!(found.expect("it is elsewhere").id, 7);
}

#[tokio::test]
async fn every_status_is_a_variant() {
    let client = client().await;
    let start = |wanted| client.responses().start_job(()).header("x-wanted", wanted);
    let done = Seen::Ok(seen::Job { id: 1, state: Some(seen::JobState::Done) });
    for (wanted, expected) in [("200", done), ("202", Seen::Accepted), ("303", Seen::SeeOther)] {
        assert_eq!(start(wanted).await.expect(wanted), expected);
    }
    let teapot =
        SeenError::ClientError { status: StatusCode::IM_A_TEAPOT, body: seen::Mistake { title: "no".to_owned() } };
    let gateway = SeenError::Default { status: StatusCode::BAD_GATEWAY, body: "ü".to_owned() };
    for (wanted, expected) in [("409", SeenError::Conflict), ("418", teapot), ("502", gateway)] {
        match start(wanted).await {
            Err(Error::Api(error)) => assert_eq!(error.body, expected),
            other => panic!("{wanted}: {other:?}"),
        }
    }
    assert_eq!(client.responses().get_job(i64::MAX).await.expect("it is there").id, i64::MAX);
    for (id, status) in [(1, StatusCode::OK), (2, StatusCode::CREATED)] {
        let put = client.responses().put_job(id).await.expect("it is there");
        assert_eq!((put.status, put.body.id), (status, id));
    }
    client.responses().probe_job(1).await.expect("it is there");
    let missing = client.responses().probe_job(2).await;
    assert!(matches!(missing, Err(Error::Api(_))), "{missing:?}");
    let log = client.responses().get_log(()).header("x-wanted", "text").await.expect("there is a log");
    assert_eq!(format!("{log:?}"), "Text(\"a\\nb\")");
    let log = client.responses().get_log(()).await.expect("there is a log");
    assert_eq!(format!("{log:?}"), "Json([\"a\"])");
}

#[tokio::test]
async fn errors_of_the_service_are_what_it_says_they_are() {
    let options = Options::default().map_error(AppError::into_failure);
    let client = client_of(compiled_server::responses::router(Wanted, &options)).await;
    match client.responses().get_job(-1).await {
        Err(Error::Api(error)) => {
            assert_eq!((error.status().as_u16(), error.body), (404, seen::Mistake { title: "no".to_owned() }));
        }
        other => panic!("{other:?}"),
    }
    let start = async |client: &Client, wanted| {
        let error = client.responses().start_job(()).header("x-wanted", wanted).await.expect_err("it fails");
        let text = String::from_utf8_lossy(error.bytes().expect("it was answered")).into_owned();
        (error.status().map_or(0, |status| status.as_u16()), text)
    };
    let sanitised = (500, r#"{"type":"about:blank","title":"Internal Server Error","status":500}"#.to_owned());
    assert_eq!(start(&client, "taken").await, (409, String::new()));
    assert_eq!(start(&client, "chosen").await.0, 409, "who has chosen a status keeps it");
    for wanted in ["database", "number"] {
        assert_eq!(start(&client, wanted).await, sanitised, "{wanted}");
    }

    let unmapped = client_of(compiled_server::responses::router(Wanted, &Options::default())).await;
    assert_eq!(start(&unmapped, "taken").await, sanitised);
}

#[tokio::test]
async fn a_failure_that_all_statuses_share_is_its_body() {
    let answer = client().await.responses().get_job(0).await;
    let title = client().await.responses().get_job(0).await.map_err(|error| error.map(|body| body.title));
    assert!(matches!(title, Err(Error::Api(error)) if error.body == "no" && error.status() == StatusCode::NOT_FOUND));
    let Err(Error::Api(error)) = answer else { panic!("{answer:?}") };
    assert_eq!((error.status(), &error.body), (StatusCode::NOT_FOUND, &seen::Mistake { title: "no".to_owned() }));
    assert_eq!(error.headers()["content-type"], "application/problem+json");
}

#[tokio::test]
async fn forms_in_boxes_are_read_and_written() {
    use compiled_client::responses::{GetPortraitError, GetPortraitOkBody};
    let client = client().await;
    let portrait = |wanted| client.responses().get_portrait(()).header("x-wanted", wanted);
    let expected = Box::new(seen::Portrait { name: Some("Ada & Co".to_owned()), ..seen::Portrait::default() });
    assert_eq!(portrait("form").await.expect("it is there"), GetPortraitOkBody::Form(expected.clone()));
    assert_eq!(portrait("json").await.expect("it is there"), GetPortraitOkBody::Json(expected.clone()));
    match portrait("404").await {
        Err(Error::Api(error)) => assert_eq!(error.body, GetPortraitError::NotFound(expected)),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_undeclared_failure_keeps_status_headers_and_bytes() {
    let answer = client().await.responses().delete_job(1).await;
    let error = answer.expect_err("it is busy");
    assert!(matches!(error, Error::Unexpected(_)), "{error:?}");
    assert_eq!(error.status(), Some(StatusCode::BAD_REQUEST));
    assert_eq!(error.headers().and_then(|headers| headers.get("retry-after")).expect("it is sent"), "3");
    assert!(error.bytes().is_some_and(|bytes| bytes.windows(4).any(|part| part == b"busy")), "{error:?}");
}

#[tokio::test]
async fn a_default_that_is_a_value_has_a_status_below_400() {
    let answer = |status: u16| {
        let status = StatusCode::from_u16(status).expect("a status");
        move || async move { (status, [("content-type", "application/json"), ("x-id", "7")], "[\"a\"]") }
    };
    for status in [200, 203, 300] {
        let client = client_of(axum::Router::new().route("/log", axum::routing::get(answer(status)))).await;
        let log = client.responses().get_log(()).await.expect("there is a log");
        assert_eq!(format!("{log:?}"), "Json([\"a\"])", "{status}");
    }
    for status in [400, 404, 500, 503] {
        let client = client_of(axum::Router::new().route("/log", axum::routing::get(answer(status)))).await;
        let error = client.responses().get_log(()).retry(Retry::never()).await.expect_err("there is none");
        assert!(matches!(error, Error::Unexpected(_)), "{error:?}");
        assert_eq!(error.status().map(|status| status.as_u16()), Some(status));
        assert_eq!(error.headers().and_then(|headers| headers.get("x-id")).expect("it is sent"), "7");
        assert_eq!(error.bytes().map(AsRef::as_ref), Some(&b"[\"a\"]"[..]));
    }
}

#[tokio::test]
async fn headers_are_typed() {
    let client = client().await;
    let list = |wanted| client.headers().list_items(()).header("x-wanted", wanted);
    let SeenItems::Ok { x_total, link, x_colors, x_place, last_modified, etag, body } = list("200").await.expect("200")
    else {
        panic!("it is 200");
    };
    assert_eq!((x_total, link.as_deref(), last_modified), (Ok(-1), Some("</a>; rel=\"next\""), None));
    assert_eq!(format!("{x_colors:?}"), "Some([Red, Green])");
    assert_eq!(x_place, Some(seen::Corner { x: Some(1), y: Some(-2) }));
    assert_eq!((etag.as_deref(), body), (Some("\"1\""), vec!["a".to_owned()]));
    assert_eq!(list("304").await.expect("304"), SeenItems::NotModified { etag });
    match list("429").await {
        Err(Error::Api(error)) => assert_eq!(error.body, SeenItemsError::TooManyRequests { retry_after: Ok(0) }),
        other => panic!("{other:?}"),
    }
    match list("declared").await {
        Err(Error::Api(error)) => assert_eq!(error.status(), StatusCode::TOO_MANY_REQUESTS),
        other => panic!("{other:?}"),
    }
    let added = client.headers().add_item(()).await.expect("it is added");
    assert_eq!(added.location.as_deref(), Ok("../items/1?a=b"));
    assert_eq!(added.set_cookie.unwrap_or_default(), COOKIES);
}
