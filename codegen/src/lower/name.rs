//! Wire names → Rust names: words, case, keywords, collisions.

use std::borrow::Cow;

use foldhash::{HashMap, HashSet};
use heck::ToSnakeCase;

/// Keeps file names and diagnostics readable, and within the limits of file systems.
const LONGEST: usize = 96;

/// A type or a variant: `2.5GBASE-T` is `Value2_5GbaseT`.
pub(crate) fn pascal(wire: &str) -> String {
    let mut rust = String::new();
    for word in separated(wire).split('_') {
        // Keep `2.5` and `25` apart; an underscore between digits is allowed.
        if rust.ends_with(|last: char| last.is_ascii_digit()) && word.starts_with(|first: char| first.is_ascii_digit())
        {
            rust.push('_');
        }
        if !rust.is_empty() && rust.len() + word.len() > LONGEST {
            break;
        }
        // The first letter is upper case, even after digits.
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, letters) = word.split_at(digits);
        rust.push_str(digits);
        rust.extend(letters.chars().next().map(|first| first.to_ascii_uppercase()));
        rust.push_str(letters.get(1..).unwrap_or_default());
    }
    rust.truncate(LONGEST);
    if rust == "Self" || rust.starts_with(|first: char| first.is_ascii_digit()) { format!("Value{rust}") } else { rust }
}

/// A field, a method or a module: `2fa` is `value_2fa`, `type` is `type_`.
pub(crate) fn snake(wire: &str) -> String {
    let mut rust = String::new();
    for word in separated(wire).split('_') {
        if !rust.is_empty() {
            if rust.len() + word.len() >= LONGEST {
                break;
            }
            rust.push('_');
        }
        rust.push_str(word);
    }
    rust.truncate(LONGEST);
    if rust.starts_with(|first: char| first.is_ascii_digit()) {
        rust.insert_str(0, "value_");
    }
    if KEYWORDS.contains(&rust.as_str()) {
        rust.push('_');
    }
    rust
}

/// A module with its own file: avoids names that are special to file systems or Cargo.
pub(crate) fn module(wire: &str) -> String {
    let mut rust = snake(wire);
    if FILES.contains(&rust.as_str()) || is_device(&rust) {
        rust.push('_');
    }
    rust
}

/// The kind of item, which decides the case of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    /// A type, a trait or a variant: `UpperCamelCase`
    Type,
    /// A method, a field or a parameter: `snake_case`
    Value,
}

/// Whether a name can be used unchanged, without compiler warnings.
pub(crate) fn is_valid(rust: &str, case: Case) -> bool {
    let bytes = rust.as_bytes();
    let is_digit = |index: usize| bytes.get(index).is_some_and(u8::is_ascii_digit);
    let in_case = match case {
        Case::Type => bytes.iter().enumerate().all(|(index, byte)| match byte {
            b'_' => index > 0 && is_digit(index - 1) && is_digit(index + 1),
            byte => byte.is_ascii_alphanumeric(),
        }),
        Case::Value => bytes.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_'),
    };
    let starts = bytes.first().is_some_and(|first| match case {
        Case::Type => first.is_ascii_uppercase(),
        Case::Value => first.is_ascii_lowercase(),
    });
    in_case && starts && rust.len() <= LONGEST && rust != "Self" && !KEYWORDS.contains(&rust)
}

/// The words of a name in lower case, with `_` between them.
fn separated(wire: &str) -> Cow<'_, str> {
    let is_separated = wire
        .split('_')
        .all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()));
    if is_separated { Cow::Borrowed(wire) } else { Cow::Owned(words(wire).to_snake_case()) }
}

/// The words of a name in ASCII letters, before the case is applied.
fn words(wire: &str) -> String {
    let ascii = ascii(wire);
    if !ascii.contains(|character: char| character.is_ascii_alphanumeric()) {
        return spelled(&ascii, wire);
    }
    let signed = match ascii.as_bytes() {
        [b'-', second, ..] if second.is_ascii_alphanumeric() => format!("minus {}", &ascii[1..]),
        [b'+', second, ..] if second.is_ascii_alphanumeric() => format!("plus {}", &ascii[1..]),
        _ => ascii,
    };
    if !signed.contains(|letter: char| letter.is_ascii_uppercase()) {
        return signed;
    }
    let text = lower_plurals(&signed).replace("OAuth", "Oauth").replace("IPv", "Ipv");
    // Only at the start: `noAuth` is two words.
    text.strip_prefix("oAuth").map_or_else(|| text.clone(), |rest| format!("oauth{rest}"))
}

fn ascii(wire: &str) -> String {
    if wire.is_ascii() {
        return wire.replace('\'', "");
    }
    // A space around transliterated characters keeps `名称` two words.
    let mut ascii = String::new();
    for character in wire.chars() {
        let text = any_ascii::any_ascii_char(character);
        match character {
            '\'' | '’' => {}
            _ if character.is_ascii() => ascii.push(character),
            _ if text.len() > 1 && text.starts_with(|first: char| first.is_ascii_uppercase()) => {
                ascii.push(' ');
                ascii.push_str(text);
                ascii.push(' ');
            }
            _ => ascii.push_str(text),
        }
    }
    ascii
}

/// `userIDs` is `user_ids`, not `user_i_ds`.
fn lower_plurals(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for index in 2..bytes.len() {
        let ends = bytes.get(index + 1).is_none_or(|next| !next.is_ascii_lowercase());
        if bytes[index] == b's'
            && ends
            && bytes[index - 1].is_ascii_uppercase()
            && bytes[index - 2].is_ascii_uppercase()
        {
            let mut letter = index - 1;
            while letter > 0 && bytes[letter - 1].is_ascii_uppercase() {
                bytes[letter] = bytes[letter].to_ascii_lowercase();
                letter -= 1;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// Spells out a name without letters or digits, such as `>=` or the empty one.
fn spelled(ascii: &str, wire: &str) -> String {
    let mut text = String::new();
    for character in ascii.chars() {
        text.push_str(match character {
            '<' => "less ",
            '>' => "greater ",
            '=' => "equal ",
            '!' => "not ",
            '+' => "plus ",
            '-' => "minus ",
            '*' => "star ",
            '/' => "slash ",
            '\\' => "backslash ",
            '%' => "percent ",
            '&' => "and ",
            '|' => "or ",
            '^' => "caret ",
            '~' => "tilde ",
            '.' => "dot ",
            ',' => "comma ",
            ':' => "colon ",
            ';' => "semicolon ",
            '#' => "hash ",
            '$' => "dollar ",
            '@' => "at ",
            '?' => "question ",
            '_' => "underscore ",
            ' ' => "space ",
            '"' => "quote ",
            '(' | ')' => "parenthesis ",
            '[' | ']' => "bracket ",
            '{' | '}' => "brace ",
            _ => "",
        });
    }
    if text.is_empty() {
        let codes: Vec<_> = wire.chars().map(|character| format!("u{:x}", u32::from(character))).collect();
        text = codes.join(" ");
    }
    if text.is_empty() { "empty".to_owned() } else { text }
}

/// The names used in one scope, such as the fields of a struct.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    taken: HashSet<String>,
    /// The next number that may be free.
    numbers: HashMap<String, usize>,
}

impl Scope {
    /// A scope with reserved names.
    pub(crate) fn reserving(names: &[&str]) -> Self {
        Self { taken: names.iter().map(|&name| name.to_owned()).collect(), ..Self::default() }
    }

    /// A scope of types, with the prelude and other names reserved.
    pub(crate) fn of_types(others: &[&str]) -> Self {
        let mut scope = Self::reserving(PRELUDE);
        scope.taken.extend(others.iter().map(|&name| name.to_owned()));
        scope
    }

    /// Whether the name is free.
    pub(crate) fn is_free(&self, name: &str) -> bool {
        !self.taken.contains(name)
    }

    /// Claims `wanted`, or the first free one of `others`, or `wanted` with the lowest free number.
    pub(crate) fn claim(&mut self, wanted: &str, others: &[String]) -> String {
        let mut candidates = std::iter::once(wanted).chain(others.iter().map(String::as_str));
        let free = candidates.find(|name| self.is_free(name)).map(str::to_owned);
        let name = free.unwrap_or_else(|| self.number(wanted));
        self.taken.insert(name.clone());
        name
    }

    /// The name with the lowest free number.
    fn number(&mut self, wanted: &str) -> String {
        let number = self.numbers.entry(wanted.to_owned()).or_insert(2);
        loop {
            let name = numbered(wanted, *number);
            *number += 1;
            if !self.taken.contains(&name) {
                return name;
            }
        }
    }
}

/// Makes the names of a scope unique: the first one keeps the plain name, and numbered names avoid the plain
/// names of others.
pub(crate) fn unique(wanted: &[String], scope: &mut Scope) -> Vec<String> {
    let mut names: Vec<Option<String>> = Vec::with_capacity(wanted.len());
    for name in wanted {
        let free = scope.is_free(name);
        if free {
            scope.taken.insert(name.clone());
        }
        names.push(free.then(|| name.clone()));
    }
    names.into_iter().zip(wanted).map(|(name, wanted)| name.unwrap_or_else(|| scope.claim(wanted, &[]))).collect()
}

fn numbered(name: &str, number: usize) -> String {
    let name_is_pascal = name.starts_with(|first: char| first.is_ascii_uppercase());
    let separator = if !name_is_pascal || name.ends_with(|last: char| last.is_ascii_digit()) { "_" } else { "" };
    format!("{}{separator}{number}", name.trim_end_matches('_'))
}

/// The prelude of Rust. Generated code uses these names without a path, so described types with such names
/// are renamed.
pub(crate) const PRELUDE: &[&str] = &[
    "AsMut",
    "AsRef",
    "AsyncFn",
    "AsyncFnMut",
    "AsyncFnOnce",
    "Box",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "Err",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Future",
    "Hash",
    "Into",
    "IntoFuture",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Vec",
];

/// Words that are or may become keywords in Rust 2024.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true",
    "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Names that Cargo or the file system treats specially: `src/main.rs` is a program, `src/bin` a folder of
/// programs, `mod.rs` the folder itself.
const FILES: &[&str] = &["main", "lib", "bin", "mod", "aux", "con", "nul", "prn"];

fn is_device(name: &str) -> bool {
    ["com", "lpt"].iter().any(|device| name.strip_prefix(device).is_some_and(|rest| rest.len() == 1 && rest != "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_variants() {
        for (wire, rust) in [
            ("account", "Account"),
            ("AccountSummaryOutputDto", "AccountSummaryOutputDto"),
            ("account_type-lookup", "AccountTypeLookup"),
            ("2.5GBASE-T", "Value2_5GbaseT"),
            ("1", "Value1"),
            ("-1", "Minus1"),
            ("+1", "Plus1"),
            ("-created_at", "MinusCreatedAt"),
            (">=", "GreaterEqual"),
            ("", "Empty"),
            ("*", "Star"),
            ("self", "ValueSelf"),
            ("MFACode", "MfaCode"),
            ("userIDs", "UserIds"),
            ("OAuth2Token", "Oauth2Token"),
            ("oAuth2Token", "Oauth2Token"),
            ("noAuth", "NoAuth"),
            ("IPv4", "Ipv4"),
            ("don't know", "DontKnow"),
            ("Größe", "Grosse"),
            ("名称", "MingCheng"),
            ("\u{200b}", "U200b"),
            ("application/vnd.api+json", "ApplicationVndApiJson"),
        ] {
            assert_eq!(pascal(wire), rust, "{wire}");
        }
    }

    #[test]
    fn fields_and_methods() {
        for (wire, rust) in [
            ("Filter.AccountName", "filter_account_name"),
            ("$skip", "skip"),
            ("X-Request-Id", "x_request_id"),
            ("filter[name]", "filter_name"),
            ("type", "type_"),
            ("self", "self_"),
            ("2fa", "value_2fa"),
            ("PictureURL", "picture_url"),
            ("Address1", "address1"),
            ("_links", "links"),
            ("attachmentIds", "attachment_ids"),
        ] {
            assert_eq!(snake(wire), rust, "{wire}");
        }
    }

    #[test]
    fn names_that_users_give() {
        for (rust, case, expected) in [
            ("Account", Case::Type, true),
            ("V2_5Gbase", Case::Type, true),
            ("account", Case::Type, false),
            ("Account_Type", Case::Type, false),
            ("Self", Case::Type, false),
            ("Größe", Case::Type, false),
            ("", Case::Type, false),
            ("account_type", Case::Value, true),
            ("type_", Case::Value, true),
            ("type", Case::Value, false),
            ("accountType", Case::Value, false),
            ("_id", Case::Value, false),
            ("2fa", Case::Value, false),
            ("a-b", Case::Value, false),
            ("r#type", Case::Value, false),
        ] {
            assert_eq!(is_valid(rust, case), expected, "{rust}");
        }
    }

    #[test]
    fn files() {
        for (wire, rust) in
            [("Con", "con_"), ("main", "main_"), ("mod", "mod_"), ("COM1", "com1_"), ("common", "common")]
        {
            assert_eq!(module(wire), rust, "{wire}");
        }
    }

    #[test]
    fn long_names_end_at_a_word() {
        let wire = "every single word of this sentence is repeated ".repeat(5);
        assert!(pascal(&wire).len() <= LONGEST && pascal(&wire).ends_with("WordOf"), "{}", pascal(&wire));
        assert!(snake(&wire).len() <= LONGEST);
        assert!(pascal(&"x".repeat(500)).len() <= LONGEST);
    }

    #[test]
    fn collisions_are_numbered_and_leave_plain_names_alone() {
        let wanted = ["Foo", "Foo", "Foo2", "Foo", "Bar"].map(str::to_owned);
        assert_eq!(unique(&wanted, &mut Scope::default()), ["Foo", "Foo3", "Foo2", "Foo4", "Bar"]);
        let wanted = ["id", "id", "type_", "type_"].map(str::to_owned);
        assert_eq!(unique(&wanted, &mut Scope::reserving(&["body"])), ["id", "id_2", "type_", "type_2"]);
        let wanted = vec!["id".to_owned(); 20_000];
        assert_eq!(unique(&wanted, &mut Scope::default()).pop().as_deref(), Some("id_20000"), "in no time");
    }
}
