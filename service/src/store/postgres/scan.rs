//! Patch scans: their schedules, and what they find.

use jiff::Timestamp;
use serde_json::json;
use tokio_postgres::Row;

use super::{
    agent,
    change::{Change, References, accepted},
    session::{Query, parameters},
    view::View,
};
use crate::{
    domain::{
        agent::Agent,
        scan::{
            DamagedSchedule, DuePage, DuePosition, DueScan, NewSchedule, PlannedRun, ScanOutcome, ScanRecord,
            ScanRequest, ScanRun, ScanSchedule,
        },
    },
    store::{
        Error,
        sql::{
            scan::{FAILED, count, described, described_before, moment, subject},
            text,
        },
    },
};

const SCHEDULE: &str = "s.agent_id, s.number, s.body, s.zone, s.patch_ids, s.created_on, s.next_index, s.next_at";

/// What asks for the schedule of an agent, and whether it can be run.
fn wanted(view: &View, agent: &str) -> Query {
    let sql = format!(
        "SELECT {SCHEDULE}, s.problem IS NULL FROM scan_schedules AS s WHERE s.tenant_id = $1 AND s.agent_id = $2"
    );
    Query::new(sql, parameters![view.tenant.0, agent])
}

pub(super) async fn schedule(view: &View, agent: &str) -> Result<Option<ScanSchedule>, Error> {
    let rows = view.session.rows(wanted(view, agent)).await?;
    rows.first().map(read).transpose()
}

pub(super) async fn number(view: &View, agent: &str) -> Result<Option<i64>, Error> {
    let sql = "SELECT number FROM scan_schedules WHERE tenant_id = $1 AND agent_id = $2";
    let rows = view.session.rows(Query::new(sql, parameters![view.tenant.0, agent])).await?;
    Ok(rows.first().map(|row| row.try_get(0)).transpose()?)
}

/// The schedule that is to be replaced: its number, and the rest unless it has a problem or cannot be read.
async fn present(view: &View, agent: &str) -> Result<Option<(i64, Option<ScanSchedule>)>, Error> {
    let rows = view.session.rows(wanted(view, agent)).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let is_good: bool = row.try_get(8)?;
    Ok(Some((row.try_get(1)?, read(row).ok().filter(|_| is_good))))
}

/// Of a row with the columns of [`SCHEDULE`].
fn read(row: &Row) -> Result<ScanSchedule, Error> {
    let (index, at): (Option<i64>, Option<i64>) = (row.try_get(6)?, row.try_get(7)?);
    let next = match index.zip(at) {
        Some((index, at)) => Some(PlannedRun { index: count(index)?, at: moment(at)? }),
        None => None,
    };
    Ok(ScanSchedule {
        number: row.try_get(1)?,
        request: ScanRequest {
            agent_id: row.try_get(0)?,
            body: row.try_get(2)?,
            zone: row.try_get(3)?,
            patch_ids: text::read(row.try_get(4)?)?,
        },
        created_on: moment(row.try_get(5)?)?,
        next,
    })
}

/// Puts a schedule in the place of the one before, unless it asks for the same. False when what it was planned on no longer
/// holds.
pub(super) async fn put(change: Change, new: NewSchedule) -> Result<bool, Error> {
    let NewSchedule { request, agent: planned_on, number, next } = new;
    let Some(agent) = agent::held(&change.view, &request.agent_id).await? else { return Ok(false) };
    if agent.time_zone != planned_on.time_zone || agent.account != planned_on.account {
        return Ok(false);
    }
    let present = present(&change.view, &request.agent_id).await?;
    if present.as_ref().and_then(|(_, schedule)| schedule.as_ref()).is_some_and(|present| present.request == request) {
        return Ok(true);
    }
    if present.as_ref().map_or(0, |(number, _)| *number) + 1 != number {
        return Ok(false);
    }
    let mut references = References::default();
    for (at, patch) in request.patch_ids.iter().enumerate() {
        references.id(format!("/PatchIds/{at}"), ("patch", "patches"), Some(*patch));
    }
    let mut refusals = Vec::new();
    change.resolve(references, &mut refusals).await?;
    accepted(refusals, ())?;

    let sql =
        "INSERT INTO scan_schedules (tenant_id, agent_id, number, body, zone, patch_ids, created_on, next_index, \
               next_at, is_waiting) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, false)
               ON CONFLICT (tenant_id, agent_id) DO UPDATE SET number = excluded.number, body = excluded.body, \
               zone = excluded.zone, patch_ids = excluded.patch_ids, created_on = excluded.created_on, \
               next_index = excluded.next_index, next_at = excluded.next_at, is_waiting = false, problem = NULL";
    let put = Query::new(
        sql,
        parameters![
            change.tenant(),
            &request.agent_id,
            number,
            &request.body,
            &request.zone,
            text::write(&request.patch_ids)?,
            change.now(),
            next.map(|run| run.index.cast_signed()),
            next.map(|run| run.at.as_microsecond()),
        ],
    );
    let missing = missing_patches(&change.view, &request.agent_id);
    let [before, _, _, after, found] = change
        .session()
        .run([
            missing.clone(),
            put,
            mark_scheduled(&change, &request.agent_id),
            missing,
            wanted(&change.view, &request.agent_id),
        ])
        .await?;
    let present = present.map(|(number, schedule)| described_before(number, schedule.as_ref())).transpose()?;
    let put = found.first().map(read).transpose()?.as_ref().map(described).transpose()?;
    change.note(&subject("PatchScanSchedule", &agent), present, put);
    note_missing(&change, &agent, &before, &after)?;
    change.finish([]).await?;
    Ok(true)
}

/// What asks for the missing patches of an agent, for the audit log.
fn missing_patches(view: &View, agent: &str) -> Query {
    let sql = "SELECT patch_id, sched_together FROM missing_patches WHERE tenant_id = $1 AND agent_id = $2
               ORDER BY patch_id";
    Query::new(sql, parameters![view.tenant.0, agent])
}

fn note_missing(change: &Change, agent: &Agent, before: &[Row], after: &[Row]) -> Result<(), Error> {
    let text = |rows: &[Row]| -> Result<String, Error> {
        let patch = |row: &Row| -> Result<_, Error> {
            let (id, together): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
            Ok(json!({"PatchDataId": id, "SchedTogether": together}))
        };
        text::write(&rows.iter().map(patch).collect::<Result<Vec<_>, _>>()?)
    };
    change.note(&subject("MissingPatches", agent), Some(text(before)?), Some(text(after)?));
    Ok(())
}

/// What marks the patches that the schedule names as scheduled, as long as there are runs to come.
fn mark_scheduled(change: &Change, agent: &str) -> Query {
    let sql = format!(
        "UPDATE missing_patches SET sched_together = CASE WHEN patch_id IN (
             SELECT p.value::bigint FROM scan_schedules AS s, json_array_elements_text(s.patch_ids::json) AS p (value)
             WHERE s.tenant_id = $1 AND s.agent_id = $2 AND s.next_at IS NOT NULL) THEN 1 ELSE 0 END
         WHERE tenant_id = $1 AND agent_id = $2 AND sched_together NOT IN {FAILED}"
    );
    Query::new(sql, parameters![change.tenant(), agent])
}

/// The schedules whose next run has come; those that wait for their agent only when it is back.
pub(super) async fn due(view: View, now: Timestamp, from: Option<DuePosition>, limit: u32) -> Result<DuePage, Error> {
    let sql = format!(
        "SELECT {SCHEDULE}, a.id, a.name, a.time_zone, a.account_id, a.is_online
         FROM scan_schedules AS s JOIN agents AS a ON a.tenant_id = s.tenant_id AND a.id = s.agent_id
         WHERE s.tenant_id = $1 AND s.next_at <= $2 AND (s.next_at, s.agent_id) > ($3, $4)
         AND s.problem IS NULL AND (NOT s.is_waiting OR a.is_online)
         ORDER BY s.next_at, s.agent_id LIMIT $5"
    );
    let (at, agent) = from.map_or((i64::MIN, String::new()), |from| (from.at.as_microsecond(), from.agent_id));
    let values = parameters![view.tenant.0, now.as_microsecond(), at, agent, limit];
    let mut page = DuePage::default();
    for row in view.session.rows(Query::new(sql, values)).await? {
        let (agent_id, number): (String, i64) = (row.try_get(0)?, row.try_get(1)?);
        // What is due has a moment; one beyond the calendar is before every other.
        page.next = moment(row.try_get(7)?).ok().map(|at| DuePosition { at, agent_id: agent_id.clone() }).or(page.next);
        match read(&row) {
            Ok(schedule) => page.scans.push(DueScan { schedule, agent: agent::read(&row, 8)? }),
            Err(error) => page.damaged.push(DamagedSchedule { agent_id, number, problem: error.to_string() }),
        }
    }
    if page.scans.len() + page.damaged.len() < limit as usize {
        page.next = None;
    }
    Ok(page)
}

pub(super) async fn note_problem(change: Change, damaged: DamagedSchedule) -> Result<(), Error> {
    let sql = "UPDATE scan_schedules SET problem = $4 WHERE tenant_id = $1 AND agent_id = $2 AND number = $3";
    let values = parameters![change.tenant(), damaged.agent_id, damaged.number, damaged.problem];
    change.rows(sql, values).await?;
    Ok(())
}

pub(super) async fn forget_problems(change: Change) -> Result<usize, Error> {
    let sql = "UPDATE scan_schedules SET problem = NULL WHERE tenant_id = $1 AND problem IS NOT NULL RETURNING 1";
    Ok(change.rows(sql, parameters![change.tenant()]).await?.len())
}

/// Does what the outcome says, and plans the next run. False when the schedule does not wait for the planned run.
pub(super) async fn record(change: Change, record: ScanRecord) -> Result<bool, Error> {
    let ScanRecord { agent_id: agent, schedule: number, planned, run, outcome, next } = record;
    // Another process may be about to record the same run: it waits, and then finds another one planned.
    let held = agent::held(&change.view, &agent).await?;
    let Some(schedule) = schedule(&change.view, &agent).await? else { return Ok(false) };
    if schedule.number != number || schedule.next.is_none_or(|next| next.index != planned) {
        return Ok(false);
    }
    let (tenant, missing) = (change.tenant(), missing_patches(&change.view, &agent));
    if outcome == ScanOutcome::Waiting {
        let sql = "UPDATE scan_schedules SET is_waiting = true WHERE tenant_id = $1 AND agent_id = $2";
        change.rows(sql, parameters![tenant, &agent]).await?;
        return Ok(true);
    }
    let scanned = outcome == ScanOutcome::Scanned;
    let (before, found) = if scanned {
        let [gone, new, count] = scan(&change, &agent, &schedule.request.patch_ids)?;
        let [before, _, _, count] = change.session().run([missing.clone(), gone, new, count]).await?;
        (before, count.first().map(|row| row.try_get::<_, i64>(0)).transpose()?.unwrap_or(0))
    } else {
        (change.session().rows(missing.clone()).await?, 0)
    };
    let sql = "INSERT INTO scan_runs (tenant_id, agent_id, schedule, occurrence, missed, due, recorded_on, scanned, \
               missing) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let (index, missed) = (run.index.cast_signed(), run.index.saturating_sub(planned).cast_signed());
    let values =
        parameters![tenant, &agent, number, index, missed, run.at.as_microsecond(), change.now(), scanned, found];
    let done = Query::new(sql, values);
    let sql = "UPDATE scan_schedules SET next_index = $3, next_at = $4, is_waiting = false
               WHERE tenant_id = $1 AND agent_id = $2";
    let (index, at) = (next.map(|run| run.index.cast_signed()), next.map(|run| run.at.as_microsecond()));
    let plan = Query::new(sql, parameters![tenant, &agent, index, at]);
    let [_, _, _, after] = change.session().run([done, plan, mark_scheduled(&change, &agent), missing]).await?;
    if let Some(agent) = held {
        note_missing(&change, &agent, &before, &after)?;
    }
    change.finish([]).await?;
    Ok(true)
}

/// What compares the catalogue with what is installed, and counts what is missing. Patches of products that the agent does
/// not have do not concern it; an agent that names no products has them all. Without ids, every patch is looked for.
fn scan(change: &Change, agent: &str, patches: &[i64]) -> Result<[Query; 3], Error> {
    let wanted = "($3::text = '[]' OR";
    let listed = "IN (SELECT value::bigint FROM json_array_elements_text($3::text::json)))";
    let missing = format!(
        "SELECT p.id FROM patches AS p JOIN agents AS a ON a.tenant_id = p.tenant_id AND a.id = $2
         WHERE p.tenant_id = $1 AND {wanted} p.id {listed}
         AND (a.products = '[]' OR p.product IN (SELECT value FROM json_array_elements_text(a.products::json)))
         AND NOT EXISTS (SELECT 1 FROM installed_patches AS i
             WHERE i.tenant_id = $1 AND i.agent_id = $2 AND i.patch_id = p.id)"
    );
    let found_again = format!(
        "DELETE FROM missing_patches WHERE tenant_id = $1 AND agent_id = $2
         AND {wanted} patch_id {listed} AND patch_id NOT IN ({missing})"
    );
    let found = format!(
        "INSERT INTO missing_patches (tenant_id, agent_id, patch_id)
         SELECT $1::integer, $2, m.id FROM ({missing}) AS m (id) ON CONFLICT (tenant_id, agent_id, patch_id) DO NOTHING"
    );
    let count = format!("SELECT count(*) FROM ({missing}) AS m");
    let patches = text::write(&patches)?;
    Ok([found_again, found, count].map(|sql| Query::new(sql, parameters![change.tenant(), agent, &patches])))
}

/// Newest first.
pub(super) async fn runs(view: View, agent: String) -> Result<Vec<ScanRun>, Error> {
    let sql = "SELECT schedule, occurrence, missed, due, recorded_on, scanned, missing FROM scan_runs
               WHERE tenant_id = $1 AND agent_id = $2 ORDER BY schedule DESC, occurrence DESC";
    let rows = view.session.rows(Query::new(sql, parameters![view.tenant.0, agent])).await?;
    let run = |row: &Row| {
        let missing: i64 = row.try_get(6)?;
        Ok(ScanRun {
            schedule: row.try_get(0)?,
            index: count(row.try_get(1)?)?,
            missed: count(row.try_get(2)?)?,
            due: moment(row.try_get(3)?)?,
            recorded_on: moment(row.try_get(4)?)?,
            scanned: row.try_get(5)?,
            missing: u32::try_from(missing).map_err(Error::database)?,
        })
    };
    rows.iter().map(run).collect()
}
