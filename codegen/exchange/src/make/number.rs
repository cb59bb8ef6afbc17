//! Random numbers.

use fastrand::Rng;
use serde_json::{Map, Value, json};

use crate::format;

/// A random integer within its bounds, often one of the bounds.
pub(super) fn integer(random: &mut Rng, flat: &Map<String, Value>, plain: bool) -> Value {
    let (least, most) = range(flat).unwrap_or((i64::MIN.into(), i64::MAX.into()));
    let bound = |word: &str| flat.get(word).and_then(whole);
    let least = bound("minimum").unwrap_or(least).max(least);
    let least = bound("exclusiveMinimum").map_or(least, |bound| least.max(bound + 1));
    let most = bound("maximum").unwrap_or(most).min(most);
    let most = bound("exclusiveMaximum").map_or(most, |bound| most.min(bound - 1));
    let step = bound("multipleOf").filter(|step| *step > 0).unwrap_or(1);
    let most = most.max(least);
    let picked = match random.u8(0..6) {
        _ if plain => random.i32(1..1000).into(),
        0 => least,
        1 => most,
        2 => 0,
        3 => random.i32(..).into(),
        _ => random.i32(-100..1000).into(),
    };
    let picked: i128 = picked.clamp(least, most);
    let rest = picked.rem_euclid(step);
    let picked = if rest == 0 {
        picked
    } else if picked - rest >= least {
        picked - rest
    } else {
        picked - rest + step
    };
    match (i64::try_from(picked), u64::try_from(picked)) {
        (Ok(number), _) => json!(number),
        (_, Ok(number)) => json!(number),
        (Err(_), Err(_)) => json!(0),
    }
}

/// The integers of a format.
fn range(flat: &Map<String, Value>) -> Option<(i128, i128)> {
    let format = flat.get("format")?.as_str()?;
    format::range(if format == "uint" { "uint32" } else { format })
}

/// A random number within its bounds that every width represents exactly.
pub(super) fn number(random: &mut Rng, flat: &Map<String, Value>, plain: bool) -> Value {
    // The registry of formats defines those of integers for numbers, too.
    if range(flat).is_some() {
        return integer(random, flat, plain);
    }
    let bound = |word: &str| flat.get(word).and_then(Value::as_f64);
    let least = bound("minimum").or(bound("exclusiveMinimum"));
    let most = bound("maximum").or(bound("exclusiveMaximum"));
    if let Some(step) = bound("multipleOf").filter(|step| *step > 0.0) {
        let first = least.map_or(0.0, |least| (least / step).ceil());
        let exclusive = bound("exclusiveMinimum").is_some_and(|least| first * step <= least);
        // Through text, so that 3 × 0.01 is 0.03.
        let product = (first + f64::from(u8::from(exclusive)) + f64::from(random.u8(0..2))) * step;
        return format!("{product:.6}").parse::<f64>().map_or(json!(product), |product| json!(product));
    }
    let spread = match (least, most) {
        (Some(least), Some(most)) => (least, most),
        (Some(least), None) => (least, least + 1000.0),
        (None, Some(most)) => (most - 1000.0, most),
        (None, None) if plain => (0.0, 1000.0),
        (None, None) => (-1000.0, 1000.0),
    };
    let picked = spread.0 + (spread.1 - spread.0) * random.f64();
    let rounded = (picked * 8.0).round() / 8.0;
    let inside = |number: f64| {
        let low = bound("minimum").is_none_or(|least| number >= least)
            && bound("exclusiveMinimum").is_none_or(|least| number > least);
        let high = bound("maximum").is_none_or(|most| number <= most)
            && bound("exclusiveMaximum").is_none_or(|most| number < most);
        low && high
    };
    let found =
        [rounded, picked.round(), picked, f64::midpoint(spread.0, spread.1)].into_iter().find(|number| inside(*number));
    json!(found.unwrap_or(spread.0))
}

fn whole(value: &Value) -> Option<i128> {
    if let Some(number) = value.as_i64() {
        return Some(number.into());
    }
    if let Some(number) = value.as_u64() {
        return Some(number.into());
    }
    #[expect(clippy::cast_possible_truncation, reason = "a bound that is not whole is taken as the one below")]
    value.as_f64().filter(|number| number.abs() < 1e30).map(|number| number as i128)
}
