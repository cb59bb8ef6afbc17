//! Shared by connection proofs: a service, well-behaved callers, and their results during an attack.

use std::{sync::atomic::AtomicBool, time::Duration};

use anyhow::{Context as _, Result};
use tempfile::TempDir;

use super::Form;
use crate::{
    callers::{Seen, during_attack, good_callers},
    connection::get,
    figure::Figure,
    service::{Service, Start},
    store::Store,
};

/// A service under attack.
pub(super) struct Target {
    /// The service.
    pub(super) service: Service,
    /// A token with every right.
    pub(super) token: String,
    store: Store,
    _data: TempDir,
}

impl Target {
    /// Starts a service.
    pub(super) fn start(store: Store, start: &Start) -> Result<Self> {
        let data = tempfile::tempdir()?;
        let service = start.run(data.path())?;
        let token = start.token(data.path())?;
        Ok(Self { service, token, store, _data: data })
    }

    /// Runs `attack` next to well-behaved callers for `time`; returns its result and theirs.
    pub(super) fn attack<T: Send>(
        &self,
        form: Form,
        time: Duration,
        attack: impl FnOnce(&AtomicBool) -> T + Send,
    ) -> Result<(T, Vec<Figure>)> {
        let (idle, busy, seen) = during_attack(|time| self.good_callers(time), time, attack);
        Ok((seen.context("the attack has panicked")?, figures(form, self.store, &idle, &busy)))
    }

    fn good_callers(&self, time: Duration) -> Seen {
        let paths = ["/v2/crm/accounts/summary?PageSize=25", "/v2/crm/accounts/summary/101", "/v2/hr/assignees/count"];
        good_callers(self.service.address, &paths.map(|path| get(path, &self.token)), time)
    }
}

/// The results of well-behaved callers.
fn figures(form: Form, store: Store, idle: &Seen, busy: &Seen) -> Vec<Figure> {
    vec![
        Figure::plain("good callers meanwhile", busy),
        Figure::exactly("good callers: answers other than 200", 0, busy.other_than(&[200])),
        Figure::plain("good callers: p99 when idle", format!("{:.2} ms", milliseconds(idle))),
        percentile("good callers: p99 meanwhile", form, store, busy),
    ]
}

/// The 99th percentile of well-behaved callers, with its goal; the short form has none, because it uses
/// development builds.
pub(super) fn percentile(what: impl Into<String>, form: Form, store: Store, busy: &Seen) -> Figure {
    Figure::at_most(what, form.pick(f64::INFINITY, store.percentile()), milliseconds(busy), " ms")
}

fn milliseconds(seen: &Seen) -> f64 {
    seen.percentile(99).as_secs_f64() * 1e3
}
