//! Generated code compared with code written by hand: servers, clients and JSON of `tests/baseline`.

use std::{
    io::{BufRead as _, BufReader, Read as _},
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use anyhow::{Context as _, Result, ensure};

use super::{
    load::{self, Request},
    process, row,
};

/// Rounds, in which both sides take turns.
const ROUNDS: usize = 7;

/// Duration of a load.
const TIME: Duration = Duration::from_secs(1);

const SIDES: [&str; 2] = ["generated", "handwritten"];

/// The operations, and the number of connections of their loads.
const OPERATIONS: [(&str, &str, usize); 6] = [
    ("ping", "GET of 11 bytes", 16),
    ("list", "GET of 100 KiB of JSON", 16),
    ("create", "POST of 1 KB of JSON, checked", 16),
    ("search", "GET with five parameters", 16),
    ("download", "GET of 10 MiB", 2),
    ("upload", "PUT of 10 MiB", 2),
];

/// A process of `tests/baseline` that serves.
struct Server {
    child: Child,
    address: SocketAddr,
}

/// Calls per second, and processor time per call in µs.
#[derive(Clone, Copy)]
struct Cost {
    rate: f64,
    processor: f64,
}

pub(super) fn measure(program: &Path) -> Result<()> {
    let servers = SIDES.map(|side| Server::start(program, side));
    let [generated, handwritten] = servers;
    let servers = [generated?, handwritten?];
    println!("\nservers: calls per second and processor time, compared with axum and serde");
    for (operation, what, connections) in OPERATIONS {
        let request = request(operation);
        compare(what, |side| {
            let server = &servers[side];
            let before = process::cpu(server.child.id())?;
            let outcome = load::run(&[server.address], &request, connections, TIME)?;
            ensure!(outcome.failures == 0, "{} of {operation} failed", outcome.failures);
            cost(f64::from(outcome.answers), outcome.time, process::cpu(server.child.id())?.saturating_sub(before))
        })?;
    }
    println!("\nclients: calls per second and processor time, compared with reqwest and serde");
    let address = servers[1].address.to_string();
    for (operation, what, _) in OPERATIONS {
        compare(what, |side| {
            let seconds = TIME.as_secs().to_string();
            let arguments = ["call", SIDES[side], &address, operation, &seconds];
            let mut child = Command::new(program).args(arguments).stdout(Stdio::piped()).spawn()?;
            let mut calls = String::new();
            child.stdout.take().context("a pipe")?.read_to_string(&mut calls)?;
            let processor = process::cpu(child.id())?;
            ensure!(child.wait()?.success(), "the {} client failed", SIDES[side]);
            cost(calls.trim().parse()?, TIME, processor)
        })?;
    }
    println!("\nJSON: a list of 100 orders");
    ensure!(Command::new(program).arg("json").status()?.success(), "the comparison of JSON failed");
    Ok(())
}

fn request(operation: &str) -> Request {
    let order = include_str!("../../../tests/baseline/order.json").trim_end();
    match operation {
        "ping" => Request::get("/ping", ""),
        "list" => Request::get("/orders", ""),
        "create" => Request::post("/orders", "", order),
        "search" => {
            let query = "text=bicycle%20bell&limit=25&after=12345&state=paid&since=2026-11-27T09%3A41%3A00Z";
            Request::get(&format!("/search?{query}"), "")
        }
        "download" => Request::get("/files", ""),
        _ => Request::put("/files", &vec![b'x'; 10 << 20]),
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the end of fallible closures")]
fn cost(calls: f64, time: Duration, processor: Duration) -> Result<Cost> {
    Ok(Cost { rate: calls / time.as_secs_f64(), processor: processor.as_secs_f64() * 1e6 / calls })
}

/// Measures both sides in turns, and prints the medians of the generated one with their ratios.
fn compare(what: &str, measure: impl Fn(usize) -> Result<Cost>) -> Result<()> {
    let mut costs = [Vec::new(), Vec::new()];
    for round in 0..ROUNDS {
        // Neither side is always the first one.
        for side in if round % 2 == 0 { [0, 1] } else { [1, 0] } {
            costs[side].push(measure(side)?);
        }
    }
    let median = |side: usize, of: fn(&Cost) -> f64| {
        let mut values: Vec<f64> = costs[side].iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[ROUNDS / 2]
    };
    let (rate, processor) = (|cost: &Cost| cost.rate, |cost: &Cost| cost.processor);
    let ratio = |of: fn(&Cost) -> f64| median(0, of) / median(1, of);
    row(
        what,
        &format!("{:.0}/s", median(0, rate)),
        &format!(
            "{:.2} × the rate; {:.1} µs, {:.2} × the processor time",
            ratio(rate),
            median(0, processor),
            ratio(processor)
        ),
    );
    Ok(())
}

impl Server {
    fn start(program: &Path, side: &str) -> Result<Self> {
        let mut child = Command::new(program).args(["serve", side]).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("a pipe")?).read_line(&mut line)?;
        Ok(Self { address: line.trim().parse().with_context(|| format!("the {side} server does not start"))?, child })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
