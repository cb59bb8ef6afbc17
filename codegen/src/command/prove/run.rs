//! Calls the operations, until everything was tried or the time is over.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use fastrand::Rng;
use serde_json::Value;
use specwright_exchange::{Content, Credential, Message, Operation, Payload, Request, Sent, Values};

use super::client::{Answer, Client};
use super::finding::{Findings, Kind};
use super::judge;
use super::known::Known;
use super::methods;
use crate::command::Failure;
use crate::command::exchange::seed;

/// The most broken requests for one valid request.
const BROKEN: usize = 40;

/// How much is tried.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    pub(super) budget: Duration,
    pub(super) samples: u32,
    pub(super) seed: u64,
    /// Whether methods that are not described are tried even if they write.
    pub(super) tries_writes: bool,
}

/// What was tried, and what was found.
pub(super) struct Outcome {
    pub(super) findings: Findings,
    /// The operations that were selected.
    pub(super) operations: Vec<&'static Operation>,
    pub(super) requests: u32,
    pub(super) seed: u64,
    pub(super) url: String,
    /// Whether the time was over before everything was tried.
    pub(super) is_cut: bool,
}

/// The state of a run.
struct Run<'c> {
    client: &'c Client,
    values: Values<'static>,
    operations: &'static [Operation],
    /// The names of path parameters.
    names: Vec<&'static str>,
    known: Known,
    findings: Findings,
    requests: u32,
    /// The rules of each operation that were broken.
    broken: HashMap<&'static str, BTreeSet<String>>,
    /// Operations whose valid requests succeeded.
    succeeded: BTreeSet<&'static str>,
    /// For each path, a valid request, if possible one that succeeded.
    reached: HashMap<&'static str, (bool, &'static Operation, Message)>,
    end: Instant,
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
    let mut run = Run {
        client,
        values,
        operations,
        names: in_path.map(|parameter| parameter.name.as_str()).collect(),
        known: Known::default(),
        findings: Findings::default(),
        requests: 0,
        broken: HashMap::new(),
        succeeded: BTreeSet::new(),
        reached: HashMap::new(),
        end: Instant::now() + plan.budget,
    };
    // What others need is made first and deleted last.
    let mut order = selected.to_vec();
    order.sort_by_key(|operation| match operation.method.as_str() {
        "POST" => 0,
        "DELETE" => 2,
        _ => 1,
    });
    for round in 0..plan.samples {
        for operation in &order {
            if run.is_over() {
                break;
            }
            let mut random = Rng::with_seed(seed(plan.seed, &format!("{} {round}", operation.id)));
            run.call(operation, round, plan.samples, &mut random).await?;
        }
        if round == 0 {
            run.try_methods(selected, plan.tries_writes).await;
        }
    }
    Ok(Outcome {
        is_cut: run.is_over(),
        findings: run.findings,
        operations: selected.to_vec(),
        requests: run.requests,
        seed: plan.seed,
        url: client.base().to_owned(),
    })
}

impl Run<'_> {
    fn is_over(&self) -> bool {
        Instant::now() >= self.end
    }

    /// Sends one valid request, and requests that break its rules.
    async fn call(
        &mut self,
        operation: &'static Operation,
        round: u32,
        rounds: u32,
        random: &mut Rng,
    ) -> Result<(), Failure> {
        let Some(request) = self.request(operation, round, random) else {
            let detail = "no valid request can be made".to_owned();
            self.findings.add(operation, Kind::NotCalled, "", detail, String::new());
            return Ok(());
        };
        let message = request.message(operation);
        let is_first = self.requests == 0;
        self.requests += 1;
        let answer = match self.client.send(&message).await {
            Ok(answer) => answer,
            Err(error) if is_first && error.is_unreachable => {
                return Err(Failure::usage(format!("{} cannot be reached: {}", self.client.base(), error.why)));
            }
            Err(error) => {
                let curl = self.client.curl(&message);
                self.findings.add(operation, Kind::NoAnswer, "", error.why, curl);
                return Ok(());
            }
        };
        self.judge(operation, &message, &answer);
        let is_refused = matches!(answer.status, 401 | 403 | 429);
        if is_refused {
            return Ok(());
        }
        let succeeded = (200..300).contains(&answer.status);
        if self.reached.get(operation.path.as_str()).is_none_or(|(before, ..)| succeeded && !before) {
            self.reached.insert(&operation.path, (succeeded, operation, message.clone()));
        }
        if succeeded {
            if self.succeeded.insert(&operation.id) {
                self.try_without_credentials(operation, &message).await;
            }
            self.follow_links(operation, &message, &answer, random).await;
        }
        // A request that a service refuses anyway shows less of it, but better that than nothing.
        if succeeded || round + 1 == rounds && !self.succeeded.contains(operation.id.as_str()) {
            self.break_rules(operation, &request, random).await;
        }
        Ok(())
    }

    /// A valid request, often with values that the service has answered. The first one of an operation is the
    /// plainest: a service may refuse an optional value by a rule that is not described.
    fn request(&mut self, operation: &'static Operation, round: u32, random: &mut Rng) -> Option<Request> {
        let mut made = (0..4).find_map(|_| self.values.request(operation, random))?;
        if round == 0 {
            made = self.plainest(operation, made);
        }
        let mut request = made.clone();
        let is_filled = random.u8(0..4) > 0 && self.known.fill(operation, &mut request, random);
        Some(if is_filled { self.valid_or(operation, request, made) } else { made })
    }

    /// The request without the optional parameters and members of its body.
    fn plainest(&mut self, operation: &'static Operation, request: Request) -> Request {
        let mut plain = request.clone();
        for (parameter, sent) in std::iter::zip(&operation.parameters, &mut plain.parameters) {
            if !parameter.required {
                *sent = Sent::Absent;
            }
        }
        let Some(Payload { content: Content::Json(Value::Object(members)), .. }) = &request.body else {
            return self.valid_or(operation, plain, request);
        };
        let mut plain = self.valid_or(operation, plain, request.clone());
        for name in members.keys() {
            let mut without = plain.clone();
            if let Some(Payload { content: Content::Json(Value::Object(members)), .. }) = &mut without.body {
                members.remove(name);
            }
            plain = self.valid_or(operation, without, plain);
        }
        plain
    }

    /// The first request if it is valid, or else the second.
    fn valid_or(&mut self, operation: &'static Operation, request: Request, otherwise: Request) -> Request {
        if self.values.is_valid(operation, &request.message(operation)) { request } else { otherwise }
    }

    /// Judges the answer to a valid request, and learns from it.
    fn judge(&mut self, operation: &'static Operation, message: &Message, answer: &Answer) {
        let has_credentials = self.client.has_credentials();
        let mut all = judge::valid(&mut self.values, operation, answer, has_credentials);
        if !all.is_empty() {
            // Operations of one path are distinguished by their requests, and this one may be valid for several.
            let others = self.operations.iter().filter(|other| other.method == operation.method);
            for other in others.filter(|other| other.id != operation.id) {
                if self.values.is_valid(other, message)
                    && judge::valid(&mut self.values, other, answer, has_credentials).is_empty()
                {
                    all.clear();
                }
            }
        }
        for found in all {
            self.findings.add(operation, found.kind, &found.key, found.detail, self.client.curl(message));
        }
        if (200..300).contains(&answer.status) && matches!(operation.method.as_str(), "GET" | "POST" | "QUERY") {
            let header = |name: &str| answer.headers.get(name).and_then(|value| value.to_str().ok());
            let content_type = header("content-type").unwrap_or_default();
            let described = self.values.value_of_answer(operation, answer.status, content_type, &answer.body);
            let body = described.or_else(|| serde_json::from_slice(&answer.body).ok());
            self.known.learn(operation, &self.names, header("location"), body.as_ref());
        }
    }

    async fn break_rules(&mut self, operation: &'static Operation, request: &Request, random: &mut Rng) {
        let seen = self.broken.entry(&operation.id).or_default();
        let breaks = self.values.breaks(operation, self.operations, request, random, seen);
        for broken in breaks.into_iter().take(BROKEN) {
            if self.is_over() {
                return;
            }
            self.requests += 1;
            let curl = self.client.curl(&broken.message);
            let found = match self.client.send(&broken.message).await {
                Ok(answer) => judge::broken(&mut self.values, operation, &broken, &answer),
                Err(error) => vec![judge::Found::new(Kind::NoAnswer, "", error.why)],
            };
            for found in found {
                self.findings.add(operation, found.kind, &found.key, found.detail, curl.clone());
            }
        }
    }

    /// Repeats a request that succeeded with credentials.
    async fn try_without_credentials(&mut self, operation: &'static Operation, message: &Message) {
        if !self.client.has_credentials() || !needs_credentials(operation) {
            return;
        }
        self.requests += 1;
        if let Ok(answer) = self.client.send_bare(message).await
            && (200..300).contains(&answer.status)
        {
            let detail = format!("answers {} without the credentials that the description requires", answer.status);
            self.findings.add(operation, Kind::Unprotected, "", detail, self.client.curl_bare(message));
        }
    }

    /// Calls methods that the paths of the operations do not have.
    async fn try_methods(&mut self, selected: &[&'static Operation], writes: bool) {
        for operation in selected {
            let Some((_, operation, message)) = self.reached.remove(operation.path.as_str()) else { continue };
            for message in methods::undescribed(self.operations, &message, writes) {
                if self.is_over() {
                    return;
                }
                self.requests += 1;
                let found = match self.client.send(&message).await {
                    Ok(answer) => methods::judge(self.operations, &message, &answer),
                    Err(error) => Some(judge::Found::new(Kind::NoAnswer, &message.method, error.why)),
                };
                if let Some(found) = found {
                    self.findings.add(operation, found.kind, &found.key, found.detail, self.client.curl(&message));
                }
            }
        }
    }

    /// Calls the operations that the answer links to.
    async fn follow_links(
        &mut self,
        operation: &'static Operation,
        message: &Message,
        answer: &Answer,
        random: &mut Rng,
    ) {
        let links = operation.response(answer.status).map(|response| response.links.as_slice()).unwrap_or_default();
        for link in links {
            let target = self.operations.iter().find(|target| target.id == link.operation);
            let Some(target) = target.filter(|target| target.is_safe()) else { continue };
            let Some(mut request) = self.values.request(target, random) else { continue };
            for (name, expression) in &link.parameters {
                let Some(value) = evaluated(expression, message, answer) else { continue };
                // The name may say where the parameter is: `path.id`.
                let bare = name.split_once('.').map_or(name.as_str(), |(_, bare)| bare);
                for (parameter, sent) in std::iter::zip(&target.parameters, &mut request.parameters) {
                    if parameter.name == *name || parameter.name == bare {
                        *sent = Sent::Value(value.clone());
                    }
                }
            }
            let message = request.message(target);
            if self.is_over() || !self.values.is_valid(target, &message) {
                continue;
            }
            self.requests += 1;
            if let Ok(answer) = self.client.send(&message).await {
                self.judge(target, &message, &answer);
            }
        }
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

/// The value of a runtime expression, or the constant.
fn evaluated(expression: &Value, message: &Message, answer: &Answer) -> Option<Value> {
    let Some(text) = expression.as_str().filter(|text| text.starts_with('$')) else { return Some(expression.clone()) };
    let in_json = |bytes: &[u8], pointer: &str| serde_json::from_slice::<Value>(bytes).ok()?.pointer(pointer).cloned();
    if let Some(pointer) = text.strip_prefix("$response.body#") {
        return in_json(&answer.body, pointer);
    }
    if let Some(pointer) = text.strip_prefix("$request.body#") {
        return in_json(&message.body, pointer);
    }
    let header = answer.headers.get(text.strip_prefix("$response.header.")?)?;
    Some(Value::String(header.to_str().ok()?.to_owned()))
}
