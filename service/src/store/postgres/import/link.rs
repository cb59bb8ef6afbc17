//! Records that name a parent of their own kind, which may come behind them.

use std::collections::{HashMap, HashSet};

use serde_json::{Value as Json, json};

use super::{Loader, MOST_PROBLEMS, row::key};
use crate::store::{
    Error,
    postgres::session::{Query, parameters},
    record::{Place, Problem, RESOURCES, Record, Resource},
};

/// Records stand below each other so deep and no deeper, as in what the interface writes.
const DEPTH: u16 = 100;

/// So many records that name a parent are read again at once.
const LINKED: usize = 500;

/// A record and the one of the same kind that it stands below.
pub(super) struct Link {
    pub(super) resource: &'static Resource,
    pub(super) place: Place,
    pub(super) id: i64,
    pub(super) parent: i64,
}

impl Loader<'_> {
    /// Writes the parents, and sees to it that nothing stands below itself.
    pub(super) async fn link(&mut self) -> Result<(), Error> {
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
        self.note_updated().await
    }

    /// Notes records that were there before, now that their parents are written.
    async fn note_updated(&mut self) -> Result<(), Error> {
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
}
