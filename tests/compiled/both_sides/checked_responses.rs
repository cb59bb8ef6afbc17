//! A response that breaks the description is logged, and a 500 that lists the violations is sent in its place.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::body::{Body, to_bytes};
use axum::response::Response;
use compiled_server::OPENAPI;
use compiled_server::checked::{Checked, GetChecked, GetCheckedOkBody};
use compiled_server::constraints::{
    Combine, Constraints, Pay, PlaceOrder, PlaceOrderForm, ReadOrder, ReadOrderResponse, router,
};
use compiled_server::models::{GetCheckedResponseForm, NoOrder, Receipt, XmlPet};
use compiled_server::runtime::server::{Call, Failure, Options};
use http::Request;
use tower::ServiceExt as _;
use tracing::field::{Field, Visit};
use tracing::{Event, Level};
use tracing_subscriber::layer::{Context, SubscriberExt as _};
use tracing_subscriber::registry::Registry;

/// Answers with this order, or with this reason why there is none.
#[derive(Clone)]
enum Shop {
    Sells(ReadOrderResponse),
    Refuses(&'static str),
}

impl Constraints for Shop {
    async fn read_order(&self, _: Call<()>, request: ReadOrder) -> Result<ReadOrderResponse, Failure<ReadOrder>> {
        match self {
            Self::Sells(order) => Ok(order.clone()),
            Self::Refuses("") => Err(Failure::not_found("order", request.code).into()),
            Self::Refuses(reason) => {
                let refusal = NoOrder::new(*reason);
                Err(Failure::not_found("order", request.code).with_body(&refusal))
            }
        }
    }

    async fn place_order(&self, _: Call<()>, _: PlaceOrder) -> Result<(), Failure<PlaceOrder>> {
        Ok(())
    }

    async fn combine(&self, _: Call<()>, _: Combine) -> Result<(), Failure<Combine>> {
        Ok(())
    }

    async fn pay(&self, _: Call<()>, _: Pay) -> Result<(), Failure<Pay>> {
        Ok(())
    }

    async fn place_order_form(&self, _: Call<()>, _: PlaceOrderForm) -> Result<(), Failure<PlaceOrderForm>> {
        Ok(())
    }
}

fn order(code: &str, count: i32, left: i32) -> Shop {
    let receipt = Receipt { count: Some(count), ..Receipt::new(7, code.to_owned()) };
    Shop::Sells(ReadOrderResponse { x_left: Some(left), body: receipt })
}

/// The status, and either the body, or location and code of each violation.
async fn answered(shop: Shop, options: &Options, path: &str) -> (u16, String) {
    let request = Request::get(path).body(Body::empty()).expect("a request");
    let response: Response = router(shop, options).oneshot(request).await.expect("the router does not fail");
    let status = response.status().as_u16();
    let bytes = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
    (status, violations(&bytes).unwrap_or_else(|| String::from_utf8_lossy(&bytes).into_owned()))
}

/// Location and code of each violation of a problem document.
fn violations(body: &[u8]) -> Option<String> {
    let problem: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
    let errors = problem["errors"].as_array()?;
    let text = |error: &serde_json::Value, name: &str| error[name].as_str().unwrap_or_default().to_owned();
    let violation =
        |error| text(error, "in") + &text(error, "name") + &text(error, "pointer") + " " + &text(error, "code");
    Some(errors.iter().map(violation).collect::<Vec<_>>().join(", "))
}

async fn checked(shop: Shop) -> (u16, String) {
    answered(shop, &Options::default().check_responses(OPENAPI), "/orders/ABC-1").await
}

#[tokio::test]
async fn what_breaks_the_description_is_not_sent() {
    let fine = (200, r#"{"number":7,"code":"ABC-1","count":1000}"#.to_owned());
    assert_eq!(checked(order("ABC-1", 1000, 9)).await, fine);
    assert_eq!(checked(order("ABC-1", 1001, 9)).await, (500, "body/count maximum".to_owned()));
    assert_eq!(checked(order("abc", 1000, 9)).await, (500, "body/code pattern".to_owned()));
    assert_eq!(checked(order("ABC-1", 1000, 10)).await, (500, "headerX-Left maximum".to_owned()));
    let all = "headerX-Left maximum, body/code pattern, body/count maximum".to_owned();
    assert_eq!(checked(order("", 1001, 10)).await, (500, all));
}

#[tokio::test]
async fn members_that_only_responses_have_are_checked() {
    let receipt = Receipt::new(0, "ABC-1".to_owned());
    let shop = Shop::Sells(ReadOrderResponse { x_left: None, body: receipt });
    assert_eq!(checked(shop).await, (500, "body/number minimum".to_owned()));
}

#[tokio::test]
async fn declared_failures_are_checked_and_problems_are_fine() {
    assert_eq!(checked(Shop::Refuses("sold out")).await, (404, r#"{"reason":"sold out"}"#.to_owned()));
    assert_eq!(checked(Shop::Refuses("no")).await, (500, "body/reason minLength".to_owned()));
    let (status, problem) = checked(Shop::Refuses("")).await;
    assert!(status == 404 && problem.contains("there is no order ABC-1"), "{status} {problem}");
}

#[tokio::test]
async fn nothing_is_checked_unless_it_is_asked_for() {
    let (status, body) = answered(order("abc", 1001, 10), &Options::default(), "/orders/ABC-1").await;
    assert_eq!((status, body.as_str()), (200, r#"{"number":7,"code":"abc","count":1001}"#));
}

#[tokio::test]
async fn another_description_is_noticed() {
    let options = Options::default().check_responses("{}");
    assert_eq!(answered(order("ABC-1", 1, 1), &options, "/orders/ABC-1").await, (500, "body operation".to_owned()));
}

/// The fields of events at the level `ERROR`.
#[derive(Clone, Default)]
struct Errors(Arc<Mutex<Vec<BTreeMap<&'static str, String>>>>);

struct Fields<'a>(&'a mut BTreeMap<&'static str, String>);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.0.insert(field.name(), format!("{value:?}").trim_matches('"').to_owned());
    }
}

impl<S: tracing::Subscriber> tracing_subscriber::Layer<S> for Errors {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if *event.metadata().level() == Level::ERROR {
            let mut fields = BTreeMap::new();
            event.record(&mut Fields(&mut fields));
            self.0.lock().expect("not poisoned").push(fields);
        }
    }
}

#[tokio::test]
async fn every_violation_is_logged() {
    // Whether an event is wanted is decided at its first use, which may be in the thread of another test.
    checked(order("abc", 1001, 9)).await;
    let errors = Errors::default();
    let _guard = tracing::subscriber::set_default(Registry::default().with(errors.clone()));
    checked(order("abc", 1001, 9)).await;
    let logged = errors.0.lock().expect("not poisoned").clone();
    let of = |name: &str| logged.iter().map(|fields| fields.get(name).cloned().unwrap_or_default()).collect::<Vec<_>>();
    assert_eq!(of("message"), ["the response breaks the description"; 2]);
    assert_eq!(of("operation"), ["readOrder"; 2]);
    assert_eq!(of("pointer"), ["/code", "/count"]);
    assert_eq!(of("rule"), ["pattern", "maximum"]);
}

/// Answers with this body.
#[derive(Clone)]
struct Prints(GetCheckedOkBody);

impl Checked for Prints {
    async fn get_checked(&self, _: Call<()>, _: GetChecked) -> Result<GetCheckedOkBody, Failure<GetChecked>> {
        Ok(self.0.clone())
    }
}

#[tokio::test]
async fn text_xml_and_forms_are_checked() {
    let text = |text: &str| GetCheckedOkBody::Text(text.to_owned());
    let xml = |id| GetCheckedOkBody::Xml(Box::new(XmlPet { id: Some(id), ..XmlPet::new("a".to_owned(), Vec::new()) }));
    let form = |size| GetCheckedOkBody::Form(GetCheckedResponseForm { sizes: Some(vec![1, size]) });
    // The operation has no `operationId`, and the path of its own server comes before its path.
    for (body, expected) in [
        (text("12345"), None),
        (text("123456"), Some("body maxLength")),
        (xml(1), None),
        (xml(0), Some("body/id minimum")),
        (form(5), None),
        (form(6), Some("body/sizes/1 maximum")),
    ] {
        let options = Options::default().check_responses(OPENAPI);
        let router = compiled_server::checked::router(Prints(body.clone()), &options);
        let request = Request::get("/own/checked").body(Body::empty()).expect("a request");
        let response: Response = router.oneshot(request).await.expect("the router does not fail");
        let status = response.status().as_u16();
        let bytes = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
        let found = violations(&bytes);
        assert_eq!((status, found.as_deref()), (if expected.is_some() { 500 } else { 200 }, expected), "{body:?}");
    }
}
