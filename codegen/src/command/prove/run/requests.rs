//! Makes valid requests: random, with values that the service has answered, or as plain as possible.

use std::iter::zip;

use fastrand::Rng;
use serde_json::Value;
use specwright_exchange::{Content, Operation, Payload, Request, Sent};

use super::Run;

/// Maximum number of attempts to make a valid request.
const ATTEMPTS: usize = 4;

impl Run<'_> {
    /// A valid request, often with values that the service has answered. The first one of an operation is the
    /// plainest: a service may refuse an optional value by a rule that is not described.
    pub(super) fn request(&self, operation: &'static Operation, round: u32, random: &mut Rng) -> Option<Request> {
        let mut made = self.values(operation, random)?;
        if round == 0 {
            made = self.plainest(operation, made);
        }
        let mut request = made.clone();
        let is_filled = random.u8(0..4) > 0 && self.known.borrow().fill(operation, &mut request, random);
        Some(if is_filled { self.valid_or(operation, request, made) } else { made })
    }

    /// A request with random values: the first that is read as it is meant, since some styles write different values alike.
    fn values(&self, operation: &'static Operation, random: &mut Rng) -> Option<Request> {
        let mut values = self.values.borrow_mut();
        let mut first = None;
        for _ in 0..ATTEMPTS {
            let Some(request) = values.request(operation, random) else { continue };
            if values.is_valid(operation, &request.message(operation)) {
                return Some(request);
            }
            first.get_or_insert(request);
        }
        first
    }

    /// The request without the optional parameters and members of its body.
    fn plainest(&self, operation: &'static Operation, request: Request) -> Request {
        let mut plain = request.clone();
        for (parameter, sent) in zip(&operation.parameters, &mut plain.parameters) {
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
    fn valid_or(&self, operation: &'static Operation, request: Request, otherwise: Request) -> Request {
        let is_valid = self.values.borrow_mut().is_valid(operation, &request.message(operation));
        if is_valid { request } else { otherwise }
    }
}
