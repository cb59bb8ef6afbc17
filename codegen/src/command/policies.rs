//! What `--deny`, `--allow`, `--skip` and `[diagnostics]` decide about problems.

use std::collections::BTreeMap;

use clap::Args;
use codegen::{Code, Policies, Policy, Severity};

use super::Failure;

#[derive(Args, Default)]
pub(super) struct Decisions {
    /// Stops at problems of this kind, which `codegen explain` lists; `warnings` are all that would not stop it.
    #[arg(long, value_name = "CODE|warnings")]
    deny: Vec<String>,
    /// Says nothing of problems of this kind.
    #[arg(long, value_name = "CODE|warnings")]
    allow: Vec<String>,
    /// Leaves out the operations that have problems of this kind; `errors` are all that would stop it.
    #[arg(long, value_name = "CODE|errors")]
    skip: Vec<String>,
}

/// The command line counts more than the configuration, and one kind more than all of them.
pub(super) fn policies(arguments: &Decisions, config: &BTreeMap<String, Policy>) -> Result<Policies, Failure> {
    let Decisions { deny, allow, skip } = arguments;
    let given = [(deny, Policy::Deny), (allow, Policy::Allow), (skip, Policy::Skip)];
    let given = given.into_iter().flat_map(|(kinds, policy)| kinds.iter().map(move |kind| (kind, policy)));
    let decisions: Vec<_> = config.iter().map(|(kind, policy)| (kind, *policy)).chain(given).collect();
    let mut policies = Policies::default();
    for (severity, policy) in decisions.iter().filter_map(|(kind, policy)| Some((all(kind)?, *policy))) {
        policies.set_all(severity, policy).map_err(|error| Failure::usage(error.to_string()))?;
    }
    for (kind, policy) in decisions.into_iter().filter(|(kind, _)| all(kind).is_none()) {
        let code: Code = kind.parse().map_err(|error: codegen::UnknownCode| Failure::usage(error.to_string()))?;
        policies.set(code, policy).map_err(|error| Failure::usage(error.to_string()))?;
    }
    Ok(policies)
}

fn all(kind: &str) -> Option<Severity> {
    match kind {
        "errors" => Some(Severity::Error),
        "warnings" => Some(Severity::Warning),
        _ => None,
    }
}
