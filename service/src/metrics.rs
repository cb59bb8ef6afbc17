//! Metrics for Prometheus, on a listener of their own.

mod process;

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    http::{StatusCode, header},
    response::IntoResponse as _,
    routing::get,
};
use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::{Registry, Unit},
};
use tokio::net::TcpListener;

use process::Process;

/// Upper bounds of the buckets of durations, in seconds.
const SECONDS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];

/// What an answer is counted by.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Answered {
    operation: &'static str,
    status: u16,
}

/// What became of runs of patch scans.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Scanned {
    result: &'static str,
}

/// What is counted and measured; clones share it.
#[derive(Clone, Debug)]
pub struct Metrics {
    registry: Arc<Registry>,
    requests: Family<Answered, Histogram>,
    /// Open connections.
    pub(crate) connections: Gauge,
    scans: Family<Scanned, Counter>,
    sweeps: Histogram,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::default();
        let histogram: fn() -> Histogram = || Histogram::new(SECONDS);
        let requests = Family::new_with_constructor(histogram);
        let (connections, scans, sweeps) = (Gauge::default(), Family::default(), histogram());
        let about = "Time until an answer begins";
        registry.register_with_unit("http_request_duration", about, Unit::Seconds, Family::clone(&requests));
        registry.register("http_connections", "Open connections", Gauge::clone(&connections));
        registry.register("scheduler_scans", "Due runs of patch scans", Family::clone(&scans));
        let about = "Time for removing old records";
        registry.register_with_unit("scheduler_sweep_duration", about, Unit::Seconds, Histogram::clone(&sweeps));
        registry.register_collector(Box::new(Process));
        Self { registry: Arc::new(registry), requests, connections, scans, sweeps }
    }
}

impl Metrics {
    /// Notes an answer.
    pub(crate) fn answered(&self, operation: Option<&'static str>, status: StatusCode, time: Duration) {
        let answered = Answered { operation: operation.unwrap_or("none"), status: status.as_u16() };
        self.requests.get_or_create(&answered).observe(time.as_secs_f64());
    }

    /// Notes what became of the runs that were due.
    pub(crate) fn scanned(&self, done: usize, failed: usize) {
        for (result, count) in [("done", done), ("failed", failed)] {
            self.scans.get_or_create(&Scanned { result }).inc_by(count as u64);
        }
    }

    /// Notes a sweep.
    pub(crate) fn swept(&self, time: Duration) {
        self.sweeps.observe(time.as_secs_f64());
    }
}

/// Answers `/metrics` until the task ends.
pub async fn serve(metrics: Metrics, listener: TcpListener) -> std::io::Result<()> {
    let answer = async move || {
        let mut text = String::new();
        match encode(&mut text, &metrics.registry) {
            Ok(()) => {
                let media_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
                ([(header::CONTENT_TYPE, media_type)], text).into_response()
            }
            Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        }
    };
    axum::serve(listener, Router::new().route("/metrics", get(answer))).await
}
