//! Prometheus metrics, on a separate listener.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    http::{StatusCode, header},
    response::IntoResponse as _,
    routing::get,
};
use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric as _, text::encode},
    metrics::{
        counter::{ConstCounter, Counter},
        family::Family,
        gauge::{ConstGauge, Gauge},
        histogram::Histogram,
    },
    registry::{Registry, Unit},
};
use tokio::net::TcpListener;

use crate::store::Store;

/// Upper bounds of the buckets of durations, in seconds.
const SECONDS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];

/// The labels of counted responses.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Answered {
    operation: &'static str,
    status: u16,
}

/// The labels of counted scan runs.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Scanned {
    result: &'static str,
}

/// The metrics, shared by clones.
#[derive(Clone, Debug)]
pub struct Metrics {
    registry: Arc<Registry>,
    requests: Family<Answered, Histogram>,
    /// Open connections.
    pub(crate) connections: Gauge,
    scans: Family<Scanned, Counter>,
    sweeps: Histogram,
}

impl Metrics {
    /// Metrics of a service on this store.
    pub(crate) fn new(store: Store) -> Self {
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
        registry.register_collector(Box::new(Gauges(store)));
        Self { registry: Arc::new(registry), requests, connections, scans, sweeps }
    }

    /// Counts a response.
    pub(crate) fn answered(&self, operation: Option<&'static str>, status: u16, time: Duration) {
        let answered = Answered { operation: operation.unwrap_or("none"), status };
        self.requests.get_or_create(&answered).observe(time.as_secs_f64());
    }

    /// Counts the results of due runs.
    pub(crate) fn scanned(&self, done: usize, failed: usize) {
        for (result, count) in [("done", done), ("failed", failed)] {
            self.scans.get_or_create(&Scanned { result }).inc_by(count as u64);
        }
    }

    /// Records a sweep.
    pub(crate) fn swept(&self, time: Duration) {
        self.sweeps.observe(time.as_secs_f64());
    }
}

/// Serves `/metrics` until the task ends.
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

/// Gauges computed on request: of the store, and of the process with the conventional names.
#[derive(Debug)]
struct Gauges(Store);

impl Collector for Gauges {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        for (name, about, value) in self.0.gauges().into_iter().chain(process()) {
            let gauge = ConstGauge::new(value as u64);
            gauge.encode(encoder.encode_descriptor(name, about, None, gauge.metric_type())?)?;
        }
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        let seconds = ConstCounter::new(Duration::try_from(time).unwrap_or_default().as_secs_f64());
        let kind = seconds.metric_type();
        seconds.encode(encoder.encode_descriptor("process_cpu_seconds", "Processor time", None, kind)?)
    }
}

/// Gauges of the process, from /proc; none on other systems.
fn process() -> Vec<(&'static str, &'static str, usize)> {
    let count = |folder| std::fs::read_dir(folder).map_or(0, Iterator::count);
    let Ok(pages) = std::fs::read_to_string("/proc/self/statm") else { return Vec::new() };
    let pages = pages.split_whitespace().nth(1).and_then(|pages| pages.parse::<usize>().ok()).unwrap_or_default();
    vec![
        ("process_resident_memory_bytes", "Memory in use", pages * rustix::param::page_size()),
        ("process_open_fds", "Open files and connections", count("/proc/self/fd")),
        ("process_threads", "Threads", count("/proc/self/task")),
    ]
}
