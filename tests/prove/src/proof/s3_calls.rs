//! The n-th call to the attachment bucket fails in some way, for every n of a script of uploads and
//! downloads: no response is wrong.

use std::{
    path::Path,
    time::{Duration, Instant, SystemTime},
};

use anyhow::{Result, ensure};
use tests_s3::{BUCKET, Server};

use super::Form;
use crate::{
    attachment_script::{Round, Tally, download},
    caller::{Answers, Caller},
    figure::{Figure, Outcome},
    proxy::{Fault, Proxy},
    service::{Service, Start},
};

/// A fault to inject into each call of the script.
struct Trial {
    what: &'static str,
    fault: Fault,
    /// Number of consecutive failing calls.
    times: u64,
}

/// Number of attempts that the service makes.
const EACH: u64 = 4;

const TRIALS: &[Trial] = &[
    Trial { what: "a call is lost", fault: Fault::Call, times: 1 },
    Trial { what: "a reply is lost", fault: Fault::Reply, times: 1 },
    Trial { what: "a reply is cut off", fault: Fault::HalfReply, times: 1 },
    Trial { what: "a call is refused", fault: Fault::Refusal, times: 1 },
    Trial { what: "a call is lost each time", fault: Fault::Call, times: EACH },
    Trial { what: "a reply is lost each time", fault: Fault::Reply, times: EACH },
    Trial { what: "a reply is cut off each time", fault: Fault::HalfReply, times: EACH },
    Trial { what: "a call is refused each time", fault: Fault::Refusal, times: EACH },
    Trial { what: "all further calls are lost", fault: Fault::Call, times: u64::MAX },
];
/// Takes 15 s, so the short form omits it, and the long one uses every fourth call.
const SILENCE: Trial = Trial { what: "a call is not answered", fault: Fault::Silence, times: 1 };

/// Runs it.
pub(super) fn run(form: Form) -> Result<Outcome> {
    let runtime = tokio::runtime::Runtime::new()?;
    let server = runtime.block_on(Server::start());
    let proxy = Proxy::before_s3(server.address())?;
    let folder = tempfile::tempdir()?;
    let start = Start::new().with("SERVICE_ATTACHMENTS", format!("s3://{BUCKET}/of the/service"));
    let variables = server.environment_at(proxy.address);
    let start = variables.iter().fold(start, |start, (name, value)| start.with(name, value));
    let mut service = start.run(folder.path())?;
    let token = start.token(folder.path())?;

    let mut tally = Tally::default();
    // It has already swept.
    let before = proxy.calls();
    let round = Round::run(service.address, &token, "first", &mut tally)?;
    let calls = proxy.calls() - before;
    round.examine(&mut tally)?;
    let mut kept = tally.kept;
    let mut figures = vec![Figure::plain("calls to the bucket in the script", calls)];
    let silence = Some(&SILENCE).filter(|_| form == Form::Long);
    for (number, trial) in (0..).zip(TRIALS.iter().chain(silence)) {
        // The short form uses one call per fault, a different one each time.
        let first = form.pick(1 + number * 5 % calls, 1);
        let step = form.pick(calls, if trial.fault == Fault::Silence { 4 } else { 1 });
        let mut tally = Tally::default();
        let before = proxy.spoilt();
        for n in (first..=calls).step_by(usize::try_from(step)?) {
            proxy.spoil(n..=n.saturating_add(trial.times - 1), trial.fault);
            let round = Round::run(service.address, &token, &format!("{number}-{n}"), &mut tally)?;
            proxy.spoil_nothing();
            round.examine(&mut tally)?;
        }
        figures.extend(trial.figures(&tally, proxy.spoilt() - before));
        kept.extend(tally.kept);
    }
    let panics = service.log().iter().filter(|line| line.contains("panicked")).count();
    figures.push(Figure::exactly("panics", 0, panics as u64));
    figures.push(Figure::exactly("processes that ended", 0, u64::from(!service.is_alive())));
    figures.push(Figure::plain("files of uploads in parts that are left to the rule of the bucket", server.parts()));
    service.stop()?;

    age(&server, folder.path())?;
    figures.push(Figure::plain("objects before they are swept, hours later", server.objects().len()));
    proxy.spoil(1..=u64::MAX, Fault::Reply);
    let service = start.run(folder.path())?;
    until(|| service.log().iter().any(|line| line.contains("old records could not be removed")))?;
    service.stop()?;
    proxy.spoil_nothing();
    let service = start.run(folder.path())?;
    // Files not removed in time are counted.
    let _ = until(|| server.objects().len() <= kept.len());
    let needless = server.objects().len().saturating_sub(kept.len());
    figures.push(Figure::exactly("objects that nothing needs after that", 0, needless as u64));
    figures.push(Figure::exactly("files acknowledged that are not there in the end", 0, lost(&service, &token, &kept)));
    let doctor = start.command(folder.path(), &["doctor", "--full"])?.output()?;
    print!("{}", String::from_utf8_lossy(&doctor.stdout));
    figures.push(Figure::exactly("`service doctor --full` finds something", 0, u64::from(!doctor.status.success())));
    Ok(Outcome::Measured(figures))
}

impl Trial {
    fn figures(&self, tally: &Tally, spoilt: u64) -> Vec<Figure> {
        let Self { what, fault, times } = self;
        println!("  {what}: {}; downloads: {}", tally.answers.seen, tally.downloads.seen);
        let both = [&tally.answers, &tally.downloads];
        let refused = both.iter().filter_map(|answers| answers.seen.statuses.get(&503)).sum::<u64>();
        let failed = refused + tally.answers.cut + tally.downloads.cut;
        let others = tally.answers.seen.other_than(&[200, 503]);
        let others = others + tally.downloads.seen.other_than(&[200, 206, 503]) - tally.downloads.cut;
        let figure = |name: &str, seen| Figure::exactly(format!("{what}: {name}"), 0, seen);
        vec![
            Figure::some(format!("{what}: so often"), spoilt),
            match (fault, times) {
                // The service retries it.
                (Fault::Call | Fault::Reply | Fault::Refusal, 1) => figure("requests that fail", failed),
                (Fault::HalfReply, 1) => Figure::plain(format!("{what}: requests that fail"), failed),
                _ => Figure::some(format!("{what}: requests that fail"), failed),
            },
            figure("answers other than 200, 206 and 503", others),
            figure("503 without `Retry-After`", both.iter().map(|answers| answers.seen.without_retry_after).sum()),
            figure("requests that hung for 20 s", both.iter().map(|answers| answers.hangs).sum()),
            figure("downloads that looked whole and were not", tally.wrong),
            figure("uploads answered 200 that are not there", tally.lost),
            figure("uploads answered with an error that are listed", tally.ghosts),
            figure("uploads that repeating with the same key did not make one", tally.unrepeated),
            figure("deletions that were refused or not done", tally.undeleted),
            figure("requests that failed without a fault", tally.unrecovered),
        ]
    }
}

/// The number of files that are missing or wrong.
fn lost(service: &Service, token: &str, kept: &[(u64, Vec<u8>)]) -> u64 {
    let (mut caller, mut answers) = (Caller::new(service.address), Answers::default());
    let mut is_there = |id, bytes: &[u8]| {
        let answer = download(&mut caller, token, id, &mut answers);
        answer.is_some_and(|answer| answer.status == 200 && answer.body == bytes)
    };
    kept.iter().filter(|(id, bytes)| !is_there(*id, bytes)).count() as u64
}

/// Ages everything by three hours, so that it may be swept.
fn age(server: &Server, data: &Path) -> Result<()> {
    let before = Duration::from_hours(3);
    let store = rusqlite::Connection::open(data.join("store.sqlite"))?;
    store.execute("UPDATE contents SET claimed_on = claimed_on - ?1", [i64::try_from(before.as_micros())?])?;
    for object in server.objects() {
        std::fs::File::options().write(true).open(object)?.set_modified(SystemTime::now() - before)?;
    }
    Ok(())
}

/// Waits for the condition, for 10 s at most.
fn until(is_so: impl Fn() -> bool) -> Result<()> {
    let begin = Instant::now();
    while !is_so() {
        ensure!(begin.elapsed() < Duration::from_secs(10), "it has not happened within 10 s");
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}
