//! Records that belong to the records of a page, read for all of these in a few statements.

use super::{list::records, view::View};
use crate::{
    domain::list::Exclude,
    store::{
        Error,
        sql::{names::Names, owned::Owned, select},
    },
};

/// Owners whose ids are no farther apart are read in one go, together with those in between.
const GAP: i64 = 8;

impl<T: Default> Owned<T> {
    /// The records that belong to the page, each with its owner, in the order of owners on the page, owners and ids.
    pub(super) fn read(&self, view: &View<'_>, names: &Names, page: &[i64]) -> Result<Vec<(i64, T)>, Error> {
        let (select, table, owner, column) =
            (select(self.owner, self.columns, Exclude::default()), self.table, self.owner, self.page);
        let order = if owner == column { format!("{owner}, id") } else { format!("{column}, {owner}, id") };
        let sql = format!(
            "SELECT {select} FROM {table} WHERE tenant_id = ?1 AND {column} BETWEEN ?2 AND ?3 ORDER BY {order}"
        );
        let mut statement = view.connection.prepare_cached(&sql)?;
        let mut found = Vec::with_capacity(page.len());
        for (first, last) in runs(page) {
            let rows = statement.query((view.tenant.0, first, last))?;
            records(view, self.columns, Exclude::default(), names, rows, &mut found)?;
        }
        Ok(found)
    }
}

/// Ids in ascending ranges.
fn runs(ids: &[i64]) -> Vec<(i64, i64)> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    let mut runs: Vec<(i64, i64)> = Vec::new();
    for id in ids {
        match runs.last_mut().filter(|(_, last)| id - *last <= GAP) {
            Some((_, last)) => *last = id,
            None => runs.push((id, id)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_ids_are_read_together() {
        assert_eq!(runs(&[7, 3, 100, 5, 101]), [(3, 7), (100, 101)]);
        assert_eq!(runs(&[20, 1]), [(1, 1), (20, 20)]);
        assert_eq!(runs(&[]), []);
    }
}
