//! What records have none of: numbers, the moment of the import, and the keys of the records they stand below.

use std::collections::BTreeMap;

use super::Loader;
use crate::store::{
    Error,
    postgres::{export::key_below, numbers::Numbers},
    record::{Kind, Presence, Record, Resource, Value},
};

impl Loader<'_> {
    /// Gives it to them.
    pub(super) async fn complete(&self, resource: &'static Resource, records: &mut [Record]) -> Result<(), Error> {
        let mut wanted = BTreeMap::new();
        missing(resource, records, &mut wanted);
        let wanted: Vec<_> = wanted.into_iter().collect();
        let mut numbers = self.database.numbers(self.change.view.tenant, &wanted).await?;
        fill(resource, records, &[], &mut numbers, self.change.now())
    }
}

/// Counts the numbers that records have none of, by table.
fn missing(resource: &'static Resource, records: &[Record], wanted: &mut BTreeMap<&'static str, usize>) {
    for record in records {
        for (member, value) in resource.members.iter().zip(&record.values) {
            if *value == Value::Null && matches!(member.kind, Kind::Id) {
                *wanted.entry(resource.table).or_default() += 1;
            }
        }
        for (below, list) in resource.below.iter().zip(&record.below) {
            missing(below.resource, list.as_deref().unwrap_or_default(), wanted);
        }
    }
}

/// Gives records what they have none of, and the key of the record they stand below.
fn fill(
    resource: &'static Resource,
    records: &mut [Record],
    above: &[Value],
    numbers: &mut Numbers,
    now: i64,
) -> Result<(), Error> {
    for record in records {
        for (value, above) in record.values.iter_mut().zip(above) {
            value.clone_from(above);
        }
        for (member, value) in resource.members.iter().zip(&mut record.values) {
            if *value == Value::Null {
                *value = match (&member.kind, &member.presence) {
                    (Kind::Id, _) => Value::Integer(numbers.id(resource.table)?.into()),
                    (_, Presence::OtherwiseNow) => Value::Integer(now),
                    _ => continue,
                };
            }
        }
        if !resource.below.is_empty() {
            let key = key_below(resource, record);
            for (below, list) in resource.below.iter().zip(&mut record.below) {
                fill(below.resource, list.as_deref_mut().unwrap_or_default(), &key, numbers, now)?;
            }
        }
    }
    Ok(())
}
