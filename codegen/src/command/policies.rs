//! The policies that `--deny`, `--allow`, `--skip` and `[diagnostics]` set.

use std::collections::BTreeMap;

use clap::Args;
use specwright::{Policies, Policy};

use super::Failure;

#[derive(Args, Clone, Default)]
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

/// The command line overrides the configuration; within each, a single code overrides a severity.
pub(super) fn policies(arguments: &Decisions, config: &BTreeMap<String, Policy>) -> Result<Policies, Failure> {
    let Decisions { deny, allow, skip } = arguments;
    let given = [(deny, Policy::Deny), (allow, Policy::Allow), (skip, Policy::Skip)];
    let given = given.into_iter().flat_map(|(kinds, policy)| kinds.iter().map(move |kind| (kind.as_str(), policy)));
    let mut policies = Policies::default();
    policies.decide(config.iter().map(|(kind, policy)| (kind.as_str(), *policy))).map_err(Failure::Usage)?;
    policies.decide(given).map_err(Failure::Usage)?;
    Ok(policies)
}
