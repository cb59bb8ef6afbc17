//! Makes numbers.

use super::maker::{Maker, scaled};
use crate::json::Value;
use crate::rule::{Bound, Rule};

/// Numbers without bounds are at most this.
const FAR: i128 = 10_000;

/// Maximum number of digits after the point.
const DECIMALS: u32 = 12;

impl Maker<'_, '_> {
    /// A number that keeps the rules; whole numbers are in the range of their type.
    pub(super) fn number(&mut self, range: Option<(i128, i128)>, rules: &[Rule<'static>]) -> Option<Value> {
        let listed = rules.iter().find_map(|rule| match rule {
            Rule::Numbers(numbers) => Some(*numbers),
            _ => None,
        });
        if let Some(numbers) = listed.filter(|_| !self.breaks()) {
            return match numbers.get(self.index(numbers.len()))? {
                Bound::Integer(number) => number.to_string().parse().ok(),
                Bound::Decimal(text) => text.parse().ok(),
            };
        }
        let step = rules.iter().find_map(|rule| match rule {
            Rule::MultipleOf(step) => Some(*step),
            _ => None,
        });
        let fraction = |step| match step {
            Bound::Integer(_) => 0,
            Bound::Decimal(text) => text.split_once('.').map_or(0, |(_, digits)| digits.len()),
        };
        let least = step.map_or(2, fraction);
        let decimals = if range.is_some() { 0..=0 } else { u32::try_from(least).ok()?..=DECIMALS.max(2) };
        // A narrow range may need more digits.
        decimals.step_by(2).find_map(|decimals| self.number_with(decimals, step, range, rules))
    }

    fn number_with(
        &mut self,
        decimals: u32,
        step: Option<Bound>,
        range: Option<(i128, i128)>,
        rules: &[Rule<'static>],
    ) -> Option<Value> {
        let scale = 10_i128.checked_pow(decimals)?;
        let (mut least, mut most) = (None, None);
        for rule in rules {
            match *rule {
                Rule::Minimum(bound) => least = least.max(Some(scaled(bound, decimals, true)?.0)),
                Rule::ExclusiveMinimum(bound) => {
                    let (number, rounded) = scaled(bound, decimals, true)?;
                    least = least.max(Some(if rounded { number } else { number + 1 }));
                }
                Rule::Maximum(bound) => most = Some(lower(most, scaled(bound, decimals, false)?.0)),
                Rule::ExclusiveMaximum(bound) => {
                    let (number, rounded) = scaled(bound, decimals, false)?;
                    most = Some(lower(most, if rounded { number } else { number - 1 }));
                }
                _ => {}
            }
        }
        let (lowest, highest) = range.unwrap_or_else(|| {
            let (far, start, end) = (FAR * scale, least.unwrap_or(0), most.unwrap_or(0));
            (start.min(end) - far, start.max(end) + far)
        });
        if let Some(least) = least.filter(|least| *least > lowest)
            && self.breaks()
        {
            return text(least - 1, decimals).parse().ok();
        }
        if let Some(most) = most.filter(|most| *most < highest)
            && self.breaks()
        {
            return text(most + 1, decimals).parse().ok();
        }
        let (least, most) = (least.unwrap_or(lowest).max(lowest), most.unwrap_or(highest).min(highest));
        let step = match step {
            Some(step) => scaled(step, decimals, true)?.0.max(1),
            None => 1,
        };
        let (from, to) = (-(-least).div_euclid(step), most.div_euclid(step));
        if from > to {
            return None;
        }
        // Bounds are where programs fail, and zero is usual.
        let number = match self.index(8) {
            1 => to,
            2 => from,
            0 if (from..=to).contains(&0) => 0,
            _ => self.number_in(from, to),
        };
        let number = if step > 1 && self.breaks() { number * step + 1 } else { number * step };
        text(number, decimals).parse().ok()
    }
}

fn lower(most: Option<i128>, bound: i128) -> i128 {
    most.map_or(bound, |most| most.min(bound))
}

/// The number of steps of `10^-decimals` as a decimal number.
fn text(number: i128, decimals: u32) -> String {
    if decimals == 0 {
        return number.to_string();
    }
    let sign = if number < 0 { "-" } else { "" };
    let width = decimals as usize + 1;
    let digits = format!("{:0>width$}", number.unsigned_abs());
    let (whole, fraction) = digits.split_at(digits.len() - decimals as usize);
    match fraction.trim_end_matches('0') {
        "" => format!("{sign}{whole}"),
        fraction => format!("{sign}{whole}.{fraction}"),
    }
}
