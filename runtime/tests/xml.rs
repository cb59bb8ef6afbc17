//! XML, read and written by a table.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use specwright_runtime::json::{Json, Maybe};
use specwright_runtime::xml::{self, Member, Name, Others, Root, Shape};

#[derive(Clone, Debug, PartialEq, Json)]
#[json(closed)]
struct Pet {
    #[json("id")]
    id: Option<i64>,
    #[json("name", min_length = 1)]
    name: String,
    #[json("category")]
    category: Option<Category>,
    #[json("photoUrls")]
    photo_urls: Vec<String>,
    #[json("tags")]
    tags: Option<Vec<Category>>,
    #[json("good")]
    good: Option<bool>,
    #[json("owner")]
    owner: Maybe<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Json)]
struct Category {
    #[json("id")]
    id: Option<f64>,
    #[json("name")]
    name: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Json)]
struct Stock {
    #[json(others)]
    others: BTreeMap<String, i32>,
}

const PETS: &str = "urn:pets";

static CATEGORY: Shape = Shape::Object(
    &[
        Member::attribute("id", &Shape::Number).named(Name::new("no").within("urn:no").prefix("n")),
        Member::text("name", &Shape::Text),
    ],
    Others::Skipped,
);
static PET: Shape = Shape::Object(
    &[
        Member::attribute("id", &Shape::Number),
        Member::element("name", &Shape::Text).named(Name::new("Name")),
        Member::element("category", &CATEGORY),
        Member::items("photoUrls", &Shape::Text).named(Name::new("photoUrl")).required(),
        Member::element("tags", &Shape::List(Name::new("tag"), &CATEGORY)),
        Member::element("good", &Shape::Boolean),
        Member::element("owner", &Shape::Text),
    ],
    Others::Refused,
);
static STOCK: Shape = Shape::Object(&[], Others::Elements(&Shape::Number));
const ROOT: Root = Root::new(Name::new("pet").within(PETS), &PET);

fn pet() -> Pet {
    Pet {
        id: None,
        name: "a".to_owned(),
        category: None,
        photo_urls: Vec::new(),
        tags: None,
        good: None,
        owner: Maybe::Absent,
    }
}

fn written(value: &Pet) -> String {
    let bytes = xml::try_to_vec(ROOT, value).expect("XML can express it");
    String::from_utf8(bytes).expect("UTF-8")
}

fn read(document: &str) -> Result<Pet, Vec<String>> {
    xml::from_slice_strict(ROOT, document.as_bytes())
        .map_err(|violations| violations.iter().map(|violation| format!("{} {}", violation.code, violation)).collect())
}

fn tolerated(document: &str) -> Result<Pet, Vec<String>> {
    xml::from_slice(ROOT, document.as_bytes())
        .map_err(|violations| violations.iter().map(ToString::to_string).collect())
}

#[test]
fn each_member_stands_where_the_table_says() {
    let value = Pet {
        id: Some(-7),
        name: " <a> & \"b\"\r\n\t]]> é".to_owned(),
        category: Some(Category { id: Some(1.5e300), name: Some("dogs".to_owned()) }),
        photo_urls: vec!["one".to_owned(), String::new()],
        tags: Some(vec![Category { id: None, name: Some("x".to_owned()) }, Category::default()]),
        good: Some(true),
        owner: Maybe::Null,
    };
    let document = written(&value);
    assert_eq!(
        document,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><pet xmlns=\"urn:pets\" id=\"-7\">\
         <Name> &lt;a&gt; &amp; \"b\"&#13;\n\t]]&gt; é</Name>\
         <category xmlns:n=\"urn:no\" n:no=\"1.5e+300\">dogs</category>\
         <photoUrl>one</photoUrl><photoUrl></photoUrl>\
         <tags><tag>x</tag><tag></tag></tags><good>true</good>\
         <owner xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:nil=\"true\"/></pet>"
    );
    assert_eq!(read(&document), Ok(value));
}

#[test]
fn lists_are_absent_empty_or_of_one() {
    let with = |inside: &str| read(&format!("<pet><Name>a</Name>{inside}</pet>"));
    assert_eq!(with(""), Ok(pet()));
    assert_eq!(with("<tags/>"), Ok(Pet { tags: Some(Vec::new()), ..pet() }));
    assert_eq!(with("<tags> <tag/> </tags>"), Ok(Pet { tags: Some(vec![Category::default()]), ..pet() }));
    let photo_urls = vec!["a".to_owned(), "b".to_owned()];
    assert_eq!(
        with("<photoUrl>a</photoUrl><good>0</good><photoUrl>b</photoUrl>"),
        Ok(Pet { good: Some(false), photo_urls, ..pet() })
    );
    for empty in [Pet { tags: Some(Vec::new()), ..pet() }, pet()] {
        assert_eq!(read(&written(&empty)), Ok(empty));
    }
}

#[test]
fn what_is_written_in_another_way_is_the_same() {
    let document = "\u{FEFF}<?xml version='1.0' encoding='utf-8'?><!-- a --><?b c?>\n<p:pet xmlns:p='urn:other' id=' 7\t'>\n  \
         <Name>a<![CDATA[ <b> ]]>&#x41;&amp;\r\n</Name><good> 1 </good>\n</p:pet>\n";
    let name = "a <b> A&\n".to_owned();
    assert_eq!(read(document), Ok(Pet { id: Some(7), name, good: Some(true), ..pet() }));
}

#[test]
fn violations_name_their_place() {
    for (document, expected) in [
        ("", "syntax body is empty"),
        ("{}", "syntax body is not XML: there is text outside of the element at line 1 column 1"),
        ("<pet>", "syntax body is not XML: `pet` is not closed at line 1 column 5"),
        (
            "<pet></pat>",
            "syntax body is not XML: ill-formed document: expected `</pet>`, but `</pat>` was found at line 1 column 6",
        ),
        ("<pet/><pet/>", "syntax body is not XML: there is a second element outside of the first at line 1 column 7"),
        (
            "<!DOCTYPE pet [<!ENTITY a 'b'>]><pet/>",
            "syntax body is not XML: a document type is not allowed at line 1 column 1",
        ),
        ("<pet>&a;</pet>", "syntax body is not XML: `&a;` means nothing here at line 1 column 6"),
        (
            "<pet>&#0;</pet>",
            "syntax body is not XML: invalid character reference: 0x0 character is not permitted in XML at line 1 column 6",
        ),
        ("<pet>&#1;</pet>", "syntax body is not XML: `&#1;` means nothing here at line 1 column 6"),
        ("<pet>\u{1}</pet>", "syntax body is not XML: U+0001 is not a character of XML at line 1 column 6"),
        (
            "<?xml version='1.0' encoding='latin1'?><pet/>",
            "syntax body is not XML: the encoding `latin1` is not UTF-8 at line 1 column 1",
        ),
        ("<pat><Name>a</Name></pat>", "type body is an element `pat`, not `pet`"),
        ("<pet/>", "required body /name is missing"),
        ("<pet><Name/></pet>", "minLength body /name has no character, at least 1"),
        ("<pet><Name>a</Name><Name>b</Name></pet>", "duplicate body /name is given twice"),
        ("<pet><Name><b/></Name></pet>", "type body /name is an object, not a string"),
        ("<pet><Name>a</Name><name>b</name></pet>", "unknown body /name is unknown"),
        ("<pet b='c'><Name>a</Name></pet>", "unknown body /b is unknown"),
        ("<pet><Name>a</Name><id>1</id></pet>", "unknown body /id is unknown"),
        ("<pet id='1.5'><Name>a</Name></pet>", "type body /id is `1.5`, not a whole number"),
        ("<pet id='x'><Name>a</Name></pet>", "type body /id is a string, not a whole number"),
        ("<pet><Name>a</Name><good>yes</good></pet>", "type body /good is a string, not a boolean"),
        ("<pet><Name>a</Name><tags><tog/></tags></pet>", "type body /tags/0 is an element `tog`, not `tag`"),
        ("<pet><Name>a</Name><tags>x</tags></pet>", "type body /tags has text between its elements"),
        ("<pet><Name>a</Name>x</pet>", "type body has text between its elements"),
        ("<pet>x</pet>", "type body is a string, not an object"),
    ] {
        let found = read(document).expect_err(document);
        assert_eq!(found.first().map(String::as_str), Some(expected), "{document}");
    }
    let deep = format!("{}{}", "<a>".repeat(200), "</a>".repeat(200));
    assert_eq!(read(&deep), Err(vec!["depth body is nested more than 128 levels deep".to_owned()]));
    let wide = (0..1000).fold(String::new(), |wide, number| format!("{wide} a{number}=''"));
    let found = read(&format!("<pet{wide}/>")).expect_err("too many");
    assert_eq!(found, ["syntax body is not XML: `pet` has more than 256 attributes at line 1 column 1"]);
}

#[test]
fn a_client_overlooks_deviations() {
    let document = "<Pet a='b'>x<Name>a</Name><tags>y<other/></tags><good/><new>1</new></Pet>";
    assert_eq!(tolerated(document), Ok(Pet { tags: Some(Vec::new()), ..pet() }));
    assert_eq!(tolerated("<pet><Name>a</Name><Name>b</Name></pet>").map(|pet| pet.name), Ok("b".to_owned()));
    let found = tolerated("<!DOCTYPE pet><pet/>").expect_err("no document type");
    assert_eq!(found, ["body is not XML: a document type is not allowed at line 1 column 1"]);
}

#[test]
fn the_members_of_a_map_are_elements() {
    let root = Root::any(&STOCK);
    let stock = |names: &[&str]| Stock { others: names.iter().map(|name| ((*name).to_owned(), 1)).collect() };
    let bytes = xml::try_to_vec(root, &stock(&["a", "sold-out", "é"])).expect("names of elements");
    assert!(bytes.ends_with("?><root><a>1</a><sold-out>1</sold-out><é>1</é></root>".as_bytes()));
    assert_eq!(xml::from_slice_strict(root, &bytes), Ok(stock(&["a", "sold-out", "é"])));
    for name in ["", "1", "a b", "a:b", "<"] {
        let problem = xml::try_to_vec(root, &stock(&[name])).expect_err(name);
        assert_eq!(problem.to_string(), format!("the value at /{name} has a name that an element cannot have"));
    }
    let problem = xml::try_to_vec(ROOT, &Pet { photo_urls: vec!["\u{1}".to_owned()], ..pet() }).expect_err("a control");
    assert_eq!(problem.to_string(), "the value at /photoUrls/0 has a character that XML does not have");
}

/// What documents are made of, and what breaks them.
const PIECES: &[&str] = &[
    "<pet>",
    "</pet>",
    "<pet id='1'>",
    "<pet",
    "<Name>",
    "</Name>",
    "<Name/>",
    "<tags>",
    "</tags>",
    "<tag>",
    "</tag>",
    "<photoUrl>",
    "</photoUrl>",
    "<category n:no='2'>",
    "</category>",
    "<good>",
    "</good>",
    "true",
    "<owner xsi:nil='1'/>",
    "a",
    "é",
    " ",
    "\r\n",
    "&amp;",
    "&#65;",
    "&#xD;",
    "&x;",
    "&",
    "<",
    ">",
    "'",
    "=",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?xml version='1.0'?>",
    "<!DOCTYPE a>",
    "\0",
];

proptest! {
    #[test]
    fn what_is_accepted_comes_back_and_nothing_panics(
        before in vec(select(PIECES), 0..4),
        name in vec(select(PIECES), 0..6),
        inside in vec(select(PIECES), 0..12),
        after in vec(select(PIECES), 0..2),
    ) {
        let [before, name, inside, after] = [before, name, inside, after].map(|pieces| pieces.concat());
        for document in [format!("<pet><Name>{name}</Name>{inside}</pet>"), format!("{before}{name}{inside}{after}")] {
            let _ = tolerated(&document);
            if let Ok(value) = read(&document) {
                prop_assert_eq!(read(&written(&value)), Ok(value), "{}", document);
            }
        }
    }
}
