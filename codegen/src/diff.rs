//! What differs between two descriptions, and whom it breaks.

mod change;
mod changelog;
mod constraint;
mod content;
mod deprecated;
mod human;
mod model;
mod name;
mod operation;
mod parameter;
mod reach;
mod request;
mod request_body;
mod response;
mod rule;
mod security;
mod server;
mod site;
mod step;
mod types;
mod value;
mod webhook;

pub use change::{Change, Changes, Edition, Effect, Level, Party, Reached};
pub use rule::Rule;
pub use step::Step;

use model::union;
use site::{Context, Direction, Site};

use crate::Description;
use crate::ir::{Api, Tag};

/// Compares two descriptions, as [`Generator::read`](crate::Generator::read) gives them.
///
/// ```
/// use specwright::{Generator, Source};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/openapi.yaml");
/// let old = Generator::new().read(&Source::path(path))?;
/// let changes = specwright::diff::diff(&old, &old.clone());
/// assert!(changes.is_empty() && !changes.breaks(&[]));
/// # Ok(())
/// # }
/// ```
pub fn diff(old: &Description, new: &Description) -> Changes {
    compare(&old.api, &new.api)
}

fn compare(old: &Api, new: &Api) -> Changes {
    let mut context = Context { old, new, changes: Vec::new() };
    let mut operations = Vec::new();
    let mut reached = Vec::new();
    for of in [|api| &api.tags, |api| &api.webhooks] as [fn(&Api) -> &Vec<Tag>; 2] {
        let all = |api| of(api).iter().flat_map(|tag| &tag.operations).collect::<Vec<_>>();
        let (before, after) = (all(old), all(new));
        let pairs = operation::matched(&before, &after);
        let first = reached.len();
        reached.extend(pairs.iter().map(|(_, after)| Reached::new(after)));
        operation::compare(&mut context, (&before, &after), &pairs, &reached[first..]);
        operations.extend(pairs);
    }
    let pairs = reach::pairs(old, new, &operations);
    model::compare(&mut context, pairs.iter(), &reached);
    let site = Site {
        what: "the description".to_owned(),
        direction: Direction { request: true, response: true },
        old: &old.location,
        new: &new.location,
        operations: &[],
    };
    security::credentials(&mut context, &site);
    server::compare(&mut context, &site);
    Changes { list: merged(context.changes) }
}

/// Merges differences that show in several places, such as a scheme that all operations require.
fn merged(changes: Vec<Change>) -> Vec<Change> {
    let mut list: Vec<Change> = Vec::new();
    for change in changes {
        let is_same = |other: &&mut Change| {
            other.rule == change.rule && other.message == change.message && other.effects == change.effects
        };
        let shared = if is_shared(change.rule) { list.iter_mut().find(is_same) } else { None };
        match shared {
            Some(other) => other.operations.extend(change.operations),
            None => list.push(change),
        }
    }
    list
}

/// Whether the rule is about something that operations share; such a difference is reported once for all of
/// them.
fn is_shared(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::CredentialsRequired
            | Rule::SchemeRequired
            | Rule::ScopeRequired
            | Rule::SecurityAlternativeRemoved
            | Rule::SecurityAlternativeAdded
            | Rule::SecuritySchemeChanged
            | Rule::CredentialsNotRequired
            | Rule::ScopeNotRequired
            | Rule::PrincipalChanged
    )
}
