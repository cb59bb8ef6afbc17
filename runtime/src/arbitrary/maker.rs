//! Makes values of shapes.

use super::shape::{Shape, Union};
use super::{ATTEMPTS, Unstructured};
use crate::json::{self, Kind, Value};
use crate::rule::{Bound, Rule};

/// Optional members are left out below this depth.
pub(super) const DEEP: usize = 8;

/// No value is deeper.
const DEEPEST: usize = 60;

/// Maximum number of values in a value.
const MOST: u32 = 2000;

/// Values that types of other crates often accept.
const FOREIGN: &[&str] = &[
    "\"2024-02-29T12:30:00Z\"",
    "\"2024-02-29T12:30:00\"",
    "\"2024-02-29\"",
    "\"29.02.2024\"",
    "\"12:30:00\"",
    "\"12:30\"",
    "\"00000000-0000-4000-8000-000000000001\"",
    "\"https://example.com/\"",
    "\"a@example.com\"",
    "\"10.0.0.1\"",
    "\"10.0.0.0/8\"",
    "\"1.0.0\"",
    "\"EUR\"",
    "\"en\"",
    "\"a\"",
    "1",
    "1.5",
    "\"1\"",
    "\"1.50\"",
    "true",
    "[]",
    "{}",
    "null",
];

/// Makes values from data.
pub(super) struct Maker<'d, 'u> {
    pub(super) data: &'d mut Unstructured<'u>,
    pub(super) depth: usize,
    /// The number of values that may still be made without need.
    pub(super) fuel: u32,
    /// The number of the rule that is broken, of those that can be.
    broken: Option<usize>,
    /// The number of rules so far that can be broken.
    breakable: usize,
}

impl<'d, 'u> Maker<'d, 'u> {
    /// A maker of valid values, or of values that break the rule with this number.
    pub(super) fn new(data: &'d mut Unstructured<'u>, broken: Option<usize>) -> Self {
        Self { data, depth: 0, fuel: MOST, broken, breakable: 0 }
    }

    /// Whether a rule is to be broken.
    pub(super) fn is_breaking(&self) -> bool {
        self.broken.is_some()
    }

    /// The number of rules that can be broken.
    pub(super) fn breakable(&self) -> usize {
        self.breakable
    }

    /// Whether the next rule is the one to break.
    pub(super) fn breaks(&mut self) -> bool {
        let Some(broken) = self.broken else { return false };
        self.breakable += 1;
        self.breakable - 1 == broken
    }

    /// A number between both; the first one without data.
    pub(super) fn number_in(&mut self, least: i128, most: i128) -> i128 {
        self.data.int_in_range(least..=most.max(least)).unwrap_or(least)
    }

    /// An index below `count`.
    pub(super) fn index(&mut self, count: usize) -> usize {
        self.data.int_in_range(0..=count.saturating_sub(1)).unwrap_or(0)
    }

    /// A size from `least` on.
    pub(super) fn size(&mut self, least: usize, most: usize) -> usize {
        let room = if self.depth > DEEP || self.fuel == 0 { 0 } else { 5 };
        self.data.int_in_range(least..=most.min(least.saturating_add(room)).max(least)).unwrap_or(least)
    }

    /// True once in `count` times, and never without data.
    pub(super) fn rarely(&mut self, count: u8) -> bool {
        self.data.int_in_range(0..=count - 1).is_ok_and(|number| number == count - 1)
    }

    /// A value that keeps the rules; `None` if none was found.
    pub(super) fn value(&mut self, shape: &Shape, rules: &[Rule<'static>]) -> Option<Value> {
        if self.depth > DEEPEST {
            return None;
        }
        self.depth += 1;
        self.fuel = self.fuel.saturating_sub(1);
        let made = if self.breaks() { Some(other_kind(shape)) } else { self.kept(shape, rules) };
        self.depth -= 1;
        made
    }

    /// A value that keeps the JSON Schemas among the rules, too.
    fn kept(&mut self, shape: &Shape, rules: &[Rule<'static>]) -> Option<Value> {
        if !has_schema(rules) || self.broken.is_some() {
            return self.made(shape, rules);
        }
        (0..ATTEMPTS).find_map(|_| self.made(shape, rules).filter(|made| keeps_schemas(made, rules)))
    }

    fn made(&mut self, shape: &Shape, rules: &[Rule<'static>]) -> Option<Value> {
        match *shape {
            Shape::Any => self.any(rules),
            Shape::Boolean => {
                let only = rules.iter().find_map(|rule| match rule {
                    Rule::Boolean(only) => Some(*only),
                    _ => None,
                });
                match only {
                    Some(only) => Some(Value::Bool(only != self.breaks())),
                    None => Some(Value::Bool(self.rarely(2))),
                }
            }
            Shape::Whole(least, most) => self.number(Some((least, most)), rules),
            Shape::Number => self.number(None, rules),
            Shape::NumberText => match self.number(None, rules)? {
                Value::Number(number) => Some(Value::String(number.to_string())),
                other => Some(other),
            },
            Shape::Text => self.text(rules).map(Value::String),
            Shape::Formatted(format) => self.formatted(format, rules).map(Value::String),
            Shape::Texts([]) | Shape::Numbers([]) => None,
            Shape::Texts(_) if self.breaks() => Some(Value::String("?".to_owned())),
            Shape::Texts(texts) => Some(Value::String(texts[self.index(texts.len())].to_owned())),
            Shape::Numbers(numbers) if self.breaks() => numbers.iter().max()?.checked_add(1)?.to_string().parse().ok(),
            Shape::Numbers(numbers) => numbers[self.index(numbers.len())].to_string().parse().ok(),
            Shape::Nullable(_) if self.rarely(4) => Some(Value::Null),
            Shape::Nullable(shape) | Shape::OptionalItem(shape) => self.made(&shape(), rules),
            Shape::List(shape) | Shape::FurtherItems(shape) => self.list(shape, rules),
            Shape::Tuple(shapes) => self.tuple(shapes, rules),
            Shape::Map(shape) => self.map(shape, rules).map(Value::Object),
            Shape::Object(object) => self.object(object),
            Shape::Union(union) => self.union(union),
            Shape::Foreign(reads) => {
                let start = self.index(FOREIGN.len());
                let (before, after) = FOREIGN.split_at(start);
                let found = after.iter().chain(before).find(|text| reads(text.as_bytes()));
                found.and_then(|text| text.parse().ok())
            }
        }
    }

    fn any(&mut self, rules: &[Rule<'static>]) -> Option<Value> {
        const KINDS: [Kind; 6] = [Kind::Null, Kind::Boolean, Kind::Number, Kind::String, Kind::Array, Kind::Object];
        let (mut kind, mut listed) = (None, None);
        for rule in rules {
            match rule {
                Rule::Kind(wanted) => kind = Some(*wanted),
                Rule::Listed(texts) => listed = Some(*texts),
                _ => {}
            }
        }
        if let Some(texts) = listed {
            return texts.get(self.index(texts.len()))?.parse().ok();
        }
        let of_texts = rules.iter().any(|rule| matches!(rule, Rule::OneOf(_) | Rule::Format(_) | Rule::Pattern(_)));
        let kind = kind.or(of_texts.then_some(Kind::String)).unwrap_or(KINDS[self.index(KINDS.len())]);
        if self.breaks() {
            return Some(if kind == Kind::Boolean { Value::Null } else { Value::Bool(true) });
        }
        match kind {
            Kind::Null | Kind::Broken => Some(Value::Null),
            Kind::Boolean => self.made(&Shape::Boolean, rules),
            Kind::Number => self.number(None, rules),
            Kind::String => self.text(rules).map(Value::String),
            Kind::Array => self.list(|| Shape::Any, rules),
            Kind::Object => self.map(|| Shape::Any, rules).map(Value::Object),
        }
    }

    fn union(&mut self, union: &Union) -> Option<Value> {
        let count = union.variants.len();
        let first = self.index(count);
        for at in 0..count * 4 {
            let variant = &union.variants[(first + at) % count];
            let Some(mut made) = self.value(&(variant.shape)(), variant.rules) else { continue };
            if let (Some(member), Value::Object(members)) = (union.discriminator, &mut made)
                // A constant number or boolean is a tag, too.
                && members.get(member).is_none_or(|tag| tag.as_str().is_some())
                && let Some(tag) = variant.tags.get(self.index(variant.tags.len()))
            {
                members.insert(member.to_owned(), Value::String((*tag).to_owned()));
            }
            if self.broken.is_some() || (union.reads)(&json::to_vec(&made)) {
                return Some(made);
            }
        }
        None
    }

    fn list(&mut self, shape: fn() -> Shape, rules: &[Rule<'static>]) -> Option<Value> {
        let (mut least, mut most, mut unique, mut of_items) = (0, usize::MAX, false, &[][..]);
        for rule in rules {
            match rule {
                Rule::MinItems(count) => least = usize::try_from(*count).ok()?,
                Rule::MaxItems(count) => most = usize::try_from(*count).unwrap_or(usize::MAX),
                Rule::UniqueItems => unique = true,
                Rule::Items(rules) => of_items = *rules,
                _ => {}
            }
        }
        let size = self.size_within(least, most);
        let mut items: Vec<Value> = Vec::new();
        while items.len() < size {
            let made = (0..ATTEMPTS).find_map(|_| {
                let made = self.value(&shape(), of_items)?;
                (!unique || !items.contains(&made)).then_some(made)
            });
            match made {
                Some(made) => items.push(made),
                // There may be no more values.
                None if items.len() >= least => break,
                None => return None,
            }
        }
        if unique
            && self.breaks()
            && let Some(first) = items.first().cloned()
        {
            items.push(first);
        }
        Some(Value::Array(items))
    }

    /// A size from `least` to `most`, unless one of them is to be broken.
    pub(super) fn size_within(&mut self, least: usize, most: usize) -> usize {
        const FEW: usize = 1000;
        if least > 0 && self.breaks() {
            return least - 1;
        }
        if most < FEW && self.breaks() {
            return most + 1;
        }
        self.size(least, most)
    }

    fn tuple(&mut self, shapes: &[fn() -> Shape], rules: &[Rule<'static>]) -> Option<Value> {
        let (mut places, mut of_further) = (&[][..], &[][..]);
        for rule in rules {
            match rule {
                Rule::Places(rules) => places = *rules,
                Rule::Items(rules) => of_further = *rules,
                _ => {}
            }
        }
        let mut items = Vec::new();
        for (at, shape) in shapes.iter().enumerate() {
            let rules = places.get(at).copied().unwrap_or_default();
            match shape() {
                Shape::OptionalItem(_) if self.rarely(4) => break,
                Shape::OptionalItem(shape) => match self.value(&shape(), rules) {
                    Some(item) => items.push(item),
                    None => break,
                },
                Shape::FurtherItems(shape) => {
                    if let Some(Value::Array(further)) = self.list(shape, &[Rule::Items(of_further)]) {
                        items.extend(further);
                    }
                }
                shape => items.push(self.value(&shape, rules)?),
            }
        }
        Some(Value::Array(items))
    }
}

/// A value of another JSON type.
fn other_kind(shape: &Shape) -> Value {
    match shape {
        Shape::Boolean | Shape::Whole(..) | Shape::Number | Shape::Numbers(_) => Value::Object([].into()),
        _ => Value::Bool(true),
    }
}

fn has_schema(rules: &[Rule<'_>]) -> bool {
    #[cfg(feature = "schema")]
    return crate::rule::has_schema(rules);
    #[cfg(not(feature = "schema"))]
    {
        let _ = rules;
        false
    }
}

fn keeps_schemas(value: &Value, rules: &[Rule<'_>]) -> bool {
    #[cfg(feature = "schema")]
    return crate::rule::keeps_schemas(&json::to_vec(value), rules);
    #[cfg(not(feature = "schema"))]
    {
        let _ = (value, rules);
        true
    }
}

/// The bound as a whole number of steps of `10^-decimals`, rounded up or down; `true`: it was rounded.
pub(super) fn scaled(bound: Bound, decimals: u32, up: bool) -> Option<(i128, bool)> {
    let scale = 10_i128.checked_pow(decimals)?;
    let text = match bound {
        Bound::Integer(number) => return Some((number.checked_mul(scale)?, false)),
        Bound::Decimal(text) => text,
    };
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mantissa: i128 = format!("{whole}{fraction}").parse().ok()?;
    let exponent = exponent.parse::<i64>().ok()? - i64::try_from(fraction.len()).ok()? + i64::from(decimals);
    let power = 10_i128.checked_pow(u32::try_from(exponent.unsigned_abs()).ok()?);
    if exponent >= 0 {
        return Some((mantissa.checked_mul(power?)?, false));
    }
    let Some(power) = power else { return Some((i128::from(up), true)) };
    let (down, rest) = (mantissa.div_euclid(power), mantissa.rem_euclid(power));
    Some((if up && rest != 0 { down + 1 } else { down }, rest != 0))
}
