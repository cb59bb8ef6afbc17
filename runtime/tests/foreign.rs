//! Types of other crates are read and written as strings, numbers and whatever serde makes of them.

use std::convert::Infallible;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use specwright_runtime::json::{Read, Reader, Write, Writer, from_slice, from_slice_strict, to_vec};
use specwright_runtime::{foreign, foreign_json};

/// Nothing of its own, as generated code would have it for a type of another crate.
macro_rules! codec {
    ($type:ty, $read:expr, $write:expr) => {
        impl Read for $type {
            fn read(json: &mut Reader<'_>) -> Option<Self> {
                $read(json)
            }
        }

        impl Write for $type {
            fn write(&self, json: &mut Writer) {
                $write(&self.0, json)
            }
        }
    };
}

#[derive(Debug, PartialEq)]
struct Number(f64);

codec!(Number, |json| foreign::read_number(json).map(Number), foreign::write_number);

#[derive(Debug, PartialEq)]
struct Json((u8, Option<Named>));

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    name: String,
}

codec!(Json, |json| foreign_json::read(json).map(Json), foreign_json::write);

#[test]
fn a_text_is_what_parses() {
    assert_eq!(foreign::from_text("::1"), Ok(IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1])));
    let refusal = foreign::from_text::<IpAddr>("here").expect_err("it is not an address");
    assert_eq!((refusal.code, refusal.detail.as_str()), ("format", "is `here`: invalid IP address syntax"));
}

#[test]
fn a_number_is_read_as_it_is_written() {
    assert_eq!(from_slice_strict::<Vec<Number>>(b"[1, -2.50e1 ]"), Ok(vec![Number(1.0), Number(-25.0)]));
    assert_eq!(to_vec(&vec![Number(1.0), Number(-0.25)]), b"[1,-0.25]");
    assert_eq!(to_vec(&vec![Number(f64::INFINITY)]), br#"["inf"]"#);
    let violations = from_slice_strict::<Number>(br#""1""#).expect_err("a string is not a number");
    assert_eq!(violations[0].detail, "is a string, not a number");
}

#[test]
fn a_number_that_the_type_cannot_hold_is_refused() {
    for text in ["1e309", "-1e309"] {
        let violations = from_slice_strict::<Number>(text.as_bytes()).expect_err("no f64 is that large");
        let detail = format!("is `{text}`, beyond the range of the type");
        assert_eq!((violations[0].code, violations[0].detail.as_str()), ("format", detail.as_str()));
        assert_eq!(foreign::number_from_text::<f64>(text).expect_err("nor in a parameter").detail, detail);
    }
    for text in ["inf", "NaN"] {
        assert!(foreign::number_from_text::<f64>(text).is_err(), "{text}");
    }
    // A type may hold more than an f64 does.
    let digits = "9".repeat(400);
    assert_eq!(foreign::number_from_text(&digits).map(|Digits(text)| text).ok(), Some(digits));
}

/// A number of any size.
struct Digits(String);

impl FromStr for Digits {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[test]
fn serde_reads_one_value_and_leaves_the_rest() {
    let text = br#"[ [1, null] ,[2,{"name":"\u00e9"}]]"#;
    let read: Vec<Json> = from_slice_strict(text).expect("serde takes it");
    assert_eq!(read, [Json((1, None)), Json((2, Some(Named { name: "é".to_owned() })))]);
    assert_eq!(to_vec(&read), r#"[[1,null],[2,{"name":"é"}]]"#.as_bytes());
}

#[test]
fn what_serde_refuses_is_noted_and_the_rest_is_read() {
    let text = br#"[[1,{"name":1}],[300,null],[3,null]]"#;
    let violations = from_slice::<Vec<Json>>(text).expect_err("serde refuses two");
    let shown: Vec<_> = violations.iter().map(|violation| (violation.code, violation.detail.as_str())).collect();
    assert_eq!(shown.len(), 2, "{shown:?}");
    assert!(shown.iter().all(|(code, detail)| *code == "type" && detail.starts_with("cannot be read: ")), "{shown:?}");
}

#[test]
fn invalid_json_never_reaches_serde() {
    for text in [&b"[[1,"[..], b"[", b"", b"[[1,{]]", b"[[1,\"\xff\"]]"] {
        let violations = from_slice::<Vec<Json>>(text).expect_err("it is not JSON");
        assert_eq!(violations[0].code, "syntax", "{}", String::from_utf8_lossy(text));
    }
    let deep = "[".repeat(100_000);
    assert_eq!(from_slice::<Json>(deep.as_bytes()).expect_err("it is too deep")[0].code, "depth");
}
