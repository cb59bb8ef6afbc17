//! Records that belong to the records of a page.

use super::Column;

/// A table of records that belong to others.
pub(in crate::store) struct Owned<T: 'static> {
    pub(in crate::store) table: &'static str,
    /// The column that names the owner on the page; the table is clustered by it.
    pub(in crate::store) page: &'static str,
    /// The column that names the owner itself, which may stand between the two.
    pub(in crate::store) owner: &'static str,
    pub(in crate::store) columns: &'static [Column<T>],
}

/// Records by owner. Each owner stands once if the records stand in the order of owners.
pub(in crate::store) fn grouped<T>(records: Vec<(i64, T)>) -> Vec<(i64, Vec<T>)> {
    let mut groups: Vec<(i64, Vec<T>)> = Vec::with_capacity(records.len());
    for (owner, record) in records {
        match groups.last_mut().filter(|(last, _)| *last == owner) {
            Some((_, group)) => group.push(record),
            None => groups.push((owner, vec![record])),
        }
    }
    groups
}

/// Takes the group of `owner` out of groups in the order of owners.
pub(in crate::store) fn take<T>(groups: &mut [(i64, Vec<T>)], owner: i64) -> Vec<T> {
    match groups.binary_search_by_key(&owner, |(owner, _)| *owner) {
        Ok(position) => std::mem::take(&mut groups[position].1),
        Err(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_taken_by_owner() {
        let mut groups = grouped(vec![(1, 'a'), (1, 'b'), (4, 'c')]);
        assert_eq!(take(&mut groups, 4), ['c']);
        assert_eq!(take(&mut groups, 1), ['a', 'b']);
        assert!(take(&mut groups, 2).is_empty());
    }
}
