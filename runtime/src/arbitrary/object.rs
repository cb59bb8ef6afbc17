//! Makes objects.

use std::collections::BTreeMap;

use specwright_exchange::matching;

use super::ATTEMPTS;
use super::maker::{DEEP, Maker};
use super::shape::{Member, Object, Shape};
use crate::json::{self, Presence, Value};
use crate::rule::Rule;

/// Which optional members an object has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Filling {
    Some,
    All,
    None,
}

impl Maker<'_, '_> {
    pub(super) fn object(&mut self, object: &Object) -> Option<Value> {
        if object.rules.is_empty() || self.is_breaking() {
            return self.object_with(object, Filling::Some);
        }
        // Conditions on members are found by trying.
        (0..ATTEMPTS).find_map(|attempt| {
            let filling = match attempt {
                3 => Filling::All,
                4 => Filling::None,
                _ => Filling::Some,
            };
            self.object_with(object, filling).filter(|made| (object.reads)(&json::to_vec(made)))
        })
    }

    fn object_with(&mut self, object: &Object, filling: Filling) -> Option<Value> {
        let mut members = BTreeMap::new();
        for member in object.members {
            self.add(member, filling, &mut members)?;
        }
        if let Some(others) = &object.others {
            for (name, value) in self.map(others.shape, others.rules)? {
                let is_named = object.members.iter().any(|member| member.name.eq_ignore_ascii_case(&name));
                if !is_named {
                    members.insert(name, value);
                }
            }
        } else if object.closed && self.breaks() {
            members.insert("unknownMember".to_owned(), Value::Null);
        }
        Some(Value::Object(members))
    }

    /// Adds a member, unless it is absent; `None` if a required one has no value.
    fn add(&mut self, member: &Member, filling: Filling, members: &mut BTreeMap<String, Value>) -> Option<()> {
        let is_required = match member.presence {
            Presence::Required | Presence::Nullable | Presence::Expected => true,
            Presence::Optional | Presence::Maybe | Presence::Any => false,
        };
        if is_required && self.breaks() {
            return Some(());
        }
        let is_absent = match filling {
            Filling::All => self.depth > DEEP,
            Filling::None => true,
            Filling::Some => self.depth > DEEP || self.fuel == 0 || !self.rarely(2),
        };
        if !is_required && is_absent {
            return Some(());
        }
        let may_be_null = matches!(member.presence, Presence::Nullable | Presence::Maybe);
        let value = if may_be_null && self.rarely(4) {
            Some(Value::Null)
        } else {
            self.value(&(member.shape)(), member.rules).or(may_be_null.then_some(Value::Null))
        };
        if value.is_none() && is_required {
            return None;
        }
        members.extend(value.map(|value| (member.name.to_owned(), value)));
        Some(())
    }

    /// The members of a map.
    pub(super) fn map(&mut self, shape: fn() -> Shape, rules: &[Rule<'static>]) -> Option<BTreeMap<String, Value>> {
        let (mut least, mut most, mut of_names, mut of_values) = (0, usize::MAX, &[][..], &[][..]);
        let mut matching_rules = Vec::new();
        for rule in rules {
            match rule {
                Rule::MinProperties(count) => least = usize::try_from(*count).ok()?,
                Rule::MaxProperties(count) => most = usize::try_from(*count).unwrap_or(usize::MAX),
                Rule::Names(rules) => of_names = *rules,
                Rule::Values(rules) => of_values = *rules,
                Rule::Matching(pattern, rules) => matching_rules.push((*pattern, *rules)),
                _ => {}
            }
        }
        let size = self.size_within(least, most);
        let mut members = BTreeMap::new();
        for _ in 0..size.saturating_mul(8) {
            if members.len() == size {
                break;
            }
            let matched = if self.rarely(2) { matching_rules.first() } else { None };
            let name = match matched {
                Some((pattern, _)) if of_names.is_empty() => matching(&mut self.random(), pattern.text()),
                _ => self.text(of_names),
            };
            let Some(name) = name else { continue };
            let of_match = matching_rules.iter().filter(|(pattern, _)| pattern.is_match(&name));
            let rules: Vec<_> = of_values.iter().chain(of_match.flat_map(|(_, rules)| *rules)).copied().collect();
            members.extend(self.value(&shape(), &rules).map(|value| (name, value)));
        }
        (members.len() >= least || self.is_breaking()).then_some(members)
    }
}
