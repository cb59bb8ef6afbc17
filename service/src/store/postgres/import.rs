//! Writing what an import brings.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::mpsc::Receiver,
};

use serde_json::{Map, Value as Json, json};

use super::{
    Database,
    change::Change,
    error::is_violation,
    export::{self, key_below, plain, texts},
    job, names,
    numbers::Numbers,
    session::{Query, parameters},
};
use crate::{
    domain::job::LogLine,
    store::{
        Error,
        import::{Count, Outcome, Parcel},
        record::{
            Derived, Kind, Place, Presence, Problem, RESOURCES, Record, Resource, Value,
            audited::{self, Owner, text},
        },
        sql::{contact::whole_name, fold},
    },
};

/// Problems that are reported; whoever has more than that has one kind of problem.
const MOST_PROBLEMS: usize = 100;

/// Records stand below each other so deep and no deeper, as in what the interface writes.
const DEPTH: u16 = 100;

/// So many records that name a parent are read again at once.
const LINKED: usize = 500;

/// Columns with a folded twin that only PostgreSQL has.
const FOLDED: &[(&str, &str)] = &[
    ("agent_notes", "description"),
    ("patches", "description"),
    ("patches", "kb_article"),
    ("patches", "security_bulletin_link"),
    ("patches", "product"),
];

/// Loads what comes behind a savepoint, to which it goes back if there are problems; the job and its log stay.
pub(super) async fn run(
    database: &Database,
    change: Change,
    claims: &BTreeMap<&'static str, i64>,
    parcels: Receiver<Parcel>,
    tell: impl FnOnce(&Outcome) -> Vec<LogLine>,
) -> Result<(i64, Outcome), Error> {
    // Numbers are taken beside the import, or every other writer would wait for its end.
    let claims: Vec<_> = claims.iter().map(|(table, id)| change.claim(table, *id)).collect();
    database.beside(change.view.tenant, &claims).await?;
    let job = database.numbers(change.view.tenant, &[("jobs", 1)]).await?.next("jobs")?;
    change.rows("SAVEPOINT import", Vec::new()).await?;
    let loader = Loader {
        database,
        change: &change,
        tables: HashMap::new(),
        links: Vec::new(),
        updated: Vec::new(),
        problems: Vec::new(),
    };
    let outcome = loader.load(&parcels).await?;
    if !outcome.problems.is_empty() {
        change.noted();
        change.rows("ROLLBACK TO SAVEPOINT import", Vec::new()).await?;
    }
    change.finish(job::done(&change, job, "Import", &tell(&outcome))).await?;
    Ok((job, outcome))
}

struct Loader<'a> {
    database: &'a Database,
    change: &'a Change,
    tables: HashMap<&'static str, Table>,
    /// Records that name a parent of their own kind.
    links: Vec<Link>,
    /// Records that were there before, as they were, which name a parent.
    updated: Vec<(&'static Resource, Record, String)>,
    problems: Vec<Problem>,
}

/// How many records a table had before, and how many have been written.
#[derive(Clone, Copy, Default)]
struct Table {
    before: u64,
    written: u64,
}

impl Table {
    /// Counts records; answers whether there are so many more by now that the server is to look at the table again: it plans
    /// by what it knows of it, and does not look by itself before the import has ended.
    fn add(&mut self, records: usize) -> bool {
        let doubled = |written: u64| (written / 1024).checked_ilog2();
        let before = doubled(self.written);
        self.written += records as u64;
        before != doubled(self.written)
    }
}

/// A record and the one of the same kind that it stands below.
struct Link {
    resource: &'static Resource,
    place: Place,
    id: i64,
    parent: i64,
}

impl Loader<'_> {
    async fn load(mut self, parcels: &Receiver<Parcel>) -> Result<Outcome, Error> {
        loop {
            match parcels.recv() {
                Ok(Parcel::Records(resource, records)) => {
                    if self.problems.len() < MOST_PROBLEMS {
                        self.put_all(resource, records).await?;
                    }
                }
                Ok(Parcel::Problems(problems)) => self.problems.extend(problems),
                Ok(Parcel::End) => break,
                Err(_) => return Err(Error::Damaged("the import broke off".into())),
            }
        }
        if self.problems.is_empty() {
            self.link().await?;
        }
        self.finish().await
    }

    /// Writes records that stand inside of no others, and notes what has become of them.
    async fn put_all(&mut self, resource: &'static Resource, mut records: Vec<Record>) -> Result<(), Error> {
        self.open(resource).await?;
        self.complete(resource, &mut records).await?;
        let before = self.present(resource, &records).await?;
        self.change.rows("SAVEPOINT records", Vec::new()).await?;
        match self.put(resource, &records).await {
            Ok(()) => {}
            Err(error) if is_violation(&error).is_some() => {
                self.change.rows("ROLLBACK TO SAVEPOINT records", Vec::new()).await?;
                return self.put_apart(resource, records).await;
            }
            Err(error) => return Err(error),
        }
        self.change.rows("RELEASE SAVEPOINT records", Vec::new()).await?;
        self.note(resource, records, before).await
    }

    /// Writes records one by one, to tell which of them cannot be written.
    async fn put_apart(&mut self, resource: &'static Resource, records: Vec<Record>) -> Result<(), Error> {
        for record in records {
            if self.problems.len() >= MOST_PROBLEMS {
                return Ok(());
            }
            self.change.rows("SAVEPOINT record", Vec::new()).await?;
            let result = self.put(resource, std::slice::from_ref(&record)).await;
            if let Err(error) = result {
                let Some((is_reference, table)) = is_violation(&error) else { return Err(error) };
                self.change.rows("ROLLBACK TO SAVEPOINT record", Vec::new()).await?;
                self.refuse(resource, &record, is_reference, &table);
            }
            self.change.rows("RELEASE SAVEPOINT record", Vec::new()).await?;
        }
        Ok(())
    }

    fn refuse(&mut self, resource: &'static Resource, record: &Record, is_reference: bool, table: &str) {
        let (found, place, id) = blamed(resource, record, table);
        let detail = match id {
            _ if is_reference && found.name != resource.name && found.above > 0 => {
                format!("leaves out a {} that other records belong to", found.one)
            }
            _ if is_reference => "refers to a record that is not there, or not any more".to_owned(),
            Some(id) => format!("Id is {id}, and there is such a {} elsewhere", found.one),
            None => format!("there is such a {} already", found.one),
        };
        self.problems.push(Problem { place, resource: Some(found.name), detail });
    }

    /// Notes how many records a resource, and those that stand inside of it, have before anything is written.
    async fn open(&mut self, resource: &'static Resource) -> Result<(), Error> {
        if !self.tables.contains_key(resource.name) {
            let before = self.count(resource).await?;
            self.tables.insert(resource.name, Table { before, written: 0 });
        }
        for below in resource.below {
            Box::pin(self.open(below.resource)).await?;
        }
        Ok(())
    }

    async fn count(&self, resource: &Resource) -> Result<u64, Error> {
        let sql = format!("SELECT count(*) FROM {} WHERE tenant_id = $1", resource.table);
        let rows = self.change.rows(sql, parameters![self.change.tenant()]).await?;
        let count: i64 = rows.first().map(|row| row.try_get(0)).transpose()?.unwrap_or(0);
        Ok(count.cast_unsigned())
    }

    /// Gives records what they have none of: numbers, and the moment of the import.
    async fn complete(&self, resource: &'static Resource, records: &mut [Record]) -> Result<(), Error> {
        let mut wanted = BTreeMap::new();
        missing(resource, records, &mut wanted);
        let wanted: Vec<_> = wanted.into_iter().collect();
        let mut numbers = self.database.numbers(self.change.view.tenant, &wanted).await?;
        fill(resource, records, &[], &mut numbers, self.change.now())
    }

    /// The records that are there with the keys of these, as JSON.
    async fn present(&self, resource: &'static Resource, records: &[Record]) -> Result<HashMap<String, String>, Error> {
        if self.tables.get(resource.name).is_none_or(|table| table.before == 0) {
            return Ok(HashMap::new());
        }
        let values = records.iter().map(|record| record.values.as_slice());
        let found = export::present(self.change.session(), self.change.tenant(), resource, values).await?;
        Ok(found.iter().map(|record| (key(resource, record), text(resource, record))).collect())
    }

    /// Writes records, and all that stands inside of them.
    async fn put(&mut self, resource: &'static Resource, records: &[Record]) -> Result<(), Error> {
        if records.is_empty() {
            return Ok(());
        }
        let rows = records.iter().map(|record| row(self.change.tenant(), resource, record)).collect();
        let write = Query::new(upsert(resource), parameters![Json::Array(rows).to_string()]);
        self.change.session().rows(write).await?;
        if self.tables.entry(resource.name).or_default().add(records.len()) {
            self.change.rows("SELECT analyze_table($1)", parameters![resource.table]).await?;
        }
        for (position, below) in resource.below.iter().enumerate() {
            let lists = records.iter().filter_map(|record| Some((record, record.below.get(position)?.as_ref()?)));
            let lists: Vec<_> = lists.collect();
            self.remove_others(resource, below.resource, &lists).await?;
            let inside: Vec<Record> = lists.iter().flat_map(|(_, records)| records.iter().cloned()).collect();
            Box::pin(self.put(below.resource, &inside)).await?;
        }
        Ok(())
    }

    /// Removes what stands below these records, except for what is in their lists.
    async fn remove_others(
        &self,
        above: &'static Resource,
        resource: &'static Resource,
        lists: &[(&Record, &Vec<Record>)],
    ) -> Result<(), Error> {
        // Where nothing was, nothing has to be removed.
        if lists.is_empty() || self.tables.get(resource.name).is_none_or(|table| table.before == 0) {
            return Ok(());
        }
        let columns: Vec<_> = resource.above().iter().map(|member| member.column).collect();
        let own = resource.members[resource.above].column;
        let object = |values: &[Value], columns: &[&str]| {
            let values = values.iter().map(plain);
            Json::Object(columns.iter().map(|column| (*column).to_owned()).zip(values).collect::<Map<_, _>>())
        };
        let owners = lists.iter().map(|(record, _)| object(&key_below(above, record), &columns)).collect();
        let own_columns: Vec<_> = columns.iter().copied().chain([own]).collect();
        let kept = lists.iter().flat_map(|(_, records)| records.iter());
        let kept = kept.map(|record| object(&record.values[..=resource.above], &own_columns)).collect();
        let same = |other: &str, columns: &[&str]| {
            let pairs: Vec<_> = columns.iter().map(|column| format!("{other}.{column} = t.{column}")).collect();
            pairs.join(" AND ")
        };
        let table = resource.table;
        let sql = format!(
            "DELETE FROM {table} AS t USING json_populate_recordset(NULL::{table}, $2) AS o
             WHERE t.tenant_id = $1 AND {} AND NOT EXISTS (
                 SELECT 1 FROM json_populate_recordset(NULL::{table}, $3) AS k WHERE {})",
            same("o", &columns),
            same("k", &own_columns),
        );
        let values = parameters![self.change.tenant(), Json::Array(owners).to_string(), Json::Array(kept).to_string()];
        self.change.rows(sql, values).await?;
        Ok(())
    }

    /// Notes records that were written, and were this before.
    async fn note(
        &mut self,
        resource: &'static Resource,
        records: Vec<Record>,
        before: HashMap<String, String>,
    ) -> Result<(), Error> {
        // What the import leaves out of a record that is there stays there.
        let after = if before.is_empty() { HashMap::new() } else { self.present(resource, &records).await? };
        let accounts = self.accounts(resource, &records).await?;
        for record in records {
            let parent = resource.parent().map(|position| &record.values[position]);
            let is_linked =
                if let (Some(Value::Integer(parent)), Value::Integer(id)) = (parent, &record.values[own(resource)]) {
                    self.links.push(Link { resource, place: record.place, id: *id, parent: *parent });
                    true
                } else {
                    false
                };
            let key = key(resource, &record);
            match before.get(&key) {
                Some(before) if is_linked => self.updated.push((resource, record, before.clone())),
                Some(before) => {
                    let after = after.get(&key).cloned().unwrap_or_default();
                    self.note_record(resource, &record, &accounts, Some(before.clone()), after);
                }
                None => self.note_record(resource, &record, &accounts, None, text(resource, &record)),
            }
        }
        if let Some(noted) = self.change.noted() {
            self.change.session().rows(noted).await?;
        }
        Ok(())
    }

    fn note_record(
        &self,
        resource: &'static Resource,
        record: &Record,
        accounts: &HashMap<String, i32>,
        before: Option<String>,
        after: String,
    ) {
        let account = match audited::account(resource, record) {
            Owner::None => None,
            Owner::Account(account) => Some(account),
            Owner::Of(_, key) => accounts.get(&texts(std::slice::from_ref(key))).copied(),
        };
        let (subject, before, after) = audited::change(resource, record, account, before, after);
        self.change.note(&subject, before, after);
    }

    /// The accounts of the contacts or agents that records belong to.
    async fn accounts(&self, resource: &'static Resource, records: &[Record]) -> Result<HashMap<String, i32>, Error> {
        let mut owner = None;
        let mut wanted = HashSet::new();
        for record in records {
            if let Owner::Of(target, key) = audited::account(resource, record) {
                owner = Some(target);
                wanted.insert(json!({"id": plain(key)}).to_string());
            }
        }
        let Some(owner) = owner else { return Ok(HashMap::new()) };
        let table = owner.table;
        let sql = format!(
            "SELECT t.id, t.account_id FROM {table} AS t
             JOIN json_populate_recordset(NULL::{table}, $2) AS k ON k.id = t.id WHERE t.tenant_id = $1"
        );
        let wanted = format!("[{}]", wanted.into_iter().collect::<Vec<_>>().join(","));
        let mut accounts = HashMap::new();
        for row in self.change.rows(sql, parameters![self.change.tenant(), wanted]).await? {
            if let Some(account) = row.try_get(1)? {
                accounts.insert(texts(&[super::value::owned(&row, 0)?]), account);
            }
        }
        Ok(accounts)
    }

    /// Writes the parents, and sees to it that nothing stands below itself.
    async fn link(&mut self) -> Result<(), Error> {
        for resource in RESOURCES {
            let links: Vec<_> = self.links.iter().filter(|link| link.resource.name == resource.name).collect();
            if links.is_empty() {
                continue;
            }
            let rows = links.iter().map(|link| json!({"id": link.id, "parent_id": link.parent})).collect();
            let rows = Json::Array(rows).to_string();
            let table = resource.table;
            let sql = format!(
                "UPDATE {table} AS t SET parent_id = l.parent_id FROM json_populate_recordset(NULL::{table}, $2) AS l
                 WHERE t.tenant_id = $1 AND t.id = l.id
                 AND EXISTS (SELECT 1 FROM {table} AS p WHERE p.tenant_id = $1 AND p.id = l.parent_id)
                 RETURNING t.id::bigint"
            );
            let set = Query::new(sql, parameters![self.change.tenant(), rows.clone()]);
            let sql = format!(
                "WITH RECURSIVE above (start, id, depth) AS (
                     SELECT l.id, l.parent_id, 1 FROM json_populate_recordset(NULL::{table}, $2) AS l
                     UNION ALL
                     SELECT a.start, t.parent_id, a.depth + 1 FROM above AS a
                     JOIN {table} AS t ON t.tenant_id = $1 AND t.id = a.id
                     WHERE t.parent_id IS NOT NULL AND a.id <> a.start AND a.depth < $3)
                 SELECT DISTINCT start::bigint FROM above WHERE id = start OR depth >= $3"
            );
            let circles = Query::new(sql, parameters![self.change.tenant(), rows, i64::from(DEPTH)]);
            let [set, circles] = self.change.session().run([set, circles]).await?;
            let ids = |rows: &[tokio_postgres::Row]| -> Result<HashSet<i64>, Error> {
                rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
            };
            let (set, circles) = (ids(&set)?, ids(&circles)?);
            for link in links {
                let detail = if !set.contains(&link.id) {
                    "refers to a record that is not there, or not any more".to_owned()
                } else if circles.contains(&link.id) {
                    format!("ParentId is {}, which is the {} itself or stands below it", link.parent, resource.one)
                } else {
                    continue;
                };
                if self.problems.len() < MOST_PROBLEMS {
                    self.problems.push(Problem { place: link.place, resource: Some(resource.name), detail });
                }
            }
        }
        let mut updated: Vec<(&'static Resource, Vec<Record>, Vec<String>)> = Vec::new();
        for (resource, record, before) in std::mem::take(&mut self.updated) {
            match updated.last_mut() {
                Some((last, records, befores)) if last.name == resource.name && records.len() < LINKED => {
                    records.push(record);
                    befores.push(before);
                }
                _ => updated.push((resource, vec![record], vec![before])),
            }
        }
        for (resource, records, befores) in updated {
            let after = self.present(resource, &records).await?;
            for (record, before) in records.iter().zip(befores) {
                let after = after.get(&key(resource, record)).cloned().unwrap_or_default();
                self.note_record(resource, record, &HashMap::new(), Some(before), after);
            }
        }
        Ok(())
    }

    async fn finish(mut self) -> Result<Outcome, Error> {
        if !self.problems.is_empty() {
            self.problems.sort_by_key(|problem| problem.place);
            return Ok(Outcome { counts: Vec::new(), problems: self.problems });
        }
        let mut counts = Vec::new();
        for resource in RESOURCES {
            if let Some(table) = self.tables.get(resource.name).filter(|table| table.written > 0) {
                let new = self.count(resource).await?.saturating_sub(table.before);
                counts.push(Count { resource: resource.name, loaded: table.written, new });
            }
        }
        self.change.session().rows(names::changed(self.change.view.tenant)).await?;
        Ok(Outcome { counts, problems: Vec::new() })
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

/// What tells a record from others.
fn key(resource: &Resource, record: &Record) -> String {
    let keys: Vec<_> = resource.keys().map(|(position, _)| record.values[position].clone()).collect();
    texts(&keys)
}

/// The position of the member that tells a record from others below the same one.
fn own(resource: &Resource) -> usize {
    resource.keys().last().map_or(0, |(position, _)| position)
}

/// The record in that table that is to blame, among a record and what stands inside of it: its kind, place and number.
fn blamed(resource: &'static Resource, record: &Record, table: &str) -> (&'static Resource, Place, Option<i64>) {
    if resource.table != table {
        for (below, list) in resource.below.iter().zip(&record.below) {
            let found = below.resource.table == table || below.resource.below.iter().any(|b| b.resource.table == table);
            if let Some(first) = list.as_deref().unwrap_or_default().first().filter(|_| found) {
                return blamed(below.resource, first, table);
            }
        }
    }
    let id = match &record.values[own(resource)] {
        Value::Integer(id) => Some(*id),
        _ => None,
    };
    (resource, record.place, id)
}

/// A record as a row of its table. Its parent of the same kind is written later.
fn row(tenant: i32, resource: &Resource, record: &Record) -> Json {
    let mut columns = Map::new();
    columns.insert("tenant_id".into(), json!(tenant));
    let text = |name: &str| {
        let position = resource.members.iter().position(|member| member.name == name)?;
        match &record.values[position] {
            Value::Text(text) => Some(text.as_str()),
            _ => None,
        }
    };
    for (position, (member, value)) in resource.members.iter().zip(&record.values).enumerate() {
        let value = if resource.parent() == Some(position) { &Value::Null } else { value };
        columns.insert(member.column.into(), plain(value));
        if member.is_folded || FOLDED.contains(&(resource.table, member.column)) {
            let folded = if let Value::Text(text) = value { json!(fold(text)) } else { Json::Null };
            columns.insert(format!("{}_folded", member.column), folded);
        }
    }
    let whole = || whole_name(text("FirstName"), text("LastName"));
    match resource.derived {
        Derived::Nothing => {}
        Derived::FoldedName => {
            columns.insert("name_folded".into(), json!(fold(&whole())));
        }
        Derived::Name => {
            let name = text("Name").map_or_else(whole, str::to_owned);
            columns.insert("name_folded".into(), json!(fold(&name)));
            columns.insert("name".into(), json!(name));
        }
    }
    Json::Object(columns)
}

/// What writes records in the place of those with their keys; parameter 1 is their rows.
fn upsert(resource: &Resource) -> String {
    let empty =
        Record { place: Place::default(), values: vec![Value::Null; resource.members.len()], below: Vec::new() };
    let Json::Object(row) = row(0, resource, &empty) else { return String::new() };
    let mut key = vec!["tenant_id"];
    if !resource.members.iter().any(|member| member.is_key) {
        key.extend(resource.above().iter().map(|member| member.column));
    }
    key.extend(resource.keys().map(|(_, member)| member.column));
    let columns: Vec<_> = row.keys().map(String::as_str).collect();
    let set: Vec<_> = columns.iter().filter(|column| !key.contains(column)).collect();
    let set: Vec<_> = set.iter().map(|column| format!("{column} = excluded.{column}")).collect();
    let action = if set.is_empty() { "NOTHING".to_owned() } else { format!("UPDATE SET {}", set.join(", ")) };
    let (table, columns) = (resource.table, columns.join(", "));
    format!(
        "INSERT INTO {table} ({columns}) SELECT {columns} FROM json_populate_recordset(NULL::{table}, $1)
         ON CONFLICT ({}) DO {action}",
        key.join(", ")
    )
}
