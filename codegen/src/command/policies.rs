//! The policies that `--deny`, `--allow`, `--skip` and `[diagnostics]` set.

use std::collections::BTreeMap;

use clap::Args;
use specwright::{Code, Policies, Policy, Severity};

use super::Failure;

#[derive(Args, Default)]
pub(super) struct Decisions {
    /// Fails on problems of this kind, as `specwright explain` lists them; `warnings` means all warnings.
    #[arg(long, value_name = "CODE|warnings")]
    deny: Vec<String>,
    /// Ignores problems of this kind.
    #[arg(long, value_name = "CODE|warnings")]
    allow: Vec<String>,
    /// Leaves out the operations that have problems of this kind; `errors` means all errors.
    #[arg(long, value_name = "CODE|errors")]
    skip: Vec<String>,
}

/// What a policy applies to. Whole severities sort first, so that a single code overrides them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    All(Severity),
    One(Code),
}

/// The command line overrides the configuration; within each, a single code overrides a severity.
pub(super) fn policies(arguments: &Decisions, config: &BTreeMap<String, Policy>) -> Result<Policies, Failure> {
    let Decisions { deny, allow, skip } = arguments;
    let given = [(deny, Policy::Deny), (allow, Policy::Allow), (skip, Policy::Skip)];
    let given = given.into_iter().flat_map(|(kinds, policy)| kinds.iter().map(move |kind| (kind, policy)));
    let mut policies = Policies::default();
    decide(&mut policies, config.iter().map(|(kind, policy)| (kind, *policy)))?;
    decide(&mut policies, given)?;
    Ok(policies)
}

fn decide<'a>(policies: &mut Policies, decisions: impl Iterator<Item = (&'a String, Policy)>) -> Result<(), Failure> {
    let mut decided = BTreeMap::new();
    for (name, policy) in decisions {
        let before = decided.insert(kind(name)?, policy);
        if before.is_some_and(|before| before != policy) {
            return Err(Failure::usage(format!("`{name}` is decided about twice, and not alike")));
        }
    }
    for (kind, policy) in decided {
        let result = match kind {
            Kind::All(severity) => policies.set_all(severity, policy),
            Kind::One(code) => policies.set(code, policy),
        };
        result.map_err(|error| Failure::usage(error.to_string()))?;
    }
    Ok(())
}

fn kind(name: &str) -> Result<Kind, Failure> {
    match name {
        "errors" => Ok(Kind::All(Severity::Error)),
        "warnings" => Ok(Kind::All(Severity::Warning)),
        name => name.parse().map(Kind::One).map_err(|error: specwright::UnknownCode| Failure::usage(error.to_string())),
    }
}
