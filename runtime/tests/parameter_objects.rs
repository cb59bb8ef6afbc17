//! Structs as parameters and forms, and nested values.

use std::collections::BTreeMap;

use specwright_runtime::json::{Json, Value, from_slice};
use specwright_runtime::parameter::{
    Fields, FromParameter, Pairs, Raw, Shape, Style, ToParameter, read_form, undivided, write_form, write_form_with,
};
use specwright_runtime::violation::{Location, Notes};

#[derive(Debug, PartialEq, Json)]
#[json(any_case, closed, parameter)]
struct Filter {
    #[json("Name")]
    name: String,
    #[json("Tags")]
    tags: Option<Vec<i32>>,
}

#[test]
fn structs_stand_among_other_parameters() {
    let filter = Filter { name: "a b".into(), tags: Some(vec![1, 2]) };
    let pairs = Pairs::query("page=1&name=a+b&TAGS=1&sort=x&Tags=2").any_case();
    let raw = Style::FORM.read_query("filter", Filter::SHAPE, Filter::MEMBERS, &pairs);
    assert_eq!(Notes::new(Location::Body).required_parameter(Location::Query("filter"), raw), Some(filter));
}

#[test]
fn structs_note_every_violation() {
    let form = read_form::<Filter>(b"Tags=x&tags=3&Tag=1", &[], true).unwrap_err();
    let form: Vec<String> = form.iter().map(ToString::to_string).collect();
    assert_eq!(
        form,
        [
            "body /Tags/0 is `x`, not a whole number",
            "body /Tag is unknown; did you mean `Tags`?",
            "body /Name is missing",
        ]
    );
    let filter = Filter { name: "a b".into(), tags: Some(vec![1, 2]) };
    assert_eq!(write_form(&filter), "Name=a%20b&Tags=1&Tags=2");
    assert_eq!(read_form::<Filter>(write_form(&filter).as_bytes(), &[], false).unwrap(), filter);
}

#[derive(Debug, PartialEq, Json)]
#[json(parameter)]
struct Bracketed {
    a: Option<Value>,
    #[json("a[b]")]
    inner: Option<String>,
}

#[test]
fn a_member_may_have_brackets_in_its_name() {
    let bracketed = |a: &str| Bracketed { a: from_slice(a.as_bytes()).ok(), inner: Some("c".into()) };
    for (style, a, form) in [
        (Style::json(), "{\"d\":1}", "a=%7B%22d%22%3A1%7D&a%5Bb%5D=c"),
        (Style::json_items(), "[1,2]", "a=1&a=2&a%5Bb%5D=c"),
    ] {
        let (styles, bracketed) = ([("a", style)], bracketed(a));
        assert_eq!(write_form_with(&bracketed, &styles), form);
        assert_eq!(read_form::<Bracketed>(form.as_bytes(), &styles, false).unwrap(), bracketed);
        let split = read_form::<Bracketed>(b"a[d]=1", &styles, false).unwrap_err();
        assert_eq!(split.iter().next().unwrap().to_string(), "body /a is given in brackets, not as JSON");
    }
}

#[derive(Debug, Default, PartialEq, Json)]
#[json(parameter, tolerant)]
struct Order {
    filter: Option<Filter>,
    lines: Option<Vec<Filter>>,
    parent: Option<Vec<Order>>,
}

#[test]
fn objects_inside_objects_have_their_names_in_brackets() {
    let filter = |name: &str| Filter { name: name.into(), tags: Some(vec![1, 2]) };
    let inner = Order { filter: Some(filter("c")), ..Default::default() };
    let order = Order { filter: None, lines: Some(vec![filter("a"), filter("b")]), parent: Some(vec![inner]) };
    let form = write_form(&order);
    assert!(form.contains("lines%5B1%5D%5BTags%5D=2"), "{form}");
    assert_eq!(read_form::<Order>(form.as_bytes(), &[], false).unwrap(), order);

    let mut query = String::new();
    Style::DEEP_OBJECT.write_query("order", &order.to_parameter(), &mut query);
    assert!(query.contains("order%5Bparent%5D%5B0%5D%5Bfilter%5D%5BName%5D=c"), "{query}");
    let raw = Style::DEEP_OBJECT.read_query("order", Order::SHAPE, Order::MEMBERS, &Pairs::query(&query));
    assert_eq!(Notes::new(Location::Body).required_parameter(Location::Query("order"), raw), Some(order));
}

/// `oneOf` a text, a list and an object.
#[derive(Debug, PartialEq)]
enum Mixed {
    Text(i32),
    List(Vec<i32>),
    Object(BTreeMap<String, i32>),
}

impl FromParameter for Mixed {
    const SHAPE: Shape = Shape::Several;

    fn from_parameter(raw: Raw<'_>, at: &mut Notes) -> Option<Self> {
        match raw {
            Raw::Text(_) => FromParameter::from_parameter(raw, at).map(Self::Text),
            Raw::Fields(members)
                if members.iter().any(|member| member.name.parse::<u32>().is_err() && !member.name.is_empty()) =>
            {
                FromParameter::from_parameter(Raw::Fields(members), at).map(Self::Object)
            }
            Raw::List(_) | Raw::Fields(_) => FromParameter::from_parameter(raw, at).map(Self::List),
        }
    }
}

impl ToParameter for Mixed {
    fn to_parameter(&self) -> Raw<'_> {
        match self {
            Self::Text(number) => number.to_parameter(),
            Self::List(list) => list.to_parameter(),
            Self::Object(members) => members.to_parameter(),
        }
    }
}

#[test]
fn what_is_written_tells_a_text_from_a_list_and_an_object() {
    let object = Mixed::Object(BTreeMap::from([("gte".to_owned(), 2)]));
    let cases = [
        (Mixed::Text(1), "created=1"),
        (Mixed::List(vec![3]), "created%5B0%5D=3"),
        (Mixed::List(vec![3, 4]), "created%5B0%5D=3&created%5B1%5D=4"),
        (object, "created%5Bgte%5D=2"),
    ];
    for (value, expected) in cases {
        let mut query = String::new();
        Style::DEEP_OBJECT.write_query("created", &value.to_parameter(), &mut query);
        assert_eq!(query, expected);
        let raw = Style::DEEP_OBJECT.read_query("created", Mixed::SHAPE, Mixed::MEMBERS, &Pairs::query(&query));
        assert_eq!(Notes::new(Location::Body).required_parameter(Location::Query("created"), raw), Some(value));
    }
    let several = Style::DEEP_OBJECT.read_query("created", Mixed::SHAPE, None, &Pairs::query("created=1&created=2"));
    assert_eq!(several, Ok(Some(Raw::List(vec!["1".into(), "2".into()]))));
    assert_eq!(Style::DEEP_OBJECT.read_query("created", Mixed::SHAPE, None, &Pairs::query("create=1")), Ok(None));
}

#[test]
fn deep_members_of_a_form_have_numbered_lists() {
    let filter = Filter { name: "c".into(), tags: Some(vec![1, 2]) };
    assert_eq!(write_form_with(&filter, &[("Tags", Style::DEEP_OBJECT.pairs())]), "Name=c&Tags%5B0%5D=1&Tags%5B1%5D=2");
    assert_eq!(write_form_with(&filter, &[("Name", Style::DEEP_OBJECT.pairs())]), write_form(&filter));
    let order = Order { lines: Some(vec![filter]), ..Default::default() };
    let form = write_form_with(&order, &[("lines", Style::DEEP_OBJECT.pairs())]);
    assert_eq!(form, "lines%5B0%5D%5BName%5D=c&lines%5B0%5D%5BTags%5D%5B0%5D=1&lines%5B0%5D%5BTags%5D%5B1%5D=2");
    assert_eq!(read_form::<Order>(form.as_bytes(), &[], false).unwrap(), order);
}

#[test]
fn objects_in_a_form_may_be_json() {
    let filter = |name: &str, tags: &[i32]| Filter { name: name.into(), tags: Some(tags.to_vec()) };
    let parent = Order { lines: Some(vec![filter("c", &[3])]), ..Default::default() };
    let order = Order { filter: Some(filter("a&b", &[1, 2])), lines: None, parent: Some(vec![parent]) };
    let form =
        "filter={\"Name\":\"a%26b\",\"Tags\":[1,2]}&parent={\"lines\":[{\"Name\":\"c\",\"Tags\":[3]}],\"filter\":null}";
    assert_eq!(read_form::<Order>(form.as_bytes(), &[], false).unwrap(), order);
    let broken = read_form::<Order>(b"filter={\"Name\":", &[], false).unwrap_err();
    assert_eq!(broken[0].detail, "is not an object");
}

#[test]
fn lists_of_a_form_stand_in_one_text_where_it_is_said() {
    let filter = Filter { name: "a,b".into(), tags: Some(vec![1, 2]) };
    for (style, delimiter) in [
        (Style::FORM.explode(false), ","),
        (Style::SPACE_DELIMITED, "%20"),
        (Style::PIPE_DELIMITED, "%7C"),
        (Style::TAB_DELIMITED, "%09"),
    ] {
        let lists = [("Tags", style.pairs())];
        let form = write_form_with(&filter, &lists);
        assert_eq!(form, format!("Name=a%2Cb&Tags=1{delimiter}2"));
        assert_eq!(read_form::<Filter>(form.as_bytes(), &lists, false).unwrap(), filter);
        // As other programs write it.
        assert_eq!(read_form::<Filter>(b"Tags=1&Name=a,b&tags=2", &lists, true).unwrap(), filter);
        assert_eq!(undivided(&filter, &lists), None);
    }
    assert_eq!(
        read_form::<Filter>(b"Name=c&Tags=1+2", &[("Tags", Style::SPACE_DELIMITED.pairs())], false).unwrap().tags,
        Some(vec![1, 2])
    );
    assert_eq!(
        read_form::<Filter>(b"Name=c&Tags=1,x", &[("Tags", Style::FORM.explode(false).pairs())], false)
            .unwrap_err()
            .len(),
        1
    );
}

#[derive(Debug, PartialEq, Json)]
#[json(parameter, tolerant)]
struct Brackets {
    #[json("ids[]")]
    ids: Vec<i32>,
    #[json("a[b]")]
    object: BTreeMap<String, String>,
}

#[test]
fn names_of_members_may_have_brackets() {
    let form =
        Brackets { ids: vec![1, 2], object: BTreeMap::from([("c".into(), "d".into()), ("e".into(), "f".into())]) };
    let styles = [("ids[]", Style::FORM.explode(false).pairs()), ("a[b]", Style::PIPE_DELIMITED.object())];
    let text = write_form_with(&form, &styles);
    assert_eq!(text, "ids%5B%5D=1,2&a%5Bb%5D=c%7Cd%7Ce%7Cf");
    assert_eq!(read_form::<Brackets>(text.as_bytes(), &styles, false).unwrap(), form);

    let deep = Pairs::query("a[b][c]=d&a[x][c]=y&a[b]=z");
    let raw = Style::DEEP_OBJECT.read_query("a[b]", Shape::Object, None, &deep);
    let object = BTreeMap::from([("c".to_owned(), "d".to_owned())]);
    assert_eq!(Notes::new(Location::Body).required_parameter(Location::Query("a[b]"), raw), Some(object));
}

#[test]
fn texts_in_a_list_with_objects_are_numbered() {
    let object = |value| Mixed::Object(BTreeMap::from([("a".to_owned(), value)]));
    let items = vec![Mixed::Text(1), object(2), Mixed::List(vec![3, 4]), Mixed::Text(5)];
    let form = write_form(&Items(&items));
    assert_eq!(form, "items%5B0%5D=1&items%5B1%5D%5Ba%5D=2&items%5B2%5D%5B%5D=3&items%5B2%5D%5B%5D=4&items%5B3%5D=5");
    let raw = items.to_parameter();
    let mut notes = Notes::new(Location::Body);
    let read: Option<Vec<Mixed>> = FromParameter::from_parameter(raw, &mut notes);
    assert_eq!((read, notes.into_violations()), (Some(items), Vec::new()));
}

/// A list of its own type, or a number.
#[derive(Debug, PartialEq)]
enum Nested {
    List(Vec<Nested>),
    Number(i32),
}

impl FromParameter for Nested {
    const SHAPE: Shape = Shape::Array;

    fn from_parameter(raw: Raw<'_>, at: &mut Notes) -> Option<Self> {
        let mut trial = Notes::new(Location::Body);
        let list = at.is_empty().then(|| Vec::from_parameter(raw.clone(), at)).flatten();
        list.map(Self::List).or_else(|| i32::from_parameter(raw, &mut trial).map(Self::Number))
    }
}

#[test]
fn a_text_is_not_read_as_endlessly_nested_lists() {
    let mut notes = Notes::new(Location::Body);
    let read = Nested::from_parameter(Raw::Text("x".into()), &mut notes);
    assert_eq!((read, notes.violations().len()), (None, 1));
}

/// A struct whose only member is a list.
struct Items<'a>(&'a Vec<Mixed>);

impl ToParameter for Items<'_> {
    fn to_parameter(&self) -> Raw<'_> {
        let mut fields = Fields::new();
        fields.required("items", self.0);
        fields.into_raw()
    }
}

#[test]
fn lists_are_read_with_brackets_and_numbers_too() {
    let filter = read_form::<Filter>(b"Name=a&Tags[]=1&Tags[]=2", &[], false).unwrap();
    assert_eq!(filter.tags, Some(vec![1, 2]));
    let filter = read_form::<Filter>(b"Name=a&Tags[1]=1&Tags[0]=2", &[], false).unwrap();
    assert_eq!(filter.tags, Some(vec![2, 1]));
    assert_eq!(read_form::<Filter>(b"Name[x]=a&Tags[x]=1", &[], false).unwrap_err().len(), 2);
}

/// A member of any type in an object.
#[derive(Debug, PartialEq, Json)]
#[json(parameter)]
struct Note {
    #[json(any)]
    extra: Option<Value>,
}

/// A form with such an object.
#[derive(Debug, PartialEq, Json)]
#[json(parameter)]
struct Noted {
    note: Note,
}

#[test]
fn lists_of_any_values_are_told_from_their_items() {
    for (form, expected) in [
        (r#"note={"extra":{"a":["b"],"c":[[1],["d"]],"e":"f"}}"#, r#"{"a":["b"],"c":[[1],["d"]],"e":"f"}"#),
        (r#"note={"extra":["b"]}"#, r#"["b"]"#),
        ("note[extra][a][]=b", r#"{"a":["b"]}"#),
        ("note[extra][a][0]=b", r#"{"a":["b"]}"#),
        ("note[extra][1][a]=b&note[extra][0]=c", r#"["c",{"a":"b"}]"#),
        ("note[extra][1]=b", r#"{"1":"b"}"#),
        ("note[extra][a]=b", r#"{"a":"b"}"#),
    ] {
        let read = read_form::<Noted>(form.as_bytes(), &[], false).unwrap();
        let extra = read.note.extra.map(|extra| extra.to_string());
        assert_eq!(extra.as_deref(), Some(expected), "{form}");
    }
    assert_eq!(read_form::<Value>(b"", &[], false).unwrap().to_string(), "{}");
}

#[test]
fn deep_nesting_is_refused() {
    let form = format!("parent{}[0][filter][Name]=a", "[0][parent]".repeat(10_000));
    assert_eq!(read_form::<Order>(form.as_bytes(), &[], false).unwrap_err()[0].code, "depth");
}

/// A member of each form, and members with rules.
#[derive(Debug, Default, PartialEq, Json)]
#[json(parameter, constant("kind", "parcel"), max_properties = 4)]
struct Parcel {
    #[json(max_length = 3)]
    name: String,
    #[json(any, as_json)]
    size: Option<Value>,
    next: Option<Box<Parcel>>,
    #[json(others, values(maximum = 9))]
    others: BTreeMap<String, i32>,
}

#[test]
fn members_of_every_form_keep_to_their_rules() {
    let next = Parcel { name: "b".into(), ..Parcel::default() };
    let size = Value::Array(vec![Value::Bool(true)]);
    let others = BTreeMap::from([("x".to_owned(), 9)]);
    let parcel = Parcel { name: "a".into(), size: Some(size), next: Some(Box::new(next)), others };
    let form = write_form(&parcel);
    let violations = |form: &str| {
        let found = read_form::<Parcel>(form.as_bytes(), &[], false).unwrap_err();
        found.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(form, "kind=parcel&name=a&size=%5Btrue%5D&next%5Bkind%5D=parcel&next%5Bname%5D=b&x=9");
    assert_eq!(violations(&form), ["body has 5 members, at most 4"]);
    let form = form.replace("&size=%5Btrue%5D", "");
    let read = read_form::<Parcel>(form.as_bytes(), &[], false).unwrap();
    assert_eq!(read, Parcel { size: None, ..parcel });
    assert_eq!(violations(&form.replace("name=a", "name=abcd")), ["body /name has 4 characters, at most 3"]);
    assert_eq!(violations(&form.replace("x=9", "x=10")), ["body /x is 10, at most 9"]);
    assert_eq!(violations("name=a&kind=box"), ["body /kind is `box`, not one of `parcel`"]);
    let not_json = "body /size is not JSON: expected ident at line 1 column 2";
    assert_eq!(violations("name=a&size=no"), [not_json, "body /kind is missing"]);
}

/// Members that only requests must have.
#[derive(Debug, PartialEq, Json)]
#[json(parameter)]
struct Secret {
    #[json(expected)]
    key: Option<String>,
}

/// The same type, read from a response.
#[derive(Debug, PartialEq, Json)]
#[json(parameter, tolerant)]
struct Answered {
    #[json(expected)]
    key: Option<String>,
}

#[test]
fn members_required_in_requests_may_be_missing_in_responses() {
    let found = read_form::<Secret>(b"other=1", &[], false).unwrap_err();
    assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), ["body /key is missing"]);
    assert_eq!(read_form::<Secret>(b"key=a", &[], false).unwrap(), Secret { key: Some("a".into()) });
    assert_eq!(read_form::<Answered>(b"other=1", &[], false).unwrap(), Answered { key: None });
}

#[test]
fn nothing_that_is_given_twice_is_dropped() {
    let of_map = |form: &str| read_form::<BTreeMap<String, i32>>(form.as_bytes(), &[], false);
    let refused = |form: &str| of_map(form).unwrap_err().iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(refused("a=1&b=2&a=3"), ["body /a is given 2 times"]);
    let of_lists = |form: &str| read_form::<Order>(form.as_bytes(), &[], false).map_err(|found| found[0].to_string());
    assert_eq!(of_lists("lines[0][Name]=a&lines[0]=b"), Err("body /lines/0 is given 2 times".into()));
    let of_texts = |form: &str| read_form::<Filter>(form.as_bytes(), &[], false).map_err(|found| found[0].to_string());
    assert_eq!(of_texts("Name=a&Tags[1]=1&Tags[1]=2"), Err("body /Tags/1 is given 2 times".into()));
    let tags = |tags: &[i32]| Ok(Filter { name: "a".into(), tags: Some(tags.to_vec()) });
    for form in ["Name=a&Tags=3&Tags[]=4", "Name=a&Tags[]=3&Tags=4", "Name=a&Tags[0]=3&Tags=4"] {
        assert_eq!(of_texts(form), tags(&[3, 4]), "{form}");
    }
}
