//! Patterns follow ECMA-262, and match in bounded time.

use proptest::prelude::*;
use regress::Regex;
use specwright_runtime::rule::Pattern;

/// Patterns on which engines disagree: classes, line ends, escapes, literal characters.
static PATTERNS: &[&str] = &[
    r"^\d+$",
    r"^(\w|\s)*$",
    r"^[\w.-]+(\.[\w.-]+)*$",
    r"^([^\s\d]+,)*$",
    r"^(\W\D\S)*$",
    r"^([\W]|[\S]|a)*$",
    r"^(.|\/)*$",
    r"^(a.)*\.$",
    r"(\ba\b)+",
    r"(\Ba\B)+",
    r"^([\b\t\n\v\f\r\0]|[[&&b]|[!--b])*$",
    r"^(\x61|\u0062|\u00e9)*$",
    r"^(\^|\$|\\|\.|\*|\+|\?|\(|\)|\[|\]|\{|\}|\||\/)*$",
    r"^(\-|\_|\@|\:|\<|\>|\#|\ |\!)*$",
    r"^(?:a|b){2,3}$",
    r"^(?<first>a+)+b$",
    r"^(a{,2}|a{ 1})*$",
    r"^(a|ab)*?c$",
    r"^(?!a)(b+)+$",
    r"^(a+)+\1$",
    r"^(\p{L}+)+$",
    r"^([^]|[])*$",
    r"^([\]a]+)+$",
    r"^([a\-z]+)+$",
    r"^(é+)+$",
    r"(^|,)a+($|,)",
    r"^(\cA|a)*$",
    r"^(])*}$",
];

fn expected(pattern: &str, text: &str) -> bool {
    let expression = Regex::with_flags(pattern, "u").or_else(|_| Regex::new(pattern)).unwrap();
    expression.find(text).is_some()
}

proptest! {
    #[test]
    fn all_engines_agree(
        pattern in prop::sample::select(PATTERNS),
        text in "[ab,.é\\-_@ \t\n\r\u{b}\u{2028}\u{a0}\u{feff}\u{663}0\\[\\]\\\\^{}&/\u{8}\0]{0,6}|[ab]{0,12}|[a, ]{0,8}",
        fill in 0..2_usize,
    ) {
        // A long text uses another engine than a short one, but the reference engine would not finish some patterns.
        let is_slow = pattern.contains("+)+");
        let text = if is_slow { text } else { text + &"a".repeat(fill * 200) };
        prop_assert_eq!(Pattern::new(pattern).is_match(&text), expected(pattern, &text), "{} {:?}", pattern, text);
    }
}

#[test]
fn no_text_takes_for_ever() {
    static NESTED: Pattern = Pattern::new("^(a+)+$");
    static WORDS: Pattern = Pattern::new(r"^[a-z0-9]+([._]?[a-z0-9]+)*$");
    static CHOICES: Pattern = Pattern::new(r"^(a|aa|\w)*$");
    static LONG: Pattern = Pattern::new(r"^.+@.+\..+@$");
    static MANY: Pattern = Pattern::new(r"^\w*\w+\w*\w{0,99}\w*\w*\w*\w*!$");
    let text = "a".repeat(60) + "!";
    for pattern in [&NESTED, &WORDS, &CHOICES] {
        assert!(!pattern.is_match(&text), "{}", pattern.text());
        assert!(pattern.is_match(&text[..60]), "{}", pattern.text());
    }
    assert!(!MANY.is_match(&text[..60]) && MANY.is_match(&text));
    assert!(!LONG.is_match(&"@.".repeat(50_000)));
    assert!(LONG.is_match(&("@.".repeat(50_000) + "@")));
}
