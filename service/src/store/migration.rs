//! The rule of migrations, whatever the database: numbered, forward only, and each the one that was run.

use sha2::{Digest as _, Sha256};

use super::Error;

/// A migration: what it is called and what it runs. Its number is its position, from 1.
pub(super) type Migration = (&'static str, &'static str);

/// In place of a number where a store is the unfinished copy of another one; the checksum is the identity of that one then.
pub(super) const UNFINISHED: i64 = i64::MAX;

/// Whether these are of an unfinished copy of the store with that identity. Fails when it is one of another store.
pub(super) fn resumes(done: &[(i64, Vec<u8>)], of: &[u8]) -> Result<bool, Error> {
    match done.last() {
        Some((UNFINISHED, identity)) if identity != of => Err(Error::OtherCopy),
        last => Ok(last.is_some_and(|(number, _)| *number == UNFINISHED)),
    }
}

/// The last of the migrations that have been run, by number and checksum, each of which must be the one that is known.
pub(super) fn check(done: &[(i64, Vec<u8>)], migrations: &[Migration]) -> Result<i64, Error> {
    let (found, known) = (done.last().map_or(0, |(found, _)| *found), number(migrations.len()));
    if found == UNFINISHED {
        return Err(Error::Unfinished);
    }
    if found > known {
        return Err(Error::Newer { found, known });
    }
    for (expected, (number, found)) in (1..).zip(done) {
        let is_ours = usize::try_from(expected - 1).ok().and_then(|at| migrations.get(at));
        if *number != expected || is_ours.is_none_or(|(_, sql)| checksum(sql) != *found) {
            return Err(Error::Altered(*number));
        }
    }
    Ok(found)
}

/// Fails unless `found` is the last migration of those that are known: another program may have changed the tables.
pub(super) fn fit(found: i64, migrations: &[Migration]) -> Result<(), Error> {
    let known = number(migrations.len());
    match found.cmp(&known) {
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater if found == UNFINISHED => Err(Error::Unfinished),
        std::cmp::Ordering::Greater => Err(Error::Newer { found, known }),
        std::cmp::Ordering::Less => Err(Error::Damaged(format!("the store is back at migration {found} of {known}"))),
    }
}

/// What tells a migration from another one under its number.
pub(super) fn checksum(sql: &str) -> Vec<u8> {
    Sha256::digest(sql.as_bytes()).to_vec()
}

/// The number of the last of so many migrations.
pub(super) fn number(count: usize) -> i64 {
    count.cast_signed() as i64
}
