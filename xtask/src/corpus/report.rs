//! The rows as a table, and their sums.

use std::fmt::Write as _;

use super::row::{Outcome, Row};

/// A table in Markdown.
pub(super) fn table<'a>(rows: impl Iterator<Item = &'a Row> + Clone) -> String {
    let mut text = String::from(
        "| document | outcome | operations | skipped | diagnostics | lines | seconds | MiB | check s | wire | reason |\n|---|---|--:|--:|---|--:|--:|--:|--:|--:|---|\n",
    );
    for row in rows.clone() {
        let diagnostics: Vec<String> = row.diagnostics.iter().map(|(code, count)| format!("{count}× {code}")).collect();
        let check = row.check_seconds.map_or_else(String::new, |seconds| format!("{seconds:.1}"));
        let reason = row.reason.lines().next().unwrap_or_default().replace('|', "\\|");
        // Writing to a `String` cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {:.2} | {} | {check} | {} | {reason} |",
            row.document,
            row.outcome.name(),
            row.operations,
            row.skipped,
            diagnostics.join(", "),
            row.lines,
            row.seconds,
            row.memory_mib,
            row.wire(),
        );
    }
    text + "\n" + &summary(rows) + "\n"
}

/// The number of documents by outcome.
pub(super) fn summary<'a>(rows: impl Iterator<Item = &'a Row> + Clone) -> String {
    let outcomes = [Outcome::Compiled, Outcome::Generated, Outcome::Uncompiled, Outcome::Refused, Outcome::Broken];
    let counts = outcomes.map(|outcome| {
        let count = rows.clone().filter(|row| row.outcome == outcome).count();
        (count > 0).then(|| format!("{count} {}", outcome.name()))
    });
    let operations: usize = rows.clone().map(|row| row.operations).sum();
    let skipped: usize = rows.clone().map(|row| row.skipped).sum();
    let counts: Vec<String> = counts.into_iter().flatten().collect();
    let wire = rows.clone().filter_map(|row| row.wire.clone()).reduce(|mut sum, other| {
        sum.passed += other.passed;
        sum.hidden += other.hidden;
        sum.all += other.all;
        sum.meant += other.meant;
        sum.impossible += other.impossible;
        other.causes.into_iter().for_each(|(kind, count)| *sum.causes.entry(kind).or_default() += count);
        sum
    });
    let wire = wire.map_or_else(String::new, |wire| {
        let causes = wire.causes();
        let causes = if causes.is_empty() { causes } else { format!(" ({causes})") };
        format!("; {} of {} operations proven on the wire{causes}", wire.passed, wire.all)
    });
    format!("{} documents: {}; {operations} operations, {skipped} skipped{wire}", rows.count(), counts.join(", "))
}
