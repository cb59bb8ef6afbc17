//! Values are read and written by the functions that were given for their types.

use std::fmt::Display;
use std::time::Duration;

use specwright_runtime::json::{from_slice_strict, to_vec};
use specwright_runtime::text::{FromText, ToText};
use specwright_runtime::with::{Form, Number, Text};

/// `90s`
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Suffixed;

impl Form<Duration> for Suffixed {
    fn to_text(value: &Duration) -> String {
        format!("{}s", value.as_secs())
    }

    fn from_text(text: &str) -> Result<Duration, impl Display> {
        let seconds = text.strip_suffix('s').and_then(|seconds| seconds.parse().ok());
        seconds.map(Duration::from_secs).ok_or("an `s` follows the seconds")
    }
}

/// `90`
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Plain;

impl Form<Duration> for Plain {
    fn to_text(value: &Duration) -> String {
        value.as_secs().to_string()
    }

    fn from_text(text: &str) -> Result<Duration, impl Display> {
        text.parse().map(Duration::from_secs)
    }
}

type Shown = Text<Duration, Suffixed>;
type Counted = Number<Duration, Plain>;

const MINUTE: Duration = Duration::from_mins(1);

#[test]
fn one_type_is_a_string_here_and_a_number_there() {
    let (shown, counted) = (Shown::new(MINUTE), Counted::from(MINUTE));
    assert_eq!((shown.as_secs(), counted.0), (60, MINUTE));
    assert_eq!(to_vec(&vec![shown]), br#"["60s"]"#);
    assert_eq!(to_vec(&vec![counted]), b"[60]");
    assert_eq!(from_slice_strict(br#"["60s"]"#), Ok(vec![shown]));
    assert_eq!(from_slice_strict(b"[60]"), Ok(vec![counted]));
    assert_eq!((Shown::from_text("60s"), shown.to_text().as_ref()), (Ok(shown), "60s"));
    assert_eq!((Counted::from_text("60"), counted.to_text().as_ref()), (Ok(counted), "60"));
}

#[test]
fn what_is_shown_is_the_text_and_what_is_debugged_the_value() {
    assert_eq!(format!("{:>5}", Shown::new(MINUTE)), "  60s");
    assert_eq!(format!("{:?}", Shown::new(MINUTE)), "Text(60s)");
    assert_eq!(format!("{:?}", Counted::new(MINUTE)), "Number(60s)");
}

#[test]
fn what_the_functions_refuse_is_a_violation_at_its_place() {
    let found = from_slice_strict::<Vec<Shown>>(br#"["60s", "60"]"#).expect_err("the second has no unit");
    let [violation] = &found[..] else { panic!("one is wrong: {found:?}") };
    assert_eq!((violation.pointer.as_str(), violation.code), ("/1", "format"));
    assert_eq!(violation.detail, "is `60`: an `s` follows the seconds");
    let found = from_slice_strict::<Vec<Counted>>(b"[1.5]").expect_err("they are whole");
    assert_eq!(found[0].detail, "is `1.5`: invalid digit found in string");
    let found = from_slice_strict::<Counted>(br#""60""#).expect_err("a string is not a number");
    assert_eq!(found[0].detail, "is a string, not a number");
}
