//! Round trips of parameters of every style.

use std::collections::BTreeMap;

use compiled_client::defaults::Search;
use compiled_client::models::{
    Area, DeepQueryCreated, Direction, MembersAndRestWindow, Point, SeveralInOneSegmentExtension, Tagged,
};
use compiled_client::parameter_styles::{
    Cookies, DeepQuery, ExplodedQuery, Headers, LabelPath, LiteralsBetween, MatrixPath, MembersAndRest, NestedQuery,
    NumberOrText, Query, RestOfQuery, SeveralInOneSegment, SimplePath, WholeQuery,
};
use compiled_server::parameter_styles::router;
use compiled_server::runtime::server::Options;

use crate::echo::{Echo, client_of, serve};

/// Every character with a meaning in a path, a query, a cookie or a style, and some others.
const HARD: &str = "a b/c?d&e=f#g%20h+i,j;k|l.m:n@o[p]\"q'ü🦀";

/// Sends each request, and expects the service to receive it unchanged.
macro_rules! arrives {
    ($operation:ident, $requests:expr) => {{
        let echo = Echo::default();
        // Every style must know its shape.
        let client = client_of(router(echo.clone(), &Options::default().refuse_unknown_query())).await;
        for request in $requests {
            let sent = format!("{request:?}");
            let answer = client.parameter_styles().$operation(request).await;
            answer.unwrap_or_else(|error| panic!("{sent}: {error}: {:?}", error.bytes()));
            assert_eq!(echo.received(), sent);
        }
    }};
}

fn point(label: &str) -> Point {
    Point { x: -1, y: Some(2), label: Some(label.to_owned()) }
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

#[tokio::test]
async fn in_the_path() {
    let small = Point { x: 3, y: None, label: None };
    arrives!(
        simple_path,
        [
            SimplePath { simple: "a".to_owned(), list: vec![1], point: small.clone(), exploded: small.clone() },
            SimplePath { simple: HARD.to_owned(), list: vec![1, -2, 3], point: point(HARD), exploded: point(HARD) },
        ]
    );
    let label = "a b/c?d&e#g%20h+ü🦀";
    arrives!(
        label_path,
        [LabelPath {
            value: label.to_owned(),
            list: texts(&[label, "b"]),
            point: point(label),
            list_exploded: texts(&[label, "b"]),
            point_exploded: point(label),
        }]
    );
    arrives!(
        matrix_path,
        [true, false].map(|value| MatrixPath {
            value,
            list: texts(&[HARD, "b"]),
            point: point(HARD),
            list_exploded: texts(&[HARD, "b"]),
            point_exploded: point(HARD),
        })
    );
    arrives!(
        several_in_one_segment,
        ["a b+c%", "archive.tar", ".", "a..", "%2E"]
            .map(|name| SeveralInOneSegment { name: name.to_owned(), extension: SeveralInOneSegmentExtension::Pdf })
    );
    let hard = [HARD, "-", ".", "a-b.c:all", "..", "--", ":all", "v-1.~_"];
    arrives!(
        literals_between,
        hard.iter().flat_map(|from| hard.map(|to| (from, to))).map(|(from, to)| LiteralsBetween {
            from: (*from).to_owned(),
            to: to.to_owned(),
            step: from.chars().rev().collect(),
        })
    );
    let echo = Echo::default();
    let client = client_of(router(echo.clone(), &Options::default())).await;
    for task in hard {
        let behind_letter = format!("a{task}");
        client.parameter_styles().bare_segment(&behind_letter).await.expect("it arrives");
        assert_eq!(echo.received(), format!("BareSegment {{ task: {behind_letter:?} }}"));
        client.parameter_styles().literal_behind(task).await.expect("it arrives");
        assert_eq!(echo.received(), format!("LiteralBehind {{ task: {task:?} }}"));
    }
}

#[tokio::test]
async fn those_that_are_left_out_have_the_defaults_of_the_description() {
    let echo = Echo::default();
    let client = client_of(compiled_server::defaults::router(echo.clone(), &Options::default())).await;
    client.defaults().search(Search::default()).await.expect("it is answered");
    assert_eq!(
        echo.received(),
        r#"Search { text: "", limit: 20, exact: false, order: None, way: Down, near: [1, 2] }"#
    );
    let request = Search { text: Some("a".to_owned()), limit: Some(0), exact: Some(true), ..Search::default() };
    client
        .defaults()
        .search(Search { way: Some(Direction::Up), near: Some(Vec::new()), ..request })
        .await
        .expect("it is answered");
    assert_eq!(echo.received(), r#"Search { text: "a", limit: 0, exact: true, order: None, way: Up, near: [] }"#);
}

#[tokio::test]
async fn in_the_query() {
    let bare = Query {
        required: i64::MIN,
        value: None,
        reserved: None,
        list: None,
        list_in_one: None,
        spaced: None,
        piped: None,
        point_in_one: None,
        deep: None,
        json: None,
        one_or_many: None,
        at: None,
    };
    let full = Query {
        required: 1,
        value: Some(HARD.to_owned()),
        reserved: Some("a/b?c:d@e!$'()*,;".to_owned()),
        list: Some(texts(&[HARD, "", "b"])),
        list_in_one: Some(texts(&[HARD, "b"])),
        spaced: Some(texts(&["a", "b/c&d"])),
        piped: Some(texts(&["a b", "c,d"])),
        point_in_one: Some(point(HARD)),
        deep: Some(point(HARD)),
        json: Some(point(HARD)),
        one_or_many: Some(texts(&["a", "b"])),
        at: Some("2024-02-29T12:00:00.5Z".parse().expect("it is a date-time")),
    };
    let empty = Query { value: Some(String::new()), reserved: Some(String::new()), ..bare.clone() };
    arrives!(query, [bare, full, empty]);
    arrives!(exploded_query, [None, Some(point(HARD))].map(|point| ExplodedQuery { point, area: None }));
    let whole = Area {
        corner: point(HARD),
        others: Some(vec![point("a"), point(HARD)]),
        sizes: Some(BTreeMap::from([("a b".to_owned(), 1), (String::new(), -2)])),
        name: Some("n".to_owned()),
    };
    let bare = Area { corner: point("b"), others: None, sizes: None, name: None };
    arrives!(exploded_query, [whole, bare].map(|area| ExplodedQuery { point: None, area: Some(area) }));
    let labels = BTreeMap::from([("a b".to_owned(), HARD.to_owned()), ("pages".to_owned(), String::new())]);
    let all = RestOfQuery { page: Some(1), corner: Some(point(HARD)), labels: Some(labels) };
    let others = RestOfQuery { labels: None, ..all.clone() };
    let only = RestOfQuery { page: None, corner: None, ..all.clone() };
    arrives!(rest_of_query, [all, others, only]);
    let tags = BTreeMap::from([("a b".to_owned(), HARD.to_owned()), ("pages".to_owned(), String::new())]);
    let all = Tagged { name: Some(HARD.to_owned()), additional_properties: tags };
    let named = Tagged { additional_properties: BTreeMap::new(), ..all.clone() };
    let others = Tagged { name: None, ..all.clone() };
    let tagged = [None, Some(all), Some(named), Some(others)];
    let window = Some(MembersAndRestWindow { from: Some(2) });
    arrives!(members_and_rest, tagged.map(|tagged| MembersAndRest { page: Some(1), window: window.clone(), tagged }));
}

/// The item would arrive as two.
#[tokio::test]
async fn an_item_with_the_delimiter_of_its_list_is_not_sent() {
    let echo = Echo::default();
    let client = client_of(router(echo.clone(), &Options::default())).await;
    let request = |spaced, piped| Query {
        required: 1,
        value: None,
        reserved: None,
        list: None,
        list_in_one: None,
        spaced,
        piped,
        point_in_one: None,
        deep: None,
        json: None,
        one_or_many: None,
        at: None,
    };
    for (request, name) in
        [(request(Some(texts(&["a", "b c"])), None), "spaced"), (request(None, Some(texts(&["a|b"]))), "piped")]
    {
        let error = client.parameter_styles().query(request).await.expect_err("it cannot be sent");
        let told = format!("`{name}` would arrive as another value: an item holds what stands between items");
        assert!(error.to_string().contains(&told), "{error}");
    }
}

#[tokio::test]
async fn as_objects_lists_and_texts_side_by_side() {
    let created = [DeepQueryCreated::Point(point(HARD)), DeepQueryCreated::Integer(-5)];
    let lists = [None, Some(texts(&[HARD])), Some((0..12).map(|number| number.to_string()).collect())];
    let requests = created.map(Some).into_iter().chain([None]).zip(lists);
    arrives!(deep_query, requests.map(|(created, expand)| DeepQuery { created, expand }));
}

/// A text is a number only if this loses nothing.
#[tokio::test]
async fn as_numbers_and_texts_side_by_side() {
    use compiled_client::models::{NumberOrTextKey as Key, NumberOrTextPlace as Place};

    let texts = ["007", "+7", "1e3", "7.0", "-", "", "a"].map(str::to_owned);
    let texts = texts.map(|text| (Key::String(text.clone()), Place::String(text)));
    let others = [
        (Key::Integer(7), Place::Number(-0.5)),
        (Key::Integer(-1000), Place::Number(1e9)),
        (Key::String("1001".to_owned()), Place::Point(point(HARD))),
    ];
    let requests = texts.into_iter().chain(others);
    arrives!(number_or_text, requests.map(|(key, place)| NumberOrText { key: Some(key), place: Some(place) }));
}

#[tokio::test]
async fn as_the_whole_query() {
    arrives!(whole_query, [None, Some(point(HARD))].map(|selector| WholeQuery { selector }));
    let echo = Echo::default();
    let client = client_of(router(echo.clone(), &Options::default())).await;
    for selector in [HARD, "a=b&c"] {
        client.parameter_styles().query_text(selector).await.expect("it arrives");
        assert_eq!(echo.received(), format!("QueryText {{ selector: {selector:?} }}"));
    }
    let address = serve(router(Echo::default(), &Options::default())).await;
    for (query, error) in [
        ("query-string?%7B%22x%22%3A%22a%22%7D", r#""in":"querystring","pointer":"/x","code":"type""#),
        ("query-string?x=1", r#""in":"querystring","pointer":"","code":"syntax""#),
        ("query-text", r#""in":"querystring","pointer":"","code":"required""#),
        ("query-text?", r#""in":"querystring","pointer":"","code":"required""#),
    ] {
        let answer = reqwest::get(format!("{address}/{query}")).await.expect("the server answers");
        assert_eq!(answer.status(), 400, "{query}");
        let problem = answer.text().await.expect("it has a body");
        assert!(problem.contains(error), "{query}: {problem}");
    }
}

#[tokio::test]
async fn of_more_than_texts() {
    let bare = NestedQuery {
        maps: Vec::new(),
        points: None,
        points_in_one: None,
        points_deep: None,
        map_of_maps: None,
        map_deep: None,
        map_deep_kind: None,
        x_points: None,
    };
    let map = |name: &str| BTreeMap::from([(name.to_owned(), -1), ("b".to_owned(), 2)]);
    let full = NestedQuery {
        maps: vec![map(HARD), BTreeMap::new(), map("a")],
        points: Some(vec![point(HARD), point("b")]),
        points_in_one: Some(vec![point(HARD), point("b")]),
        points_deep: Some(vec![point(HARD), point("b")]),
        map_of_maps: Some(BTreeMap::from([(HARD.to_owned(), map("a")), (String::new(), map(""))])),
        map_deep: Some(map("a b")),
        map_deep_kind: Some(HARD.to_owned()),
        x_points: Some(vec![point("a,b"), point("\"")]),
    };
    let one = NestedQuery { maps: vec![map("a")], points: Some(vec![point("a")]), ..bare.clone() };
    arrives!(nested_query, [full, one]);
}

#[tokio::test]
async fn in_headers_and_cookies() {
    let bare = Headers { x_required: -1, x_value: None, x_list: None, x_point: None, x_point_exploded: None };
    let full = Headers {
        x_required: 1,
        x_value: Some("a b/c?d&e=f".to_owned()),
        x_list: Some(texts(&["a", "b c"])),
        x_point: Some(point("a b")),
        x_point_exploded: Some(point("a b")),
    };
    arrives!(headers, [bare, full]);
    let bare = Cookies { visits: 0, session: None, list: None, token: None, flags: None };
    let full = Cookies {
        visits: 1,
        session: Some(HARD.to_owned()),
        list: Some(texts(&[HARD, "b"])),
        token: Some("a%20b=c+d/e".to_owned()),
        flags: Some(texts(&["x|y", "%2C"])),
    };
    let empty = Cookies { session: Some(String::new()), ..bare.clone() };
    arrives!(cookies, [bare.clone(), full, empty]);

    // An unencoded value must not add another cookie.
    let client = client_of(router(Echo::default(), &Options::default())).await;
    for token in ["a; visits=9", "a b", "ü", "a\r\nb"] {
        let request = Cookies { token: Some(token.to_owned()), ..bare.clone() };
        let error = client.parameter_styles().cookies(request).await.expect_err("no cookie can hold it");
        assert!(error.to_string().ends_with("the value of the header `cookie: token` is not valid"), "{error}");
    }
}
