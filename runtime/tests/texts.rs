//! Values as plain text.

use specwright_runtime::text::{FromText, ToText, choice, integer_choice, nearest, quoted};

const LEVELS: &[(i64, char)] = &[(0, 'a'), (1, 'b')];
const NAMES: &[(&str, char)] = &[("None", 'a'), ("Some", 'b')];

#[test]
fn numbers_and_names_choose_the_same() {
    assert_eq!(integer_choice("1", LEVELS, NAMES), Ok('b'));
    assert_eq!(integer_choice("sOME", LEVELS, NAMES), Ok('b'));
    let refusal = integer_choice("Same", LEVELS, NAMES).unwrap_err();
    assert_eq!(refusal.detail, "is `Same`, not one of `0`, `1`, `None`, `Some`; did you mean `Some`?");
    assert!(integer_choice("Some", LEVELS, &[]).is_err());
    assert_eq!(choice("Some", NAMES), Ok('b'));
    assert!(choice("some", NAMES).is_err());
}

#[test]
fn long_lists_are_cut() {
    const NAMES: &[(&str, ())] = &[("a0123456789", ()); 30];
    let refusal = choice("x", NAMES).unwrap_err();
    assert_eq!(refusal.detail.matches("a0123456789").count(), 20);
    assert!(refusal.detail.ends_with(", …"), "{}", refusal.detail);
}

#[test]
fn misspellings_are_near_and_other_words_are_not() {
    let near = |text| nearest(text, &mut ["Name", "PageSize", "Id"].into_iter());
    assert_eq!(near("naem"), Some("Name"));
    assert_eq!(near("PageSiez"), Some("PageSize"));
    assert_eq!(near("page_size"), Some("PageSize"));
    assert_eq!(near("Color"), None);
    assert_eq!(near(""), None);
    assert_eq!(near(&"x".repeat(1_000_000)), None);
}

#[test]
fn long_texts_are_cut_in_messages() {
    assert_eq!(quoted("é"), "`é`");
    assert_eq!(quoted(&"é".repeat(41)), format!("`{}…`", "é".repeat(40)));
}

#[test]
fn only_decimal_numbers_are_read() {
    for text in ["", " 1", "+1", "1 ", "0x1", "1_000", "١", "--1", "-"] {
        assert_eq!(i32::from_text(text).unwrap_err().code, "type", "{text}");
    }
    for text in ["", "NaN", "inf", "1e", "0x1", "."] {
        assert_eq!(f64::from_text(text).unwrap_err().code, "type", "{text}");
    }
    for text in ["", "1_000", "NaN", "x"] {
        assert!(rust_decimal::Decimal::from_text(text).is_err(), "{text}");
    }
    assert_eq!(f64::from_text("1e400").unwrap_err().code, "format");
    assert_eq!(i32::from_text("-2147483648"), Ok(i32::MIN));
    assert_eq!(
        i32::from_text("2147483648").unwrap_err().detail,
        "is `2147483648`, not between -2147483648 and 2147483647"
    );
}

#[test]
fn booleans_are_read_in_any_case() {
    assert_eq!(bool::from_text("TRUE"), Ok(true));
    assert_eq!(bool::from_text("False"), Ok(false));
    assert_eq!(bool::from_text("1").unwrap_err().detail, "is `1`, not `true` or `false`");
}

#[test]
fn dates_and_times_as_others_write_them() {
    fn read<T: FromText + ToText>(text: &str) -> Result<String, String> {
        T::from_text(text).map(|value| value.to_text().into_owned()).map_err(|refusal| refusal.to_string())
    }
    for (text, expected) in [
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
        ("9999-12-31T23:59:59.9999999+00:00", "9999-12-31T23:59:59.9999999Z"),
        ("9999-12-31T23:59:59.999", "9999-12-31T23:59:59.999Z"),
        ("9999-12-31", "9999-12-31T00:00:00Z"),
        ("2025-01-31T12:00:00.12345678912Z", "2025-01-31T12:00:00.123456789Z"),
    ] {
        assert_eq!(read::<jiff::Timestamp>(text).as_deref(), Ok(expected), "{text}");
    }
    for text in ["9999-12-32T00:00:00Z", "9999-12-31T23:59:59+01:00", "2025-01-31T12:00:00+25:00"] {
        assert!(read::<jiff::Timestamp>(text).is_err(), "{text}");
    }
    for text in ["2025-01-31", "2025-01-31T00:00:00", "2025-01-31 00:00:00.000Z", "2025-01-31T00:00:00+00:00"] {
        assert_eq!(read::<jiff::civil::Date>(text).as_deref(), Ok("2025-01-31"), "{text}");
    }
    for text in ["2025-01-31T10:30:00", "20250131", "2025-02-30"] {
        let expected = format!("the value is `{text}`, not a date such as `2025-01-31`");
        assert_eq!(read::<jiff::civil::Date>(text), Err(expected));
    }
    assert_eq!(read::<jiff::civil::Time>("10:00:00Z").as_deref(), Ok("10:00:00"));
    assert!(read::<jiff::civil::Time>("10:00:00+02:00").is_err(), "another time");
    for (text, expected) in [("00:45:00", "PT45M"), ("1.02:03:04.5000000", "P1DT2H3M4.5S"), ("-00:00:01", "-PT1S")] {
        assert_eq!(read::<jiff::SpanFieldwise>(text).as_deref(), Ok(expected), "{text}");
    }
    assert_eq!(read::<specwright_runtime::text::Base64>("/+\r\n8=").as_deref(), Ok("/+8="));
}

#[test]
fn a_strict_reader_takes_what_the_format_says() {
    use jiff::civil::{Date, Time};
    use jiff::{SpanFieldwise, Timestamp};
    use specwright_runtime::text::Base64;
    use uuid::Uuid;

    fn refuses<T: FromText>(texts: &[&str]) {
        for text in texts {
            assert!(T::from_text(text).is_ok(), "{text}");
            assert!(T::from_text_strict(text).is_err(), "{text}");
        }
    }
    refuses::<Date>(&["2025-01-31T00:00:00Z"]);
    refuses::<Time>(&["10:00"]);
    refuses::<SpanFieldwise>(&["-PT1S", "00:45:00"]);
    refuses::<Base64>(&["/+\n8="]);
    refuses::<Uuid>(&[
        "{67e55044-10b1-426f-9247-bb680e5fe0c8}",
        "urn:uuid:67e55044-10b1-426f-9247-bb680e5fe0c8",
        "67e5504410b1426f9247bb680e5fe0c8",
    ]);
    // Decision 16.
    assert!(Timestamp::from_text_strict("2025-01-31").is_ok());
}

#[test]
fn what_is_written_is_read() {
    fn survives<T: FromText + ToText>(text: &str) {
        assert_eq!(T::from_text(text).unwrap_or_else(|refusal| panic!("{text}: {refusal:?}")).to_text(), text);
    }
    survives::<String>("any text");
    survives::<u8>("255");
    survives::<f32>("0.1");
    survives::<rust_decimal::Decimal>("10.50");
    survives::<uuid::Uuid>("67e55044-10b1-426f-9247-bb680e5fe0c8");
    survives::<jiff::Timestamp>("2025-01-31T12:00:00.25Z");
    survives::<jiff::civil::Date>("2025-01-31");
    survives::<jiff::civil::Time>("12:30:00");
    survives::<jiff::civil::DateTime>("2025-01-31T12:30:00");
    survives::<jiff::SpanFieldwise>("P1DT12H");
    survives::<std::net::Ipv4Addr>("10.0.0.1");
    survives::<std::net::Ipv6Addr>("2001:db8::1");
    survives::<specwright_runtime::text::Base64>("/+8=");
}

#[test]
fn what_is_only_taken_for_a_date_is_not_exact() {
    use jiff::Timestamp;
    use jiff::civil::{Date, DateTime, Time};
    use uuid::Uuid;

    fn exact<T: FromText>(exact: &[&str], others: &[&str]) {
        for text in exact.iter().chain(others) {
            assert!(T::from_text(text).is_ok(), "{text}");
            assert_eq!(T::is_exact(text), exact.contains(text), "{text}");
        }
    }
    exact::<Timestamp>(
        &["2025-01-31T12:00:00Z", "2025-01-31t12:00:00.123456789123z", "2025-01-31 12:00:00+01:00"],
        &["11111111", "2025-01-31", "20250131T120000Z", "2025-01-31T12:00:00", "2025-01-31T12Z"],
    );
    exact::<Date>(&["2025-01-31"], &["2025-01-31T00:00:00Z"]);
    exact::<Time>(&["12:00:00", "12:00:00.5Z"], &["12:00", "12", "1200"]);
    exact::<DateTime>(&["2025-01-31T12:00:00.5"], &["2025-01-31", "20250131T12"]);
    let simple = "01890a5dac96774bbcceb302099a8057";
    exact::<Uuid>(&["01890a5d-ac96-774b-bcce-b302099a8057"], &[simple]);
}
