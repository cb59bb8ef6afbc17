//! References of a record to others, which a body gives by id, by name, or by both.

use super::Change;
use crate::{
    domain::refusal::Refusal,
    store::{
        Error,
        record::{Kind, Record, Resource},
        statement::Statement,
        text::fold,
        value::{Value, values},
        view::View,
    },
};

/// A reference by id or name in an input, which is replaced by the id that is found.
struct Reference<'r> {
    value: &'r mut Value,
    id_pointer: String,
    name_pointer: String,
    target: &'static Resource,
    /// The record that the target is below, if the input names it.
    owner: Option<i64>,
    id: Option<i64>,
    /// The id that is looked up: 0, which no record has, for an account that the caller may not see.
    sought: Option<i64>,
    name: Option<String>,
}

impl Change {
    /// Checks the references of a record that differ from those of its present state, and adds a refusal for each that does not
    /// exist. Names are replaced by ids.
    pub(in crate::store) async fn check(
        &self,
        resource: &'static Resource,
        record: &mut Record,
        present: Option<&Record>,
        refusals: &mut Vec<Refusal>,
    ) -> Result<(), Error> {
        let mut references = Vec::new();
        collect(&self.view, resource, record, present, "", &mut references);
        let lookups = references.iter().map(|reference| reference.lookup(self.tenant.0)).collect();
        for (reference, rows) in references.into_iter().zip(self.session.all(lookups).await?) {
            let rows = rows.iter().map(|row| Ok((row.get(0)?, row.get(1)?))).collect::<Result<Vec<_>, Error>>()?;
            *reference.value = reference.found_in(&rows, refusals).into();
        }
        Ok(())
    }
}

/// Adds the changed references of a record, and all references of its nested records.
fn collect<'r>(
    view: &View,
    resource: &'static Resource,
    record: &'r mut Record,
    present: Option<&Record>,
    path: &str,
    references: &mut Vec<Reference<'r>>,
) {
    let skipped = if path.is_empty() { 0 } else { resource.above };
    let mut names = std::mem::take(&mut record.names);
    let mut before = None;
    for (position, (member, value)) in resource.members.iter().zip(&mut record.values).enumerate().skip(skipped) {
        let owner = std::mem::replace(&mut before, value.as_integer());
        let (target, owner) = match member.kind {
            Kind::Reference(target) => (target, None),
            // Without its owner it cannot be looked up, and the owner is refused.
            Kind::ReferenceWithin(target) if owner.is_some() => (target, owner),
            _ => continue,
        };
        let (id, name) = (value.as_integer(), names.remove(&position));
        let is_present = owner.is_none() && present.is_some_and(|present| present.values[position] == *value);
        if name.is_none() && (id.is_none() || is_present) {
            continue;
        }
        let shown = resource.shown.iter().find(|shown| shown.is_name_of(member));
        let name_pointer = format!("{path}/{}", shown.map_or(member.input, |shown| shown.name));
        // An account that the caller may not see does not exist for it.
        let is_seen = |id| i32::try_from(id).is_ok_and(|id| view.visible.includes(id));
        let sought = id.map(|id| if target.table == "accounts" && !is_seen(id) { 0 } else { id });
        let id_pointer = format!("{path}/{}", member.input);
        references.push(Reference { value, id_pointer, name_pointer, target, owner, id, sought, name });
    }
    for (below, records) in resource.below.iter().zip(&mut record.below) {
        for (at, record) in records.iter_mut().flatten().enumerate() {
            let path = format!("{path}/{}/{at}", below.name);
            collect(view, below.resource, record, None, &path, references);
        }
    }
}

impl Reference<'_> {
    /// The statement that selects the records with its id or its folded name.
    fn lookup(&self, tenant: i32) -> Statement {
        let (table, mut values) = (self.target.table, values![tenant, self.sought]);
        if let Some(name) = &self.name {
            values.push(fold(name).into());
            let sql = "WHERE tenant_id = $1 AND (id = $2 OR name_folded = $3) ORDER BY id";
            return Statement::new(format!("SELECT id, name_folded FROM {table} {sql}"), values);
        }
        let sql = format!("SELECT id, NULL FROM {table} WHERE tenant_id = $1 AND id = $2");
        let Some((owner, above)) = self.owner.zip(self.target.above().first()) else {
            return Statement::new(sql, values);
        };
        values.push(owner.into());
        Statement::new(format!("{sql} AND {} = $3", above.column), values)
    }

    /// Its id among the rows with ids and folded names; adds a refusal if it is not there.
    fn found_in(&self, rows: &[(i64, Option<String>)], refusals: &mut Vec<Refusal>) -> Option<i64> {
        let (what, folded) = (self.target.one, self.name.as_deref().map(fold));
        let mut with_id = rows.iter().filter(|(id, _)| self.sought.is_none_or(|sought| *id == sought)).peekable();
        let has_id = with_id.peek().is_some();
        if let Some((id, _)) = with_id.find(|(_, name)| folded.is_none() || *name == folded) {
            return Some(*id);
        }
        refusals.push(match (self.id, &self.name, self.owner) {
            (Some(id), Some(name), _) if has_id => {
                let detail = format!("is `{name}`, which is not the name of {what} {id}");
                Refusal::new(&self.name_pointer, "reference", detail)
            }
            // A record below one that is refused is not refused, too.
            (_, _, Some(_)) if refusals.iter().any(|refusal| refusal.pointer == "/AccountId") => return None,
            (Some(id), _, Some(owner)) => {
                let detail = format!("is {id}, which is no {what} of account {owner}");
                Refusal::new(&self.id_pointer, "reference", detail)
            }
            (Some(id), _, None) => Refusal::reference(&self.id_pointer, what, id),
            (None, name, _) => {
                Refusal::reference(&self.name_pointer, what, format!("`{}`", name.as_deref().unwrap_or_default()))
            }
        });
        None
    }
}
