//! Patch scans: schedules and results.

use std::sync::Arc;

use jiff::Timestamp;
use serde_json::json;

use super::{agent, export, operation::*, resource::PATCHES, text};
use crate::domain::{
    agent::Agent,
    scan::{
        AgentSchedule, DamagedSchedule, DuePage, DuePosition, PlannedRun, ScanOutcome, ScanRecord, ScanRequest,
        ScanSchedule,
    },
};

const SCHEDULE: &str = "s.agent_id, s.number, s.body, s.zone, s.patch_ids, s.next_index, s.next_at";

/// States of a missing patch whose installation failed. Scheduling does not change them.
const FAILED: &str = "(2, 3, 8)";

impl TenantStore {
    /// Replaces the schedule of an agent; an equal request changes nothing, unless the schedule has a
    /// problem. `false` if the inputs of the plan have changed: the agent, its zone or account, or the
    /// replaced schedule.
    pub async fn put_scan_schedule(&self, new: AgentSchedule) -> Result<bool, Error> {
        self.change(Arc::new(new), put).await
    }

    /// The number of an agent's schedule, even if the schedule is damaged.
    pub async fn scan_schedule_number(&self, agent: &str) -> Result<Option<i64>, Error> {
        self.view(Cost::Short, agent.to_owned(), |view, agent| async move {
            let sql = "SELECT number FROM scan_schedules WHERE tenant_id = $1 AND agent_id = $2";
            view.session.first(Statement::new(sql, values![view.tenant.0, agent])).await
        })
        .await
    }

    /// Up to `limit` schedules with a due run, longest due first, from a position on. Includes those waiting
    /// for an agent that is back; excludes those with a problem.
    pub async fn due_scans(&self, now: Timestamp, from: Option<DuePosition>, limit: u32) -> Result<DuePage, Error> {
        self.view(Cost::Long, (now, from, limit), due).await
    }

    /// Records why a schedule cannot be run; it is skipped from then on.
    pub async fn note_scan_problem(&self, damaged: DamagedSchedule) -> Result<(), Error> {
        self.change(damaged, |change, DamagedSchedule { agent_id, number, problem }| async move {
            let sql = "UPDATE scan_schedules SET problem = $4 WHERE tenant_id = $1 AND agent_id = $2 AND number = $3";
            change.rows(Statement::new(sql, values![change.tenant.0, agent_id, number, problem])).await.map(drop)
        })
        .await
    }

    /// Clears the problems of schedules, so that they are tried again; returns their number.
    pub async fn forget_scan_problems(&self) -> Result<usize, Error> {
        self.change((), |change, ()| async move {
            let sql =
                "UPDATE scan_schedules SET problem = NULL WHERE tenant_id = $1 AND problem IS NOT NULL RETURNING 1";
            Ok(change.rows(Statement::new(sql, values![change.tenant.0])).await?.len())
        })
        .await
    }

    /// Scans or skips, records the run and plans the next one, in one transaction. `false` if the schedule no
    /// longer waits for the planned run: it is done already, or was replaced.
    pub async fn record_scan(&self, record: ScanRecord) -> Result<bool, Error> {
        self.change(Arc::new(record), recorded).await
    }
}

/// Selects the schedule of an agent, and whether it can be run.
fn wanted(view: &View, agent: &str) -> Statement {
    let sql = format!(
        "SELECT {SCHEDULE}, s.problem IS NULL FROM scan_schedules AS s WHERE s.tenant_id = $1 AND s.agent_id = $2"
    );
    Statement::new(sql, values![view.tenant.0, agent])
}

/// The schedule to replace: its number, and its content if it is valid.
async fn present(view: &View, agent: &str) -> Result<Option<(i64, Option<ScanSchedule>)>, Error> {
    let rows = view.rows(wanted(view, agent)).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let is_good: bool = row.get(7)?;
    Ok(Some((row.get(1)?, read(row).ok().filter(|_| is_good))))
}

/// The schedule of a row with the columns of [`SCHEDULE`].
fn read(row: &Row) -> Result<ScanSchedule, Error> {
    let (index, at): (Option<u64>, Option<Timestamp>) = (row.get(5)?, row.get(6)?);
    Ok(ScanSchedule {
        number: row.get(1)?,
        request: ScanRequest {
            agent_id: row.get(0)?,
            body: row.get(2)?,
            zone: row.get(3)?,
            patch_ids: text::read(&row.get::<String>(4)?)?,
        },
        next: index.zip(at).map(|(index, at)| PlannedRun { index, at }),
    })
}

async fn put(change: Change, new: Arc<AgentSchedule>) -> Result<bool, Error> {
    let AgentSchedule { schedule: ScanSchedule { number, request, next }, agent: planned_on } = &*new;
    let view = &change.view;
    let Some(agent) = agent::held(view, &request.agent_id).await? else { return Ok(false) };
    if agent.time_zone != planned_on.time_zone || agent.account != planned_on.account {
        return Ok(false);
    }
    let present = present(view, &request.agent_id).await?;
    if present.as_ref().and_then(|(_, schedule)| schedule.as_ref()).is_some_and(|present| present.request == *request) {
        return Ok(true);
    }
    if present.as_ref().map_or(0, |(number, _)| *number) + 1 != *number {
        return Ok(false);
    }
    let found = export::find(view, &PATCHES, &request.patch_ids).await?;
    let missing = request.patch_ids.iter().zip(found).enumerate().filter(|(_, (_, found))| found.is_none());
    let refusal = |(at, (patch, _))| Refusal::reference(format!("/PatchIds/{at}"), PATCHES.one, patch);
    accepted(missing.map(refusal).collect())?;

    let sql =
        "INSERT INTO scan_schedules (tenant_id, agent_id, number, body, zone, patch_ids, created_on, next_index, \
               next_at, is_waiting) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, false)
               ON CONFLICT (tenant_id, agent_id) DO UPDATE SET number = excluded.number, body = excluded.body, \
               zone = excluded.zone, patch_ids = excluded.patch_ids, created_on = excluded.created_on, \
               next_index = excluded.next_index, next_at = excluded.next_at, is_waiting = false, problem = NULL";
    let values = values![
        change.tenant.0,
        &request.agent_id,
        *number,
        &request.body,
        &request.zone,
        array(request.patch_ids.iter().copied()),
        change.now,
        next.map(|run| run.index.cast_signed()),
        next.map(|run| run.at),
    ];
    let missing = missing_patches(view, &request.agent_id);
    let put = [
        missing.clone(),
        Statement::new(sql, values),
        mark_scheduled(view, &request.agent_id),
        missing,
        wanted(view, &request.agent_id),
    ];
    let [before, _, _, after, found] = view.session.run(put).await?;
    // Of a schedule that cannot be read, the number alone.
    let described_before = |(number, schedule): (i64, Option<ScanSchedule>)| match schedule {
        Some(schedule) => described(&schedule),
        None => json!({ "Number": number }).to_string(),
    };
    let put = found.first().map(read).transpose()?.as_ref().map(described);
    change.note(&subject("PatchScanSchedule", &agent), present.map(described_before), put);
    note_missing(&change, &agent, &before, &after)?;
    Ok(true)
}

/// Selects the missing patches of an agent, for the audit log.
fn missing_patches(view: &View, agent: &str) -> Statement {
    let sql = "SELECT patch_id, sched_together FROM missing_patches WHERE tenant_id = $1 AND agent_id = $2
               ORDER BY patch_id";
    Statement::new(sql, values![view.tenant.0, agent])
}

fn note_missing(change: &Change, agent: &Agent, before: &[Row], after: &[Row]) -> Result<(), Error> {
    let text = |rows: &[Row]| -> Result<String, Error> {
        let patch = |row: &Row| Ok(json!({"PatchDataId": row.get::<i64>(0)?, "SchedTogether": row.get::<i64>(1)?}));
        Ok(rows.iter().map(patch).collect::<Result<serde_json::Value, Error>>()?.to_string())
    };
    change.note(&subject("MissingPatches", agent), Some(text(before)?), Some(text(after)?));
    Ok(())
}

/// Marks the patches of the agent's schedule as scheduled, while it has further runs.
fn mark_scheduled(view: &View, agent: &str) -> Statement {
    let is_named = view.session.dialect().among("patch_id", "s.patch_ids");
    let sql = format!(
        "UPDATE missing_patches SET sched_together = CASE WHEN EXISTS (
             SELECT 1 FROM scan_schedules AS s
             WHERE s.tenant_id = $1 AND s.agent_id = $2 AND s.next_at IS NOT NULL AND {is_named}) THEN 1 ELSE 0 END
         WHERE tenant_id = $1 AND agent_id = $2 AND sched_together NOT IN {FAILED}"
    );
    Statement::new(sql, values![view.tenant.0, agent])
}

async fn due(view: View, (now, from, limit): (Timestamp, Option<DuePosition>, u32)) -> Result<DuePage, Error> {
    let sql = format!(
        "SELECT {SCHEDULE}, a.id, a.name, a.time_zone, a.account_id, a.is_online
         FROM scan_schedules AS s JOIN agents AS a ON a.tenant_id = s.tenant_id AND a.id = s.agent_id
         WHERE s.tenant_id = $1 AND s.next_at <= $2 AND (s.next_at, s.agent_id) > ($3, $4)
         AND s.problem IS NULL AND (NOT s.is_waiting OR a.is_online)
         ORDER BY s.next_at, s.agent_id LIMIT $5"
    );
    let (at, agent) = from.map_or((i64::MIN, String::new()), |(at, agent)| (at.as_microsecond(), agent));
    let rows = view.rows(Statement::new(sql, values![view.tenant.0, now, at, agent, limit])).await?;
    let mut page = DuePage::default();
    for row in &rows {
        let (agent_id, number): (String, i64) = (row.get(0)?, row.get(1)?);
        // A due run has a time; one beyond the calendar sorts first.
        page.next = row.get(6).ok().map(|at| (at, agent_id.clone())).or(page.next);
        match read(row) {
            Ok(schedule) => page.scans.push(AgentSchedule { schedule, agent: agent::read(row, 7)? }),
            Err(error) => page.damaged.push(DamagedSchedule { agent_id, number, problem: error.to_string() }),
        }
    }
    if rows.len() < limit as usize {
        page.next = None;
    }
    Ok(page)
}

async fn recorded(change: Change, record: Arc<ScanRecord>) -> Result<bool, Error> {
    let ScanRecord { agent_id, schedule: number, planned, run, outcome, next } = &*record;
    let (view, tenant) = (&change.view, change.tenant.0);
    // Lock the agent: another process with the same run then finds that it is done.
    let held = agent::held(view, agent_id).await?;
    let schedule = view.rows(wanted(view, agent_id)).await?.first().map(read).transpose()?;
    let Some(schedule) = schedule else { return Ok(false) };
    if schedule.number != *number || schedule.next.is_none_or(|next| next.index != *planned) {
        return Ok(false);
    }
    if *outcome == ScanOutcome::Waiting {
        let sql = "UPDATE scan_schedules SET is_waiting = true WHERE tenant_id = $1 AND agent_id = $2";
        change.rows(Statement::new(sql, values![tenant, agent_id])).await?;
        return Ok(true);
    }
    let scanned = *outcome == ScanOutcome::Scanned;
    let missing = missing_patches(view, agent_id);
    let mut statements = vec![missing.clone()];
    if scanned {
        statements.extend(scan(view, agent_id, &schedule.request.patch_ids));
    }
    let answers = view.session.all(statements).await?;
    let found: i64 = if scanned { answers.last().map_or(Ok(None), |rows| first(rows))?.unwrap_or(0) } else { 0 };
    let before = answers.into_iter().next().unwrap_or_default();

    let sql = "INSERT INTO scan_runs (tenant_id, agent_id, schedule, occurrence, missed, due, recorded_on, scanned, \
               missing) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let (index, missed) = (run.index.cast_signed(), run.index.saturating_sub(*planned).cast_signed());
    let values = values![tenant, agent_id, *number, index, missed, run.at, change.now, scanned, found];
    let done = Statement::new(sql, values);
    let sql = "UPDATE scan_schedules SET next_index = $3, next_at = $4, is_waiting = false
               WHERE tenant_id = $1 AND agent_id = $2";
    let (index, at) = (next.map(|run| run.index.cast_signed()), next.map(|run| run.at));
    let plan = Statement::new(sql, values![tenant, agent_id, index, at]);
    let [_, _, _, after] = view.session.run([done, plan, mark_scheduled(view, agent_id), missing]).await?;
    if let Some(agent) = held {
        note_missing(&change, &agent, &before, &after)?;
    }
    Ok(true)
}

/// Compares the catalogue with the installed patches; the last statement counts the missing ones. Patches of
/// products that the agent lacks are ignored; an agent without a product list has all products. Without ids,
/// all patches are considered.
fn scan(view: &View, agent: &str, patches: &[i64]) -> [Statement; 3] {
    let dialect = view.session.dialect();
    let is_wanted = |id: &str| format!("(CAST($3 AS text) = '[]' OR {})", dialect.among(id, "$3"));
    let has_product = dialect.among_texts("p.product", "a.products");
    let missing = format!(
        "SELECT p.id FROM patches AS p JOIN agents AS a ON a.tenant_id = p.tenant_id AND a.id = $2
         WHERE p.tenant_id = $1 AND {} AND (a.products = '[]' OR {has_product})
         AND NOT EXISTS (SELECT 1 FROM installed_patches AS i
             WHERE i.tenant_id = $1 AND i.agent_id = $2 AND i.patch_id = p.id)",
        is_wanted("p.id")
    );
    let found_again = format!(
        "DELETE FROM missing_patches WHERE tenant_id = $1 AND agent_id = $2 AND {} AND patch_id NOT IN ({missing})",
        is_wanted("patch_id")
    );
    let found = format!(
        "INSERT INTO missing_patches (tenant_id, agent_id, patch_id)
         SELECT CAST($1 AS integer), $2, m.id FROM ({missing}) AS m WHERE true
         ON CONFLICT (tenant_id, agent_id, patch_id) DO NOTHING"
    );
    let count = format!("SELECT count(*) FROM ({missing}) AS m");
    let patches = array(patches.iter().copied());
    [found_again, found, count].map(|sql| Statement::new(sql, values![view.tenant.0, agent, patches.clone()]))
}

/// A schedule for the audit log.
fn described(schedule: &ScanSchedule) -> String {
    let described = json!({
        "Number": schedule.number,
        "Schedule": serde_json::from_str::<serde_json::Value>(&schedule.request.body).unwrap_or_default(),
        "TimeZone": schedule.request.zone,
        "PatchIds": schedule.request.patch_ids,
    });
    described.to_string()
}

/// The subject of a change of an agent's record.
fn subject(kind: &'static str, agent: &Agent) -> Subject {
    Subject::new(kind, &agent.id).of_account(agent.account)
}
