//! Reads records from request bodies, by the rows of the resource.

use std::collections::BTreeMap;

use generated_server::runtime::{
    json::{self, Value as Json},
    text::FromText as _,
};
use jiff::Timestamp;

use crate::{
    domain::{
        moment,
        refusal::Refusal,
        text::{has_nul, is_blank},
    },
    store::{
        record::{Kind, Member, Origin, Presence, Record, Resource, Written, json::Scalar},
        text,
        value::Value,
    },
};

impl Record {
    /// The record in a body, with nested records. Omitted members get their defaults. It is refused if there are
    /// `further` refusals.
    pub fn of_body(
        resource: &'static Resource,
        body: &impl json::Write,
        further: Vec<Refusal>,
    ) -> Result<Self, Vec<Refusal>> {
        Self::of_json(resource, &as_json(body), further)
    }

    fn of_json(resource: &'static Resource, body: &Json, further: Vec<Refusal>) -> Result<Self, Vec<Refusal>> {
        let mut refusals = Vec::new();
        let record = read(resource, body, "", &mut refusals);
        check_size(resource, &record, &mut refusals);
        refusals.extend(further);
        if refusals.is_empty() { Ok(record) } else { Err(refusals) }
    }
}

fn as_json(body: &impl json::Write) -> Json {
    json::from_slice(&json::to_vec(body)).unwrap_or_default()
}

/// Maximum number of nested records, and bytes of text in them: a default page of a hundred records must fit
/// into a response.
const MOST_INSIDE: usize = 50;
const MOST_TEXT: usize = 8 << 10;

impl Record {
    /// The writable members as JSON.
    pub fn written(&self, resource: &Resource) -> Vec<(&'static str, Json)> {
        let members = resource.members.iter().zip(&self.values).filter(|(member, _)| member.written != Written::Never);
        members.map(|(member, value)| (member.input, as_json(&Scalar(&member.kind, value)))).collect()
    }

    /// This record with the body of a PUT: omitted members get their defaults.
    pub fn replaced(&self, resource: &'static Resource, body: &impl json::Write) -> Result<Self, Vec<Refusal>> {
        let given = as_json(body);
        let mut record = Self::of_json(resource, &given, Vec::new())?;
        let members = resource.members.iter().zip(&mut record.values).zip(&self.values);
        for (position, ((member, value), present)) in members.enumerate() {
            let is_absent = given.get(member.input).is_none_or(Json::is_null);
            if member.written == Written::Never || (member.written == Written::Kept && is_absent) {
                value.clone_from(present);
                record.names.remove(&position);
            }
        }
        Ok(record)
    }
}

/// Refuses too many or too large nested records.
fn check_size(resource: &'static Resource, record: &Record, refusals: &mut Vec<Refusal>) {
    for (below, records) in resource.below.iter().zip(&record.below) {
        let (mut inside, mut text) = (0, 0);
        for record in records.iter().flatten() {
            inside += record.below.iter().flatten().map(Vec::len).sum::<usize>();
            text += bytes(record);
        }
        if inside > MOST_INSIDE {
            let what = below.resource.below.first().map_or("records", |below| below.name).to_lowercase();
            let detail = format!("has {inside} {what} in all, at most {MOST_INSIDE}");
            refusals.push(Refusal::new(format!("/{}", below.name), "maxItems", detail));
        }
        if text > MOST_TEXT {
            let detail = format!("has {text} bytes of text in all, at most {MOST_TEXT}");
            refusals.push(Refusal::new(format!("/{}", below.name), "maxLength", detail));
        }
    }
}

/// The number of bytes of text in a record and its nested records.
fn bytes(record: &Record) -> usize {
    let own = record.values.iter().map(Value::len).chain(record.names.values().map(String::len)).sum::<usize>();
    own + record.below.iter().flatten().flatten().map(bytes).sum::<usize>()
}

fn read(resource: &'static Resource, body: &Json, path: &str, refusals: &mut Vec<Refusal>) -> Record {
    let mut values = Vec::with_capacity(resource.members.len());
    let mut names = BTreeMap::new();
    let above = if path.is_empty() { 0 } else { resource.above };
    for (position, member) in resource.members.iter().enumerate() {
        let mut refuse = |name: &str, code, detail: &str| {
            refusals.push(Refusal::new(format!("{path}/{name}"), code, detail));
            Value::Null
        };
        let given = body.get(member.input).filter(|given| !given.is_null());
        let shown = resource.shown.iter().find(|shown| shown.is_name_of(member));
        let name = shown.and_then(|shown| Some((shown.name, body.get(shown.name)?.as_str()?)));
        let name = name.filter(|(_, text)| !text.is_empty());
        if let Some((name, text)) = name {
            if has_nul(text) {
                refuse(name, "pattern", "holds U+0000");
            }
            names.insert(position, text.to_owned());
        }
        let mut refuse = |code, detail: &str| refuse(member.input, code, detail);
        values.push(match given.map(|given| value(member, given)) {
            Some(Ok(Value::Real(number))) if matches!(member.kind, Kind::Amount) && number < 0.0 => {
                refuse("minimum", "is negative")
            }
            Some(Ok(Value::Text(text))) if has_nul(&text) => refuse("pattern", "holds U+0000"),
            Some(Ok(Value::Text(text))) if matches!(member.presence, Presence::Required) && is_blank(&text) => {
                refuse("minLength", "is blank")
            }
            Some(Ok(value)) => value,
            Some(Err(detail)) => refuse("format", detail),
            None if name.is_some() => Value::Null,
            None => match member.presence {
                Presence::Otherwise(number) => Value::Integer(number),
                Presence::OtherwiseText(text) => text.into(),
                Presence::Required if position >= above => refuse("required", "is missing"),
                _ => Value::Null,
            },
        });
    }
    let is_there = |name: &&str| body.get(name).and_then(Json::as_str).is_some_and(|text| !is_blank(text));
    if !resource.one_of.is_empty() && !resource.one_of.iter().any(is_there) {
        refusals.push(Refusal::new(path, "required", format!("has neither {}", resource.one_of.join(" nor "))));
    }
    let below = resource.below.iter().map(|below| {
        let items = body.get(below.name)?.as_array()?;
        let item = |(at, item)| read(below.resource, item, &format!("{path}/{}/{at}", below.name), refusals);
        Some(items.iter().enumerate().map(item).collect())
    });
    let below = below.collect();
    Record { origin: Origin::default(), values, names, below }
}

/// The value of a member from JSON, whose type the description has checked.
fn value(member: &Member, given: &Json) -> Result<Value, &'static str> {
    let value = match (&member.kind, given) {
        (Kind::Moment, Json::String(text)) => {
            let moment = Timestamp::from_text(text).map_err(|_| "is not a moment")?;
            Some(Value::from(moment::kept(moment)?))
        }
        (Kind::Number | Kind::Amount, given) => given.as_f64().map(Value::Real),
        (Kind::Texts | Kind::Json | Kind::Object, given) => Some(text::json(given).into()),
        (_, Json::Bool(value)) => Some((*value).into()),
        (_, Json::String(text)) => Some(text.as_str().into()),
        (_, given) => given.as_i64().map(Value::Integer),
    };
    value.ok_or("has another type")
}
