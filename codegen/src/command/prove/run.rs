//! Calls the operations, until everything was tried or the time is over.

mod links;
mod requests;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::future;
use std::pin::pin;
use std::time::{Duration, Instant};

use fastrand::Rng;
use futures_util::{StreamExt as _, stream};
use serde_json::Value;
use specwright_exchange::{Credential, Message, Operation, Request, Values};
use tokio::sync::RwLock;
use tokio::time::timeout_at;

use super::client::{Answer, Client, NoAnswer};
use super::finding::{Findings, Kind};
use super::judge::{self, Found};
use super::known::Known;
use super::methods;
use crate::command::Failure;
use crate::command::exchange::seed;

/// Maximum number of broken requests for one valid request.
const BROKEN: usize = 40;

/// Default number of valid requests for each operation, if there is time.
pub(super) const SAMPLES: u32 = 10;

/// The extent of a run.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    pub(super) budget: Duration,
    /// Number of valid requests for each operation; there are more only with `uses_time`.
    pub(super) samples: u32,
    /// Whether operations are called until the time is over.
    pub(super) uses_time: bool,
    pub(super) seed: u64,
    /// Number of operations that are called at once.
    pub(super) connections: usize,
    /// Whether methods that are not described are tried even if they write.
    pub(super) tries_writes: bool,
}

/// What was tried, and what was found.
pub(super) struct Outcome {
    pub(super) findings: Findings,
    /// The operations that were selected.
    pub(super) operations: Vec<&'static Operation>,
    /// Those of which no valid request succeeded, each with the statuses that were answered.
    pub(super) unproven: Vec<(&'static Operation, BTreeSet<u16>)>,
    pub(super) requests: u32,
    pub(super) seed: u64,
    pub(super) url: String,
    /// Number of valid requests sent to each operation.
    pub(super) samples: u32,
    /// Whether the time was over before everything was tried.
    pub(super) is_cut: bool,
}

/// The state of a run. Calls of several operations take turns in one task, so nothing is borrowed while one waits.
struct Run<'c> {
    client: &'c Client,
    values: RefCell<Values<'static>>,
    operations: &'static [Operation],
    /// The names of path parameters.
    names: Vec<&'static str>,
    known: RefCell<Known>,
    requests: Cell<u32>,
    /// The number of requests that have no answer yet.
    under_way: Cell<u32>,
    /// Held by each request, and exclusively by one that is sent again.
    turns: RwLock<()>,
    /// Whether the service has answered at all.
    has_answered: Cell<bool>,
    /// Whether a valid request was answered other than by 401.
    has_access: Cell<bool>,
    /// The rules of each operation that were broken.
    broken: RefCell<HashMap<&'static str, BTreeSet<String>>>,
    /// Operations whose valid requests succeeded.
    succeeded: RefCell<BTreeSet<&'static str>>,
    /// The statuses of the answers to valid requests, by operation.
    statuses: RefCell<BTreeMap<&'static str, BTreeSet<u16>>>,
    end: Instant,
}

/// A finding of an operation, and the line that repeats it.
struct Noted {
    operation: &'static Operation,
    found: Found,
    curl: String,
}

/// What a call of an operation has shown. It counts in the order of the calls, whatever the order of the answers is.
#[derive(Default)]
struct Called {
    noted: Vec<Noted>,
    learned: Vec<Learned>,
    /// A valid request, and whether it succeeded.
    reached: Option<(bool, &'static Operation, Message)>,
}

/// Identifiers may be in the answer of an operation.
struct Learned {
    operation: &'static Operation,
    location: Option<String>,
    body: Option<Value>,
}

/// Calls the selected operations.
pub(super) async fn run(
    client: &Client,
    values: Values<'static>,
    operations: &'static [Operation],
    selected: &[&'static Operation],
    plan: Plan,
) -> Result<Outcome, Failure> {
    let parameters = operations.iter().flat_map(|operation| &operation.parameters);
    let in_path = parameters.filter(|parameter| parameter.within == "path");
    let run = Run {
        client,
        values: RefCell::new(values),
        operations,
        names: in_path.map(|parameter| parameter.name.as_str()).collect(),
        known: RefCell::default(),
        requests: Cell::new(0),
        under_way: Cell::new(0),
        turns: RwLock::default(),
        has_answered: Cell::new(false),
        has_access: Cell::new(false),
        broken: RefCell::default(),
        succeeded: RefCell::default(),
        statuses: RefCell::default(),
        end: Instant::now() + plan.budget,
    };
    let mut findings = Findings::default();
    for operation in selected {
        for name in &operation.unsendable {
            let detail =
                format!("is called without the header `{name}`: the name of a header is a token (RFC 9110, 5.6.2)");
            findings.add(operation, Kind::NotSent, name, detail, String::new());
        }
    }
    // For each path, a valid request, if possible one that succeeded.
    let mut reached: HashMap<&str, (bool, &'static Operation, Message)> = HashMap::new();
    let mut samples = 0;
    while !run.is_over() && (samples < plan.samples || plan.uses_time) {
        let (round, sent) = (samples, run.requests.get());
        for stage in stages(selected) {
            let in_time = stream::iter(stage).take_while(|_| future::ready(!run.is_over()));
            let calls = in_time.map(|operation| {
                let mut random = Rng::with_seed(seed(plan.seed, &format!("{} {round}", operation.id)));
                // Values of calls that have ended are known by now, and no others.
                let request = run.request(operation, round, &mut random);
                run.call(operation, request, round + 1 >= plan.samples, random)
            });
            let mut calls = pin!(calls.buffered(plan.connections));
            while let Some(called) = calls.next().await {
                let Called { noted, learned, reached: message } = called?;
                add(&mut findings, noted);
                for Learned { operation, location, body } in learned {
                    run.known.borrow_mut().learn(operation, &run.names, location.as_deref(), body.as_ref());
                }
                if let Some((succeeded, operation, message)) = message
                    && reached.get(operation.path.as_str()).is_none_or(|(before, ..)| succeeded && !before)
                {
                    reached.insert(&operation.path, (succeeded, operation, message));
                }
            }
        }
        if round == 0 {
            let paths = selected.iter().filter_map(|operation| reached.remove(operation.path.as_str()));
            let paths = paths.collect::<Vec<_>>();
            let tried =
                paths.iter().map(|(_, operation, message)| run.try_methods(operation, message, plan.tries_writes));
            let mut tried = pin!(stream::iter(tried).buffered(plan.connections));
            while let Some(noted) = tried.next().await {
                add(&mut findings, noted);
            }
        }
        if !run.is_over() {
            samples += 1;
        }
        // Without requests, another round has none either. With wrong credentials, it would look like an attack.
        if run.requests.get() == sent || !run.has_access.get() {
            break;
        }
    }
    let mut statuses = run.statuses.take();
    let of = |operation: &&'static Operation| (*operation, statuses.remove(operation.id.as_str()).unwrap_or_default());
    let is_unproven = |(_, statuses): &(_, BTreeSet<u16>)| !statuses.iter().any(|status| (200..400).contains(status));
    Ok(Outcome {
        unproven: selected.iter().map(of).filter(is_unproven).collect(),
        is_cut: run.is_over() && samples < plan.samples,
        samples,
        findings,
        operations: selected.to_vec(),
        requests: run.requests.get(),
        seed: plan.seed,
        url: client.base().to_owned(),
    })
}

/// What others need is made first and deleted last.
fn stages(selected: &[&'static Operation]) -> [Vec<&'static Operation>; 3] {
    let of = |is_of: fn(&str) -> bool| selected.iter().copied().filter(|operation| is_of(&operation.method)).collect();
    [of(|method| method == "POST"), of(|method| !matches!(method, "POST" | "DELETE")), of(|method| method == "DELETE")]
}

fn add(findings: &mut Findings, noted: Vec<Noted>) {
    for Noted { operation, found: Found { kind, key, detail }, curl } in noted {
        findings.add(operation, kind, &key, detail, curl);
    }
}

impl Run<'_> {
    fn is_over(&self) -> bool {
        Instant::now() >= self.end
    }

    /// Sends a request with the credentials.
    async fn send(&self, message: &Message) -> Result<Answer, NoAnswer> {
        self.answer(async || self.client.send(message).await).await
    }

    /// The answer to a request. If there is none and others were under way, it is sent again, alone, unless the time is over:
    /// the service may handle one request after the other. It is waited for until the time is over.
    async fn answer(&self, send: impl AsyncFn() -> Result<Answer, NoAnswer>) -> Result<Answer, NoAnswer> {
        let number = self.requests.get() + 1;
        self.requests.set(number);
        self.under_way.set(self.under_way.get() + 1);
        let had_others = self.under_way.get() > 1;
        let turn = self.turns.read().await;
        let mut answer = timeout_at(self.end.into(), send()).await.unwrap_or_else(|_| Err(NoAnswer::cut()));
        drop(turn);
        // Others may have been answered since.
        if answer.is_err() && (had_others || self.requests.get() > number) {
            let alone = async {
                let _alone = self.turns.write().await;
                send().await
            };
            if let Ok(again) = timeout_at(self.end.into(), alone).await {
                answer = again;
            }
        }
        self.under_way.set(self.under_way.get() - 1);
        self.has_answered.set(self.has_answered.get() || answer.is_ok());
        answer
    }

    /// Sends the valid request, and requests that break its rules.
    async fn call(
        &self,
        operation: &'static Operation,
        request: Option<Request>,
        is_last: bool,
        mut random: Rng,
    ) -> Result<Called, Failure> {
        let mut called = Called::default();
        let mut note = |found, curl| called.noted.push(Noted { operation, found, curl });
        let Some(request) = request else {
            note(Found::new(Kind::NotCalled, "", "no valid request can be made".to_owned()), String::new());
            return Ok(called);
        };
        let message = request.message(operation);
        let answer = self.send(&message).await;
        self.has_access.set(self.has_access.get() || !answer.as_ref().is_ok_and(|answer| answer.status == 401));
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) if error.is_unreachable && !self.has_answered.get() => {
                return Err(Failure::usage(format!("{} cannot be reached: {}", self.client.base(), error.why)));
            }
            Err(error) if error.is_cut => return Ok(called),
            Err(error) => {
                note(Found::new(Kind::NoAnswer, "", error.why), self.client.curl(&message));
                return Ok(called);
            }
        };
        self.judge(operation, &message, &answer, &mut called);
        let is_refused = matches!(answer.status, 401 | 403 | 429);
        if is_refused {
            return Ok(called);
        }
        let succeeded = (200..300).contains(&answer.status);
        called.reached = Some((succeeded, operation, message.clone()));
        if succeeded {
            let is_first = self.succeeded.borrow_mut().insert(&operation.id);
            if is_first {
                self.try_without_credentials(operation, &message, &mut called).await;
            }
            self.follow_links(operation, &request, &message, &answer, &mut random, &mut called).await;
        }
        // A request that a service refuses anyway shows less of it, but better that than nothing.
        let has_succeeded = self.succeeded.borrow().contains(operation.id.as_str());
        if succeeded || is_last && !has_succeeded {
            self.break_rules(operation, &request, &mut random, &mut called).await;
        }
        Ok(called)
    }

    /// Judges the answer to a valid request, and learns from it.
    fn judge(&self, operation: &'static Operation, message: &Message, answer: &Answer, called: &mut Called) {
        self.statuses.borrow_mut().entry(&operation.id).or_default().insert(answer.status);
        let has_credentials = self.client.has_credentials();
        let mut values = self.values.borrow_mut();
        let mut all = judge::valid(&mut values, operation, answer, has_credentials);
        if !all.is_empty() {
            // Operations of one path are distinguished by their requests, and this one may be valid for several.
            let others = self.operations.iter().filter(|other| other.method == operation.method);
            for other in others.filter(|other| other.id != operation.id) {
                if values.is_valid(other, message)
                    && judge::valid(&mut values, other, answer, has_credentials).is_empty()
                {
                    all.clear();
                }
            }
        }
        called.noted.extend(all.into_iter().map(|found| Noted { operation, found, curl: self.client.curl(message) }));
        if (200..300).contains(&answer.status) && matches!(operation.method.as_str(), "GET" | "POST" | "QUERY") {
            let header = |name: &str| answer.headers.get(name).and_then(|value| value.to_str().ok());
            let content_type = header("content-type").unwrap_or_default();
            let described = values.value_of_answer(operation, answer.status, content_type, &answer.body);
            let body = described.or_else(|| serde_json::from_slice(&answer.body).ok());
            called.learned.push(Learned { operation, location: header("location").map(str::to_owned), body });
        }
    }

    async fn break_rules(
        &self,
        operation: &'static Operation,
        request: &Request,
        random: &mut Rng,
        called: &mut Called,
    ) {
        let mut seen = self.broken.borrow_mut().remove(operation.id.as_str()).unwrap_or_default();
        let breaks = self.values.borrow_mut().breaks(operation, self.operations, request, random, &mut seen);
        self.broken.borrow_mut().insert(&operation.id, seen);
        for broken in breaks.into_iter().take(BROKEN) {
            if self.is_over() {
                return;
            }
            let found = match self.send(&broken.message).await {
                Ok(answer) => judge::broken(&mut self.values.borrow_mut(), operation, &broken, &answer),
                Err(error) if error.is_cut => return,
                Err(error) => vec![Found::new(Kind::NoAnswer, "", error.why)],
            };
            let noted = |found| Noted { operation, found, curl: self.client.curl(&broken.message) };
            called.noted.extend(found.into_iter().map(noted));
        }
    }

    /// Repeats a request that succeeded with credentials.
    async fn try_without_credentials(&self, operation: &'static Operation, message: &Message, called: &mut Called) {
        if !self.client.has_credentials() || !needs_credentials(operation) {
            return;
        }
        if let Ok(answer) = self.answer(async || self.client.send_bare(message).await).await
            && (200..300).contains(&answer.status)
        {
            let detail = format!("answers {} without the credentials that the description requires", answer.status);
            let found = Found::new(Kind::Unprotected, "", detail);
            called.noted.push(Noted { operation, found, curl: self.client.curl_bare(message) });
        }
    }

    /// Calls methods that the path of the operation does not have.
    async fn try_methods(&self, operation: &'static Operation, message: &Message, writes: bool) -> Vec<Noted> {
        let mut noted = Vec::new();
        for message in methods::undescribed(self.operations, message, writes) {
            if self.is_over() {
                break;
            }
            let found = match self.send(&message).await {
                Ok(answer) => methods::judge(self.operations, &message, &answer),
                Err(error) if error.is_cut => break,
                Err(error) => Some(Found::new(Kind::NoAnswer, &message.method, error.why)),
            };
            noted.extend(found.map(|found| Noted { operation, found, curl: self.client.curl(&message) }));
        }
        noted
    }
}

/// Whether every alternative has a credential that only the command line sends.
fn needs_credentials(operation: &Operation) -> bool {
    let has = |name: &str| operation.parameters.iter().any(|parameter| parameter.name.eq_ignore_ascii_case(name));
    let is_added = |credential: &Credential| match credential {
        Credential::Authorization(_) => true,
        Credential::Header(name) | Credential::Query(name) | Credential::Cookie(name) => !has(name),
        Credential::Other => false,
    };
    !operation.security.is_empty() && operation.security.iter().all(|all| all.iter().any(is_added))
}
