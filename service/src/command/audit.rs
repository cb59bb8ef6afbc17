//! `service audit`: prints the audit log.

use std::io::{self, Write as _};

use anyhow::Result;

use crate::{
    cli::Audit,
    config::Config,
    domain::{change::AuditEntry, tenant::TenantId},
    start,
};

/// Number of entries read at once. An entry may have a hundred kilobytes before and after, and more in an
/// older store.
const BATCH: u32 = 100;

/// Prints the selected entries, one JSON object per line.
pub async fn audit(config: &Config, arguments: &Audit) -> Result<()> {
    let store = start::open_store(config, false, false)?;
    let records = store.tenant(TenantId::FIRST);
    let mut output = io::BufWriter::new(io::stdout().lock());
    let mut after = arguments.after;
    loop {
        let entries = records.audit_log(after, BATCH).await?;
        let Some(last) = entries.last() else { break };
        after = last.change.sequence;
        for entry in entries.iter().filter(|entry| is_wanted(entry, arguments)) {
            writeln!(output, "{}", line(entry))?;
        }
    }
    output.flush()?;
    drop(output);
    store.close();
    Ok(())
}

fn is_wanted(entry: &AuditEntry, arguments: &Audit) -> bool {
    let matches = |wanted: &Option<String>, found: &str| wanted.as_deref().is_none_or(|wanted| wanted == found);
    matches(&arguments.kind, &entry.change.kind) && matches(&arguments.record, &entry.change.record_id)
}

fn line(entry: &AuditEntry) -> serde_json::Value {
    let json = |text: &Option<String>| text.as_deref().and_then(|text| serde_json::from_str(text).ok());
    let (before, after): (Option<serde_json::Value>, Option<serde_json::Value>) =
        (json(&entry.before), json(&entry.after));
    serde_json::json!({
        "Sequence": entry.change.sequence,
        "On": entry.change.changed_on,
        "Kind": entry.change.kind,
        "RecordId": entry.change.record_id,
        "AccountId": entry.change.account_id,
        "Action": entry.change.action,
        "TokenId": entry.token.as_ref().map(|(id, _)| id),
        "TokenName": entry.token.as_ref().map(|(_, name)| name),
        "AssigneeId": entry.assignee,
        "Operation": entry.operation,
        "Before": before,
        "After": after,
    })
}
