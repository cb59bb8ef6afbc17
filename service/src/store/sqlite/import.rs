//! Writing what an import brings.

mod audit;
mod table;

use std::{
    collections::{BTreeMap, HashMap},
    sync::mpsc::Receiver,
};

use rusqlite::ffi;

use super::{change::Change, job, names};
use crate::{
    domain::job::LogLine,
    store::{
        Error,
        import::{Count, Outcome, Parcel},
        record::{Kind, Place, Presence, Problem, RESOURCES, Record, Resource, Value, audited::text},
    },
};
use table::Table;

/// Problems that are reported; whoever has more than that has one kind of problem.
const MOST_PROBLEMS: usize = 100;

/// Records stand below each other so deep and no deeper, as in what the interface writes.
const DEPTH: usize = 100;

/// Loads what comes in a savepoint of its own, which does not stay if there are problems; the job and its log do.
pub(super) fn run(
    change: &Change<'_>,
    claims: &BTreeMap<&'static str, i64>,
    parcels: &Receiver<Parcel>,
    tell: impl FnOnce(&Outcome) -> Vec<LogLine>,
) -> Result<(i64, Outcome), Error> {
    let connection = change.connection();
    connection.execute_batch("SAVEPOINT import")?;
    let outcome = load(change, claims, parcels)?;
    if !outcome.problems.is_empty() {
        connection.execute_batch("ROLLBACK TO import")?;
    }
    connection.execute_batch("RELEASE import")?;
    let id = job::start(change, "Import")?;
    for line in tell(&outcome) {
        job::log(change, id, &line)?;
    }
    job::finish(change, id)?;
    Ok((id, outcome))
}

fn load(
    change: &Change<'_>,
    claims: &BTreeMap<&'static str, i64>,
    parcels: &Receiver<Parcel>,
) -> Result<Outcome, Error> {
    let mut loader = Loader {
        change,
        tables: HashMap::new(),
        parents: Vec::new(),
        pending: 0,
        updated: Vec::new(),
        problems: Vec::new(),
    };
    for (table, id) in claims {
        change.claim_number(table, *id)?;
    }
    loop {
        match parcels.recv() {
            Ok(Parcel::Records(resource, records)) => {
                for record in records {
                    if loader.problems.len() < MOST_PROBLEMS {
                        loader.put_alone(resource, record)?;
                    }
                }
            }
            Ok(Parcel::Problems(problems)) => loader.problems.extend(problems),
            Ok(Parcel::End) => break,
            Err(_) => return Err(Error::Damaged("the import broke off".into())),
        }
    }
    if loader.problems.is_empty() {
        loader.link()?;
    }
    loader.finish()
}

struct Loader<'a> {
    change: &'a Change<'a>,
    tables: HashMap<&'static str, Table<'a>>,
    /// Records that name a parent of their own kind.
    parents: Vec<Link>,
    /// How many of them are still to be written.
    pending: usize,
    /// Records that were there before, as they were, whose parents are still to be written.
    updated: Vec<(&'static Resource, Record, Option<String>)>,
    problems: Vec<Problem>,
}

/// A record and the one of the same kind that it stands below.
struct Link {
    resource: &'static Resource,
    place: Place,
    id: i64,
    parent: i64,
    /// Whether it is still to be written, because the parent comes later.
    is_pending: bool,
}

impl<'a> Loader<'a> {
    fn table(&mut self, resource: &'static Resource) -> Result<&mut Table<'a>, Error> {
        if !self.tables.contains_key(resource.name) {
            let table = Table::open(self.change, resource)?;
            self.tables.insert(resource.name, table);
        }
        self.tables.get_mut(resource.name).ok_or_else(|| Error::Damaged(format!("{} has no table", resource.name)))
    }

    /// Writes a record that stands inside of no other, and notes what has become of it.
    fn put_alone(&mut self, resource: &'static Resource, record: Record) -> Result<(), Error> {
        let change = self.change;
        let was_empty = self.table(resource)?.before == 0;
        let before = if was_empty { None } else { audit::present(change, resource, &record)? };
        let pending = self.pending;
        let Some(record) = self.put(resource, record, &[])? else { return Ok(()) };
        if before.is_none() {
            let after = text(resource, &record);
            return audit::note(change, resource, &record, None, after);
        }
        if self.pending > pending {
            self.updated.push((resource, record, before));
            return Ok(());
        }
        // What the import leaves out of a record that is there stays there.
        let after = audit::present(change, resource, &record)?.unwrap_or_default();
        audit::note(change, resource, &record, before, after)
    }

    /// Writes a record that stands below the one with the key `above`, and all that stands inside of it. It comes back
    /// with all that it had none of, unless it is refused.
    fn put(
        &mut self,
        resource: &'static Resource,
        mut record: Record,
        above: &[Value],
    ) -> Result<Option<Record>, Error> {
        for (value, above) in record.values.iter_mut().zip(above) {
            value.clone_from(above);
        }
        self.complete(resource, &mut record)?;
        let parent = resource.parent();
        let link = parent.and_then(|position| match (&record.values[key(resource)], &record.values[position]) {
            (Value::Integer(id), Value::Integer(parent)) => Some((*id, *parent)),
            _ => None,
        });
        let mut is_pending = false;
        let table = self.table(resource)?;
        let mut written = table.write(&record.values)?;
        if let (Some(position), Some(_), Err(ffi::SQLITE_CONSTRAINT_FOREIGNKEY)) = (parent, link, written) {
            let value = std::mem::replace(&mut record.values[position], Value::Null);
            written = table.write(&record.values)?;
            record.values[position] = value;
            is_pending = true;
            self.pending += 1;
        }
        if let Some((id, parent)) = link {
            self.parents.push(Link { resource, place: record.place, id, parent, is_pending });
        }
        if let Err(code) = written {
            self.refuse(resource, &record, code);
            return Ok(None);
        }

        let mut below_key = record.values[..resource.above].to_vec();
        if !resource.below.is_empty() {
            below_key.push(record.values[key(resource)].clone());
        }
        for (below, list) in resource.below.iter().zip(&mut record.below) {
            if let Some(records) = list.take() {
                *list = Some(self.put_below(below.resource, record.place, records, &below_key)?);
            }
        }
        Ok(Some(record))
    }

    /// Puts these records in the place of all that stand below the one with the key `above`.
    fn put_below(
        &mut self,
        resource: &'static Resource,
        place: Place,
        records: Vec<Record>,
        above: &[Value],
    ) -> Result<Vec<Record>, Error> {
        let own = records.iter().map(|record| &record.values[resource.above]);
        if self.table(resource)?.remove_others(above, own)?.is_err() {
            let detail = format!("leaves out a {} that other records belong to", resource.one);
            self.problems.push(Problem { place, resource: Some(resource.name), detail });
        }
        let mut written = Vec::with_capacity(records.len());
        for record in records {
            written.extend(self.put(resource, record, above)?);
        }
        Ok(written)
    }

    /// Gives the record what it has none of: a number, and the moment of the import.
    fn complete(&mut self, resource: &'static Resource, record: &mut Record) -> Result<(), Error> {
        for (member, value) in resource.members.iter().zip(&mut record.values) {
            if *value == Value::Null {
                *value = match (&member.kind, &member.presence) {
                    (Kind::Id, _) => Value::Integer(self.change.next_id(resource.table)?.into()),
                    (_, Presence::OtherwiseNow) => Value::Integer(self.change.now()),
                    _ => continue,
                };
            }
        }
        Ok(())
    }

    fn refuse(&mut self, resource: &'static Resource, record: &Record, code: i32) {
        let detail = if code == ffi::SQLITE_CONSTRAINT_FOREIGNKEY {
            "refers to a record that is not there, or not any more".to_owned()
        } else {
            match &record.values[key(resource)] {
                Value::Integer(id) => format!("Id is {id}, and there is such a {} elsewhere", resource.one),
                _ => format!("there is such a {} already", resource.one),
            }
        };
        self.problems.push(Problem { place: record.place, resource: Some(resource.name), detail });
    }

    /// Writes the parents that came after their children, and sees to it that nothing stands below itself.
    fn link(&mut self) -> Result<(), Error> {
        let connection = self.change.connection();
        for Link { resource, id, parent, is_pending, .. } in &self.parents {
            if *is_pending {
                let sql = format!("UPDATE {} SET parent_id = ?3 WHERE tenant_id = ?1 AND id = ?2", resource.table);
                connection.prepare_cached(&sql)?.execute((self.change.tenant(), id, parent))?;
            }
        }
        for (resource, record, before) in std::mem::take(&mut self.updated) {
            let after = audit::present(self.change, resource, &record)?.unwrap_or_default();
            audit::note(self.change, resource, &record, before, after)?;
        }
        for link in std::mem::take(&mut self.parents) {
            if self.problems.len() < MOST_PROBLEMS && self.is_below_itself(&link)? {
                let detail = format!(
                    "ParentId is {}, which is the {} itself or stands below it",
                    link.parent, link.resource.one
                );
                self.problems.push(Problem { place: link.place, resource: Some(link.resource.name), detail });
            }
        }
        Ok(())
    }

    fn is_below_itself(&self, link: &Link) -> Result<bool, Error> {
        let sql = format!("SELECT parent_id FROM {} WHERE tenant_id = ?1 AND id = ?2", link.resource.table);
        let mut statement = self.change.connection().prepare_cached(&sql)?;
        let mut above = Some(link.parent);
        for _ in 0..DEPTH {
            match above {
                None => return Ok(false),
                Some(id) if id == link.id => return Ok(true),
                Some(id) => above = statement.query_row((self.change.tenant(), id), |row| row.get(0))?,
            }
        }
        Ok(true)
    }

    fn finish(mut self) -> Result<Outcome, Error> {
        if !self.problems.is_empty() {
            self.problems.sort_by_key(|problem| problem.place);
            return Ok(Outcome { counts: Vec::new(), problems: self.problems });
        }
        let mut counts = Vec::new();
        for resource in RESOURCES {
            if let Some(table) = self.tables.get(resource.name)
                && table.written > 0
            {
                let new = table::count(self.change, resource)?.saturating_sub(table.before);
                counts.push(Count { resource: resource.name, loaded: table.written, new });
            }
        }
        names::changed(self.change.connection(), self.change.view.tenant)?;
        Ok(Outcome { counts, problems: Vec::new() })
    }
}

/// The position of the member that tells a record from others below the same one.
fn key(resource: &Resource) -> usize {
    resource.keys().last().map_or(0, |(position, _)| position)
}
