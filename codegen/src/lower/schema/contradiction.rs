//! Contradicting bounds.

use std::cmp::Ordering;

use super::Shape;
use super::all_of::Schema;
use super::primitive::compare;
use crate::diagnostic::Code;
use crate::ir::{ModelKind, Rule};
use crate::lower::reporter::Reporter;

/// The shape without contradicting bounds.
pub(crate) fn without_contradictions<'a>(
    reporter: &mut Reporter<'_>,
    schema: &Schema<'a>,
    mut shape: Shape<'a>,
) -> Shape<'a> {
    match &mut shape {
        Shape::Plain(value) => drop_contradictions(reporter, schema, &mut value.rules),
        Shape::Named(ModelKind::Struct(struct_)) => drop_contradictions(reporter, schema, &mut struct_.rules),
        Shape::Named(ModelKind::Enum(_) | ModelKind::Union(_) | ModelKind::Alias(_)) | Shape::Union(..) => {}
    }
    shape
}

fn drop_contradictions(reporter: &mut Reporter<'_>, schema: &Schema<'_>, rules: &mut Vec<Rule>) {
    let (lower, upper): (Vec<_>, Vec<_>) = rules.iter().filter_map(bound).partition(|bound| bound.is_lower);
    let pairs = lower.iter().flat_map(|lower| upper.iter().map(move |upper| (lower, upper)));
    for (lower, upper) in pairs.filter(|(lower, upper)| lower.of == upper.of && excludes(lower, upper)) {
        let written = upper.of.keywords().iter().find_map(|keyword| schema.keyword(keyword));
        let place = written.map_or_else(|| schema.place.location.clone(), |node| node.location.name());
        let message = format!("no {} is {} and {}", upper.of.word(), lower.said(), upper.said());
        reporter.report(Code::Contradiction, &place, message).label("neither is checked");
        rules.retain(|rule| bound(rule).is_none_or(|bound| bound.of != upper.of));
    }
}

/// A rule that is a bound.
struct Bound {
    of: Bounded,
    is_lower: bool,
    is_exclusive: bool,
    number: String,
}

impl Bound {
    fn said(&self) -> String {
        let word = match (self.is_lower, self.is_exclusive) {
            (true, false) => "at least",
            (true, true) => "more than",
            (false, false) => "at most",
            (false, true) => "less than",
        };
        format!("{word} {}", self.number)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Bounded {
    Number,
    Length,
    Items,
    Members,
}

impl Bounded {
    fn word(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Length => "length",
            Self::Items => "number of items",
            Self::Members => "number of members",
        }
    }

    /// The keywords of the upper bound.
    fn keywords(self) -> &'static [&'static str] {
        match self {
            Self::Number => &["maximum", "exclusiveMaximum"],
            Self::Length => &["maxLength"],
            Self::Items => &["maxItems"],
            Self::Members => &["maxProperties"],
        }
    }
}

fn bound(rule: &Rule) -> Option<Bound> {
    let (of, is_lower, is_exclusive, number) = match rule {
        Rule::Minimum(least) => (Bounded::Number, true, false, least.clone()),
        Rule::ExclusiveMinimum(least) => (Bounded::Number, true, true, least.clone()),
        Rule::Maximum(most) => (Bounded::Number, false, false, most.clone()),
        Rule::ExclusiveMaximum(most) => (Bounded::Number, false, true, most.clone()),
        Rule::MinLength(least) => (Bounded::Length, true, false, least.to_string()),
        Rule::MaxLength(most) => (Bounded::Length, false, false, most.to_string()),
        Rule::MinItems(least) => (Bounded::Items, true, false, least.to_string()),
        Rule::MaxItems(most) => (Bounded::Items, false, false, most.to_string()),
        Rule::MinProperties(least) => (Bounded::Members, true, false, least.to_string()),
        Rule::MaxProperties(most) => (Bounded::Members, false, false, most.to_string()),
        _ => return None,
    };
    Some(Bound { of, is_lower, is_exclusive, number })
}

fn excludes(lower: &Bound, upper: &Bound) -> bool {
    match compare(&lower.number, &upper.number) {
        Some(Ordering::Greater) => true,
        Some(Ordering::Equal) => lower.is_exclusive || upper.is_exclusive,
        Some(Ordering::Less) | None => false,
    }
}
