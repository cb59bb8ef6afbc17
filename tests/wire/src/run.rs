//! Calls every operation many times.

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use axum::Router;
use axum::middleware::from_fn_with_state;
use clap::Parser;
use http::StatusCode;
use specwright_exchange::{Direction, Document, Values};

use crate::capture::capture;
use crate::report::{self, Outcome, Summary};
use crate::scene::{Problem, Scene};
use crate::{Operation, Place, Stage, breaking};

/// Number of bytes shown before and after the first difference of two values.
const BEFORE: usize = 150;
const AFTER: usize = 300;

/// The number of bodies of an operation whose rules are broken.
const BROKEN: u64 = 4;

/// The server repeats this header of the request in answers that do not have their own.
const REQUEST_ID: &str = "x-request-id";

/// The server adds this header to every 401 without it, since HTTP requires it (RFC 9110, section 15.5.2).
const CHALLENGE: &str = "www-authenticate";

/// A header whose value HTTP determines, even if a parameter has its name.
const CONTENT_LENGTH: &str = "content-length";

/// Calls every operation of a description with random values, and breaks their rules.
#[derive(Parser)]
struct Arguments {
    /// The folder of the description.
    folder: PathBuf,
    /// The file of the description in the folder.
    entry: String,
    /// The file of the report.
    report: PathBuf,
    /// Number of calls of each operation.
    #[arg(long, default_value_t = 20)]
    samples: u64,
    /// Call only the operation with this `operationId`.
    #[arg(long)]
    only: Option<String>,
}

/// The HTTP client of the calls. It does not follow redirections, so that described redirections are seen.
#[must_use]
pub fn http() -> reqwest::Client {
    reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap_or_default()
}

/// Calls all operations. The last line of the output is the summary as JSON. Fails if an operation fails.
pub async fn run<C, E>(
    stage: Stage,
    router: Router,
    client: impl FnOnce(&str) -> Result<C, E>,
    operations: Vec<Operation<C>>,
) -> ExitCode
where
    C: Clone + Send + 'static,
    E: Error + Send + Sync + 'static,
{
    let arguments = Arguments::parse();
    match all(&arguments, stage, router, client, operations).await {
        Ok(outcomes) => {
            let summary = Summary::of(&outcomes);
            println!("{}", summary.json());
            if summary.is_failure() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
        }
        Err(error) => {
            eprintln!("error: {error:?}");
            ExitCode::FAILURE
        }
    }
}

async fn all<C, E>(
    arguments: &Arguments,
    stage: Stage,
    router: Router,
    client: impl FnOnce(&str) -> Result<C, E>,
    operations: Vec<Operation<C>>,
) -> Result<Vec<Outcome>>
where
    C: Clone + Send + 'static,
    E: Error + Send + Sync + 'static,
{
    let document = Document::read(&arguments.entry, |path| std::fs::read(arguments.folder.join(path)))?;
    stage.lock().values = Values::new(Arc::new(document));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let client = client(&format!("http://{}", listener.local_addr()?))?;
    let served = router.clone().layer(from_fn_with_state(stage.clone(), capture));
    tokio::spawn(async move { axum::serve(listener, served).await });

    let mut outcomes = Vec::new();
    for operation in &operations {
        if arguments.only.as_ref().is_some_and(|only| only != operation.id) {
            continue;
        }
        let mut outcome =
            Outcome { name: format!("{} {} {}", operation.id, operation.method, operation.path), ..Outcome::default() };
        let document = stage.lock().document();
        let (possible, impossible) = operation.possible_answers(&document);
        outcome.impossible = impossible;
        let same =
            operations.iter().filter(|other| other.id != operation.id && other.matches_the_same(operation, &document));
        let same: Vec<_> = same.map(|other| other.id).collect();
        // Every answer is given at least twice.
        for sample in 0..arguments.samples.max(possible.len() as u64 * 2) {
            let seed = seed(operation.id, sample);
            let choice = possible.get(usize::try_from(sample)? % possible.len().max(1)).copied();
            let sample = Sample { seed, number: sample, choice, same: &same };
            once(&stage, &router, &client, operation, sample, &mut outcome).await?;
        }
        let others = operations.iter().filter(|other| other.id != operation.id && other.has_route_of(operation));
        let others: Vec<_> = others.map(Operation::named).collect();
        breaking::parameters(&stage, &router, operation, (&same, &others), &mut outcome).await;
        outcome.meant = stage.lock().values.meant_of(operation.id);
        if outcome.is_reached {
            // The other operation receives some requests that both match (W0502), and all for a concrete path.
            let concrete = operations.iter().filter(|other| other.is_more_concrete_than(operation));
            let given = same.iter().copied().chain(concrete.map(|other| other.id)).map(arrived_at).collect::<Vec<_>>();
            outcome.problems.retain(|(_, problem)| !given.iter().any(|given| problem.text.ends_with(given.as_str())));
        } else {
            outcome.hidden_by = same.first().copied();
            outcome.unsendable = operation.unsendable(&document);
        }
        outcomes.push(outcome);
    }
    std::fs::write(&arguments.report, report::text(&outcomes))?;
    Ok(outcomes)
}

/// One of the calls of an operation.
struct Sample<'o> {
    seed: u64,
    number: u64,
    /// The index of the answer to give; `None` if no answer has a valid value.
    choice: Option<usize>,
    /// The operations that cannot be distinguished from this one.
    same: &'o [&'static str],
}

/// Calls an operation once, and breaks the rules of its body if the call went well.
async fn once<C: Clone + Send + 'static>(
    stage: &Stage,
    router: &Router,
    client: &C,
    operation: &Operation<C>,
    sample: Sample<'_>,
    outcome: &mut Outcome,
) -> Result<()> {
    let Sample { seed, number, choice, same } = sample;
    stage.lock().begin(operation.named(), seed, choice.unwrap_or_default());
    outcome.calls += 1;
    let call = tokio::spawn((operation.call)(client.clone(), stage.clone()));
    let called = call.await;
    outcome.is_reached |= stage.lock().arrived == Some(operation.id);
    let elsewhere = stage.lock().arrived.filter(|arrived| *arrived != operation.id);
    match called {
        // The other operation's answer was made for this one.
        Ok(_) if elsewhere.is_some() => {
            let mut scene = stage.lock();
            scene.problems.clear();
            scene.bodies.clear();
            scene.problem("route", elsewhere.map(arrived_at).unwrap_or_default());
        }
        Ok(_) if choice.is_none() && stage.lock().arrived == Some(operation.id) => {
            let mut scene = stage.lock();
            // The problems belong to an answer that cannot be given.
            scene.problems.clear();
            scene.bodies.retain(|place| place.direction() == Direction::Request);
            scene.compare_request();
        }
        Ok(Ok(())) => stage.lock().compare(),
        // The stage has the reason.
        Ok(Err(_)) => {}
        Err(error) => {
            let text = error.to_string();
            stage.lock().problem("panic", text);
        }
    }
    let (problems, body, exchange) = {
        let mut scene = stage.lock();
        let body = scene.bodies.iter().copied().find(|place| place.direction() == Direction::Request);
        scene.validate();
        (std::mem::take(&mut scene.problems), body, scene.exchange.clone())
    };
    if problems.is_empty() {
        if let Some(place) = body.filter(|_| number < BROKEN) {
            breaking::body(stage, router, &exchange, (place, same), seed, outcome).await;
        }
        outcome.valid = Some(exchange);
    }
    let answer =
        operation.answers.get(choice.unwrap_or_default()).ok_or_else(|| anyhow!("the answer does not exist"))?;
    outcome.problems.extend(problems.into_iter().map(|problem| {
        let text = format!("answering {} {}: {}", answer.0, answer.1, problem.text);
        (seed, Problem { text, ..problem })
    }));
    Ok(())
}

/// The problem that a request reached another operation.
fn arrived_at(id: &str) -> String {
    format!("the request arrived at {id}")
}

impl Scene {
    /// Compares the values sent and received, in both directions.
    fn compare(&mut self) {
        if self.arrived.is_some() {
            self.compare_request();
            self.compare_response();
        } else {
            let seen = self.seen.iter().map(|(place, value)| format!("{place}: {value}")).collect::<Vec<_>>();
            let text = format!("the request did not arrive; the client has seen {}", seen.join(", "));
            self.problem("request", text);
        }
    }

    /// Compares the request that was sent with the one that was received.
    fn compare_request(&mut self) {
        let length = Place::header(CONTENT_LENGTH).to_string();
        for list in [&mut self.sent, &mut self.received] {
            list.retain(|(place, _)| !place.eq_ignore_ascii_case(&length));
        }
        if let Some(text) = difference(&self.sent, &self.received) {
            self.problem("request differs", text);
        }
    }

    /// Compares the answer that was given with the one that the client received.
    fn compare_response(&mut self) {
        self.leave_out_added();
        if let Some(text) = difference(&self.answered, &self.seen) {
            self.problem("response differs", text);
        }
    }

    /// Ignores the headers that the server itself adds: the caller's request id, and the challenges of a 401.
    fn leave_out_added(&mut self) {
        let sent = self.exchange.headers.get(REQUEST_ID).and_then(|id| id.to_str().ok()).map(str::to_owned);
        self.leave_out(REQUEST_ID, |id| Some(id.trim_matches('"')) == sent.as_deref());
        if self.exchange.status == StatusCode::UNAUTHORIZED {
            self.leave_out(CHALLENGE, |_| true);
        }
    }

    /// Ignores a header of the answer that the service did not set, if `is_added` accepts it.
    fn leave_out(&mut self, header: &'static str, is_added: impl Fn(&str) -> bool) {
        let place = Place::answer_header("", header).to_string();
        if !self.answered.iter().any(|(answered, _)| answered.eq_ignore_ascii_case(&place)) {
            self.seen.retain(|(seen, value)| !seen.eq_ignore_ascii_case(&place) || !is_added(value));
        }
    }
}

/// The first value that differs.
fn difference(one: &[(String, String)], other: &[(String, String)]) -> Option<String> {
    let text = |found: Option<&(String, String)>| {
        found.map_or("nothing".to_owned(), |(place, value)| format!("{place}: {value}"))
    };
    (0..one.len().max(other.len())).find(|index| one.get(*index) != other.get(*index)).map(|index| {
        let (one, other) = (text(one.get(index)), text(other.get(index)));
        let alike = std::iter::zip(one.bytes(), other.bytes()).take_while(|(one, other)| one == other).count();
        let from = one.floor_char_boundary(alike.saturating_sub(BEFORE));
        let shown = |text: &str| text.get(from..text.floor_char_boundary(alike + AFTER)).unwrap_or(text).to_owned();
        let place = one.split(':').next().unwrap_or_default();
        format!("{place}\n    sent    {}\n    arrived {}", shown(&one), shown(&other))
    })
}

/// The seed of a call. It is the same in every run.
pub(crate) fn seed(id: &str, sample: u64) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ sample;
    id.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)) >> 16
}

#[cfg(test)]
mod tests {
    use http::StatusCode;

    use super::{CHALLENGE, REQUEST_ID};
    use crate::Place;
    use crate::scene::Scene;

    fn problems(status: StatusCode, answered: &[(&'static str, &str)], seen: &[(&'static str, &str)]) -> usize {
        let headers = |list: &[(&'static str, &str)]| {
            list.iter()
                .map(|(name, value)| (Place::answer_header("", name).to_string(), format!("{value:?}")))
                .collect()
        };
        let mut scene = Scene::default();
        (scene.answered, scene.seen) = (headers(answered), headers(seen));
        scene.exchange.status = status;
        scene.exchange.headers.insert(REQUEST_ID, http::HeaderValue::from_static("7"));
        scene.compare_response();
        scene.problems.len()
    }

    #[test]
    fn additions_by_the_server_are_not_differences() {
        let (unauthorized, forbidden) = (StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN);
        assert_eq!(problems(unauthorized, &[], &[("WWW-Authenticate", "Bearer")]), 0);
        assert_eq!(problems(forbidden, &[], &[(CHALLENGE, "Bearer")]), 1);
        assert_eq!(problems(unauthorized, &[(CHALLENGE, "Own")], &[(CHALLENGE, "Bearer")]), 1);
        assert_eq!(problems(forbidden, &[], &[("X-Request-Id", "7")]), 0);
        assert_eq!(problems(forbidden, &[], &[("X-Request-Id", "8")]), 1);
        assert_eq!(problems(forbidden, &[("ETag", "a")], &[("ETag", "a"), ("Location", "b")]), 1);
    }
}
