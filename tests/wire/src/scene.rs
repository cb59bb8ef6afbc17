//! The state of one call and the values that are made for it.

use std::sync::Arc;

use serde_json::Value;
use specwright_exchange::{Direction, Document, Hidden, Named, Validator, Values, texts};

use crate::Place;
use crate::capture::Exchange;

/// The state of one call.
#[derive(Default)]
pub(crate) struct Scene {
    pub(crate) values: Values<'static>,
    pub(crate) operation: Option<Named<'static>>,
    pub(crate) random: Option<fastrand::Rng>,
    /// The index of the answer that the server has to give.
    pub(crate) choice: usize,
    pub(crate) sent: Vec<(String, String)>,
    pub(crate) received: Vec<(String, String)>,
    pub(crate) answered: Vec<(String, String)>,
    pub(crate) seen: Vec<(String, String)>,
    /// The operation that the server called.
    pub(crate) arrived: Option<&'static str>,
    /// The problems of the call.
    pub(crate) problems: Vec<Problem>,
    /// The places of the bodies in JSON and XML that were sent.
    pub(crate) bodies: Vec<Place>,
    pub(crate) exchange: Exchange,
}

/// A problem of one call.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) kind: &'static str,
    pub(crate) text: String,
}

impl Scene {
    pub(crate) fn begin(&mut self, operation: Named<'static>, seed: u64, choice: usize) {
        self.operation = Some(operation);
        self.random = Some(fastrand::Rng::with_seed(seed));
        self.choice = choice;
        self.arrived = None;
        self.exchange = Exchange::default();
        for list in [&mut self.sent, &mut self.received, &mut self.answered, &mut self.seen] {
            list.clear();
        }
        self.problems.clear();
        self.bodies.clear();
    }

    pub(crate) fn problem(&mut self, kind: &'static str, text: String) {
        self.problems.push(Problem { kind, text });
    }

    pub(crate) fn document(&self) -> Arc<Document> {
        Arc::clone(self.values.document())
    }

    pub(crate) fn random(&mut self) -> &mut fastrand::Rng {
        self.random.get_or_insert_with(|| fastrand::Rng::with_seed(0))
    }

    pub(crate) fn bytes(&mut self) -> Vec<u8> {
        let random = self.random();
        (0..random.usize(1..40)).map(|_| random.u8(..)).collect()
    }

    /// The schema of a place, and whether its value is required.
    pub(crate) fn described(&self, place: Place) -> Option<(Value, bool)> {
        let described = self.document().describe(self.operation?, place)?;
        Some((described.schema, described.required))
    }

    /// Whether the parameter cannot be distinguished from another one.
    pub(crate) fn is_ambiguous(&self, place: Place) -> bool {
        self.operation.is_some_and(|operation| self.document().is_ambiguous(operation, place))
    }

    /// Makes a value that the validator accepts.
    pub(crate) fn value(&mut self, place: Place) -> Option<Value> {
        let operation = self.operation?;
        let random = self.random.get_or_insert_with(|| fastrand::Rng::with_seed(0));
        self.values.make(operation, place, random)
    }

    /// The validator of a place.
    pub(crate) fn validator(&mut self, place: Place, hidden: Hidden) -> Option<Arc<Validator>> {
        self.values.validator(self.operation?, place, hidden)
    }

    /// Checks whether the bodies in JSON and XML that were sent are valid.
    pub(crate) fn validate(&mut self) {
        for place in std::mem::take(&mut self.bodies) {
            let (kind, bytes) = match place.direction() {
                Direction::Request => ("request schema", self.exchange.request_body.clone()),
                Direction::Response => ("response schema", self.exchange.response_body.clone()),
            };
            if place.is_xml() {
                match self.value_in_xml(place, &bytes) {
                    Ok(value) => self.validate_value(place, kind, &value),
                    Err(text) => self.problem(kind, text),
                }
                continue;
            }
            for text in texts(place.media_type(), &bytes) {
                self.validate_text(place, kind, &text);
            }
        }
    }

    fn validate_text(&mut self, place: Place, kind: &'static str, text: &[u8]) {
        let value: Value = match serde_json::from_slice(text) {
            Ok(value) => value,
            Err(error) => {
                let text = String::from_utf8_lossy(text).into_owned();
                self.problem(kind, format!("{place} is not JSON: {error}: {text}"));
                return;
            }
        };
        self.validate_value(place, kind, &value);
    }

    /// The value of a body in XML, or what it does not keep of its form.
    pub(crate) fn value_in_xml(&self, place: Place, bytes: &[u8]) -> Result<Value, String> {
        let (schema, _) = self.described(place).unwrap_or_default();
        let text = String::from_utf8_lossy(bytes);
        match self.document().from_xml(&schema, bytes) {
            Ok(reading) if reading.faults.is_empty() => Ok(reading.value),
            Ok(reading) => Err(format!("{place} has another form in XML: {:?}: {text}", reading.faults)),
            Err(fault) => Err(format!("{place} {}: {text}", fault.detail)),
        }
    }

    /// The body of a value; `None` if XML cannot express it, or says another one.
    pub(crate) fn written(&self, place: Place, value: &Value) -> Option<Vec<u8>> {
        if !place.is_xml() {
            return Some(value.to_string().into_bytes());
        }
        let (schema, _) = self.described(place)?;
        let written = self.document().to_xml(&schema, value)?;
        self.value_in_xml(place, &written).ok().filter(|read| read == value).map(|_| written)
    }

    fn validate_value(&mut self, place: Place, kind: &'static str, value: &Value) {
        let Some(validator) = self.validator(place, Hidden::Absent) else { return };
        match &*validator {
            Ok(validator) => {
                if let Some(error) = validator.iter_errors(value).next() {
                    let text = format!("{place}: {}: {error}: {value}", error.instance_path());
                    self.problem(kind, text);
                }
            }
            Err(error) => {
                let text = format!("{place}: the validator refuses the schema: {error}");
                self.problem("unmade", text);
            }
        }
    }
}
