//! `specwright prove`: links between operations.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::Path;
use axum::http::Uri;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use reqwest::Url;
use serde_json::Value;

use crate::prove::proved_by;

#[tokio::test]
async fn links_are_followed_with_values_of_the_exchange() {
    const LINKED: &str = r"
openapi: 3.1.0
info: { title: Orders, version: '1' }
paths:
  /orders/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer, format: int32 } }]
    get:
      operationId: getOrder
      responses:
        '200':
          description: The number of lines.
          content: { application/json: { schema: { type: integer } } }
          links:
            lines:
              operationRef: '#/paths/~1orders~1{id}~1lines/get'
              parameters:
                path.id: $request.path.id
                query.id: $statusCode
                count: $response.body
                method: $method
                for: 'order {$request.path.id} of {$url}'
                constant: 'a {text}'
  /orders/{id}/lines:
    parameters:
      - { name: id, in: path, required: true, schema: { type: integer, format: int32 } }
      - { name: id, in: query, schema: { type: integer } }
      - { name: count, in: query, schema: { type: integer } }
      - { name: method, in: query, schema: { type: string } }
      - { name: for, in: query, schema: { type: string } }
      - { name: constant, in: query, schema: { type: string } }
    get: { responses: { '200': { description: The lines. } } }
";
    let asked = Arc::new(Mutex::new([const { Vec::<(i32, Uri)>::new() }; 2]));
    let note = |index: usize| {
        let asked = Arc::clone(&asked);
        get(async move |Path(id): Path<i32>, uri: Uri| {
            asked.lock().unwrap()[index].push((id, uri));
            ([(CONTENT_TYPE, "application/json")], "7")
        })
    };
    let router = Router::new().route("/orders/{id}", note(0)).route("/orders/{id}/lines", note(1));
    let run = proved_by(LINKED, router, "--only getOrder --samples 3 --format json").await;
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let url = report["url"].as_str().unwrap().trim_end_matches('/');
    let [orders, lines] = asked.lock().unwrap().clone();
    assert_eq!(lines.len(), 3);
    for (id, uri) in lines {
        let (_, order) = orders.iter().find(|(order, _)| *order == id).expect("an order that was asked for");
        let expected = [
            ("constant", "a {text}".to_owned()),
            ("count", "7".to_owned()),
            ("for", format!("order {id} of {url}{order}")),
            ("id", "200".to_owned()),
            ("method", "GET".to_owned()),
        ];
        let asked = Url::parse(&format!("{url}{uri}")).unwrap();
        let query: BTreeMap<_, _> = asked.query_pairs().into_owned().collect();
        assert_eq!(query, expected.map(|(name, value)| (name.to_owned(), value)).into());
    }
}
