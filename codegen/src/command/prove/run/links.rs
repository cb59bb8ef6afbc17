//! Follows links: calls the operations that an answer names, with values of the exchange.

use std::iter::zip;

use fastrand::Rng;
use serde_json::Value;
use specwright_exchange::{Message, Operation, Parameter, Request, Sent};

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
        let url = format!("{}{}", self.client.base(), message.target);
        let exchange = Exchange { url, operation, request, message, answer };
        for link in links {
            let target = self.operations.iter().find(|target| target.id == link.operation);
            let Some(target) = target.filter(|target| target.is_safe()) else { continue };
            let made = self.values.borrow_mut().request(target, random);
            let Some(mut next) = made else { continue };
            for (name, parameter) in &link.parameters {
                let Some(value) = exchange.value(parameter) else { continue };
                // The name may say where the parameter is: `path.id`.
                let qualified = name.split_once('.');
                let is_meant = |described: &Parameter| {
                    described.name == *name || qualified == Some((described.within.as_str(), described.name.as_str()))
                };
                for (_, sent) in zip(&target.parameters, &mut next.parameters).filter(|(it, _)| is_meant(it)) {
                    *sent = Sent::Value(value.clone());
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

/// A request and its answer, whose values links use.
struct Exchange<'e> {
    url: String,
    operation: &'e Operation,
    request: &'e Request,
    message: &'e Message,
    answer: &'e Answer,
}

impl Exchange<'_> {
    /// The value of a link's parameter: a constant, an expression, or a text with expressions in braces.
    fn value(&self, parameter: &Value) -> Option<Value> {
        let Some(text) = parameter.as_str() else { return Some(parameter.clone()) };
        if text.starts_with('$') {
            return self.evaluated(text);
        }
        let (mut written, mut rest) = (String::new(), text);
        while let Some((before, after)) = rest.split_once("{$") {
            let (expression, after) = after.split_once('}')?;
            written.push_str(before);
            match self.evaluated(&format!("${expression}"))? {
                Value::String(text) => written.push_str(&text),
                value => written.push_str(&value.to_string()),
            }
            rest = after;
        }
        Some(Value::String(written + rest))
    }

    /// The value of a runtime expression (OpenAPI Specification, "Runtime Expressions").
    fn evaluated(&self, expression: &str) -> Option<Value> {
        match expression {
            "$url" => return Some(self.url.clone().into()),
            "$method" => return Some(self.message.method.clone().into()),
            "$statusCode" => return Some(self.answer.status.into()),
            _ => {}
        }
        if let Some(pointer) = expression.strip_prefix("$response.body") {
            return in_body(&self.answer.body, pointer);
        }
        if let Some(pointer) = expression.strip_prefix("$request.body") {
            return in_body(&self.message.body, pointer);
        }
        if let Some(parameter) = expression.strip_prefix("$request.") {
            let (within, name) = parameter.split_once('.')?;
            let is_same = |found: &str| found == name || within == "header" && found.eq_ignore_ascii_case(name);
            let mut all = zip(&self.operation.parameters, &self.request.parameters);
            let (_, sent) = all.find(|(parameter, _)| parameter.within == within && is_same(&parameter.name))?;
            return if let Sent::Value(value) = sent { Some(value.clone()) } else { None };
        }
        let header = self.answer.headers.get(expression.strip_prefix("$response.header.")?)?;
        Some(Value::String(header.to_str().ok()?.to_owned()))
    }
}

/// The whole body as JSON if `fragment` is empty, or what a pointer after `#` leads to.
fn in_body(body: &[u8], fragment: &str) -> Option<Value> {
    let body: Value = serde_json::from_slice(body).ok()?;
    match fragment.strip_prefix('#') {
        Some(pointer) => body.pointer(pointer).cloned(),
        None => fragment.is_empty().then_some(body),
    }
}
