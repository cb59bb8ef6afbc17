//! Responses of a router for requests that reach no operation, and unusual methods.

use compiled_server::runtime::server::{Limits, Options};
use reqwest::Method;

use crate::echo::{Echo, client_of, serve};

/// The status of a response, and its `Allow`.
async fn answer(method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> (u16, Option<String>) {
    let limits = Limits { body: 100, ..Limits::default() };
    let router = compiled_server::one_of_default::router(Echo::default(), &Options::default().limits(limits));
    let method = Method::from_bytes(method.as_bytes()).expect("it is a method");
    let mut request = reqwest::Client::new().request(method, format!("{}{path}", serve(router).await));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let answer = request.body(body.to_owned()).send().await.expect("the server answers");
    let allow = answer.headers().get("allow").and_then(|allow| allow.to_str().ok()).map(str::to_owned);
    (answer.status().as_u16(), allow)
}

#[tokio::test]
async fn unknown_operations_are_refused() {
    let json = ("content-type", "application/json");
    let horse = r#"{"kind":"horse","hands":15}"#;
    assert_eq!(answer("POST", "/animals", &[json], horse).await.0, 200);
    assert_eq!(answer("POST", "/elsewhere", &[json], horse).await.0, 404);
    assert_eq!(answer("POST", "/animals", &[("content-type", "text/plain")], horse).await.0, 415);
    assert_eq!(answer("POST", "/animals", &[json, ("accept", "image/png")], horse).await.0, 406);
    assert_eq!(answer("POST", "/animals", &[json], &" ".repeat(101)).await.0, 413);
    let (status, allow) = answer("DELETE", "/animals", &[], "").await;
    let mut allow: Vec<_> = allow.iter().flat_map(|allow| allow.split(',')).map(str::trim).collect();
    allow.sort_unstable();
    assert_eq!((status, allow), (405, vec!["COPY", "POST", "QUERY"]));
}

#[tokio::test]
async fn a_query_has_a_body() {
    use compiled_client::models::{Animal, FindAnimalsBody};
    use compiled_client::one_of_default::FindAnimals;

    let client = client_of(compiled_server::one_of_default::router(Echo::default(), &Options::default())).await;
    let body = FindAnimalsBody { kind: "newt".to_owned() };
    let found = client.one_of_default().find_animals(FindAnimals { limit: Some(4), body }).await;
    match &found.expect("it is answered")[..] {
        [Animal::Beast(beast)] => assert_eq!((beast.kind.as_deref(), beast.legs), (Some("newt"), Some(4))),
        other => panic!("{other:?}"),
    }
    let body = r#"{"kind":""}"#;
    let json = ("content-type", "application/json");
    assert_eq!(answer("QUERY", "/animals?limit=11", &[json], body).await.0, 422);
    assert_eq!(answer("QUERY", "/animals?limit=1", &[json], r#"{"kind":"a"}"#).await.0, 200);
}

#[tokio::test]
async fn a_method_that_has_no_field_is_one_of_the_additional_operations() {
    let client = client_of(compiled_server::one_of_default::router(Echo::default(), &Options::default())).await;
    let copied = client.one_of_default().copy_animals("/zoo").await;
    assert_eq!(copied.expect("it is answered"), "/zoo");
    assert_eq!(answer("COPY", "/animals", &[("destination", "/")], "").await.0, 400);
    assert_eq!(answer("copy", "/animals", &[("destination", "/zoo")], "").await.0, 405);
}

#[tokio::test]
async fn operations_of_one_route_are_told_apart_by_values_that_they_ask_for() {
    use compiled_client::models::{CountHerdsAction, NameHerdsAction, NameHerdsResponseNamesItem};
    use compiled_client::one_of_default::{CountHerds, NameHerds};

    let client = client_of(compiled_server::one_of_default::router(Echo::default(), &Options::default())).await;
    let herds = client.one_of_default();
    let count = herds.count_herds(CountHerds { action: CountHerdsAction::Count }).await;
    assert_eq!(count.expect("it is answered"), "2");
    let names = herds.name_herds(NameHerds { action: NameHerdsAction::Name }).await;
    assert_eq!(names.expect("it is answered").names, Some(vec![NameHerdsResponseNamesItem::Left]));
    assert_eq!(answer("GET", "/herds?Action=Feed", &[], "").await.0, 400);
}

#[tokio::test]
async fn operations_of_one_route_are_told_apart_by_what_only_some_ask_for() {
    use compiled_client::one_of_default::FindHerdOfYear;

    let client = client_of(compiled_server::one_of_default::router(Echo::default(), &Options::default())).await;
    let herds = client.one_of_default();
    let now = herds.find_herd("north").await;
    assert_eq!(now.expect("it is answered"), "north");
    let then = herds.find_herd_of_year(FindHerdOfYear { herd: "north".to_owned(), year: 1987 }).await;
    assert_eq!(then.expect("it is answered"), "north in 1987");
    let of_a_wrong_year = answer("GET", "/herds?herd=north&year=0", &[], "").await;
    assert_eq!(of_a_wrong_year.0, 400, "it is not taken for one without a year");
}

#[tokio::test]
async fn operations_of_one_route_are_told_apart_by_patterns_of_path_parameters() {
    let client = client_of(compiled_server::one_of_default::router(Echo::default(), &Options::default())).await;
    let herds = client.one_of_default();
    assert_eq!(herds.find_herd_by_number("17").await.expect("it is answered"), "number 17");
    assert_eq!(herds.find_herd_by_name("north").await.expect("it is answered"), "name north");
    assert_eq!(answer("GET", "/herds/North", &[], "").await.0, 400, "it is neither");
}

#[tokio::test]
async fn operations_of_one_route_are_told_apart_by_values_in_their_bodies() {
    use compiled_client::models::{DoJobBody, MoveHerdBody};
    use compiled_client::one_of_default::{DoJob, MoveHerd};

    let client = client_of(compiled_server::one_of_default::router(Echo::default(), &Options::default())).await;
    let herds = client.one_of_default();
    let moved = herds.move_herd(MoveHerd { body: MoveHerdBody { to: "the barn".to_owned() } }).await;
    assert_eq!(moved.expect("it is answered"), "to the barn");
    let shorn = herds.do_job(DoJob { body: DoJobBody { job: "shear".to_owned() } }).await;
    assert_eq!(shorn.expect("it is answered"), "shear");
    let nowhere = herds.do_job(DoJob { body: DoJobBody { job: "move".to_owned() } }).await;
    assert_eq!(nowhere.expect("it is answered"), "move", "the other one asks for more");

    let json = ("content-type", "application/json");
    assert_eq!(answer("POST", "/herds", &[json], &" ".repeat(101)).await.0, 413);
    assert_eq!(answer("POST", "/herds", &[json], "{").await.0, 400);
    assert_eq!(answer("POST", "/herds", &[("content-type", "text/plain")], "move").await.0, 415);
}

#[tokio::test]
async fn an_operation_that_requires_a_parameter_wins_if_it_is_present() {
    use compiled_client::one_of_default::ListFlocks;

    let client = client_of(compiled_server::one_of_default::router(Echo::default(), &Options::default())).await;
    let flocks = client.one_of_default();
    let found = flocks.find_flock("north").await;
    assert_eq!(found.expect("it is answered"), "the one near north");
    let all = flocks.list_flocks(ListFlocks::default()).await;
    assert_eq!(all.expect("it is answered"), "all near None, None of them");
    let some = flocks.list_flocks(ListFlocks { near: Some("north".to_owned()), limit: Some(3) }).await;
    assert_eq!(some.expect("it is answered"), r#"all near Some("north"), Some(3) of them"#, "only it has a limit");
}
