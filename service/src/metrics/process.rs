//! What the process takes of the machine, under the names that Prometheus' dashboards expect.

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric as _},
    metrics::{counter::ConstCounter, gauge::ConstGauge},
};

/// Looks when it is asked.
#[derive(Debug)]
pub(super) struct Process;

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        #[cfg(target_os = "linux")]
        {
            use rustix::{param::page_size, time::ClockId};
            let time = rustix::time::clock_gettime(ClockId::ProcessCPUTime);
            let seconds = std::time::Duration::try_from(time).unwrap_or_default().as_secs_f64();
            let cpu = ConstCounter::new(seconds);
            let kind = cpu.metric_type();
            cpu.encode(encoder.encode_descriptor("process_cpu_seconds", "Processor time", None, kind)?)?;
            let count = |folder| std::fs::read_dir(folder).map_or(0, Iterator::count) as u64;
            let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
            let pages = pages.split_whitespace().nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(0_u64);
            for (name, about, value) in [
                ("process_resident_memory_bytes", "Memory in use", pages * page_size() as u64),
                ("process_open_fds", "Open files and connections", count("/proc/self/fd")),
                ("process_threads", "Threads", count("/proc/self/task")),
            ] {
                let gauge = ConstGauge::new(value);
                let kind = gauge.metric_type();
                gauge.encode(encoder.encode_descriptor(name, about, None, kind)?)?;
            }
        }
        Ok(())
    }
}
