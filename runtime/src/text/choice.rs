//! Enums as text.

use super::{FromText, Refusal, ToText, quoted};

/// Maximum number of values listed in a message.
const LISTED: usize = 20;

/// The entry of `choices` for `text`.
pub fn choice<T: Copy>(text: &str, choices: &[(&'static str, T)]) -> Result<T, Refusal> {
    choices
        .iter()
        .find(|(name, _)| *name == text)
        .map(|(_, value)| *value)
        .ok_or_else(|| not_one_of(text, &mut choices.iter().map(|(name, _)| *name)))
}

/// The variant of an extensible enum for `value`, a text or a number.
pub fn known<'a, V: PartialEq, T>(value: &V, known: &'a [(V, T)]) -> Option<&'a T> {
    known.iter().find(|(known, _)| known == value).map(|(_, known)| known)
}

/// The same for an enum that is not extensible.
pub fn only_known<V: PartialEq + ToString, T: Clone>(value: &V, choices: &[(V, T)]) -> Result<T, Refusal> {
    known(value, choices).cloned().ok_or_else(|| Refusal::new("enum", &value.to_string(), "a known value"))
}

/// The name of a variant, and the function that reads it.
type Attempt<T> = (&'static str, fn(&str) -> Result<T, Refusal>);

/// The first of the named `variants` that `text` matches.
pub fn first_of<T>(text: &str, variants: &[Attempt<T>]) -> Result<T, Refusal> {
    let mut detail = "fits no variant".to_owned();
    for (index, (variant, read)) in variants.iter().enumerate() {
        match read(text) {
            Ok(value) => return Ok(value),
            Err(refusal) => {
                detail.push_str(if index == 0 { ": not " } else { "; not " });
                detail.extend([variant, ", because it ", &refusal.detail]);
            }
        }
    }
    Err(Refusal { code: "oneOf", detail })
}

/// The value parsed from `text` if it is written the same way: `007` is a string rather than a number, where
/// both are allowed.
pub fn exact<T: ToText>(text: &str, value: T) -> Result<T, Refusal> {
    if value.to_text() == text {
        return Ok(value);
    }
    Err(Refusal::new("type", text, &quoted(&value.to_text())))
}

/// The entry of `choices` for the number in `text`, or of `names` for a name in any letter case.
pub fn integer_choice<T: Copy>(text: &str, choices: &[(i64, T)], names: &[(&'static str, T)]) -> Result<T, Refusal> {
    if let Some((_, value)) = names.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)) {
        return Ok(*value);
    }
    if let Ok(number) = i64::from_text(text)
        && let Some((_, value)) = choices.iter().find(|(choice, _)| *choice == number)
    {
        return Ok(*value);
    }
    let numbers: Vec<String> = choices.iter().map(|(number, _)| number.to_string()).collect();
    let allowed = numbers.iter().map(String::as_str).chain(names.iter().map(|(name, _)| *name));
    Err(not_one_of(text, &mut { allowed }))
}

/// The violation for a text that is not in `allowed`, with the closest value.
pub(crate) fn not_one_of(text: &str, allowed: &mut dyn Iterator<Item = &str>) -> Refusal {
    let allowed: Vec<&str> = allowed.collect();
    let mut detail = format!("is {}, not one of ", quoted(text));
    for (index, name) in allowed.iter().take(LISTED).enumerate() {
        detail.extend([if index == 0 { "`" } else { ", `" }, name, "`"]);
    }
    if allowed.len() > LISTED {
        detail.push_str(", …");
    }
    if let Some(name) = nearest(text, &mut allowed.iter().copied()) {
        detail.extend(["; did you mean `", name, "`?"]);
    }
    Refusal { code: "enum", detail }
}

/// The entry of `names` that `text` is probably a misspelling of.
pub fn nearest<'a>(text: &str, names: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    // A long text is not a misspelling, and comparing it would let senders choose the cost.
    if text.is_empty() || text.len() > 64 {
        return None;
    }
    let text = text.to_ascii_lowercase();
    names
        .filter(|name| name.len() <= 64)
        .map(|name| (strsim::osa_distance(&text, &name.to_ascii_lowercase()), name))
        .filter(|(distance, name)| *distance <= name.chars().count().max(text.chars().count()) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}
