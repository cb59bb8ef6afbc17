//! Round trips of models.

use compiled_client::runtime::json;
use compiled_client::runtime::text::FromText;
use compiled_server::runtime::server::Options;
use serde_json::Value;

use crate::echo::{Echo, client_of, serve};

/// Sends each text through the client, and expects it back unchanged.
macro_rules! comes_back {
    ($tag:ident . $operation:ident ( $request:ident ), $texts:expr) => {{
        let client = client_of(compiled_server::$tag::router(Echo::default(), &Options::default())).await;
        for text in $texts {
            let body = json::from_slice(text.as_bytes()).unwrap_or_else(|violations| panic!("{text}: {violations:?}"));
            let request = compiled_client::$tag::$request { body };
            let answer = client.$tag().$operation(request.clone()).await;
            let answer = answer.unwrap_or_else(|error| panic!("{text}: {error}: {:?}", error.bytes()));
            assert_eq!(answer, request.body, "{text}");
            let written: Value = serde_json::from_slice(&json::to_vec(&answer)).expect("what is written is JSON");
            assert_eq!(written, serde_json::from_str::<Value>(text).expect("the table is JSON"), "{text}");
        }
    }};
}

/// The JSON that the client writes.
fn text_of(value: &impl json::Write) -> String {
    String::from_utf8(json::to_vec(value)).expect("JSON is UTF-8")
}

/// Ignores the order of members and the spelling of numbers.
fn json_of(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

#[tokio::test]
async fn absent_null_and_given_members_stay_apart() {
    comes_back!(
        nullable_optional.change_profile(ChangeProfile),
        [
            r#"{"name":"","nickname":null}"#,
            r#"{"name":"Ada","nickname":"A","birthday":"1815-12-10","phone":null,"scores":null,"friend":null,"parent":null}"#,
            r#"{"name":"Ada","nickname":"","phone":"","scores":[],"friend":{"name":"B"},"parent":{},"anything":{"a":[1,"b",false]}}"#,
            r#"{"name":"Ada","nickname":null,"anything":null}"#,
            r#"{"name":"🦀\"\\\n","nickname":null,"scores":[1,null,-9007199254740993],"parent":{"name":"C"},"anything":0.5}"#,
        ]
    );
}

#[tokio::test]
async fn variants_are_told_apart() {
    comes_back!(
        one_of_discriminator.send_pet(SendPet),
        [
            r#"{"species":"cat","lives":9}"#,
            r#"{"species":"dog","name":"Rex"}"#,
            r#"{"species":"hound"}"#,
            r#"{"species":"fish","water":"salt"}"#,
            r#"{"species":"fish"}"#,
        ]
    );
    comes_back!(
        one_of_default.send_animal(SendAnimal),
        [
            r#"{"kind":"horse","hands":15}"#,
            r#"{"kind":"pony","hands":12}"#,
            r#"{"kind":"spider","legs":8}"#,
            r#"{"legs":4}"#,
        ]
    );
    comes_back!(
        one_of_constant.send_shape(SendShape),
        [r#"{"kind":"circle","radius":1.5}"#, r#"{"kind":"square","side":2.0}"#, r#"{"kind":"point"}"#]
    );
    comes_back!(
        one_of_json_type.send_value(SendValue),
        [r#""text""#, "7", "true", "[]", r#"[1,["a",false],{"name":"n","value":[2]}]"#, r#"{"name":"n"}"#]
    );
    comes_back!(
        one_of_required_member.send_payment(SendPayment),
        [r#"{"number":"4","note":""}"#, r#"{"iban":"DE"}"#, r#"{"coins":[1,2]}"#]
    );
    comes_back!(
        one_of_ordered.send_moment(SendMoment),
        [
            r#""2024-02-29""#,
            r#""2024-02-29T12:00:00Z""#,
            r#""tomorrow""#,
            r#"{"at":"2024-02-29T12:00:00Z"}"#,
            r#"{"at":"2024-02-29T12:00:00Z","until":"2024-03-01T00:00:00Z"}"#,
            r#"{"at":"2024-02-29T12:00:00Z","until":"2024-03-01T00:00:00Z","name":"a"}"#,
            r#"{"at":"2024-02-29T12:00:00Z","kind":"fast"}"#,
        ]
    );
    comes_back!(
        one_of_simple.send_options(SendOptions),
        [
            "{}",
            r#"{"only":{"name":"a"},"perhaps":null,"open":"huge","number":0.5}"#,
            r#"{"perhaps":{},"open":"small"}"#,
            r#"{"bounded":"auto"}"#,
            r#"{"bounded":"42"}"#,
        ]
    );
}

#[tokio::test]
async fn rules_tell_variants_apart_where_nothing_else_does() {
    use compiled_client::models::{Block, BlockHosts, BlockNets, BlockRange, Net, V4Range, V6Range};

    let client = client_of(compiled_server::one_of_rules::router(Echo::default(), &Options::default())).await;
    let (four, six) = ("10.0.0.0/8".to_owned(), "fd::/8".to_owned());
    let blocks = [
        Block {
            net: Net::V4Net(four.clone()),
            nets: Some(BlockNets::V4(vec![four.clone()])),
            range: Some(BlockRange::V4Range(V4Range { first: four.clone(), last: four })),
            hosts: Some(BlockHosts::Few(9)),
        },
        Block {
            net: Net::V6Net(six.clone()),
            nets: Some(BlockNets::V6(vec![six.clone()])),
            range: Some(BlockRange::V6Range(V6Range { first: six.clone(), last: six })),
            hosts: Some(BlockHosts::Many(10)),
        },
    ];
    for body in blocks {
        let request = compiled_client::one_of_rules::SendBlock { body: body.clone() };
        let answer = client.one_of_rules().send_block(request).await.expect("each value is valid");
        assert_eq!(answer.body, body);
        assert_eq!(answer.x_net, Ok(body.net));
    }

    // A value that breaks every variant's rules is still read: as the variant with the fewest violations, here the first.
    let text = br#"{"net":"none","nets":["fd::/8","none"],"range":{"first":"none","last":"fd::/8"}}"#;
    let block: Block = json::from_slice(text).expect("a client is tolerant");
    assert_eq!(block.net, Net::V4Net("none".to_owned()));
    assert!(matches!(block.nets, Some(BlockNets::V6(_))), "{block:?}");
    assert!(matches!(block.range, Some(BlockRange::V6Range(_))), "{block:?}");
    assert_eq!(Net::from_text("none").expect("so is a header"), Net::V4Net("none".to_owned()));
}

#[tokio::test]
async fn whole_numbers_booleans_and_absent_members_tell_variants_apart() {
    comes_back!(
        one_of_constant_kinds.send_constants(SendConstants),
        [
            r#"{"release":{"number":1,"name":"a"},"outcome":{"ok":true,"text":"b"},"notice":{"kind":"opened","by":"c"}}"#,
            r#"{"release":{"number":2},"outcome":{"ok":false},"notice":{"kind":"closed","by":"c"}}"#,
            r#"{"release":{"number":-3,"name":"a"}}"#,
            r#"{"charge":{"kind":"coins","note":"a"}}"#,
            r#"{"charge":{"token":"t"}}"#,
            r#"{"charge":{"note":"a"}}"#,
        ]
    );
    let client = client_of(compiled_server::one_of_constant_kinds::router(Echo::default(), &Options::default())).await;
    let body: compiled_client::models::Constants = json::from_slice(br#"{"notice":{"by":"c"}}"#).expect("it is JSON");
    let request = compiled_client::one_of_constant_kinds::SendConstants { body };
    let answer = client.one_of_constant_kinds().send_constants(request).await.expect("the server understands it");
    assert_eq!(text_of(&answer), r#"{"notice":{"kind":"opened","by":"c"}}"#);
}

#[tokio::test]
async fn what_contains_a_base_comes_where_the_base_is_asked_for() {
    comes_back!(
        inheritance.send_fleet(SendFleet),
        [
            "{}",
            r#"{"lead":null,"all":[{"kind":"car","wheels":4,"doors":5},{"kind":"van","doors":3,"load":1.5}]}"#,
            r#"{"lead":{"kind":"lorry","trailer":{"kind":"truck"}},"car":{"kind":"van","load":2.5}}"#,
            r#"{"car":{"kind":"car"},"truck":{"kind":"truck","wheels":8}}"#,
            r#"{"owner":{"@type":"Company","owners":[{"@type":"Human","born":"1815-12-10"},{"@type":"Owner","name":"a"}]}}"#,
        ]
    );
    let car = compiled_client::models::CarBase { doors: Some(3), ..Default::default() };
    let body = compiled_client::models::Fleet {
        lead: compiled_client::runtime::json::Maybe::Value(compiled_client::models::Vehicle::Car(car)),
        ..Default::default()
    };
    assert_eq!(text_of(&body), r#"{"lead":{"kind":"car","doors":3}}"#);
}

#[tokio::test]
async fn what_the_client_does_not_know_is_kept_and_written_back() {
    let echo = axum::routing::post(|body: bytes::Bytes| async { ([("content-type", "application/json")], body) });
    let router = axum::Router::new().route("/fleets", echo.clone()).route("/pets", echo);
    let client = client_of(router).await;

    let text = r#"{"lead":{"kind":"bike","bell":{"loud":[true,1.5]}},"owner":{"@type":"Club","name":"a"}}"#;
    let body: compiled_client::models::Fleet = json::from_slice(text.as_bytes()).expect("clients are tolerant");
    assert!(matches!(body.owner, Some(compiled_client::models::Owner::Unknown(_))), "{body:?}");
    let answer = client.inheritance().send_fleet(compiled_client::inheritance::SendFleet { body }).await;
    assert_eq!(json_of(&text_of(&answer.expect("clients are tolerant"))), json_of(text));

    let text = r#"{"species":"fish","water":"brackish"}"#;
    let body: compiled_client::models::Pet = json::from_slice(text.as_bytes()).expect("clients are tolerant");
    assert!(matches!(body, compiled_client::models::Pet::Fish(_)), "{body:?}");
    let answer = client.one_of_discriminator().send_pet(compiled_client::one_of_discriminator::SendPet { body }).await;
    assert_eq!(json_of(&text_of(&answer.expect("clients are tolerant"))), json_of(text));
}

#[test]
fn a_client_takes_null_for_what_is_missing_without_a_description() {
    use compiled_client::models::NameHerdsResponse;

    let read = |text: &str| json::from_slice::<NameHerdsResponse>(text.as_bytes()).expect("clients are tolerant");
    assert_eq!((read("{}").seen, read("{}").mood), (json::Value::Null, json::Value::Null));
    assert_eq!(read(r#"{"seen":1.50}"#).seen.as_f64(), Some(1.5));
}

#[test]
fn an_exact_variant_wins_over_one_with_deviations() {
    use compiled_client::models::Moment;
    let read = |text: &str| json::from_slice::<Moment>(text.as_bytes()).expect("clients are tolerant");

    assert!(matches!(read(r#""never""#), Moment::String(_)));
    assert!(matches!(read(r#""tomorrow""#), Moment::String2(_)));
    assert!(matches!(read(r#""11111111""#), Moment::String2(_)));
    assert!(matches!(read(r#""2024-02-29T12:00:00+01:00""#), Moment::DateTime(_)));
    assert!(matches!(read(r#"{"at":"2024-02-29T12:00:00Z","kind":"feast"}"#), Moment::Feast(_)));
    assert!(matches!(read(r#"{"at":"2024-02-29T12:00:00Z","kind":"fast"}"#), Moment::Fast(_)));
    let span = r#"{"at":"2024-02-29T12:00:00Z","until":"2024-03-01T00:00:00Z""#;
    assert!(matches!(read(&format!("{span}}}")), Moment::Span(_)));
    assert!(matches!(read(&format!(r#"{span},"name":"a"}}"#)), Moment::Period(_)));
    assert!(matches!(read("[7]"), Moment::Unknown(_)));
}

#[tokio::test]
async fn items_are_told_apart_by_their_place() {
    comes_back!(
        tuples.send_track(SendTrack),
        [
            r#"{"points":[]}"#,
            r#"{"points":[["2024-02-29T12:00:00Z",0.5,null],["2024-02-29T12:00:01Z",1.5,{"name":"a"}]],"next":["b",{"points":[]}]}"#,
            r#"{"legs":[["a"],["a",0.5],["a",0.5,null],["a",0.5,"b"],["a",0.5,null,7,8]],"points":[]}"#,
        ]
    );
    let address = serve(compiled_server::tuples::router(Echo::default(), &Options::default())).await;
    let wrong = [
        (r#"{"points":[["2024-02-29T12:00:00Z",-1,null],["now",1,null]]}"#, vec!["/points/1/0 format"]),
        (r#"{"points":[["2024-02-29T12:00:00Z",-1,null]]}"#, vec!["/points/0/1 minimum"]),
        (r#"{"points":[["2024-02-29T12:00:00Z",1]]}"#, vec!["/points/0 minItems"]),
        (r#"{"points":[["2024-02-29T12:00:00Z","1",null,4,5]]}"#, vec!["/points/0/1 type", "/points/0 maxItems"]),
        (r#"{"points":[],"next":["",{}]}"#, vec!["/next/1/points required"]),
        (r#"{"points":[],"next":["",{"points":[]}]}"#, vec!["/next/0 minLength"]),
        (r#"{"points":[7]}"#, vec!["/points/0 type"]),
        (r#"{"legs":[[]],"points":[]}"#, vec!["/legs/0 minItems"]),
        (r#"{"legs":[["",-1]],"points":[]}"#, vec!["/legs/0/0 minLength", "/legs/0/1 minimum"]),
        (r#"{"legs":[["a",null]],"points":[]}"#, vec!["/legs/0/1 type"]),
        (r#"{"legs":[["a",1,"b","c",5]],"points":[]}"#, vec!["/legs/0/3 type"]),
        (r#"{"legs":[["a",1,"b",4,0]],"points":[]}"#, vec!["/legs/0/4 minimum"]),
        (r#"{"legs":[["a",1,"b",4,3]],"points":[]}"#, vec!["/legs/0/4 not"]),
    ];
    for (text, violations) in wrong {
        let request =
            reqwest::Client::new().post(format!("{address}/tracks")).header("content-type", "application/json");
        let answer = request.body(text).send().await.expect("the server answers");
        let problem = json_of(&answer.text().await.expect("the answer is whole"));
        let errors = problem["errors"].as_array().expect("it says why");
        let word = |error: &Value, name: &str| error[name].as_str().unwrap_or_default().to_owned();
        let found: Vec<_> = errors.iter().map(|error| word(error, "pointer") + " " + &word(error, "code")).collect();
        assert_eq!(found, violations, "{text}");
    }
    let tolerant: compiled_client::models::TrackPoint =
        json::from_slice(br#"["2024-02-29T12:00:00Z",-1,null,"more"]"#).expect("clients are tolerant");
    assert_eq!((tolerant.1, tolerant.2), (-1.0, None));
}

#[tokio::test]
async fn items_may_be_missing_from_the_end() {
    type Leg = compiled_client::models::Leg;
    let (missing, no_heights) = (json::OptionalItem(None), json::FurtherItems(Vec::new()));
    let remark = |text: Option<&str>| json::OptionalItem(Some(text.map(str::to_owned)));
    let legs: [(Leg, &str); 5] = [
        (("a".to_owned(), missing, json::OptionalItem(None), no_heights.clone()), r#"["a"]"#),
        (("a".to_owned(), 0.5.into(), remark(None), no_heights.clone()), r#"["a",0.5,null]"#),
        (("a".to_owned(), 0.5.into(), remark(Some("b")), vec![7, 8].into()), r#"["a",0.5,"b",7,8]"#),
        // An item has its place, also after a missing one.
        (("a".to_owned(), missing, remark(Some("b")), no_heights), r#"["a",null,"b"]"#),
        (("a".to_owned(), 0.5.into(), json::OptionalItem(None), vec![7].into()), r#"["a",0.5,null,7]"#),
    ];
    for (leg, text) in &legs {
        assert_eq!(String::from_utf8_lossy(&json::to_vec(leg)), *text);
    }
    for (leg, text) in &legs[..3] {
        assert_eq!(json::from_slice_strict::<Leg>(text.as_bytes()).as_ref(), Ok(leg), "{text}");
    }
    let refused = json::from_slice_strict::<Leg>(br#"["a",null,"b"]"#).expect_err("a distance is a number");
    assert_eq!(refused.to_string().matches("/1").count(), 1, "{refused}");

    let client = client_of(compiled_server::tuples::router(Echo::default(), &Options::default())).await;
    for from in [("a b".to_owned().into(), json::OptionalItem(None)), ("a,b".to_owned().into(), 7.into())] {
        let request = compiled_client::tuples::FindLegs { from: Some(from.clone()) };
        let found = client.tuples().find_legs(request).await.expect("the service answers");
        assert_eq!(found.0, format!("{:?}", Some(from)));
    }
}

#[tokio::test]
async fn long_objects_have_constants() {
    comes_back!(
        long_objects.send_long(SendLong),
        [r#"{"kind":"long"}"#, r#"{"kind":"long","m00":0,"m21":-1,"m43":9007199254740993}"#]
    );
}

#[tokio::test]
async fn models_contain_themselves() {
    comes_back!(
        recursion.send_tree(SendTree),
        [
            r#"{"name":"a"}"#,
            r#"{"name":"a","parent":{"name":"b"},"children":[{"name":"c","children":[]}],"byName":{"d":{"name":"d"}},"list":[[],[[]]]}"#,
            r#"{"name":"a","left":{"right":{"left":{"right":{}}}},"formula":{"sum":[1.5,{"negative":{"sum":[]}}]}}"#,
        ]
    );
}

#[tokio::test]
async fn forms_contain_themselves() {
    comes_back!(
        recursion.send_tree_form(SendTreeForm),
        [
            r#"{"name":"a"}"#,
            r#"{"name":"a","parent":{"name":"b&=[","parent":{"name":"c","children":[{"name":"d"},{"name":"e"}]}}}"#,
            // Forms cannot represent empty values, so there is none here.
            r#"{"name":"a","byName":{"d":{"name":"d","list":[[],[[]]]}},"formula":1.5}"#,
            r#"{"name":"a","formula":{"negative":{"sum":[1.5,2.5]}}}"#,
        ]
    );
}

#[tokio::test]
async fn a_variant_that_does_not_fit_says_why() {
    let pet = compiled_server::one_of_discriminator::router(Echo::default(), &Options::default());
    let payment = compiled_server::one_of_required_member::router(Echo::default(), &Options::default());
    let value = compiled_server::one_of_json_type::router(Echo::default(), &Options::default());
    let inheritance = compiled_server::inheritance::router(Echo::default(), &Options::default());
    let simple = compiled_server::one_of_simple::router(Echo::default(), &Options::default());
    let address = serve(pet.merge(payment).merge(value).merge(inheritance).merge(simple)).await;
    let wrong: [(&str, &str, &[&str]); 8] = [
        ("/pets", r#"{"species":"bird"}"#, &["cat", "dog", "hound", "fish"]),
        ("/pets", r#"{"lives":9}"#, &["species"]),
        ("/pets", r#"{"species":"cat"}"#, &["/lives", "required"]),
        ("/fleets", r#"{"lead":{"kind":"bike"}}"#, &["/lead/kind", "car", "van", "truck", "lorry"]),
        ("/fleets", r#"{"truck":{"kind":"truck","wheels":"8"}}"#, &["/truck/wheels"]),
        ("/payments", "{}", &["number", "iban", "coins"]),
        ("/any-values", "1.5", &["\"code\""]),
        ("/optionss", r#"{"bounded":"much"}"#, &["/bounded", "auto"]),
    ];
    for (path, body, parts) in wrong {
        let answer = reqwest::Client::new()
            .post(format!("{address}{path}"))
            .header("content-type", "application/json")
            .body(body)
            .send()
            .await
            .expect("the server answers");
        assert_eq!(answer.status(), 422, "{body}");
        let text = answer.text().await.expect("the answer is text");
        for part in parts {
            assert!(text.contains(part), "{body}: {part} is not in {text}");
        }
    }
}

#[tokio::test]
async fn members_of_all_parts_are_one_model() {
    let client = client_of(compiled_server::all_of::router(Echo::default(), &Options::default())).await;
    let text = r#"{"name":"a","email":"a@b","number":1,"manager":{"name":"m","email":"m@b","number":2,"reports":[]}}"#;
    let body: compiled_client::models::Employee = json::from_slice(text.as_bytes()).expect(text);
    let manager = body.manager.clone();
    let answer = client.all_of().add_employee(compiled_client::all_of::AddEmployee { body }).await;
    assert_eq!(Some(answer.expect(text)), manager);
}
