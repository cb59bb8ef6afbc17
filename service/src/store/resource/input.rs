//! Records of what requests send: read from the body by the rows of the resource.

use generated_server::runtime::{
    json::{self, Value as Json},
    text::FromText as _,
};
use jiff::Timestamp;

use crate::{
    domain::{
        refusal::Refusal,
        text::{has_nul, is_blank},
    },
    store::{
        record::{Kind, Member, Place, Presence, Record, Resource},
        value::Value,
    },
};

impl Record {
    /// The record that a body describes, with all that stands inside of it. What it does not say is what rows say.
    pub(in crate::store) fn of_body(
        resource: &'static Resource,
        body: &impl json::Write,
    ) -> Result<Self, Vec<Refusal>> {
        let mut refusals = Vec::new();
        let body = json::from_slice(&json::to_vec(body)).unwrap_or_default();
        let record = read(resource, &body, "", &mut refusals);
        if refusals.is_empty() { Ok(record) } else { Err(refusals) }
    }
}

fn read(resource: &'static Resource, body: &Json, path: &str, refusals: &mut Vec<Refusal>) -> Record {
    let mut values = Vec::with_capacity(resource.members.len());
    let above = if path.is_empty() { 0 } else { resource.above };
    for (position, member) in resource.members.iter().enumerate() {
        let mut refuse = |code, detail: &str| {
            refusals.push(Refusal::new(format!("{path}/{}", member.input), code, detail));
            Value::Null
        };
        let given = body.get(member.input).filter(|given| !given.is_null());
        values.push(match given.map(|given| value(member, given)) {
            Some(Ok(Value::Text(text))) if has_nul(&text) => refuse("pattern", "holds U+0000"),
            Some(Ok(Value::Text(text))) if matches!(member.presence, Presence::Required) && is_blank(&text) => {
                refuse("minLength", "is blank")
            }
            Some(Ok(value)) => value,
            Some(Err(detail)) => refuse("format", detail),
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
    Record { place: Place::default(), values, below }
}

/// What a member holds that is given as JSON, which has the type that the description says.
fn value(member: &Member, given: &Json) -> Result<Value, &'static str> {
    let value = match (&member.kind, given) {
        (Kind::Moment, Json::String(text)) => {
            let moment = Timestamp::from_text(text).map_err(|_| "is not a moment")?;
            Some(Value::from(moment))
        }
        (Kind::Number, given) => given.as_f64().map(Value::Real),
        (Kind::Texts | Kind::Json | Kind::Object, given) => {
            Some(String::from_utf8_lossy(&json::to_vec(given)).into_owned().into())
        }
        (_, Json::Bool(value)) => Some((*value).into()),
        (_, Json::String(text)) => Some(text.as_str().into()),
        (_, given) => given.as_i64().map(Value::Integer),
    };
    value.ok_or("has another type")
}
