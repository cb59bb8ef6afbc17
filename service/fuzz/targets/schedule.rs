//! Any schedule: it is planned at once or refused with a reason, however far its dates lie apart.
#![no_main]

use libfuzzer_sys::{
    arbitrary::{Arbitrary, Result, Unstructured},
    fuzz_target,
};
use serde_json::{Map, Value, json};
use service_fuzz::{AGENT, service};

const REPEATS: &[&str] = &["Never", "Minutes", "Hours", "Days", "Weeks", "Months", "Years"];
const INTERVALS: &[&str] = &["Minutes", "Hours", "Days", "Weeks", "Months", "Years"];
const MONTHS: &[&str] = &["January", "February", "April", "June", "December"];
const DAYS: &[&str] = &["FirstSunday", "LastDay", "SecondTuesday", "LastWeekendDay", "FourthWeekDay", "LastFriday"];
const WEEKDAYS: &[&str] = &["Monday", "Sunday,Saturday", "tuesday, Friday", "", "Noday"];
const TIMES: &[&str] = &["T0000", "T2359", "1345", "T2400", "T0230", "T01", "x"];
const NUMBERS: &[i64] =
    &[0, 1, 2, 5, 31, 59, 60, 1_000, 1_000_000, 2_147_483_647, 4_294_967_296, i64::MAX, -1, i64::MIN];

/// A body, mostly of the right form.
#[derive(Debug)]
struct Schedule(Value);

impl<'a> Arbitrary<'a> for Schedule {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let recurrence = object(
            bytes,
            &[
                ("Repeat", |bytes| word(bytes, REPEATS)),
                ("Times", number),
                ("DaysOfWeek", |bytes| word(bytes, WEEKDAYS)),
                ("DayOfMonth", |bytes| word(bytes, DAYS)),
                ("SpecificDayOfMonth", number),
                ("MonthOfYear", |bytes| word(bytes, MONTHS)),
                ("EndAt", |bytes| word(bytes, TIMES)),
                ("EndOn", date),
                ("EndAfterIntervalTimes", number),
            ],
        )?;
        let distribution = object(bytes, &[("Interval", |bytes| word(bytes, INTERVALS)), ("Magnitude", number)])?;
        let mut start = object(bytes, &[("StartAt", |bytes| word(bytes, TIMES))])?;
        start["StartOn"] = date(bytes)?;
        let exclusion = json!({ "From": word(bytes, TIMES)?, "To": word(bytes, TIMES)? });
        let mut body = json!({ "Recurrence": recurrence, "Distribution": distribution, "Start": start });
        for flag in ["ServerTimeZone", "SkipIfOffLine", "PowerUpIfOffLine"] {
            body[flag] = bytes.arbitrary::<bool>()?.into();
        }
        body["PatchIds"] = json!([]);
        if bytes.arbitrary()? {
            body["Exclusion"] = exclusion;
        }
        Ok(Self(body))
    }
}

type Member = (&'static str, fn(&mut Unstructured<'_>) -> Result<Value>);

fn object(bytes: &mut Unstructured<'_>, members: &[Member]) -> Result<Value> {
    let mut object = Map::new();
    for (name, value) in members {
        if bytes.ratio(1, 2)? {
            object.insert((*name).to_owned(), value(bytes)?);
        }
    }
    Ok(Value::Object(object))
}

fn word(bytes: &mut Unstructured<'_>, words: &[&str]) -> Result<Value> {
    Ok((*bytes.choose(words)?).into())
}

fn number(bytes: &mut Unstructured<'_>) -> Result<Value> {
    if bytes.ratio(1, 2)? { Ok((*bytes.choose(NUMBERS)?).into()) } else { Ok(bytes.int_in_range(0..=400)?.into()) }
}

fn date(bytes: &mut Unstructured<'_>) -> Result<Value> {
    let year = *bytes.choose(&[-9999, 0, 1, 1600, 1899, 1969, 1970, 2000, 2026, 2027, 2038, 2400, 9999, 10_000])?;
    let (month, day) = (bytes.int_in_range(1..=12)?, bytes.int_in_range(1..=31)?);
    Ok(format!("{year:04}-{month:02}-{day:02}T00:00:00Z").into())
}

fuzz_target!(|schedule: Schedule| {
    let target = format!("/assetmgmt/patch/{AGENT}/schedule");
    let body = schedule.0.to_string().into_bytes();
    if let Some(answer) = service().call("PUT", &target, "application/json", body) {
        assert!(matches!(answer.status.as_u16(), 200 | 400 | 422), "{answer:?}");
    }
});
