//! Follows links: calls the operations that an answer names, with values of the exchange.

use std::iter::zip;

use fastrand::Rng;
use serde_json::Value;
use specwright_exchange::{Message, Operation, Request, Sent};

use super::{Called, Run};
use crate::command::prove::client::Answer;

impl Run<'_> {
    /// Calls the operations that the answer links to.
    pub(super) async fn follow_links(
        &self,
        operation: &'static Operation,
        request: &Request,
        message: &Message,
        answer: &Answer,
        random: &mut Rng,
        called: &mut Called,
    ) {
        let links = operation.response(answer.status).map(|response| response.links.as_slice()).unwrap_or_default();
        for link in links {
            let target = self.operations.iter().find(|target| target.id == link.operation);
            let Some(target) = target.filter(|target| target.is_safe()) else { continue };
            let made = self.values.borrow_mut().request(target, random);
            let Some(mut next) = made else { continue };
            for (name, expression) in &link.parameters {
                let Some(value) = evaluated(expression, operation, request, message, answer) else { continue };
                // The name may say where the parameter is: `path.id`.
                let bare = name.split_once('.').map_or(name.as_str(), |(_, bare)| bare);
                for (parameter, sent) in zip(&target.parameters, &mut next.parameters) {
                    if parameter.name == *name || parameter.name == bare {
                        *sent = Sent::Value(value.clone());
                    }
                }
            }
            let message = next.message(target);
            if self.is_over() || !self.values.borrow_mut().is_valid(target, &message) {
                continue;
            }
            if let Ok(answer) = self.send(&message).await {
                self.judge(target, &message, &answer, called);
            }
        }
    }
}

/// The value of a runtime expression, or the constant.
fn evaluated(
    expression: &Value,
    operation: &Operation,
    request: &Request,
    message: &Message,
    answer: &Answer,
) -> Option<Value> {
    let Some(text) = expression.as_str().filter(|text| text.starts_with('$')) else { return Some(expression.clone()) };
    let in_json = |bytes: &[u8], pointer: &str| serde_json::from_slice::<Value>(bytes).ok()?.pointer(pointer).cloned();
    if let Some(pointer) = text.strip_prefix("$response.body#") {
        return in_json(&answer.body, pointer);
    }
    if let Some(pointer) = text.strip_prefix("$request.body#") {
        return in_json(&message.body, pointer);
    }
    if let Some(parameter) = text.strip_prefix("$request.") {
        let (within, name) = parameter.split_once('.')?;
        let is_same = |found: &str| found == name || within == "header" && found.eq_ignore_ascii_case(name);
        let mut all = zip(&operation.parameters, &request.parameters);
        let (_, sent) = all.find(|(parameter, _)| parameter.within == within && is_same(&parameter.name))?;
        return if let Sent::Value(value) = sent { Some(value.clone()) } else { None };
    }
    let header = answer.headers.get(text.strip_prefix("$response.header.")?)?;
    Some(Value::String(header.to_str().ok()?.to_owned()))
}
