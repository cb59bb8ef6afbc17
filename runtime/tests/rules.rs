//! Every rule at its limits.

use std::collections::BTreeMap;

use specwright_runtime::json::{Read, from_slice_strict, read_document};
use specwright_runtime::rule::{Bound, Check, Format, Numeric, Pattern, Rule, Together, check_number, read_checked};
use specwright_runtime::violation::{Location, Notes};

#[track_caller]
fn check<T: Check + ?Sized>(value: &T, rule: Rule<'_>, kept: bool) -> String {
    let mut notes = Notes::new(Location::Body);
    assert_eq!(value.check(&[rule], &mut notes), kept, "{rule:?}");
    assert_eq!(notes.is_empty(), kept);
    notes.violations().iter().map(ToString::to_string).collect()
}

#[track_caller]
fn formats(format: Format, kept: &[&str], broken: &[&str]) {
    for text in kept {
        check(&(*text).to_owned(), Rule::Format(format), true);
    }
    for text in broken {
        check(&(*text).to_owned(), Rule::Format(format), false);
    }
}

#[test]
fn emails() {
    let long = format!("{}@b.c", "a".repeat(65));
    formats(
        Format::Email,
        &[
            "a@b.c",
            "a.b+c@d-e.example",
            "o'brien@example.com",
            "günther@bücher.example",
            "a@localhost",
            "a@[127.0.0.1]",
            "a@[IPv6:::1]",
        ],
        &[
            "", "a", "@b.c", "a@", "a b@c.d", "a@b c", ".a@b.c", "a.@b.c", "a..b@c.d", "a@b..c", "a@-b.c", "a@b.c\n",
            "a@[x]", &long,
        ],
    );
}

#[test]
fn uris() {
    formats(
        Format::Uri,
        &["http://a.b/c?d=e#f", "mailto:a@b.c", "urn:x:y", "http://[::1]:80/%20", "a:"],
        &[
            "",
            "//a.b/c",
            "/c",
            "a b:c",
            "1a:b",
            ":b",
            "http://a b",
            "http://a/%2",
            "http://a/%zz",
            "http://ü",
            "a:#b#c",
            "http://a/<b>",
        ],
    );
    formats(
        Format::UriReference,
        &["", "/c", "../a", "//a.b/c", "?d", "#f", "http://a.b", "a/b:c"],
        &["a b", "1a:b", "#a#b", "\\a"],
    );
}

#[test]
fn host_names() {
    let label = "a".repeat(63);
    formats(
        Format::Hostname,
        &["a", "a-b.c1", "1.2", &label],
        &["", "a.", "-a", "a-", "a_b", "ü", "a..b", &format!("{label}a")],
    );
}

#[test]
fn lengths_are_in_characters() {
    let text = "é😀".to_owned();
    check(&text, Rule::MinLength(2), true);
    check(&text, Rule::MaxLength(2), true);
    assert_eq!(check(&text, Rule::MinLength(3), false), "body has 2 characters, at least 3");
    assert_eq!(check(&text, Rule::MaxLength(1), false), "body has 2 characters, at most 1");
    assert_eq!(check(&String::new(), Rule::MinLength(1), false), "body has no character, at least 1");
}

#[test]
fn patterns_are_not_anchored_and_know_unicode() {
    assert!(Pattern::new("b+").is_match("abc"));
    assert!(Pattern::new("^\\d{2}$").is_match("42"));
    assert!(!Pattern::new("^\\d{2}$").is_match("42\n"));
    assert!(Pattern::new("^.$").is_match("😀"));
    assert!(Pattern::new("^\\p{L}+$").is_match("Zürich"));
    assert!(Pattern::new("^(?!bad)").is_match("good"));
}

#[test]
fn a_pattern_that_cannot_be_compiled_matches() {
    assert!(Pattern::new("(").is_match("anything"));
}

#[track_caller]
fn multiple(number: Numeric<'_>, bound: Bound, kept: bool) {
    let mut notes = Notes::new(Location::Body);
    assert_eq!(check_number(number, &[Rule::MultipleOf(bound)], &mut notes), kept, "{number} of {bound}");
}

#[test]
fn multiples_are_decimal() {
    let cents = Bound::Decimal("0.01");
    multiple(Numeric::Double(0.29), cents, true);
    multiple(Numeric::Double(1.1 + 2.2), cents, false);
    multiple(Numeric::Double(19.99), cents, true);
    multiple(Numeric::Double(19.995), cents, false);
    multiple(Numeric::Double(-0.07), cents, true);
    multiple(Numeric::Double(0.0), cents, true);
    multiple(Numeric::Double(1e300), cents, true);
    multiple(Numeric::Double(1e300), Bound::Integer(3), false);
    multiple(Numeric::Double(5e-324), cents, false);
    multiple(Numeric::Single(0.29), cents, true);
    multiple(Numeric::Decimal("12345678901234567890.12"), cents, true);
    multiple(Numeric::Integer(10), Bound::Decimal("2.5"), true);
    multiple(Numeric::Integer(11), Bound::Decimal("2.5"), false);
    multiple(Numeric::Integer(9), Bound::Integer(3), true);
    multiple(Numeric::Integer(-9), Bound::Integer(6), false);
    multiple(Numeric::Integer(9), Bound::Integer(0), true);
    multiple(Numeric::Double(9.0), Bound::Decimal("0"), true);
}

/// `order` is -1, 0, or 1 for a number below, at, or above the bound.
#[track_caller]
fn order(number: Numeric<'_>, bound: Bound, order: i32) {
    let kept = |rule| check_number(number, &[rule], &mut Notes::new(Location::Body));
    assert_eq!(kept(Rule::Minimum(bound)), order >= 0, "{number} to {bound}");
    assert_eq!(kept(Rule::Maximum(bound)), order <= 0, "{number} to {bound}");
    assert_eq!(kept(Rule::ExclusiveMinimum(bound)), order > 0, "{number} to {bound}");
    assert_eq!(kept(Rule::ExclusiveMaximum(bound)), order < 0, "{number} to {bound}");
}

#[test]
fn bounds_are_exact() {
    order(Numeric::Integer(5), Bound::Integer(5), 0);
    order(Numeric::Integer(-5), Bound::Decimal("-4.5"), -1);
    order(Numeric::Double(0.1), Bound::Decimal("0.1"), 0);
    order(Numeric::Double(0.1), Bound::Decimal("0.10"), 0);
    order(Numeric::Double(-0.0), Bound::Integer(0), 0);
    order(Numeric::Double(-1.0), Bound::Decimal("-0.5"), -1);
    order(Numeric::Double(1e300), Bound::Decimal("1e299"), 1);
    order(Numeric::Double(-1e300), Bound::Decimal("1e299"), -1);
    order(Numeric::Double(1e-300), Bound::Decimal("0.0"), 1);
    order(Numeric::Integer(i128::from(u64::MAX)), Bound::Decimal("18446744073709551614.5"), 1);
    order(Numeric::Decimal("0.1000000000000000000000000001"), Bound::Decimal("0.1"), 1);
    order(Numeric::Decimal("99999999999999999999999999999999999999999"), Bound::Decimal("1e42"), -1);
}

#[test]
fn numbers_are_named_as_they_were_sent() {
    assert_eq!(check(&5000, Rule::Maximum(Bound::Integer(1000)), false), "body is 5000, at most 1000");
    assert_eq!(check(&0.5, Rule::Minimum(Bound::Integer(1)), false), "body is 0.5, at least 1");
    assert_eq!(check(&1e300, Rule::Maximum(Bound::Integer(1)), false), "body is 1e300, at most 1");
}

fn read<T: Read + Check>(text: &str, rules: &[Rule<'_>]) -> Vec<String> {
    let document = specwright_runtime::json::Reader::strict(text.as_bytes());
    match read_document(document, |json| read_checked::<T>(json, rules)) {
        Ok(_) => Vec::new(),
        Err(violations) => violations.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn whole_bodies_have_rules_too() {
    let rules =
        [Rule::MinItems(3), Rule::UniqueItems, Rule::Items(&[Rule::Items(&[Rule::Minimum(Bound::Integer(0))])])];
    assert_eq!(
        read::<Vec<Vec<i32>>>("[[1], [1, -1], [1, -1]]", &rules),
        ["body /2 is in the list already", "body /1/1 is -1, at least 0", "body /2/1 is -1, at least 0"]
    );
    assert_eq!(read::<Vec<Vec<i32>>>("[]", &rules), ["body has no item, at least 3"]);
    assert_eq!(from_slice_strict::<Vec<i32>>(b"[]"), Ok(Vec::new()));
}

#[test]
fn unique_items_take_linear_time() {
    let numbers: Vec<i32> = (0..200_000).collect();
    check(&numbers, Rule::UniqueItems, true);
}

#[test]
fn names_of_members() {
    static LOWER: Pattern = Pattern::new("^[a-z]+$");
    let map = |name: &str| std::collections::BTreeMap::from([(name.to_owned(), 1_i64)]);
    let names = Rule::Names(&[Rule::Pattern(&LOWER), Rule::MaxLength(3)]);
    assert_eq!(check(&map("abc"), names, true), "");
    assert!(check(&map("A"), names, false).contains("does not match"));
    assert!(check(&map("abcd"), names, false).contains("at most 3"));
}

#[test]
fn members_that_go_together() {
    let one = Together::One(&[Together::Has(&["a"]), Together::Not(&Together::Has(&["b", "c"]))]);
    let cases: [(Together<'_>, &[&str], &[&str], &str); 4] = [
        (one, &["a", "b", "c"], &["a"], "body has to have exactly one of: `a`; not all of `b`, `c`"),
        (Together::With("a", &["b", "c"]), &["c"], &["a", "b"], "body has to have `b` and `c` with `a`"),
        (
            Together::Any(&[Together::Has(&["a", "b"]), Together::Has(&["c"])]),
            &["c"],
            &["a"],
            "body has to have (`a` and `b`) or `c`",
        ),
        (
            Together::All(&[Together::Not(&Together::Has(&["a"])), Together::Has(&["b"])]),
            &["b"],
            &["a", "b"],
            "body has to have no `a` and `b`",
        ),
    ];
    for (condition, kept, broken, message) in cases {
        let object = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), 1)).collect::<BTreeMap<_, i64>>();
        check(&object(kept), Rule::Together(condition), true);
        assert_eq!(check(&object(broken), Rule::Together(condition), false), message);
    }
}

/// Every pattern that the generator writes has to be compiled: a schema that cannot be accepts everything.
#[cfg(feature = "schema")]
#[test]
fn patterns_of_ecma_262_are_checked_in_schemas() {
    use specwright_runtime::rule::Schema;
    for (schema, broken) in [
        (r#"{"pattern":"^\\p{Script=Greek}+$"}"#, r#""a""#),
        (r#"{"pattern":"^\\p{L}$"}"#, r#""1""#),
        (r#"{"pattern":"^[^]$"}"#, r#""""#),
        (r#"{"pattern":"^(?<a>b)\\k<a>$"}"#, r#""b""#),
        (r#"{"pattern":"^\\cA$"}"#, r#""A""#),
        (r#"{"pattern":"^[\\b]$"}"#, r#""b""#),
        (r#"{"pattern":"^\\u{1F600}$"}"#, r#""u""#),
        (r#"{"pattern":"(?<=\\$)\\d+"}"#, r#""12""#),
        (r#"{"pattern":"^\\/[\\-a]$"}"#, r#""b""#),
        (r#"{"pattern":"^(?!a)"}"#, r#""a""#),
    ] {
        let kept = Schema::new(schema);
        let rules = [Rule::Schema(&kept)];
        let read = read_document(specwright_runtime::json::Reader::strict(broken.as_bytes()), |json| {
            read_checked::<String>(json, &rules)
        });
        assert!(read.is_err(), "{schema} accepts {broken}");
    }
}
