//! Constraints: which of them allow less, and which allow more.

use std::mem::discriminant;

use super::change::Level::{Breaking, Harmless, Notice};
use super::change::Party::{Callers, Servers};
use super::rule::Rule as Kind;
use super::site::{Context, Site};
use crate::ir::Rule;

/// Compares the constraints of one place. There may be several rules of a kind: an inclusive and an exclusive
/// limit, or the patterns of an `allOf`.
pub(super) fn compare(context: &mut Context<'_>, site: &Site<'_>, old: &[Rule], new: &[Rule]) {
    let mut gone: Vec<&Rule> = old.iter().collect();
    let mut come: Vec<&Rule> = Vec::new();
    for rule in new {
        match gone.iter().position(|other| *other == rule) {
            Some(index) => drop(gone.remove(index)),
            None => come.push(rule),
        }
    }
    for rule in come {
        if let Some(index) = gone.iter().position(|other| is_same_kind(other, rule)) {
            let other = gone.remove(index);
            let message = format!("{} has to keep `{rule}` now, not `{other}`", site.what);
            if is_looser(other, rule) {
                loosened(context, site, message);
            } else {
                tightened(context, site, message);
            }
        } else if !follows(rule, old) {
            tightened(context, site, format!("{} has to keep `{rule}` now", site.what));
        }
    }
    for rule in gone.into_iter().filter(|rule| !follows(rule, new)) {
        loosened(context, site, format!("{} need not keep `{rule}` any more", site.what));
    }
}

/// Whether a value that satisfies `others` satisfies `rule`, too.
fn follows(rule: &Rule, others: &[Rule]) -> bool {
    others.iter().any(|other| other == rule || is_same_kind(other, rule) && is_looser(other, rule))
}

fn tightened(context: &mut Context<'_>, site: &Site<'_>, message: String) {
    context
        .report(Kind::ConstraintTightened, site, message)
        .in_requests(Breaking, Callers, "values that were accepted are refused")
        .in_responses(Notice, Servers, "answers have to keep to it, and nothing generated checks them")
        .in_responses(Harmless, Callers, "other values do not arrive any more");
}

fn loosened(context: &mut Context<'_>, site: &Site<'_>, message: String) {
    context
        .report(Kind::ConstraintLoosened, site, message)
        .in_requests(Notice, Servers, "values arrive that were refused before")
        .in_requests(Harmless, Callers, "values that were refused are accepted")
        .in_responses(Notice, Callers, "values arrive that were ruled out; the generated client takes them");
}

/// Whether both restrict the same property of a value; an inclusive and an exclusive limit do. Several
/// conditions on members may apply, so these are the same only if they are equal.
fn is_same_kind(left: &Rule, right: &Rule) -> bool {
    match (left, right) {
        (Rule::Matching(left, _), Rule::Matching(right, _)) | (Rule::Schema(left), Rule::Schema(right)) => {
            left == right
        }
        (Rule::Together(left), Rule::Together(right)) => left == right,
        (Rule::Minimum(_) | Rule::ExclusiveMinimum(_), Rule::Minimum(_) | Rule::ExclusiveMinimum(_))
        | (Rule::Maximum(_) | Rule::ExclusiveMaximum(_), Rule::Maximum(_) | Rule::ExclusiveMaximum(_))
        | (
            Rule::OneOf(_) | Rule::Numbers(_) | Rule::Listed(_) | Rule::Boolean(_),
            Rule::OneOf(_) | Rule::Numbers(_) | Rule::Listed(_) | Rule::Boolean(_),
        ) => true,
        (left, right) => discriminant(left) == discriminant(right),
    }
}

/// Whether the new rule allows every value that the old one allows. Patterns and formats cannot be compared.
fn is_looser(old: &Rule, new: &Rule) -> bool {
    match (old, new) {
        (Rule::Minimum(old), Rule::ExclusiveMinimum(new)) => number(new) < number(old),
        (Rule::Minimum(old) | Rule::ExclusiveMinimum(old), Rule::Minimum(new) | Rule::ExclusiveMinimum(new)) => {
            number(new) <= number(old)
        }
        (Rule::Maximum(old), Rule::ExclusiveMaximum(new)) => number(new) > number(old),
        (Rule::Maximum(old) | Rule::ExclusiveMaximum(old), Rule::Maximum(new) | Rule::ExclusiveMaximum(new)) => {
            number(new) >= number(old)
        }
        (Rule::MultipleOf(old), Rule::MultipleOf(new)) => {
            number(old).zip(number(new)).is_some_and(|(old, new)| new != 0.0 && old % new == 0.0)
        }
        (Rule::MinLength(old), Rule::MinLength(new))
        | (Rule::MinItems(old), Rule::MinItems(new))
        | (Rule::MinProperties(old), Rule::MinProperties(new)) => new <= old,
        (Rule::MaxLength(old), Rule::MaxLength(new))
        | (Rule::MaxItems(old), Rule::MaxItems(new))
        | (Rule::MaxProperties(old), Rule::MaxProperties(new)) => new >= old,
        (Rule::OneOf(old), Rule::OneOf(new))
        | (Rule::Numbers(old), Rule::Numbers(new))
        | (Rule::Listed(old), Rule::Listed(new)) => old.iter().all(|value| new.contains(value)),
        (Rule::Names(old), Rule::Names(new)) | (Rule::Matching(_, old), Rule::Matching(_, new)) => new
            .iter()
            .all(|rule| old.iter().any(|other| is_same_kind(other, rule) && (other == rule || is_looser(other, rule)))),
        _ => false,
    }
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_looser_when_it_allows_all_that_the_old_one_did() {
        let minimum = |text: &str| Rule::Minimum(text.to_owned());
        let above = |text: &str| Rule::ExclusiveMinimum(text.to_owned());
        assert!(is_looser(&minimum("2"), &minimum("1.5")) && !is_looser(&minimum("1"), &minimum("2")));
        assert!(is_looser(&above("1"), &minimum("1")) && !is_looser(&minimum("1"), &above("1")));
        assert!(is_looser(&minimum("1"), &above("0")));
        assert!(is_looser(&Rule::MultipleOf("6".into()), &Rule::MultipleOf("3".into())));
        assert!(!is_looser(&Rule::MultipleOf("3".into()), &Rule::MultipleOf("6".into())));
        assert!(
            is_looser(&Rule::MaxLength(3), &Rule::MaxLength(4)) && !is_looser(&Rule::MaxItems(3), &Rule::MaxItems(2))
        );
        assert!(!is_looser(&Rule::Pattern("a".into()), &Rule::Pattern("b".into())));
    }
}
