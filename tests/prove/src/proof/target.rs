//! What the proofs about connections share: a service, its good callers, and how they fared beside an attack.

use std::{sync::atomic::AtomicBool, time::Duration};

use anyhow::{Context as _, Result};
use tempfile::TempDir;

use super::Form;
use crate::{
    callers::{Seen, beside, good_callers},
    connection::get,
    figure::Figure,
    service::{Service, Start},
};

/// A service under attack.
pub(super) struct Target {
    /// The service.
    pub(super) service: Service,
    /// A token with every right.
    pub(super) token: String,
    _data: TempDir,
}

impl Target {
    /// Starts one.
    pub(super) fn start(start: &Start) -> Result<Self> {
        let data = tempfile::tempdir()?;
        let service = start.run(data.path())?;
        let token = start.token(data.path())?;
        Ok(Self { service, token, _data: data })
    }

    /// Runs `attack` beside good callers for so long; answers what it gives and how they fared.
    pub(super) fn attack<T: Send>(
        &self,
        form: Form,
        time: Duration,
        attack: impl FnOnce(&AtomicBool) -> T + Send,
    ) -> Result<(T, Vec<Figure>)> {
        let (idle, busy, seen) = beside(|time| self.good_callers(time), time, attack);
        Ok((seen.context("the attack has panicked")?, figures(form, &idle, &busy)))
    }

    /// How good callers fare while `attack` runs against another process: what they lose to it is the machine's doing.
    pub(super) fn control<T: Send>(&self, time: Duration, attack: impl FnOnce(&AtomicBool) -> T + Send) -> Figure {
        let (idle, busy, _) = beside(|time| self.good_callers(time), time, attack);
        control(&idle, &busy)
    }

    fn good_callers(&self, time: Duration) -> Seen {
        let paths = ["/v2/crm/accounts/summary?PageSize=25", "/v2/crm/accounts/summary/101", "/v2/hr/assignees/count"];
        good_callers(self.service.address, &paths.map(|path| get(path, &self.token)), time)
    }
}

/// What was seen of good callers whose service was not attacked, but another process on the same machine.
pub(super) fn control(idle: &Seen, busy: &Seen) -> Figure {
    let [idle, busy] = [idle, busy].map(|seen| seen.percentile(99).as_secs_f64() * 1e3);
    let seen = format!("{busy:.2} ms, {:.1} ×", busy / idle);
    Figure::plain("good callers: p99 beside the same against another process", seen)
}

/// How good callers fared.
fn figures(form: Form, idle: &Seen, busy: &Seen) -> Vec<Figure> {
    let ratio = busy.percentile(99).as_secs_f64() / idle.percentile(99).as_secs_f64();
    // A few seconds on a machine with other work say nothing about times.
    let goal = form.pick(f64::INFINITY, 2.0);
    vec![
        Figure::plain("good callers meanwhile", busy),
        Figure::exactly("good callers: answers other than 200", 0, busy.other_than(&[200])),
        Figure::plain("good callers: p99 when idle", format!("{:.2} ms", idle.percentile(99).as_secs_f64() * 1e3)),
        Figure::at_most("good callers: p99 meanwhile, to idle", goal, ratio, " ×"),
    ]
}
