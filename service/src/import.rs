//! Imports records from files, all or nothing.

mod check;
mod problem;
mod row;
mod section;
mod value;

use std::{fmt, fs, io, path::PathBuf};

use crate::store::{
    self, TenantStore,
    import::{Count, Parcel},
    record::Record,
    transfer::Progress,
};
use check::Check;
use problem::Problems;
use section::Section;
pub(crate) use section::Source;

/// Number of records sent to the writer at once.
const PARCEL: usize = 256;

/// What an import has done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The id of the batch action; its log is at `GET /v2/system/batchAction/logs/{jobId}`.
    pub job: i64,
    /// The number of records of each kind.
    pub counts: Vec<Count>,
}

/// Why nothing was imported.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be read.
    #[error("{file} cannot be read")]
    File {
        /// The file.
        file: String,
        /// Why.
        source: io::Error,
    },
    /// There are bad rows.
    #[error("{0}")]
    Refused(Refused),
    /// The store failed.
    #[error("nothing was imported")]
    Store(#[from] store::Error),
}

/// The bad rows of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The id of the batch action with the same messages.
    pub job: i64,
    /// A message for each: file, line, reason.
    pub problems: Vec<String>,
    /// Number of further bad rows.
    pub more: u64,
}

/// Imports files. `kind` is the kind of records in files that do not name it.
pub fn run(
    store: &TenantStore,
    files: &[PathBuf],
    kind: Option<&str>,
    progress: &dyn Progress,
) -> Result<Report, Error> {
    let mut sources = Vec::with_capacity(files.len());
    for path in files {
        let file = path.display().to_string();
        let bytes = fs::read(path).map_err(|source| Error::File { file: file.clone(), source })?;
        sources.push(Source { file, bytes });
    }
    load(store, &sources, kind, progress)
}

/// Imports files that have been read.
pub(crate) fn load(
    store: &TenantStore,
    sources: &[Source],
    kind: Option<&str>,
    progress: &dyn Progress,
) -> Result<Report, Error> {
    let mut problems = Problems::default();
    let sections = section::all(sources, kind, &mut problems);

    progress.begin("checking");
    let mut check = Check::default();
    for section in &sections {
        section.each(&mut problems, &mut |record, problems| {
            progress.rows(1);
            check.note(section.resource, &record, problems);
        });
    }
    let claims = check.finish(store, &mut problems)?;

    progress.begin("writing");
    let files: Vec<String> = sources.iter().map(|source| source.file.clone()).collect();
    let more = problems.more();
    let names = files.clone();
    let tell = move |outcome: &_| problem::log(outcome, more, &names);
    let (job, outcome) = store.import(claims, tell, |parcels| {
        if problems.is_empty() {
            for section in &sections {
                write(section, parcels, progress);
            }
        } else if parcels.send(Parcel::Problems(problems.into_sorted())).is_err() {
            return;
        }
        // If the writer is gone, it reports the reason itself.
        drop(parcels.send(Parcel::End));
    })?;
    if outcome.problems.is_empty() {
        return Ok(Report { job, counts: outcome.counts });
    }
    let problems = outcome.problems.iter().map(|problem| problem::text(problem, &files)).collect();
    Err(Error::Refused(Refused { job, problems, more }))
}

/// Brings the records of a section to the writer.
fn write(section: &Section<'_>, parcels: &std::sync::mpsc::SyncSender<Parcel>, progress: &dyn Progress) {
    let mut records: Vec<Record> = Vec::with_capacity(PARCEL);
    let dispatch = |records: &mut Vec<Record>| {
        progress.rows(records.len());
        // If the writer is gone, it says why itself.
        drop(parcels.send(Parcel::Records(section.resource, std::mem::take(records))));
    };
    section.each(&mut Problems::default(), &mut |record, _| {
        records.push(record);
        if records.len() == PARCEL {
            dispatch(&mut records);
        }
    });
    dispatch(&mut records);
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: u64 = self.counts.iter().map(|count| count.loaded).sum();
        let records = if all == 1 { "record" } else { "records" };
        write!(formatter, "Import {} has loaded {all} {records}.", self.job)?;
        for Count { resource, loaded, new } in &self.counts {
            write!(formatter, "\n  {resource:<20} {loaded:>8}")?;
            if new < loaded {
                write!(formatter, ", {} of them in the place of older ones", loaded - new)?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "nothing was imported; the log of import {} says the same:", self.job)?;
        for problem in &self.problems {
            write!(formatter, "\n  {problem}")?;
        }
        if self.more > 0 {
            write!(formatter, "\n  and {} more", self.more)?;
        }
        Ok(())
    }
}
