//! `specwright prove`

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::RawQuery;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, StatusCode};
use axum::response::IntoResponse;
use axum::routing::{any, delete, get, post, put};
use serde_json::{Value, json};
use tokio::sync::Barrier;

use crate::folder::{Folder, Run};
use crate::service::PETS;

/// What a faulty service answers.
const PET: &str = r#"{"id":7,"name":"Bella"}"#;

fn json(status: u16, body: &'static str) -> impl IntoResponse {
    (StatusCode::from_u16(status).unwrap(), [(CONTENT_TYPE, "application/json")], body)
}

/// Serves a router on a free port until the test ends; returns the URL.
async fn served(router: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    url
}

/// Serves a router, and proves it.
async fn proved(router: Router, arguments: &str) -> Run {
    proved_by(PETS, router, &format!("--bearer secret --samples 4 {arguments}")).await
}

/// The same for another description.
pub(crate) async fn proved_by(description: &'static str, router: Router, arguments: &str) -> Run {
    let url = served(router).await;
    let samples = if arguments.contains("--budget") || arguments.contains("--samples") { "" } else { "--samples 10" };
    let budget = if arguments.contains("--budget") { "" } else { "--budget 1h" };
    let line = format!("prove pets.yaml --url {url} {budget} {samples} {arguments}");
    let run = move || Folder::new(&[("pets.yaml", description)]).run(&line);
    tokio::task::spawn_blocking(run).await.unwrap()
}

/// The kind and the operation of each finding.
pub(crate) fn kinds(report: &Value) -> Vec<(String, String)> {
    let text = |finding: &Value, name: &str| finding[name].as_str().unwrap().to_owned();
    let findings = report["findings"].as_array().unwrap();
    findings.iter().map(|finding| (text(finding, "operationId"), text(finding, "kind"))).collect()
}

#[tokio::test]
async fn time_that_is_left_is_used_unless_the_samples_are_counted() {
    let requests = Arc::new(AtomicU64::new(0));
    let router = || {
        let requests = Arc::clone(&requests);
        let pets = async move || {
            requests.fetch_add(1, Ordering::Relaxed);
            json(200, "[]")
        };
        Router::new().route("/pets", get(pets))
    };
    let samples = async |arguments: &str| {
        let run = proved_by(PETS, router(), &format!("--only listPets --format json {arguments}")).await;
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        (report["samples"].as_u64().unwrap(), report["complete"].clone())
    };
    assert_eq!(samples("--budget 0s").await, (0, json!(false)));
    assert_eq!(samples("--budget 1h --samples 10").await, (10, json!(true)));
    let of_ten = requests.swap(0, Ordering::Relaxed);

    let url = served(router()).await;
    let folder = Folder::new(&[("pets.yaml", PETS)]);
    let mut prove = Command::new(env!("CARGO_BIN_EXE_specwright"))
        .args(["prove", "pets.yaml", "--url", &url, "--only", "listPets", "--budget", "1h"])
        .current_dir(folder.path(""))
        .spawn()
        .unwrap();
    let mut ended = None;
    while ended.is_none() && requests.load(Ordering::Relaxed) < 3 * of_ten {
        tokio::time::sleep(Duration::from_millis(10)).await;
        ended = prove.try_wait().unwrap();
    }
    prove.kill().unwrap();
    prove.wait().unwrap();
    assert_eq!(ended, None);
}

#[tokio::test]
async fn faults_are_found_and_their_lines_repeat_them() {
    let router = Router::new()
        // The header is missing, and a pet has no id.
        .route("/pets", get(async || json(200, r#"[{"name":"Bella"}]"#)).post(async || json(201, PET)))
        // Another status; an accepted body that is broken; a failure.
        .route("/pets/{id}", get(async || json(202, PET)).put(async || StatusCode::INTERNAL_SERVER_ERROR));
    let run = proved(router, "--format json --skip deletePet").await;
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
    assert!(!run.stdout.contains("secret"));
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let mut found = kinds(&report);
    found.sort();
    let expected = [
        ("createPet", "accepted"),
        ("createPet", "unprotected"),
        ("getPet", "accepted"),
        ("getPet", "undeclared-status"),
        ("listPets", "accepted"),
        ("listPets", "response-body"),
        ("listPets", "response-header"),
        ("renamePet", "server-error"),
    ];
    assert_eq!(found, expected.map(|(id, kind)| (id.to_owned(), kind.to_owned())), "{report:#}");
    let of = |id: &str, kind: &str| {
        let findings = report["findings"].as_array().unwrap();
        findings.iter().find(|finding| finding["operationId"] == id && finding["kind"] == kind).unwrap().clone()
    };
    assert_eq!(of("listPets", "response-body")["detail"], r#"200, body /0: "id" is a required property (`required`)"#);
    for (id, kind, status) in [
        ("createPet", "accepted", "201"),
        ("getPet", "undeclared-status", "202"),
        ("listPets", "response-body", "200"),
        ("renamePet", "server-error", "500"),
    ] {
        let line = of(id, kind)["curl"].as_str().unwrap().to_owned();
        let repeat = move || Command::new("bash").args(["-c", &line]).env("SPECWRIGHT_TOKEN", "secret").output();
        // Without `curl` the lines are only looked at.
        if let Ok(output) = tokio::task::spawn_blocking(repeat).await.unwrap()
            && output.status.code() != Some(127)
        {
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(text.starts_with(&format!("HTTP/1.1 {status}")), "{id} {kind}: {text}");
        }
    }
}

#[tokio::test]
async fn an_optional_value_that_is_refused_hides_nothing() {
    let list = async |RawQuery(query): RawQuery| match query {
        None => json(200, r#"[{"name":"Bella"}]"#).into_response(),
        Some(_) => json(400, r#"{"error":"not this"}"#).into_response(),
    };
    for seed in 0..8 {
        let arguments = format!("--format json --only listPets --seed {seed}");
        let run = proved(Router::new().route("/pets", get(list)), &arguments).await;
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        assert!(kinds(&report).iter().any(|(_, kind)| kind == "response-body"), "{seed}: {report:#}");
    }
}

#[tokio::test]
async fn the_report_is_that_of_the_page() {
    let router = Router::new().route("/pets/{id}", put(async || StatusCode::NO_CONTENT));
    let run = proved(router, "--only renamePet").await;
    let url = run.stdout.split("http://").nth(1).and_then(|rest| rest.split('/').next()).unwrap();
    let report = run.stdout.replace(url, "127.0.0.1:8080");
    let page = include_str!("../../../docs/mock-and-prove.md");
    assert!(page.contains(&format!("```text\n{report}```")), "{report}");
}

#[tokio::test]
async fn media_types_and_refusals_are_told_apart() {
    let router = Router::new()
        .route("/pets", post(async || StatusCode::UNPROCESSABLE_ENTITY))
        .route("/pets/{id}", put(async || StatusCode::NOT_FOUND));
    let run = proved(router, "--only createPet,renamePet").await;
    assert!(run.stdout.starts_with("warning[refused]: POST /pets answers 422 to a valid request\n  --> createPet\n"));
    assert!(run.stdout.ends_with("0 findings, 1 warning (seed 0)\n"), "{}", run.stdout);
}

#[tokio::test]
async fn an_operation_without_a_success_is_not_proven() {
    let router = || Router::new().route("/pets", get(async || ([("x-count", "0")], json(200, "[]"))));
    let run = proved(router(), "--only listPets,renamePet,deletePet").await;
    let expected = "not proven: PUT /pets/{id} answers 404 to valid requests, and no success\n  --> renamePet\n\n\
                    not proven: DELETE /pets/{id} answers 404 to valid requests, and no success\n  --> deletePet\n\n\
                    3 operations (2 not proven), ";
    assert!(run.stdout.contains(expected), "{}", run.stdout);
    assert_eq!(run.stderr, "");
    let report: Value =
        serde_json::from_str(&proved(router(), "--only listPets,renamePet --format json").await.stdout).unwrap();
    let expected = json!([{ "operationId": "renamePet", "method": "PUT", "path": "/pets/{id}", "statuses": [404] }]);
    assert_eq!(report["notProven"], expected);
    let junit = proved(router(), "--only listPets,renamePet --format junit").await.stdout;
    let skipped = "    <skipped message=\"not proven: answers 404 to valid requests, and no success\"/>\n";
    assert!(junit.contains(skipped) && junit.contains(" skipped=\"1\">"), "{junit}");
}

#[tokio::test]
async fn a_service_in_which_nothing_succeeds_is_a_failure() {
    let answers = |status: u16| Router::new().fallback(async move || StatusCode::from_u16(status).unwrap());
    let path = "  help: look at `--url`: the paths of the description follow it, and it does not end with the path of \
                the description's server, `/v1`\n";
    for (status, help) in [(404, path), (401, "  help: look at the credentials: `--bearer` or `--header`\n")] {
        let run = proved(answers(status), "--only renamePet,deletePet").await;
        let (first, rest) = run.stderr.split_once('\n').unwrap();
        assert!(first.starts_with("error: nothing is proven: no valid request to http://127.0.0.1:"), "{first}");
        assert!(run.code == Some(1) && rest == help, "{}{}", run.stdout, run.stderr);
        let junit = proved(answers(status), "--only renamePet,deletePet --format junit").await.stdout;
        assert!(junit.contains(" failures=\"0\" skipped=\"2\">"), "{junit}");
    }
    let run = proved_by(PETS, answers(204), "--budget 0s").await;
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), "error: nothing is proven: no request was sent\n"));
    assert_eq!(proved_by(PETS, answers(204), "--samples 0").await.code, Some(2));
}

#[tokio::test]
async fn a_waiting_request_ends_with_the_budget() {
    let hangs = Router::new().fallback(std::future::pending::<StatusCode>);
    let run = tokio::time::timeout(Duration::from_secs(8), proved_by(PETS, hangs, "--budget 1s")).await;
    let run = run.expect("it waits no longer than the budget");
    assert_eq!(run.code, Some(1));
    let line = "not proven: GET /pets has no answer to a valid request\n  --> listPets\n";
    assert!(run.stdout.contains(line) && !run.stdout.contains("no-answer"), "{}", run.stdout);
    assert!(run.stdout.contains("; the time was over"), "{}", run.stdout);
}

#[tokio::test]
async fn reports_have_a_case_for_each_operation() {
    let router = Router::new().route("/pets", get(async || ([(CONTENT_TYPE, "text/html")], "<p>")));
    let run = proved(router, "--only listPets --format junit").await;
    assert_eq!(run.code, Some(1), "{}", run.stdout);
    assert!(
        run.stdout.contains(r#"<testsuite name="specwright prove" tests="1" failures="1" skipped="0">"#),
        "{}",
        run.stdout
    );
    let failure = r#"<failure type="undeclared-media-type" message="answers 200 with `text/html`; described: application/json">curl -i "#;
    assert!(run.stdout.contains(failure), "{}", run.stdout);
}

/// A list, and an item that is only read.
const ITEMS: &str = "\
openapi: 3.1.0
info: { title: Items, version: '1' }
paths:
  /items:
    get: { operationId: listItems, responses: { '204': { description: None. } } }
    post: { operationId: addItem, requestBody: { content: { text/plain: {} } }, responses: { '204': { description: Done. } } }
  /items/{id}:
    get:
      operationId: getItem
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '204': { description: None. } }
";

/// A service with a method that the description does not have, and one that does not say which methods it has.
fn items() -> Router {
    let done = async || StatusCode::NO_CONTENT;
    let item = async |method: Method| match method.as_str() {
        "GET" => StatusCode::NO_CONTENT,
        "DELETE" => StatusCode::BAD_GATEWAY,
        _ => StatusCode::METHOD_NOT_ALLOWED,
    };
    Router::new().route("/items", get(done).post(done).patch(async || StatusCode::OK)).route("/items/{id}", any(item))
}

#[tokio::test]
async fn methods_that_are_not_described_are_tried() {
    let run = proved_by(ITEMS, items(), "--samples 1").await;
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    for line in [
        "error[undescribed-method]: POST /items answers 200 to PATCH, which is not described\n  --> addItem\n",
        "error[server-error]: GET /items/{id} answers 502 to DELETE, which is not described\n  --> getItem\n",
        "warning[allow]: GET /items/{id} answers 405 to POST without `Allow`, which lists the methods that it has\n  \
         --> getItem\n   = also: PUT\n   = also: PATCH\n  curl -i -X POST http://",
    ] {
        assert!(run.stdout.contains(line), "{}", run.stdout);
    }
    assert!(run.stdout.contains(", 2 findings, 1 warning (seed 0)"), "{}", run.stdout);
    for arguments in ["--read-only", "--only listItems,addItem,getItem", "--skip addItem"] {
        let run = proved_by(ITEMS, items(), arguments).await;
        assert!(run.code == Some(0) && !run.stdout.contains("warning"), "{arguments}: {}", run.stdout);
    }
}

#[tokio::test]
async fn allow_lists_what_a_path_has() {
    let allow = |methods: &'static str| {
        let refuse = async move || (StatusCode::METHOD_NOT_ALLOWED, [("allow", methods)]);
        Router::new().route(
            "/items",
            get(async || StatusCode::NO_CONTENT).post(async || StatusCode::NO_CONTENT).fallback(refuse),
        )
    };
    for (methods, expected) in [
        ("GET,HEAD, POST", None),
        ("GET, POST, PUT", Some("answers 405 to PUT, which `Allow: GET, POST, PUT` has")),
        ("POST", Some("answers 405 to PUT with `Allow: POST`; also described: GET")),
    ] {
        let run = proved_by(ITEMS, allow(methods), "--samples 1").await;
        let warnings: Vec<_> =
            run.stdout.lines().filter_map(|line| line.strip_prefix("warning[allow]: POST /items ")).collect();
        assert_eq!(warnings, Vec::from_iter(expected), "{}", run.stdout);
    }
}

#[tokio::test]
async fn methods_of_a_template_are_not_those_of_a_concrete_path() {
    let document = "\
openapi: 3.1.0
info: { title: Items, version: '1' }
paths:
  /items/newest:
    get: { operationId: newest, responses: { '204': { description: It. } } }
  /items/{id}:
    delete:
      operationId: remove
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '204': { description: Removed. } }
";
    let no_content = async || StatusCode::NO_CONTENT;
    let app = Router::new().route("/items/newest", get(no_content)).route("/items/{id}", delete(no_content));
    let run = proved_by(document, app, "--samples 1").await;
    assert!(!run.stdout.contains("warning[allow]"), "{}", run.stdout);
}

/// An account whose password only requests have.
const ACCOUNT: &str = "\
openapi: 3.1.0
info: { title: Accounts, version: '1' }
paths:
  /account:
    get: { operationId: getAccount, responses: { '200': { description: It., content: { application/json: { schema: { $ref: '#/components/schemas/Account' } } } } } }
components:
  schemas:
    Account:
      type: object
      required: [name, password]
      properties: { name: { type: string }, password: { type: string, writeOnly: true }, friends: { type: array, items: { $ref: '#/components/schemas/Account' } } }
";

#[tokio::test]
async fn responses_have_no_write_only_members() {
    let account = || {
        Router::new().route(
            "/account",
            get(async || json(200, r#"{"name":1,"password":"p","friends":[{"name":"a","password":"q"}]}"#)),
        )
    };
    let run = proved_by(ACCOUNT, account(), "--format json --samples 1").await;
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(kinds(&report), [("getAccount".to_owned(), "response-body".to_owned())], "{report:#}");
    let others = json!(["200 body /friends/0/password writeOnly", "200 body /password writeOnly"]);
    assert_eq!(report["findings"][0]["others"], others);
    // Where it only SHOULD NOT be sent, it is a warning.
    let old = ACCOUNT.replace("3.1.0", "3.0.3").leak();
    let run = proved_by(old, account(), "--format json --samples 1").await;
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let expected = ["response-body", "write-only"].map(|kind| ("getAccount".to_owned(), kind.to_owned()));
    assert_eq!(kinds(&report), expected, "{report:#}");
    assert_eq!(report["findings"][1]["severity"], "warning");
}

#[tokio::test]
async fn a_body_that_is_not_described_is_a_warning() {
    let router = Router::new().route("/pets/{id}", put(async || (StatusCode::NOT_FOUND, "none")));
    let run = proved(router, "--only renamePet").await;
    let line = "warning[undescribed-body]: PUT /pets/{id} answers 404 with a body (`text/plain`); none is described\n";
    assert!(run.stdout.starts_with(line), "{}", run.stdout);
}

#[tokio::test]
async fn operations_are_called_side_by_side() {
    let both = Arc::new(Barrier::new(2));
    let read = move || {
        let both = Arc::clone(&both);
        // Neither is answered before the other is called, too.
        async move {
            both.wait().await;
            StatusCode::NO_CONTENT
        }
    };
    let router = Router::new().route("/items", get(read.clone())).route("/items/{id}", get(read));
    let run = proved_by(ITEMS, router, "--read-only --samples 1 --format json").await;
    assert_eq!(kinds(&serde_json::from_str(&run.stdout).unwrap()), [], "{}", run.stdout);
}

#[tokio::test]
async fn the_report_does_not_depend_on_the_order_of_answers() {
    let mut reports = Vec::new();
    for slowest in ["GET", "PUT", "POST", "DELETE"] {
        let late = move |method: Method| async move {
            if method.as_str() == slowest {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
            json(200, r#"[{"id":7}]"#)
        };
        let run = proved(Router::new().fallback(late), "--format json").await;
        let mut report: Value = serde_json::from_str(&run.stdout).unwrap();
        let text = report.to_string().replace(report["url"].take().as_str().unwrap(), "");
        reports.push(text);
    }
    reports.dedup();
    assert_eq!(reports.len(), 1, "{reports:#?}");
}

#[tokio::test]
async fn only_what_reads_is_sent_if_that_is_wanted() {
    let router = Router::new().fallback(async |request: axum::extract::Request| {
        assert_eq!(request.method(), "GET");
        StatusCode::NOT_FOUND
    });
    let run = proved(router, "--read-only --format json").await;
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["operations"], json!(2));
    // The description has a 404 of `getPet`, with a body.
    let expected = [("listPets", "undeclared-status"), ("getPet", "response-body")];
    assert_eq!(kinds(&report), expected.map(|(id, kind)| (id.to_owned(), kind.to_owned())), "{report:#}");
}

#[test]
fn a_connection_that_the_service_closes_after_an_answer_is_not_a_finding() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // One answer a connection, which it does not announce: the next request finds it closed.
            std::thread::spawn(move || answer_once(stream, "keep-alive"));
        }
    });
    let folder = Folder::new(&[("pets.yaml", PETS)]);
    let line = format!("prove pets.yaml --url {url} --only getPet --samples 10 --budget 1h --format json");
    let report: Value = serde_json::from_str(&folder.run(&line).stdout).unwrap();
    assert!(report["requests"].as_u64().unwrap() > 10, "{report:#}");
    let lost: Vec<_> = kinds(&report).into_iter().filter(|(_, kind)| kind == "no-answer").collect();
    assert_eq!(lost, []);
}

#[test]
fn a_service_that_handles_one_request_at_a_time_answers_all() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let busy = Arc::new(Mutex::new(()));
        for stream in listener.incoming().flatten() {
            let busy = Arc::clone(&busy);
            std::thread::spawn(move || {
                // What comes while it is busy gets no answer.
                if let Ok(one) = busy.try_lock() {
                    std::thread::sleep(Duration::from_millis(10));
                    drop(one);
                    answer_once(stream, "close");
                }
            });
        }
    });
    let folder = Folder::new(&[("pets.yaml", PETS)]);
    let line = format!("prove pets.yaml --url {url} --read-only --samples 10 --budget 1h --format json");
    let report: Value = serde_json::from_str(&folder.run(&line).stdout).unwrap();
    let lost: Vec<_> = kinds(&report).into_iter().filter(|(_, kind)| kind == "no-answer").collect();
    assert_eq!(lost, [], "{report:#}");
}

/// Answers the first request of a connection, and closes it when the second one begins.
fn answer_once(mut stream: TcpStream, connection: &str) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        if stream.read_exact(&mut byte).is_err() {
            return;
        }
        head.extend(byte);
    }
    let (kind, length) = ("Content-Type: application/json", PET.len());
    let answer =
        format!("HTTP/1.1 200 OK\r\n{kind}\r\nContent-Length: {length}\r\nConnection: {connection}\r\n\r\n{PET}");
    let _ = stream.write_all(answer.as_bytes());
    let _ = stream.read(&mut [0]);
}

#[test]
fn a_service_that_cannot_be_reached_is_a_mistake_of_the_caller() {
    let folder = Folder::new(&[("pets.yaml", PETS)]);
    let run = folder.run("prove pets.yaml --url http://127.0.0.1:9");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.starts_with("error: http://127.0.0.1:9 cannot be reached"), "{}", run.stderr);
    for wrong in [
        "--url file:///x",
        "--url http://127.0.0.1:9 --only nothing",
        "--url http://127.0.0.1:9 --header x",
        "--url http://127.0.0.1:9/?a=b",
        "--url http://127.0.0.1:9/#f",
    ] {
        assert_eq!(folder.run(&format!("prove pets.yaml {wrong}")).code, Some(2), "{wrong}");
    }
}
