//! Round trips of every style.

use std::borrow::Cow;
use std::collections::BTreeMap;

use proptest::prelude::*;
use specwright_runtime::client::JsonItems;
use specwright_runtime::parameter::{
    Field, FromParameter, Pairs, Raw, Shape, Style, ToParameter, read_form, write_form,
};
use specwright_runtime::violation::{Location, Notes};

fn list(texts: &[&'static str]) -> Raw<'static> {
    Raw::List(texts.iter().map(|text| Cow::Borrowed(*text)).collect())
}

fn fields(texts: &[(&'static str, &'static str)]) -> Raw<'static> {
    let field = |(name, text): &(&'static str, &'static str)| Field {
        name: Cow::Borrowed(name),
        text: Cow::Borrowed(text),
        is_item: false,
    };
    Raw::Fields(texts.iter().map(field).collect())
}

fn written(write: impl FnOnce(&mut String)) -> String {
    let mut out = String::new();
    write(&mut out);
    out
}

fn shape(raw: &Raw<'_>) -> Shape {
    match raw {
        Raw::Text(_) => Shape::Primitive,
        Raw::List(_) => Shape::Array,
        Raw::Fields(_) => Shape::Object,
    }
}

/// "Style Examples" of the specification.
#[test]
fn the_table_of_the_specification() {
    let (text, empty) = (Raw::Text("blue".into()), Raw::Text("".into()));
    let (array, object) = (list(&["blue", "black", "brown"]), fields(&[("R", "100"), ("G", "200"), ("B", "150")]));
    let path = |style: Style, raw: &Raw<'_>| {
        let out = written(|out| style.write_path("color", raw, out));
        assert_eq!(style.read_path("color", shape(raw), &out).as_ref(), Ok(raw));
        out
    };
    for explode in [false, true] {
        assert_eq!(path(Style::MATRIX.explode(explode), &empty), ";color");
        assert_eq!(path(Style::MATRIX.explode(explode), &text), ";color=blue");
        assert_eq!(path(Style::LABEL.explode(explode), &empty), ".");
        assert_eq!(path(Style::LABEL.explode(explode), &text), ".blue");
        assert_eq!(path(Style::SIMPLE.explode(explode), &text), "blue");
        assert_eq!(path(Style::SIMPLE.explode(explode), &array), "blue,black,brown");
    }
    assert_eq!(path(Style::MATRIX, &array), ";color=blue,black,brown");
    assert_eq!(path(Style::MATRIX, &object), ";color=R,100,G,200,B,150");
    assert_eq!(path(Style::MATRIX.explode(true), &array), ";color=blue;color=black;color=brown");
    assert_eq!(path(Style::MATRIX.explode(true), &object), ";R=100;G=200;B=150");
    assert_eq!(path(Style::LABEL, &array), ".blue,black,brown");
    assert_eq!(path(Style::LABEL, &object), ".R,100,G,200,B,150");
    assert_eq!(path(Style::LABEL.explode(true), &array), ".blue.black.brown");
    assert_eq!(path(Style::LABEL.explode(true), &object), ".R=100.G=200.B=150");
    assert_eq!(path(Style::SIMPLE, &object), "R,100,G,200,B,150");
    assert_eq!(path(Style::SIMPLE.explode(true), &object), "R=100,G=200,B=150");

    let query = |style: Style, raw: &Raw<'_>| {
        let out = written(|out| style.write_query("color", raw, out));
        let pairs = Pairs::query(&out);
        assert_eq!(style.read_query("color", shape(raw), None, &pairs).as_ref(), Ok(&Some(raw.clone())), "{out}");
        out
    };
    for explode in [false, true] {
        assert_eq!(query(Style::FORM.explode(explode), &empty), "color=");
        assert_eq!(query(Style::FORM.explode(explode), &text), "color=blue");
    }
    assert_eq!(query(Style::FORM.explode(false), &array), "color=blue,black,brown");
    assert_eq!(query(Style::FORM.explode(false), &object), "color=R,100,G,200,B,150");
    assert_eq!(query(Style::FORM, &array), "color=blue&color=black&color=brown");
    assert_eq!(query(Style::FORM, &object), "R=100&G=200&B=150");
    assert_eq!(query(Style::SPACE_DELIMITED, &array), "color=blue%20black%20brown");
    assert_eq!(query(Style::SPACE_DELIMITED, &object), "color=R%20100%20G%20200%20B%20150");
    assert_eq!(query(Style::PIPE_DELIMITED, &array), "color=blue%7Cblack%7Cbrown");
    assert_eq!(query(Style::PIPE_DELIMITED, &object), "color=R%7C100%7CG%7C200%7CB%7C150");
    assert_eq!(query(Style::TAB_DELIMITED, &array), "color=blue%09black%09brown");
    assert_eq!(query(Style::DEEP_OBJECT, &object), "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150");
}

#[test]
fn lists_are_delimited_in_every_place() {
    for (style, in_path, in_header) in [
        (Style::SIMPLE, "blue,black+", "blue,black+"),
        (Style::SPACE_DELIMITED, "blue%20black+", "blue black+"),
        (Style::PIPE_DELIMITED, "blue%7Cblack+", "blue|black+"),
        (Style::TAB_DELIMITED, "blue%09black+", "blue\tblack+"),
    ] {
        let array = list(&["blue", "black+"]);
        let path = written(|out| style.write_path("color", &array, out));
        assert_eq!(path.replace("%2B", "+"), in_path);
        for path in [path.as_str(), in_path] {
            assert_eq!(style.read_path("color", Shape::Array, path).as_ref(), Ok(&array), "{path}");
        }
        let header = style.write_header(&array);
        assert_eq!(header, in_header);
        assert_eq!(style.read_header(Shape::Array, &header), Ok(array));
    }
}

#[test]
fn other_spellings_are_read_too() {
    let read = |style: Style, shape: Shape, query: &str| {
        style.read_query("color", shape, None, &Pairs::query(query)).map(|raw| format!("{raw:?}")).unwrap_or_default()
    };
    let blue_black = format!("{:?}", Some(list(&["blue", "black"])));
    assert_eq!(read(Style::PIPE_DELIMITED, Shape::Array, "color=blue|black"), blue_black);
    assert_eq!(read(Style::PIPE_DELIMITED, Shape::Array, "color=blue%7cblack"), blue_black);
    assert_eq!(read(Style::SPACE_DELIMITED, Shape::Array, "color=blue+black"), blue_black);
    assert_eq!(read(Style::FORM.explode(false), Shape::Array, "color=blue&color=black"), blue_black);
    assert_eq!(read(Style::FORM, Shape::Primitive, "a=b&&color=light+blue"), "Some(Text(\"light blue\"))");
    assert_eq!(read(Style::FORM, Shape::Primitive, "colour=blue"), "None");
    assert_eq!(
        read(Style::DEEP_OBJECT, Shape::Object, "color[R]=1"),
        "Some(Fields([Field { name: \"R\", text: \"1\", is_item: false }]))"
    );
    let any_case = Pairs::query("COLOR=blue").any_case();
    assert_eq!(Style::FORM.read_query("color", Shape::Primitive, None, &any_case), Ok(Some(Raw::Text("blue".into()))));
    let cookies = Pairs::cookies("a=1; color=\"blue\";b=2");
    assert_eq!(Style::FORM.read_cookie("color", Shape::Primitive, None, &cookies), Ok(Some(Raw::Text("blue".into()))));
}

#[test]
fn names_of_cookies_are_sent_as_they_are_as_far_as_they_can_be() {
    for (name, cookie) in [("ids[]", "ids[]=a%2Fb"), ("a=b; c%20é", "a%3Db%3B%20c%2520%C3%A9=a%2Fb")] {
        for style in [Style::FORM, Style::COOKIE] {
            let written = written(|out| style.write_cookie(name, &Raw::Text("a/b".into()), out));
            assert_eq!(written, if style == Style::FORM { cookie.to_owned() } else { cookie.replace("%2F", "/") });
            let read = style.read_cookie(name, Shape::Primitive, None, &Pairs::cookies(&written));
            assert_eq!(read, Ok(Some(Raw::Text("a/b".into()))));
        }
    }
    let encoded = Pairs::cookies("ids%5B%5D=1; ids[]=2");
    assert_eq!(Style::FORM.read_cookie("ids[]", Shape::Array, None, &encoded), Ok(Some(list(&["1", "2"]))));
}

#[test]
fn the_style_of_cookies_encodes_nothing() {
    let colors = list(&["a%20b", "c=d"]);
    for (style, cookie) in
        [(Style::COOKIE, "color=a%20b; color=c=d"), (Style::COOKIE.explode(false), "color=a%20b,c=d")]
    {
        assert_eq!(written(|out| style.write_cookie("color", &colors, out)), cookie);
        assert_eq!(style.read_cookie("color", Shape::Array, None, &Pairs::cookies(cookie)), Ok(Some(colors.clone())));
    }
    assert!(Style::COOKIE.fits_cookie(&colors) && Style::FORM.fits_cookie(&list(&["a; b"])));
    assert!(!Style::COOKIE.fits_cookie(&list(&["a; b"])));
}

#[test]
fn an_item_holds_no_delimiter_that_is_written_as_its_own() {
    let styles = [(Style::SPACE_DELIMITED, "a b"), (Style::PIPE_DELIMITED, "a|b"), (Style::TAB_DELIMITED, "a\tb")];
    for (style, item) in styles {
        assert!(style.keeps_pairs(&list(&["a", "b"])));
        assert!(!style.keeps_pairs(&list(&["c", item])));
        assert!(style.explode(true).keeps_pairs(&list(&["c", item])));
        assert!(Style::FORM.explode(false).keeps_pairs(&list(&["c", item])));
    }
}

#[test]
fn what_cannot_be_taken_apart_is_refused() {
    let code = |style: Style, shape: Shape, query: &str| {
        style.read_query("c", shape, None, &Pairs::query(query)).map_or_else(|refusal| refusal.code, |_| "accepted")
    };
    assert_eq!(code(Style::FORM, Shape::Primitive, "c=1&c=2"), "duplicate");
    assert_eq!(code(Style::FORM.explode(false), Shape::Object, "c=R,1,G"), "syntax");
    assert_eq!(code(Style::FORM, Shape::Primitive, "c=%ff"), "syntax");
    assert_eq!(code(Style::FORM, Shape::Primitive, "c=%f"), "accepted");
    assert!(Style::MATRIX.read_path("c", Shape::Primitive, ";d=1").is_err());
    assert!(Style::MATRIX.read_path("c", Shape::Primitive, "1").is_err());
    assert!(Style::LABEL.read_path("c", Shape::Primitive, "1").is_err());
    assert!(Style::SIMPLE.explode(true).read_path("c", Shape::Object, "R").is_err());
}

#[test]
fn reserved_characters_stay_when_allowed() {
    let raw = Raw::Text("a/b?c:d+e&f#g%h=i,j".into());
    let out = written(|out| Style::FORM.allow_reserved().write_query("q", &raw, out));
    assert_eq!(out, "q=a/b?c:d%2Be%26f%23g%25h=i,j");
    assert_eq!(Style::FORM.read_query("q", Shape::Primitive, None, &Pairs::query(&out)), Ok(Some(raw)));
}

/// A text that every style can represent.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![".{0,8}", "[a-z,;.|=&+ %/?#\\[\\]\"é😀]{0,8}"]
}

/// A text without separators that cannot be escaped.
fn plain_text() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9;.=&+%/?#é😀_~-]{1,8}"
}

fn name() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9_.é-]{1,6}"
}

/// `List([""])` and `List([])` are the same text when items are joined.
fn carried_list(texts: Vec<String>) -> Vec<String> {
    if texts == [""] { Vec::new() } else { texts }
}

fn there_and_back<T>(value: &T, style: Style) -> Result<(), TestCaseError>
where
    T: FromParameter + ToParameter + PartialEq + std::fmt::Debug,
{
    let raw = value.to_parameter();
    let path = written(|out| style.write_path("näme", &raw, out));
    let read = style.read_path("näme", T::SHAPE, &path);
    prop_assert_eq!(read.as_ref(), Ok(&raw), "{:?} {}", style, path);
    let mut notes = Notes::new(Location::Path("name"));
    let read: Option<T> = notes.required_parameter(Location::Path("name"), read.map(Some));
    prop_assert_eq!(read.as_ref(), Some(value));
    Ok(())
}

fn query_there_and_back<T>(value: &T, style: Style) -> Result<(), TestCaseError>
where
    T: FromParameter + ToParameter + PartialEq + std::fmt::Debug,
{
    let raw = value.to_parameter();
    // An exploded list or object without items is serialized as nothing.
    let absent = matches!(&raw, Raw::List(texts) if texts.is_empty()) && style == style.explode(true)
        || matches!(&raw, Raw::Fields(fields) if fields.is_empty()) && style == style.explode(true);
    let query = written(|out| style.write_query("näme", &raw, out));
    let read = style.read_query("näme", T::SHAPE, T::MEMBERS, &Pairs::query(&query));
    let expected = if absent { None } else { Some(raw.clone()) };
    prop_assert_eq!(read.as_ref(), Ok(&expected), "{:?} {}", style, query);

    let cookie = written(|out| style.write_cookie("name", &raw, out));
    let read = style.read_cookie("name", T::SHAPE, T::MEMBERS, &Pairs::cookies(&cookie));
    if style != Style::DEEP_OBJECT && style != Style::SPACE_DELIMITED && T::SHAPE != Shape::Object {
        prop_assert_eq!(read.as_ref(), Ok(&expected), "{:?} {}", style, cookie);
    }
    Ok(())
}

const PATH_STYLES: [Style; 3] = [Style::SIMPLE, Style::LABEL, Style::MATRIX];

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn texts(text in any_text(), explode: bool) {
        for style in PATH_STYLES {
            there_and_back(&text, style.explode(explode))?;
        }
        for style in [Style::FORM, Style::FORM.allow_reserved()] {
            query_there_and_back(&text, style.explode(explode))?;
        }
    }

    #[test]
    fn numbers(number: f64, integer: i64, explode: bool) {
        prop_assume!(number.is_finite());
        for style in PATH_STYLES {
            there_and_back(&number, style.explode(explode))?;
            there_and_back(&integer, style.explode(explode))?;
        }
        query_there_and_back(&number, Style::FORM)?;
        query_there_and_back(&integer, Style::FORM)?;
    }

    #[test]
    fn lists(texts in prop::collection::vec(any_text(), 0..5).prop_map(carried_list), explode: bool) {
        for style in PATH_STYLES {
            there_and_back(&texts, style.explode(explode))?;
        }
        for style in [Style::FORM, Style::FORM.allow_reserved()] {
            query_there_and_back(&texts, style.explode(explode))?;
        }
    }

    #[test]
    fn lists_with_other_delimiters(texts in prop::collection::vec(plain_text(), 0..5)) {
        query_there_and_back(&texts, Style::SPACE_DELIMITED)?;
        query_there_and_back(&texts, Style::PIPE_DELIMITED)?;
        query_there_and_back(&texts, Style::PIPE_DELIMITED.allow_reserved())?;
    }

    #[test]
    fn maps(texts in prop::collection::btree_map(name(), any_text(), 0..5), explode: bool) {
        for style in PATH_STYLES {
            there_and_back(&texts, style.explode(explode))?;
        }
        query_there_and_back(&texts, Style::FORM.explode(explode))?;
        query_there_and_back(&texts, Style::DEEP_OBJECT)?;
    }

    #[test]
    fn maps_with_other_delimiters(texts in prop::collection::btree_map("[a-z]{1,4}", plain_text(), 0..5)) {
        query_there_and_back(&texts, Style::SPACE_DELIMITED)?;
        query_there_and_back(&texts, Style::PIPE_DELIMITED)?;
    }

    #[test]
    fn headers(texts in prop::collection::vec("[a-z;=&%/?#é-]{1,8}", 0..5), explode: bool) {
        let style = Style::SIMPLE.explode(explode);
        let header = style.write_header(&texts.to_parameter());
        prop_assert_eq!(style.read_header(Shape::Array, &header), Ok(texts.to_parameter()));
    }

    #[test]
    fn forms(texts in prop::collection::btree_map(name(), any_text(), 0..5)) {
        let form = write_form(&texts);
        let read: BTreeMap<String, String> = read_form(form.as_bytes(), &[], false).unwrap();
        prop_assert_eq!(read, texts);
    }

    #[test]
    fn nothing_panics(text in "[a-z;=&%.,|+\\[\\] 0-9]{0,20}", explode: bool) {
        let styles = [Style::SIMPLE, Style::LABEL, Style::MATRIX, Style::FORM, Style::SPACE_DELIMITED, Style::PIPE_DELIMITED, Style::DEEP_OBJECT];
        for style in styles.map(|style| style.explode(explode)) {
            for shape in [Shape::Primitive, Shape::Array, Shape::Object] {
                let _ = style.read_path("a", shape, &text);
                let _ = style.read_header(shape, &text);
                let _ = style.read_query("a", shape, None, &Pairs::query(&text));
                let _ = style.read_cookie("a", shape, None, &Pairs::cookies(&text));
            }
        }
    }
}

/// A list of JSON values: `name={…}&name={…}`.
#[test]
fn items_that_are_json_come_back() {
    let hard = "a b/c?d&e=f#g%20h+i,j;k|l\"'ü🦀";
    let item = |value: i32| BTreeMap::from([(hard.to_owned(), value), (String::new(), -value)]);
    for items in [vec![item(1)], vec![item(1), BTreeMap::new(), item(2)]] {
        let query = written(|out| Style::FORM.write_query("maps", &JsonItems(&items).to_parameter(), out));
        assert_eq!(query.matches("maps=").count(), items.len(), "{query}");
        let raw = Style::FORM.read_query("maps", Shape::Array, None, &Pairs::query(&query));
        let mut notes = Notes::new(Location::Query("maps"));
        let read: Option<Vec<BTreeMap<String, i32>>> = notes.required_json_parameter(Location::Query("maps"), raw);
        assert_eq!((read, notes.into_violations()), (Some(items), Vec::new()));
    }
}
