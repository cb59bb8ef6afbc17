//! Patch scans: their schedules, and what they find.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, params};

use super::{
    agent,
    change::{Change, accepted},
    view::View,
};
use crate::{
    domain::{
        agent::Agent,
        refusal::Refusal,
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

pub(super) fn schedule(view: &View<'_>, agent: &str) -> Result<Option<ScanSchedule>, Error> {
    let sql = format!("SELECT {SCHEDULE} FROM scan_schedules AS s WHERE s.tenant_id = ?1 AND s.agent_id = ?2");
    let mut statement = view.connection.prepare_cached(&sql)?;
    let mut rows = statement.query((view.tenant.0, agent))?;
    rows.next()?.map(read).transpose()
}

pub(super) fn number(view: &View<'_>, agent: &str) -> Result<Option<i64>, Error> {
    let sql = "SELECT number FROM scan_schedules WHERE tenant_id = ?1 AND agent_id = ?2";
    let mut statement = view.connection.prepare_cached(sql)?;
    Ok(statement.query_row((view.tenant.0, agent), |row| row.get(0)).optional()?)
}

/// The schedule that is to be replaced: its number, and the rest unless it has a problem or cannot be read.
fn present(view: &View<'_>, agent: &str) -> Result<Option<(i64, Option<ScanSchedule>)>, Error> {
    let sql = format!(
        "SELECT {SCHEDULE}, s.problem IS NULL FROM scan_schedules AS s WHERE s.tenant_id = ?1 AND s.agent_id = ?2"
    );
    let mut statement = view.connection.prepare_cached(&sql)?;
    let mut rows = statement.query((view.tenant.0, agent))?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let is_good: bool = row.get(8)?;
    Ok(Some((row.get(1)?, read(row).ok().filter(|_| is_good))))
}

/// Of a row with the columns of [`SCHEDULE`].
fn read(row: &Row<'_>) -> Result<ScanSchedule, Error> {
    let patch_ids: String = row.get(4)?;
    let next = match row.get::<_, Option<i64>>(6)?.zip(row.get(7)?) {
        Some((index, at)) => Some(PlannedRun { index: count(index)?, at: moment(at)? }),
        None => None,
    };
    Ok(ScanSchedule {
        number: row.get(1)?,
        request: ScanRequest {
            agent_id: row.get(0)?,
            body: row.get(2)?,
            zone: row.get(3)?,
            patch_ids: text::read(&patch_ids)?,
        },
        created_on: moment(row.get(5)?)?,
        next,
    })
}

/// Puts a schedule in the place of the one before, unless it asks for the same. False when what it was planned on no longer
/// holds.
pub(super) fn put(change: &Change<'_>, new: &NewSchedule) -> Result<bool, Error> {
    let NewSchedule { request, agent: planned_on, number, next } = new;
    let Some(agent) = agent::one(&change.view, &request.agent_id)? else { return Ok(false) };
    if agent.time_zone != planned_on.time_zone || agent.account != planned_on.account {
        return Ok(false);
    }
    let present = present(&change.view, &request.agent_id)?;
    if present.as_ref().and_then(|(_, schedule)| schedule.as_ref()).is_some_and(|present| present.request == *request) {
        return Ok(true);
    }
    if present.as_ref().map_or(0, |(number, _)| *number) + 1 != *number {
        return Ok(false);
    }
    let mut refusals = Vec::new();
    for (at, patch) in request.patch_ids.iter().enumerate() {
        if !change.exists("patches", *patch)? {
            refusals.push(Refusal::reference(format!("/PatchIds/{at}"), "patch", patch));
        }
    }
    accepted(refusals, ())?;

    let missing = missing_patches(change, &request.agent_id)?;
    let sql =
        "INSERT INTO scan_schedules (tenant_id, agent_id, number, body, zone, patch_ids, created_on, next_index, \
               next_at, is_waiting) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0)
               ON CONFLICT DO UPDATE SET number = excluded.number, body = excluded.body, zone = excluded.zone, \
               patch_ids = excluded.patch_ids, created_on = excluded.created_on, next_index = excluded.next_index, \
               next_at = excluded.next_at, is_waiting = 0, problem = NULL";
    let patch_ids = text::write(&request.patch_ids)?;
    change.connection().prepare_cached(sql)?.execute(params![
        change.tenant(),
        request.agent_id,
        number,
        request.body,
        request.zone,
        patch_ids,
        change.now(),
        next.map(|run| run.index.cast_signed()),
        next.map(|run| run.at.as_microsecond()),
    ])?;
    mark_scheduled(change, &request.agent_id)?;
    let before = present.map(|(number, schedule)| described_before(number, schedule.as_ref())).transpose()?;
    let after = schedule(&change.view, &request.agent_id)?.as_ref().map(described).transpose()?;
    change.note(&subject("PatchScanSchedule", &agent), before, after)?;
    note_missing(change, &agent, missing)?;
    Ok(true)
}

/// The missing patches of an agent, for the audit log.
fn missing_patches(change: &Change<'_>, agent: &str) -> Result<String, Error> {
    let sql = "SELECT json_group_array(json_object('PatchDataId', patch_id, 'SchedTogether', sched_together))
               FROM (SELECT patch_id, sched_together FROM missing_patches
                     WHERE tenant_id = ?1 AND agent_id = ?2 ORDER BY patch_id)";
    Ok(change.connection().prepare_cached(sql)?.query_row((change.tenant(), agent), |row| row.get(0))?)
}

fn note_missing(change: &Change<'_>, agent: &Agent, before: String) -> Result<(), Error> {
    let after = missing_patches(change, &agent.id)?;
    change.note(&subject("MissingPatches", agent), Some(before), Some(after))
}

/// Patches that the schedule names are marked as scheduled, as long as there are runs to come.
fn mark_scheduled(change: &Change<'_>, agent: &str) -> Result<(), Error> {
    let sql = format!(
        "UPDATE missing_patches SET sched_together = patch_id IN (
             SELECT value FROM scan_schedules AS s, json_each(s.patch_ids)
             WHERE s.tenant_id = ?1 AND s.agent_id = ?2 AND s.next_at IS NOT NULL)
         WHERE tenant_id = ?1 AND agent_id = ?2 AND sched_together NOT IN {FAILED}"
    );
    change.connection().prepare_cached(&sql)?.execute((change.tenant(), agent))?;
    Ok(())
}

/// The schedules whose next run has come; those that wait for their agent only when it is back.
pub(super) fn due(view: &View<'_>, now: Timestamp, from: Option<&DuePosition>, limit: u32) -> Result<DuePage, Error> {
    let sql = format!(
        "SELECT {SCHEDULE}, a.id, a.name, a.time_zone, a.account_id, a.is_online
         FROM scan_schedules AS s INDEXED BY scan_schedules_by_next
         JOIN agents AS a ON a.tenant_id = s.tenant_id AND a.id = s.agent_id
         WHERE s.tenant_id = ?1 AND s.next_at <= ?2 AND (s.next_at, s.agent_id) > (?3, ?4)
         AND s.problem IS NULL AND (s.is_waiting = 0 OR a.is_online)
         ORDER BY s.next_at, s.agent_id LIMIT ?5"
    );
    let (at, agent) = from.map_or((i64::MIN, ""), |from| (from.at.as_microsecond(), &from.agent_id));
    let mut statement = view.connection.prepare_cached(&sql)?;
    let mut rows = statement.query((view.tenant.0, now.as_microsecond(), at, agent, limit))?;
    let mut page = DuePage::default();
    while let Some(row) = rows.next()? {
        let (agent_id, number): (String, i64) = (row.get(0)?, row.get(1)?);
        // What is due has a moment; one beyond the calendar is before every other.
        page.next = moment(row.get(7)?).ok().map(|at| DuePosition { at, agent_id: agent_id.clone() }).or(page.next);
        match read(row) {
            Ok(schedule) => page.scans.push(DueScan { schedule, agent: agent::read(row, 8)? }),
            Err(error) => page.damaged.push(DamagedSchedule { agent_id, number, problem: error.to_string() }),
        }
    }
    if page.scans.len() + page.damaged.len() < limit as usize {
        page.next = None;
    }
    Ok(page)
}

pub(super) fn note_problem(change: &Change<'_>, damaged: &DamagedSchedule) -> Result<(), Error> {
    let sql = "UPDATE scan_schedules SET problem = ?4 WHERE tenant_id = ?1 AND agent_id = ?2 AND number = ?3";
    let values = (change.tenant(), &damaged.agent_id, damaged.number, &damaged.problem);
    change.connection().prepare_cached(sql)?.execute(values)?;
    Ok(())
}

pub(super) fn forget_problems(change: &Change<'_>) -> Result<usize, Error> {
    let sql = "UPDATE scan_schedules SET problem = NULL WHERE tenant_id = ?1 AND problem IS NOT NULL";
    Ok(change.connection().prepare_cached(sql)?.execute([change.tenant()])?)
}

/// Does what the outcome says, and plans the next run. False when the schedule does not wait for the planned run.
pub(super) fn record(change: &Change<'_>, record: &ScanRecord) -> Result<bool, Error> {
    let ScanRecord { agent_id: agent, schedule: number, planned, run, outcome, next } = record;
    let Some(schedule) = schedule(&change.view, agent)? else { return Ok(false) };
    if schedule.number != *number || schedule.next.is_none_or(|next| next.index != *planned) {
        return Ok(false);
    }
    let before = missing_patches(change, agent)?;
    let missing = match outcome {
        ScanOutcome::Waiting => {
            let sql = "UPDATE scan_schedules SET is_waiting = 1 WHERE tenant_id = ?1 AND agent_id = ?2";
            change.connection().prepare_cached(sql)?.execute((change.tenant(), agent))?;
            return Ok(true);
        }
        ScanOutcome::Skipped => 0,
        ScanOutcome::Scanned => scan(change, agent, &schedule.request.patch_ids)?,
    };
    let sql =
        "INSERT INTO scan_runs (tenant_id, agent_id, schedule, occurrence, missed, due, recorded_on, scanned, missing)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    let (index, missed) = (run.index.cast_signed(), run.index.saturating_sub(*planned).cast_signed());
    let scanned = *outcome == ScanOutcome::Scanned;
    let due = run.at.as_microsecond();
    let values = params![change.tenant(), agent, number, index, missed, due, change.now(), scanned, missing];
    change.connection().prepare_cached(sql)?.execute(values)?;

    let sql = "UPDATE scan_schedules SET next_index = ?3, next_at = ?4, is_waiting = 0
               WHERE tenant_id = ?1 AND agent_id = ?2";
    let next = (next.map(|run| run.index.cast_signed()), next.map(|run| run.at.as_microsecond()));
    change.connection().prepare_cached(sql)?.execute((change.tenant(), agent, next.0, next.1))?;
    mark_scheduled(change, agent)?;
    if let Some(agent) = agent::one(&change.view, agent)? {
        note_missing(change, &agent, before)?;
    }
    Ok(true)
}

/// Compares the catalogue with what is installed; counts what is missing. Patches of products that the agent does not
/// have do not concern it; an agent that names no products has them all. Without ids, every patch is looked for.
fn scan(change: &Change<'_>, agent: &str, patches: &[i64]) -> Result<u32, Error> {
    let patches = text::write(&patches)?;
    let missing = "SELECT p.id FROM patches AS p JOIN agents AS a ON a.tenant_id = p.tenant_id AND a.id = ?2
        WHERE p.tenant_id = ?1
        AND (?3 = '[]' OR p.id IN (SELECT value FROM json_each(?3)))
        AND (a.products = '[]' OR p.product IN (SELECT value FROM json_each(a.products)))
        AND NOT EXISTS (SELECT 1 FROM installed_patches AS i
            WHERE i.tenant_id = ?1 AND i.agent_id = ?2 AND i.patch_id = p.id)";
    let found_again = format!(
        "DELETE FROM missing_patches WHERE tenant_id = ?1 AND agent_id = ?2
         AND (?3 = '[]' OR patch_id IN (SELECT value FROM json_each(?3))) AND patch_id NOT IN ({missing})"
    );
    change.connection().prepare_cached(&found_again)?.execute((change.tenant(), agent, &patches))?;
    let found = format!(
        "INSERT INTO missing_patches (tenant_id, agent_id, patch_id) SELECT ?1, ?2, id FROM ({missing})
         WHERE true ON CONFLICT DO NOTHING"
    );
    change.connection().prepare_cached(&found)?.execute((change.tenant(), agent, &patches))?;
    let count = format!("SELECT count(*) FROM ({missing})");
    let key = (change.tenant(), agent, &patches);
    Ok(change.connection().prepare_cached(&count)?.query_row(key, |row| row.get(0))?)
}

/// Newest first.
pub(super) fn runs(view: &View<'_>, agent: &str) -> Result<Vec<ScanRun>, Error> {
    let sql = "SELECT schedule, occurrence, missed, due, recorded_on, scanned, missing FROM scan_runs
               WHERE tenant_id = ?1 AND agent_id = ?2 ORDER BY schedule DESC, occurrence DESC";
    let mut statement = view.connection.prepare_cached(sql)?;
    let mut rows = statement.query((view.tenant.0, agent))?;
    let mut runs = Vec::new();
    while let Some(row) = rows.next()? {
        runs.push(ScanRun {
            schedule: row.get(0)?,
            index: count(row.get(1)?)?,
            missed: count(row.get(2)?)?,
            due: moment(row.get(3)?)?,
            recorded_on: moment(row.get(4)?)?,
            scanned: row.get(5)?,
            missing: row.get(6)?,
        });
    }
    Ok(runs)
}
