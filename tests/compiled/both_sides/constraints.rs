//! Every violated rule is reported with its location, all in one response.

use compiled_server::constraints::{
    Combine, Constraints, Pay, PlaceOrder, PlaceOrderForm, ReadOrder, ReadOrderResponse, router,
};
use compiled_server::runtime::server::{Call, Failure, Options};

use crate::echo::serve;

struct Shop;

impl Constraints for Shop {
    async fn read_order(&self, _: Call<()>, request: ReadOrder) -> Result<ReadOrderResponse, Failure<ReadOrder>> {
        Err(Failure::not_found("order", request.code).into())
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

/// The status of a response, and location and code of each violation.
async fn refused(path_and_query: &str, body: &str) -> (u16, Vec<String>) {
    refused_as("application/json", &format!("orders/{path_and_query}"), body).await
}

/// The same for any operation and media type.
async fn refused_as(media_type: &str, path_and_query: &str, body: &str) -> (u16, Vec<String>) {
    let address = serve(router(Shop, &Options::default())).await;
    let request = reqwest::Client::new().put(format!("{address}/{path_and_query}"));
    let request = request.header("content-type", media_type).body(body.to_owned());
    let answer = request.send().await.expect("the server answers");
    let status = answer.status().as_u16();
    let bytes = answer.bytes().await.expect("the answer is whole");
    let problem: serde_json::Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let errors = problem["errors"].as_array().cloned().unwrap_or_default();
    let text = |error: &serde_json::Value, name: &str| error[name].as_str().unwrap_or_default().to_owned();
    let violation = |error| text(error, "name") + &text(error, "pointer") + " " + &text(error, "code");
    (status, errors.iter().map(violation).collect())
}

#[tokio::test]
async fn every_rule_of_a_body_is_checked() {
    let rules = [
        ("{}", " minProperties"),
        (r#"{"name":""}"#, "/name minLength"),
        (r#"{"name":"elevenchars"}"#, "/name maxLength"),
        (r#"{"code":"abc-1"}"#, "/code pattern"),
        (r#"{"codes":[]}"#, "/codes minItems"),
        (r#"{"codes":["AAA-1","AAA-2","AAA-3","AAA-4","AAA-5","AAA-6"]}"#, "/codes maxItems"),
        (r#"{"codes":["AAA-1","AAA-1"]}"#, "/codes/1 uniqueItems"),
        (r#"{"codes":["AAA-1","b"]}"#, "/codes/1 pattern"),
        (r#"{"count":0}"#, "/count minimum"),
        (r#"{"count":1005}"#, "/count maximum"),
        (r#"{"count":7}"#, "/count multipleOf"),
        (r#"{"above":0}"#, "/above exclusiveMinimum"),
        (r#"{"price":-0.5}"#, "/price minimum"),
        (r#"{"price":99.5}"#, "/price exclusiveMaximum"),
        (r#"{"cents":0.015}"#, "/cents multipleOf"),
        (r#"{"labels":{"a":"1","b":"2","c":"3"}}"#, "/labels maxProperties"),
        (r#"{"labels":{"a/b":"long"}}"#, "/labels/a~1b maxLength"),
        (r#"{"matrix":[[0],[1,2]]}"#, "/matrix/1/1 maximum"),
        (r#"{"email":"nobody"}"#, "/email format"),
        (r#"{"other":1}"#, "/other unknown"),
        (r#"{"name":7}"#, "/name type"),
        (r#"{"note":""}"#, "/note minLength"),
    ];
    for (body, violation) in rules {
        assert_eq!(refused("ABC-1", body).await, (422, vec![violation.to_owned()]), "{body}");
    }
    assert_eq!(refused("ABC-1?count=10&tags=ab", r#"{"note":null,"cents":0.07,"price":0}"#).await, (204, Vec::new()));
}

#[tokio::test]
async fn every_violation_is_in_one_answer() {
    let (status, mut violations) = refused("x?count=11&tags=a&tags=bb", r#"{"name":"","count":7}"#).await;
    violations.sort();
    assert_eq!(status, 422);
    assert_eq!(
        violations,
        ["/count multipleOf", "/name minLength", "code pattern", "count maximum", "tags/0 minLength"]
    );
    let (status, violations) = refused("ABC-1?count=0", r#"{"name":"a"}"#).await;
    assert_eq!((status, violations), (400, vec!["count minimum".to_owned()]));
}

#[tokio::test]
async fn every_rule_of_json_in_a_form_is_checked() {
    let form = async |body: &str| refused_as("application/x-www-form-urlencoded", "order-forms", body).await;
    let rules = [
        ("matrix=[]&matrix=[]&matrix=[]", vec!["/matrix maxItems"]),
        ("matrix=[[1,null],[2,3]]", vec!["/matrix/1/0 maximum", "/matrix/1/1 maximum"]),
        (r#"table={"a":[1],"b":[2]}"#, vec!["/table maxProperties"]),
        (r#"table={"a~/":[1,2]}"#, vec!["/table/a~0~1 maxItems"]),
        ("limit=0", vec!["/limit oneOf"]),
        ("limits=1&limits=ab&limits=abc", vec!["/limits/1 oneOf"]),
        ("choice=[1]", vec![]),
        ("choice=a", vec!["/choice oneOf"]),
        ("other=[1,2]", vec!["/other maxItems"]),
        ("other=[1,2]&table=[]&limit=0", vec!["/other maxItems", "/table type", "/limit oneOf"]),
    ];
    for (body, violations) in rules {
        let status = if violations.is_empty() { 204 } else { 422 };
        let violations: Vec<_> = violations.into_iter().map(str::to_owned).collect();
        assert_eq!(form(body).await, (status, violations), "{body}");
    }
    let whole = r#"matrix=[[1,null],[0.5]]&table={"a":[1]}&limit=1&limits=1&limits=abc&choice=[1,null]&other=[null]"#;
    assert_eq!(form(whole).await, (204, Vec::new()));
    let query = refused_as("application/x-www-form-urlencoded", "order-forms?limit=0", "limit=1").await;
    assert_eq!(query, (400, vec!["limit oneOf".to_owned()]));
}

#[tokio::test]
async fn members_that_go_together_are_checked() {
    let rules = [
        (r#"{"ratio":1}"#, vec![" anyOf"]),
        (r#"{"mail":"a","ratio":1}"#, vec![" not"]),
        (r#"{"mail":"a","accepted":true}"#, vec![" dependentRequired"]),
        (r#"{"mail":"a","accepted":false,"scale":0.25}"#, vec!["/accepted enum", "/scale enum"]),
        (r#"{"phone":"1","ratio":"full"}"#, vec!["/ratio enum"]),
        (r#"{"phone":"1","ratio":2}"#, vec!["/ratio enum"]),
        (r#"{"phone":"1","ratio":true}"#, vec!["/ratio type"]),
        (r#"{"phone":"1","mode":{"level":2,"sound":null}}"#, vec!["/mode enum"]),
        (r#"{"phone":"1","mode":[null]}"#, vec!["/mode enum"]),
        (r#"{"phone":"1","texts":{"fr":"salut"}}"#, vec!["/texts/fr enum"]),
        (r#"{"phone":"1","x-a":"long","x-b":1}"#, vec!["/x-a maxLength", "/x-b type"]),
    ];
    for (body, violations) in rules {
        let violations: Vec<_> = violations.into_iter().map(str::to_owned).collect();
        assert_eq!(refused_as("application/json", "combinations", body).await, (422, violations), "{body}");
    }
    for (body, violations) in [
        ("ratio=1", vec![" anyOf"]),
        ("mail=a&ratio=auto", vec![" not"]),
        ("fax=1&mode=%22manual%22", vec!["/mode enum"]),
        ("phone=1&x-a=%221234%22", vec!["/x-a maxLength"]),
    ] {
        let violations: Vec<_> = violations.into_iter().map(str::to_owned).collect();
        let answer = refused_as("application/x-www-form-urlencoded", "combinations", body).await;
        assert_eq!(answer, (422, violations), "{body}");
    }
    // Names that match no pattern may have any value.
    let whole = r#"{"phone":"1","ratio":"auto","accepted":true,"scale":-1.0,"texts":{"en":"hi"},"x-a":"abc","y":[1]}"#;
    assert_eq!(refused_as("application/json", "combinations", whole).await, (204, Vec::new()));
    for mode in [r#""auto""#, "[]", r#"{"sound":null,"level":1.0}"#] {
        let fax = format!(r#"{{"fax":{{"any":1}},"mode":{mode}}}"#);
        assert_eq!(refused_as("application/json", "combinations", &fax).await, (204, Vec::new()), "{fax}");
    }
    let form =
        refused_as("application/x-www-form-urlencoded", "combinations", "phone=1&ratio=0.5&mode=%22auto%22&y=1").await;
    assert_eq!(form, (204, Vec::new()));
}

#[tokio::test]
async fn keywords_that_types_do_not_express_are_checked() {
    let rules = [
        (r#"{"kind":"card"}"#, vec!["/number required"]),
        (r#"{"kind":"card","number":"123"}"#, vec!["/number minLength"]),
        (r#"{"kind":"card","number":"x"}"#, vec!["/number pattern"]),
        (r#"{"kind":"transfer"}"#, vec!["/iban required"]),
        (r#"{"kind":"transfer","iban":"1","payer":"admin"}"#, vec!["/payer not"]),
        (r#"{"kind":"transfer","iban":"1","at":"2026-01-01T00:00:00+01:00"}"#, vec!["/at pattern"]),
        (r#"{"kind":"transfer","iban":"1","at":"yesterday"}"#, vec!["/at format"]),
        (r#"{"kind":"transfer","iban":"1","steps":[2]}"#, vec!["/steps contains"]),
        (r#"{"kind":"transfer","iban":"1","steps":[1,1,1]}"#, vec!["/steps contains"]),
        (r#"{"kind":"transfer","iban":"1","notes":["a",""]}"#, vec!["/notes/1 not"]),
        (r#"{"kind":"transfer","iban":"1","rates":{"a/b":0}}"#, vec!["/rates/a~1b not"]),
        (r#"{"kind":"transfer","iban":"1","range":["a",1]}"#, vec!["/range/0 type", "/range/1 type"]),
        (r#"{"kind":"transfer","iban":"1","range":[1,null,2]}"#, vec!["/range maxItems"]),
        (r#"{"kind":"transfer","iban":"1","pair":[1,1.0]}"#, vec!["/pair uniqueItems"]),
        (r#"{"kind":"transfer","iban":"1","fee":1.5}"#, vec!["/fee multipleOf"]),
        (r#"{"kind":"transfer","iban":"1","cents":1.5}"#, vec!["/cents type"]),
        (r#"{"kind":"transfer","iban":"1","vouchers":[1]}"#, vec!["/vouchers maxItems"]),
        (r#"{"kind":"transfer","iban":"1","legacy":1}"#, vec![" not"]),
        (r#"{"kind":"transfer","iban":"1","more":"text"}"#, vec![" unevaluatedProperties"]),
        (
            r#"{"kind":"transfer","iban":"1","limits":{"x-a":{"most":"1"},"b":"c"}}"#,
            vec!["/limits/x-a/most type", "/limits/b type"],
        ),
        (r#"{"kind":"transfer","iban":"1","parent":{"kind":"card"}}"#, vec!["/parent/number required"]),
        (r#"{"kind":"transfer","iban":"1","payer":"a","parent":{"kind":"transfer","iban":"2"}}"#, vec!["/parent not"]),
    ];
    for (body, violations) in rules {
        let violations: Vec<_> = violations.into_iter().map(str::to_owned).collect();
        let answer = refused_as("application/json", "checked-payments", body).await;
        assert_eq!(answer, (422, violations), "{body}");
    }
    let whole = r#" { "kind" : "card", "number": "1234", "at": "2026-01-01T00:00:00Z", "steps": [ 2, 1 ], "notes": ["a"],
        "rates": { "a": 1 }, "range": [1, null], "limits": { "x-a": {}, "b": 1 }, "pair": [1, 2.0], "fee": 2, "cents": 9007199254740993, "vouchers": [], "more": 1, "payer": "a",
        "parent": { "kind": "card", "number": "5678" } } "#;
    assert_eq!(refused_as("application/json", "checked-payments", whole).await, (204, Vec::new()));
}
